// Runs before anything is drawn, so that the page never flashes in the wrong colours.
(function () {
  var root = document.documentElement;
  root.classList.add("js");
  try {
    var kept = localStorage.getItem("holdfast-theme");
    if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  } catch (error) { /* Storage is off: the page follows the system. */ }
})();
