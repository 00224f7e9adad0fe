"""From what went wrong to one sentence and an exit code."""

from __future__ import annotations

import dis
import re
import traceback

from holdfast._errors import DataError, NothingSelected, PlanMismatch, StoreError, StudyStopped

OUR_BUG, WRONG_PARAMETER, UNUSABLE_DATA, NOTHING_SELECTED, OTHER_PLAN, INTERRUPTED = 1, 2, 3, 4, 5, 130

# The library speaks of its parameters; at the shell they are flags.
_AS_FLAGS = (
    (re.compile(r"\bgenes_in='(rows|columns)'(?: \((?:on the command line )?--genes-in[^)]*\))?"), r"--genes-in \1"),
    (re.compile(r"\btarget=('[^']*'|\"[^\"]*\"|…)"), r"--target \1"),
    (re.compile(r"\bas target\b"), "as --target"),
    (re.compile(r"\bn_features_to_select="), "-k "),
    (re.compile(r"\bsets=(?=['\[])"), "--prior-sets "),
    (re.compile(r"\b(aliases|probes)=…"), r"--\1 FILE"),
    (re.compile(r"\bPass prior=….*"), "Pass --prior FILE."),
    (re.compile(r"\bdiscretizer=None\b"), "--discretizer none"),
    (re.compile(r"\bdiscretizer='([\w-]+)'"), r"--discretizer \1"),
    (re.compile(r"\bimpute='(\w+)'"), r"--impute \1"),
    (re.compile(r"\b(protocol|positive|cluster)=(?='')"), r"--\1 "),
    (re.compile(r"\b(protocol|positive|cluster)='([^']*)'"), r"--\1 \2"),
    (re.compile(r"\b(protocol|positive|cluster)=(\"[^\"]*\")"), r"--\1 \2"),
    (re.compile(r"\bsizes=\[?'own'\]?"), "--sizes own"),
    (re.compile(r"\bsizes=\[([\d, ]*)\]"), r"--sizes \1"),
    (re.compile(r"(?<!-)\b(methods|sizes|classifiers)(?=: | has | is empty|=)"), r"--\1"),
    (re.compile(r"\bout of sizes\b"), "out of --sizes"),
    (re.compile(r"\btune_size(=True)?\b"), "--tune-size"),
    (re.compile(r"\bso_far=True\b"), "--so-far"),
    (re.compile(r"\bout=(,)?"), r"--out\1"),
)


_FRAME = re.compile(r'^\s*File "([^"]+)", line \d+, in .+\n\s*(.+)$', re.MULTILINE)
_OURS = re.compile(r"[/\\]holdfast[/\\](\w+[/\\])*\w+\.py$")
_LISTED = re.compile(r"holdfast\.methods\(\) \(or `holdfast methods`\)")
_IN_PYTHON = re.compile(r"; (settings or, in Python, )?a mapping of labels( to methods)? tells? two apart")
_IN_A_LIST = re.compile(r"(methods|sizes|classifiers): ")


def exit_code(error: BaseException) -> int:
    """Exit code of an error, one meaning each."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, NothingSelected):
        return NOTHING_SELECTED
    if isinstance(error, PlanMismatch):
        return OTHER_PLAN
    if isinstance(error, (DataError, StoreError, OSError, MemoryError)):
        return UNUSABLE_DATA
    if isinstance(error, (ValueError, TypeError)) and _is_refusal(error):
        return WRONG_PARAMETER
    return OUR_BUG


def sentence(error: BaseException) -> str:
    """What to tell the user."""
    if isinstance(error, StudyStopped):
        return in_flags(str(error))
    return "Stopped." if isinstance(error, KeyboardInterrupt) else f"error: {_reason(error)}"


def _reason(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "There is not enough memory for this table. Try a machine with more, or a table of fewer features."
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror or error}. Nothing was written; check the place, its space and your rights."
    if exit_code(error) == OUR_BUG:
        return (
            f"This is a bug in holdfast, not in your data ({type(error).__name__}: {error}). "
            "Please report it with the output of the same command with --debug added."
        )
    return in_flags(str(error))


def in_flags(message: str) -> str:
    """Return a message of the library with its parameters written as flags."""
    message = _IN_PYTHON.sub("", _LISTED.sub("`holdfast methods`", message))
    if _IN_A_LIST.match(message):
        # Settings in parentheses keep their names.
        return f"--{message}"
    for pattern, flag in _AS_FLAGS:
        message = pattern.sub(flag, message)
    return message


def trace(error: BaseException) -> str:
    """Return the traceback, without the values of variables: they may be a patient's."""
    return "".join(traceback.format_exception(error))


def _is_refusal(error: BaseException) -> bool:
    """Whether our own code raised it on purpose; a ValueError that merely happens inside is a bug."""
    here = error.__traceback__
    if here is None:
        return False
    while here.tb_next is not None:
        here = here.tb_next
    module = str(here.tb_frame.f_globals.get("__name__", ""))
    if module.startswith("joblib.") and error.__cause__ is not None:
        # Of an error in a thread, a process or on a cluster joblib has the way to it as text.
        frames = _FRAME.findall(str(error.__cause__))
        return bool(frames) and _OURS.search(frames[-1][0]) is not None and frames[-1][1].startswith("raise ")
    return module.startswith("holdfast.") and here.tb_frame.f_code.co_code[here.tb_lasti] == dis.opmap["RAISE_VARARGS"]
