# Coefficients of glmnet along given penalties, on standardised features: called by make_glmnet.py.
# Arguments: CSV of features, CSV of one target per column, family, alpha, CSV of penalties, CSV to write.
suppressPackageStartupMessages(library(glmnet))
given <- commandArgs(trailingOnly = TRUE)
if (length(given) == 0) {
  cat(as.character(packageVersion("glmnet")), R.version.string, sep = "\n")
  quit()
}
x <- as.matrix(read.csv(given[1], header = FALSE))
targets <- as.matrix(read.csv(given[2], header = FALSE))
penalties <- scan(given[5], quiet = TRUE)
glmnet.control(fdev = 0, devmax = 1)
spread <- apply(x, 2, function(column) sqrt(mean((column - mean(column))^2)))
found <- NULL
for (k in seq_len(ncol(targets))) {
  fit <- glmnet(x, targets[, k], family = given[3], alpha = as.numeric(given[4]), lambda = penalties,
                standardize = TRUE, thresh = 1e-15, maxit = 1e8)
  stopifnot(ncol(fit$beta) == length(penalties))
  found <- rbind(found, t(as.matrix(fit$beta) * spread))
}
write.table(format(found, digits = 15), given[6], sep = ",", row.names = FALSE, col.names = FALSE, quote = FALSE)
