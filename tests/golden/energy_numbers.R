# Distance correlations of groups of columns with a target by the package energy: called by make_energy.py.
# Arguments: CSV of features, CSV of the target (one column or more), file of one group of columns a line (from 1),
# CSV of one weight per feature, CSV to write: a line per group with dcor, bcdcor, dcov^2, dVar^2 of the group and of the target.
suppressPackageStartupMessages(library(energy))
given <- commandArgs(trailingOnly = TRUE)
if (length(given) == 0) {
  cat(as.character(packageVersion("energy")), R.version.string, sep = "\n")
  quit()
}
as_numbers <- function(path) {
  table <- as.matrix(read.csv(path, header = FALSE))
  storage.mode(table) <- "double"
  table
}
x <- as_numbers(given[1])
target <- as_numbers(given[2])
groups <- lapply(strsplit(readLines(given[3]), ","), as.integer)
weights <- scan(given[4], quiet = TRUE)
stopifnot(length(weights) == ncol(x), nrow(target) == nrow(x))
found <- sapply(groups, function(group) {
  part <- sweep(x[, group, drop = FALSE], 2, sqrt(weights[group]), "*")
  c(dcor(part, target), bcdcor(part, target), dcov(part, target)^2, dcov(part, part)^2, dcov(target, target)^2)
})
writeLines(apply(found, 2, function(numbers) paste(sprintf("%.17g", numbers), collapse = ",")), given[5])
