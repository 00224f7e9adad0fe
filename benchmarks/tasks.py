"""What is raced: per task the entries, and what each entry optimises."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """One row of a table: an adapter, the method it is asked for, and how far its objective is ours."""

    peer: str
    method: str
    note: str = ""
    is_set: bool = False  # the program answers without an order

    @property
    def label(self) -> str:
        _, _, variant = self.method.partition("/")
        return f"{self.peer} ({variant})" if variant else self.peer


@dataclass(frozen=True)
class Task:
    """A job several programs do; the first entry is ours, and ratios are to it."""

    name: str
    title: str
    entries: tuple[Entry, ...]


SAME = "same objective"
ROUGHLY = "same objective, solved to 1e-3"
SQUARED = "another objective: squared hinge, penalised intercept"

TASKS = (
    Task(
        "mrmr-mi",
        "MRMR by mutual information, top 50, on the same three-level codes",
        (
            Entry("holdfast", "mrmr-mi", "lazy (MRMR+)"),
            Entry("holdfast", "mrmr-mi/exhaustive", "every pair counted"),
            Entry("holdfast", "mrmr-mi/binning included", "lazy, from real numbers"),
            Entry("reference-numpy", "mrmr-mi", SAME),
            Entry("fast-select", "mrmr-mi", "same objective; ties by lowest redundancy"),
            Entry("skfeature", "mrmr-mi", "I(f;y) − 0.8 · sum of I(f;s): its MRMR keeps the default weight"),
            Entry("itmo-fs", "mrmr-mi", SAME),
            Entry("pymrmr", "mrmr-mi", "Peng's own C++ (MID)"),
            Entry("feature-engine", "mrmr-mi", "redundancy by nearest-neighbour MI", is_set=True),
            Entry("fast-mrmr", "mrmr-mi"),
            Entry("mifspy", "mrmr-mi"),
            Entry("praznik", "mrmr-mi"),
        ),
    ),
    Task(
        "mrmr-f",
        "MRMR by F over mean absolute Pearson, each at least 0.001 (FCQ), top 50",
        (
            Entry("holdfast", "mrmr-f"),
            Entry("reference-numpy", "mrmr-f", SAME),
            Entry("mrmrs", "mrmr-f", SAME),
            Entry("scikit-lego", "mrmr-f", "without the floor of 0.001, which reorders early picks"),
            Entry("mrmr-selection", "mrmr-f", SAME),
            Entry("feature-engine", "mrmr-f", "without the floor of 0.001", is_set=True),
            Entry("arfs", "mrmr-f", "F / mean association, normalised"),
            Entry("pymrmre", "mrmr-f", "Gaussian MI, difference"),
            Entry("mrmre", "mrmr-f"),
        ),
    ),
    Task(
        "cfs",
        "CFS on the same three-level codes",
        (
            Entry("holdfast", "cfs", "CFS+, greedy"),
            Entry("holdfast", "cfs/incremental", "FCFS, greedy"),
            Entry("holdfast", "cfs/naive", "greedy, every merit anew"),
            Entry("reference-numpy", "cfs", "greedy"),
            Entry("fast-select", "cfs", "best first, five stale", is_set=True),
            Entry("weka", "cfs/greedy", "GreedyStepwise, 32-bit correlations", is_set=True),
            Entry("weka", "cfs/best first", "best first, five stale", is_set=True),
            Entry("skfeature", "cfs", "greedy; keeps on until four steps bring nothing"),
        ),
    ),
    Task(
        "cfs-mdl",
        "CFS from real numbers, MDL binning included",
        (
            Entry("holdfast", "cfs-mdl", "CFS+, greedy"),
            Entry("weka", "cfs-mdl/greedy", "GreedyStepwise; MDL with the better encoding", is_set=True),
        ),
    ),
    Task(
        "fcbf",
        "FCBF on the same three-level codes, threshold 0",
        (
            Entry("holdfast", "fcbf"),
            Entry("holdfast", "fcbf/mdl binning included", "from real numbers: other bins, other picks"),
            Entry("reference-numpy", "fcbf", SAME),
            Entry("orange", "fcbf", "same objective; ties to the highest column"),
            Entry("itmo-fs", "fcbf", "MI in place of SU; mixes up indices after its first deletion"),
            Entry("skfeature", "fcbf", "truncates SU to an integer, so goes by column number"),
            Entry("fcbf", "fcbf", "same objective; its check on rounding noise switched off"),
        ),
    ),
    Task(
        "mi-ranking",
        "Ranking by mutual information with the class, the same codes",
        (
            Entry("holdfast", "mi-ranking"),
            Entry("holdfast", "mi-ranking/mdl binning included", "from real numbers: other bins, other picks"),
            Entry("reference-numpy", "mi-ranking", SAME),
            Entry("scikit-learn", "mi-ranking", SAME),
            Entry("weka", "mi-ranking", SAME),
            Entry("skfeature", "mi-ranking", SAME),
            Entry("fast-select", "mi-ranking", SAME),
        ),
    ),
    Task(
        "f-ranking",
        "Ranking by the F statistic",
        (
            Entry("holdfast", "f-ranking"),
            Entry("reference-numpy", "f-ranking", SAME),
            Entry("scikit-learn", "f-ranking", SAME),
        ),
    ),
    Task(
        "relieff",
        "ReliefF, ten neighbours of each class, every sample a target, all features scored, top 50",
        (
            Entry("holdfast", "relieff"),
            Entry("holdfast", "relieff/ib-of", "another objective: ours beside one ReliefF"),
            Entry("reference-numpy", "relieff", SAME),
            Entry("fast-select", "relieff", "same objective in 32 bit"),
            Entry("weka", "relieff", SAME),
            Entry("skrebate", "relieff", "same objective for two classes; up to ten values count as categories"),
            Entry("orange", "relieff", "as many targets as samples, but drawn with replacement"),
            Entry("skfeature", "relieff", "same objective for two classes, given scaled features"),
            Entry("itmo-fs", "relieff", "same objective for two equal classes, given scaled features"),
            Entry("relieff", "relieff", "ten nearest of any class; equal or not in place of differences: all tie"),
            Entry("sklearn-relief", "relieff", "adds the distance of the whole row to every feature: all tie"),
        ),
    ),
    Task(
        "multisurf",
        "MultiSURF, every sample a target, all features scored, top 50",
        (
            Entry("holdfast", "multisurf"),
            Entry("reference-numpy", "multisurf", SAME),
            Entry("fast-select", "multisurf", "same objective for two classes, in 32 bit"),
            Entry("skrebate", "multisurf", "same objective for two classes; up to ten values count as categories"),
        ),
    ),
    Task(
        "svm-rfe",
        "SVM-RFE, 10 % of the remaining features a round, scaling to [0, 1] included, to 50",
        (
            Entry("holdfast", "svm-rfe", "goes on to the last feature"),
            Entry("reference-numpy", "svm-rfe/Gram", ROUGHLY, is_set=True),
            Entry("reference-numpy", "svm-rfe/Gram, to 1e-8", SAME, is_set=True),
            Entry("scikit-learn", "svm-rfe/SVC anew", ROUGHLY, is_set=True),
            Entry("scikit-learn", "svm-rfe/SVC anew, to 1e-8", SAME, is_set=True),
            Entry("weka-debian", "svm-rfe", "drops ⌊(left + 1) / 10⌋ a round; goes on to the last feature"),
        ),
    ),
    Task(
        "svm-rfe-original",
        "SVM-RFE, 10 % of the original number of features a round, scaling to [0, 1] included, to 50",
        (
            Entry("holdfast", "svm-rfe-original"),
            Entry("reference-numpy", "svm-rfe-original/Gram", ROUGHLY, is_set=True),
            Entry("reference-numpy", "svm-rfe-original/Gram, to 1e-8", SAME, is_set=True),
            Entry("scikit-learn", "svm-rfe-original/RFE of LinearSVC", SQUARED, is_set=True),
            Entry("scikit-learn", "svm-rfe-original/RFE of LinearSVC, not scaled", SQUARED, is_set=True),
            Entry("scikit-learn", "svm-rfe-original/RFE of SVC", ROUGHLY, is_set=True),
            Entry("scikit-learn", "svm-rfe-original/RFE of SVC, to 1e-8", SAME, is_set=True),
        ),
    ),
)
