"""The benchmarks: what they must refuse to pass over, and that every method can be timed."""

import importlib
import sys
import types
from pathlib import Path

import pytest

from holdfast import methods

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def benchmark_module(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    if importlib.util.find_spec("psutil") is None:
        monkeypatch.setitem(sys.modules, "psutil", types.SimpleNamespace(Process=object, NoSuchProcess=OSError))
    return lambda name: importlib.import_module(f"benchmarks.{name}")


def result(peer, picks, note=""):
    return {"label": peer, "peer": peer, "note": note, "is_set": False, "picks": picks, "seconds": [1.0]} | {
        "version": "1",
        "peak_megabytes": 1.0,
    }


def test_other_picks_for_the_same_objective_are_a_disagreement(benchmark_module):
    ours = result("holdfast", [3, 1, 2])
    rivals = [
        result("agrees", [2, 1, 3], "same objective"),
        result("differs", [3, 1, 4], "same objective"),
        result("fewer", [3, 1], "same objective"),
        result("other", [7, 8, 9], "another objective"),
        {"label": "absent", "peer": "absent", "note": "same objective", "reason": "not installable"},
    ]
    tables = [{"task": "mrmr-mi", "size": (100, 2000), "results": [ours, *rivals]}]
    said = benchmark_module("report").disagreements(tables)
    assert [line.partition(" has")[0] for line in said] == [
        "mrmr-mi at 100 × 2,000: differs",
        "mrmr-mi at 100 × 2,000: fewer",
    ]
    assert "1 of its 3 picks" in said[0]


@pytest.mark.parametrize(("picks", "fails"), [([1, 2], False), ([1, 3], True)])
def test_the_race_fails_after_writing_when_picks_disagree(benchmark_module, monkeypatch, tmp_path, picks, fails):
    main = benchmark_module("__main__")
    monkeypatch.setattr(benchmark_module("report"), "RESULTS", tmp_path)
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--size", "10x10", "--task", "f-ranking", "--name", "tried"])
    answers = [result("holdfast", [1, 2]), result("scikit-learn", picks, "same objective")]
    monkeypatch.setattr(main, "race", lambda *_, **__: answers)
    if fails:
        with pytest.raises(SystemExit, match="scikit-learn has the same objective"):
            main.main()
    else:
        main.main()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tried.json", "tried.md"]


@pytest.mark.parametrize("row", methods(), ids=lambda row: row.name)
def test_every_method_can_be_timed(benchmark_module, row):
    found = benchmark_module("methods").measure(row, at_most=300)
    assert (found["method"], found["n_features"]) == (row.name, 300)
    assert found["n_selected"] > 0
    assert row.name in benchmark_module("methods").markdown(
        {"date": "today", "machine": benchmark_module("machine").describe(), "methods": [found]}
    )


def test_a_method_is_timed_at_no_more_features_than_its_row_allows(benchmark_module, monkeypatch):
    timing = benchmark_module("methods")
    slow = types.SimpleNamespace(name="f-test", bench_features=250, takes_prior=False, build=methods()[2].build)
    assert timing.measure(slow, at_most=25_000)["n_features"] == 250
