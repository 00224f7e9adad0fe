"use strict";
(function () {
  const root = document.documentElement;
  const all = (selector, from) => Array.from((from || document).querySelectorAll(selector));
  const NONE = "–";
  const PAGE = 25;
  const LONG = 32;
  const PRINT_WIDTH = 680;

  /* ---- words ---- */

  function say(text) { document.getElementById("said").textContent = text; }

  function complain(text) {
    const place = document.getElementById("trouble");
    place.textContent = text;
    place.hidden = false;
  }

  /* ---- theme ---- */

  const system = matchMedia("(prefers-color-scheme: dark)");
  let printing = false;

  function theme() {
    if (printing) return "light";
    const asked = root.dataset.theme;
    return asked === "auto" ? (system.matches ? "dark" : "light") : asked;
  }

  function setUpTheme() {
    const button = document.getElementById("theme");
    const name = () => { button.textContent = theme() === "dark" ? "Light colours" : "Dark colours"; };
    const tell = () => {
      name();
      redraw();
    };
    button.addEventListener("click", () => {
      root.dataset.theme = theme() === "dark" ? "light" : "dark";
      try { localStorage.setItem("holdfast-theme", root.dataset.theme); } catch (error) { /* Not kept, but changed. */ }
      tell();
    });
    system.addEventListener("change", tell);
    name();
  }

  /* ---- packed parts of this file ---- */

  async function unpack(id) {
    const element = document.getElementById(id);
    const letters = atob(element.textContent);
    element.remove();
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  }

  let library = null;
  function plotly() {
    library = library || unpack("plotly").then((code) => {
      const script = document.createElement("script");
      script.textContent = code;
      document.head.append(script);
      if (!window.Plotly) throw new Error("the library did not start");
      return window.Plotly;
    });
    return library;
  }

  /* ---- charts ---- */

  const CONFIG = {
    responsive: true, displaylogo: false, typesetMath: false, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
    toImageButtonOptions: { format: "svg" },
  };
  const charts = [];

  class Chart {
    constructor(figure, views) {
      this.views = views;
      this.place = figure.querySelector(".drawing");
      this.caption = figure.querySelector("figcaption");
      this.selects = all("select", figure);
      this.isDrawn = false;
      // Two of these fit on a page.
      this.isCurve = ["trade_off", "score_by_size", "stability_across_sizes"].includes(figure.dataset.chart);
      this.selects.forEach((select) => select.addEventListener("change", () => this.draw()));
    }

    draw() {
      return plotly().then((library) => this.drawNow(library)).catch((error) => {
        complain("The charts could not be drawn: " + error.message + ". The tables have their numbers.");
      });
    }

    drawNow(library) {
      const view = this.views[this.selects.map((select) => select.selectedIndex).join(",")];
      this.caption.textContent = view.caption;
      this.isDrawn = true;
      if (!view.light) {
        library.purge(this.place);
        this.place.style.minHeight = "";
        const words = document.createElement("p");
        words.className = "missing";
        words.textContent = "There is nothing to draw for this choice.";
        this.place.replaceChildren(words);
        return null;
      }
      if (this.place.querySelector(".missing")) this.place.replaceChildren();
      // Plotly writes into what it draws, so it gets a copy.
      const figure = structuredClone(view[theme()]);
      if (printing) {
        const height = this.isCurve ? 0.75 * figure.layout.height : figure.layout.height;
        Object.assign(figure.layout, { width: PRINT_WIDTH, height, autosize: false });
      }
      this.place.style.minHeight = figure.layout.height + "px";
      return library.react(this.place, figure.data, figure.layout, CONFIG);
    }
  }

  function redraw() { charts.filter((chart) => chart.isDrawn).forEach((chart) => chart.draw()); }

  function setUpCharts(views) {
    const near = new IntersectionObserver((entries) => {
      for (const entry of entries.filter((one) => one.isIntersecting)) {
        near.unobserve(entry.target);
        charts.find((chart) => chart.place === entry.target).draw();
      }
    }, { rootMargin: "600px 0px" });
    for (const figure of all("[data-chart]")) {
      const chart = new Chart(figure, views[figure.dataset.chart].views);
      charts.push(chart);
      near.observe(chart.place);
    }
    // Drawing is done at once here, since the print begins when this returns.
    const forPrint = (is) => () => {
      printing = is;
      if (window.Plotly) charts.filter((chart) => is || chart.isDrawn).forEach((chart) => chart.drawNow(window.Plotly));
    };
    addEventListener("beforeprint", forPrint(true));
    addEventListener("afterprint", forPrint(false));
  }

  /* ---- cells ---- */

  const interval = (low, high) => (low === null || high === null ? "" : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`);
  const SHOW = {
    estimate: (cell) => cell[0].toFixed(3) + interval(cell[1], cell[2]),
    difference: (cell) => (cell[0] < 0 ? "" : "+") + cell[0].toFixed(3) + interval(cell[1], cell[2]),
    share: (cell) => (100 * cell).toFixed(0) + "%",
    p: (cell) => (cell < 0.001 ? "<0.001" : cell.toFixed(cell < 0.1 ? 3 : 2)),
    score: (cell) => String(Number(cell.toPrecision(3))),
    flag: (cell) => (cell ? "yes" : ""),
  };
  const show = (kind, cell) => {
    if (cell === null) return NONE;
    if (SHOW[kind]) return SHOW[kind](cell);
    return typeof cell === "number" ? cell.toLocaleString("en") : cell;
  };
  const isText = (kind) => kind === "text";
  const names = new Intl.Collator(undefined, { numeric: true });

  function weight(kind, cell) {
    if (kind === "estimate" || kind === "difference") return cell[0];
    if (kind === "flag") return cell ? 1 : 0;
    if (kind === "size" && typeof cell === "string") return cell === "own" ? 1e12 : 2e12;
    return cell;
  }

  function compare(kind, a, b, sign) {
    // What is missing stays at the end, whichever way the rest is sorted.
    if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
    return sign * (isText(kind) ? names.compare(a, b) : weight(kind, a) - weight(kind, b));
  }

  /* ---- CSV ---- */

  function field(value) {
    if (value === null) return "";
    const text = String(value);
    const isSafe = typeof value !== "string" || (text !== "" && text === text.trim() && !/[",\r\n]/.test(text));
    return isSafe ? text : '"' + text.replaceAll('"', '""') + '"';
  }

  function csv(columns, rows) {
    const isWide = (column) => column.kind === "estimate" || column.kind === "difference";
    const heading = columns.flatMap((c) => (isWide(c) ? [c.key, c.key + "_low", c.key + "_high"] : [c.key]));
    const cells = (row) => columns.flatMap((c, i) => (isWide(c) ? row[i] || [null, null, null] : [row[i]]));
    return [heading, ...rows.map(cells)].map((line) => line.map(field).join(",") + "\n").join("");
  }

  function download(name, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  async function copy(lines) {
    const text = lines.join("\n");
    try {
      await navigator.clipboard.writeText(text);
    } catch (error) {
      // Older browsers keep the clipboard from pages opened as files.
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say(lines.length + (lines.length === 1 ? " name copied" : " names copied"));
  }

  async function copyFrom(button, lines) {
    await copy(lines);
    const words = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = words; }, 1500);
  }

  /* ---- tables ---- */

  class Table {
    constructor(place, { file, columns, rows, filters, search, marked }) {
      Object.assign(this, { place, file, columns, rows, marked: rows[marked], n: PAGE, sortBy: -1, sign: 1 });
      this.at = (key) => columns.findIndex((column) => column.key === key);
      this.body = place.querySelector("tbody");
      this.heads = all("thead th", place);
      this.search = search ? place.querySelector("input[type=search]") : null;
      this.searched = this.at(search);
      this.filters = filters.map((key) => this.setUpFilter(key));
      this.heads.forEach((head, i) => this.setUpHead(head, i));
      if (this.search) this.search.addEventListener("input", () => this.narrow());
      this.on("[data-next]", "click", () => { this.n += PAGE; this.fill(); });
      this.on("[data-more]", "change", (event) => place.classList.toggle("all", event.target.checked));
      this.on("[data-export]", "click", () => download(this.file, csv(this.columns, this.found)));
      this.on("[data-copy]", "click", (event) => {
        copyFrom(event.target, [...new Set(this.found.map((row) => row[this.searched]))]);
      });
      this.refresh();
    }

    on(selector, event, act) {
      const element = this.place.querySelector(selector);
      if (element) element.addEventListener(event, act);
    }

    setUpFilter(key) {
      const i = this.at(key);
      const select = this.place.querySelector(`[data-filter="${key}"]`);
      const kind = this.columns[i].kind;
      const values = [...new Set(this.rows.map((row) => row[i]))];
      if (kind === "size") values.sort((a, b) => compare(kind, a, b, 1));
      values.forEach((value) => select.add(new Option(value === null ? NONE : value, String(value))));
      select.closest("label").hidden = values.length < 2;
      select.addEventListener("change", () => this.narrow());
      // By place, not by value: a size and a name may read the same.
      return (row) => select.selectedIndex === 0 || row[i] === values[select.selectedIndex - 1];
    }

    setUpHead(head, i) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        const first = isText(this.columns[i].kind) || ["size", "p", "number"].includes(this.columns[i].kind) ? 1 : -1;
        this.sign = this.sortBy === i ? -this.sign : first;
        this.sortBy = i;
        this.heads.forEach((other, j) => {
          other.setAttribute("aria-sort", i !== j ? "none" : this.sign > 0 ? "ascending" : "descending");
        });
        this.refresh();
      });
    }

    narrow() {
      this.n = PAGE;
      this.refresh();
    }

    refresh() {
      const part = this.search ? this.search.value.trim().toLowerCase() : "";
      this.found = this.rows.filter((row) =>
        this.filters.every((passes) => passes(row)) && (!part || row[this.searched].toLowerCase().includes(part)));
      if (this.sortBy >= 0) {
        const kind = this.columns[this.sortBy].kind;
        this.found.sort((a, b) => compare(kind, a[this.sortBy], b[this.sortBy], this.sign));
      }
      this.fill();
    }

    fill() {
      const shown = this.found.slice(0, this.n);
      this.body.replaceChildren(...shown.map((row) => this.line(row)));
      const n = (number) => number.toLocaleString("en");
      const of = this.found.length < this.rows.length ? ` (of ${n(this.rows.length)})` : "";
      this.place.querySelector(".status").textContent = this.found.length === 0
        ? "No line fits." + (of ? ` There are ${n(this.rows.length)} without filters.` : "")
        : `${n(shown.length)} of ${n(this.found.length)} lines${of}`;
      this.place.querySelector("[data-next]").hidden = shown.length === this.found.length;
    }

    line(row) {
      const line = document.createElement("tr");
      if (row === this.marked) line.className = "marked";
      row.forEach((cell, i) => {
        const { kind, more } = this.columns[i];
        const place = document.createElement(i === 0 ? "th" : "td");
        if (i === 0) place.scope = "row";
        const isLong = isText(kind) && cell !== null && cell.length > LONG;
        place.className = kind + (more ? " more" : "") + (isLong ? " long" : "");
        place.textContent = show(kind, cell);
        if (kind === "share" && cell !== null) place.style.setProperty("--part", cell);
        line.append(place);
      });
      return line;
    }
  }

  /* ---- start ---- */

  async function start() {
    setUpTheme();
    const chips = document.getElementById("copy-chips");
    if (chips) chips.addEventListener("click", () => copyFrom(chips, all("#chips .name").map((name) => name.textContent)));
    if (typeof DecompressionStream === "undefined") {
      root.classList.remove("js");
      complain("This browser is too old for the charts and for sorting. The tables can be read; for the rest open the file in a browser of 2023 or later.");
      return;
    }
    const data = JSON.parse(await unpack("data"));
    for (const place of all("[data-table]")) new Table(place, data.tables[place.dataset.table]);
    setUpCharts(data.charts);
    root.dataset.ready = "";
  }

  start().catch((error) => complain("The page could not start: " + error.message + ". The tables can still be read."));
})();
