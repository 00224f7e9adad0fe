"""Holdfast, through its public interface. After the slash comes a variant: ``mrmr-mi/exhaustive``."""

from _run import serve

from holdfast import selector


def from_codes(name, **options):
    """The selector on the codes everybody gets."""
    return _method(name, "codes", discretizer=None, **options)


def from_numbers(name, **options):
    """The selector on real numbers, binning (where it bins) included."""
    return _method(name, "X", **options)


def _method(name, table, **options):
    def prepare(problem):
        values = getattr(problem, table)
        sized = options | ({} if name in SETS else {"n_features_to_select": problem.n_select})
        return lambda: selector(name, **sized).fit(values, problem.y).indices_

    return prepare


SETS = {"cfs", "fcfs", "cfs+", "fcbf"}  # methods that decide by themselves how many to keep
METHODS = {
    "mrmr-mi": from_codes("mrmr+"),
    "mrmr-mi/exhaustive": from_codes("mrmr"),
    "mrmr-mi/binning included": from_numbers("mrmr+", discretizer="mean-sigma"),
    "mrmr-f": from_numbers("fcq"),
    "cfs": from_codes("cfs+"),
    "cfs/incremental": from_codes("fcfs"),
    "cfs/naive": from_codes("cfs"),
    "cfs-mdl": from_numbers("cfs+", discretizer="mdl"),
    "fcbf": from_codes("fcbf"),
    "fcbf/mdl binning included": from_numbers("fcbf", discretizer="mdl"),
    "mi-ranking": from_codes("information-gain"),
    "mi-ranking/mdl binning included": from_numbers("information-gain", discretizer="mdl"),
    "f-ranking": from_numbers("f-test"),
    "relieff": from_numbers("relieff"),
    "relieff/ib-of": from_numbers("ib-of"),
    "multisurf": from_numbers("multisurf"),
    "svm-rfe": from_numbers("svm-rfe"),
    "svm-rfe-original": from_numbers("svm-rfe", step_of="all"),
}

if __name__ == "__main__":
    serve("holdfast", METHODS)
