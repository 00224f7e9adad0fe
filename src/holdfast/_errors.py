"""The errors and warnings a user can meet; the command line maps each to an exit code."""


class DataError(ValueError):
    """The table cannot be used as it is; the message names the place and the way out."""


class NothingSelected(UserWarning):
    """The method kept no feature at all."""


class SmallSampleWarning(UserWarning):
    """A class has so few samples that a selection on it is close to chance."""


class PriorWarning(UserWarning):
    """Prior knowledge is missing where a method is named after it, or names features that the data do not have."""


class PlanMismatch(RuntimeError):
    """A study folder belongs to another plan."""


class StoreError(RuntimeError):
    """A study could not be written, or its cluster was lost; what it had is kept, and the message says how to go on."""


class StudyStopped(KeyboardInterrupt):
    """Someone stopped a study; the message says how to go on."""
