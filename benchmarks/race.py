"""A race: every entry of one task on one problem, run in turns so that noise hits all alike."""

import tempfile
from pathlib import Path

from benchmarks import peers
from benchmarks.data import save_problem
from benchmarks.runner import OURS, Bounds, NoAnswerError, Runner
from benchmarks.tasks import Entry, Task

START_SECONDS = 180.0
N_SELECT = 50

# Per label the size at which it broke its bounds, and which bound.
TooSlow = dict[str, tuple[tuple[int, int], str]]


def why_absent(entry: Entry) -> str | None:
    """The reason an entry cannot start, or None."""
    if entry.peer in OURS:
        return None
    found = peers.installed()[entry.peer]
    return None if "version" in found else f"not installable: {found['reason']}"


def race(
    task: Task, size: tuple[int, int], bounds: Bounds, too_slow: TooSlow, say=print, save=save_problem
) -> list[dict]:
    """Results of every entry, in the order of the task; ``too_slow`` is read and added to, ``save`` writes the data."""
    results = {entry: _blank(entry, size, too_slow) for entry in task.entries}
    runners: list[Runner] = []
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        problem = Path(folder) / "problem.npz"
        save(problem, *size, N_SELECT)
        try:
            for entry in task.entries:
                if "reason" not in results[entry]:
                    runners.append(Runner(entry, problem, bounds))
                    _guarded(runners[-1], results, lambda runner: runner.wait_until_ready(START_SECONDS))
            _take_turns(runners, results, bounds)
            for runner in runners:
                if "reason" not in results[runner.entry]:
                    _guarded(runner, results, lambda runner: results[runner.entry].update(runner.finish()))
        finally:
            for runner in runners:
                runner.end()
    for result in results.values():
        if str(result.get("reason", "")).startswith(">"):
            too_slow[result["label"]] = (size, result["reason"])
        say(f"  {result['label']}: {shown(result)}")
    return list(results.values())


def _blank(entry: Entry, size: tuple[int, int], too_slow: TooSlow) -> dict:
    result = {"label": entry.label, "peer": entry.peer, "note": entry.note, "is_set": entry.is_set}
    reason = why_absent(entry)
    if entry.label in too_slow:
        (n_samples, n_features), failure = too_slow[entry.label]
        # Only a problem at least as large both ways is sure to take as long.
        if size[0] >= n_samples and size[1] >= n_features:
            reason = f"not tried ({failure} at {n_samples:,} × {n_features:,})"
    return result | ({"reason": reason} if reason else {})


def _guarded(runner: Runner, results: dict[Entry, dict], act) -> None:
    try:
        act(runner)
    except NoAnswerError as problem:
        results[runner.entry]["reason"] = str(problem)
        runner.end()


def _take_turns(runners: list[Runner], results: dict[Entry, dict], bounds: Bounds) -> None:
    for _ in range(bounds.at_most):
        for runner in runners:
            if "reason" not in results[runner.entry] and bounds.wants_more(runner.seconds):
                _guarded(runner, results, lambda runner: runner.run())


def shown(result: dict) -> str:
    """Seconds or the reason, for people."""
    if "reason" in result:
        return result["reason"]
    best = min(result["seconds"])
    return f"{best:.4f} s" if best < 0.1 else f"{best:.2f} s"
