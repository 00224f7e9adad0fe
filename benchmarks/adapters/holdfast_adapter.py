"""Holdfast, through its public interface. After the slash comes a variant: ``mrmr-mi/exhaustive``."""

from _run import in_millionths, index_of_runs, over_halves, serve, top
from sklearn.base import clone

from holdfast import InstanceWeighting, StabilitySelector, selector, stability


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


def stable(name, n_jobs=1, **options):
    """The features chosen most often over the halves that everybody gets."""

    def prepare(problem):
        base = selector(name, n_features_to_select=problem.n_select, **options)
        halves = list(problem.halves)
        layer = StabilitySelector(selector=base, perturb=halves, n_runs=len(halves), n_jobs=n_jobs)
        return lambda: top(layer.fit(problem.X, problem.y).frequency_, problem.n_select)

    return prepare


def plain_loop(name, **options):
    """What the layer is to beat: a clone fitted to a copy of each half."""

    def prepare(problem):
        base = selector(name, n_features_to_select=problem.n_select, **options)
        return lambda: clone(base).fit(problem.X, problem.y).indices_

    return over_halves(prepare)


def instance_weights(problem):
    return lambda: in_millionths(*InstanceWeighting(n_jobs=1).fit(problem.X, problem.y).weights_)


SETS = {"cfs", "fcfs", "cfs+", "fcbf"}  # methods that decide by themselves how many to keep
BASES = {
    "mrmr": ("mrmr+", {}),
    "mrmr-f": ("fcq", {}),
    "svm-rfe": ("svm-rfe", {}),
    "lasso": ("lasso", {"n_penalties": 10, "smallest_penalty": 0.1}),
}
INDICES = {
    "kuncheva": stability.kuncheva,
    "jaccard": stability.jaccard,
    "lustgarten": stability.lustgarten,
    "nogueira": stability.nogueira,
}
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
    "instance-weights": instance_weights,
    **{f"index-{name}": index_of_runs(index) for name, index in INDICES.items()},
    **{f"stable-{task}": stable(base, **options) for task, (base, options) in BASES.items()},
    **{f"stable-{task}/two threads": stable(base, n_jobs=2, **options) for task, (base, options) in BASES.items()},
    **{f"stable-{task}/plain loop": plain_loop(base, **options) for task, (base, options) in BASES.items()},
}

if __name__ == "__main__":
    serve("holdfast", METHODS)
