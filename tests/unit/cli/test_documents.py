"""What the documents say is what the program does."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast import __version__, methods
from holdfast._citations import WORKS
from holdfast.report.reproduction._words import in_short
from holdfast.reproduce import ROWS

ROOT = Path(__file__).resolve().parents[3]


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def make_docs():
    return script("make_docs")


@pytest.fixture(scope="module")
def make_reproduction():
    return script("make_reproduction")


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_readme_lists_the_methods_and_shows_the_demo_as_they_are(make_docs):
    assert text_of("README.md") == make_docs.readme(), "Run `make docs`."
    assert all(f"| `{row.name}` |" in text_of("README.md") for row in methods())


def test_the_page_of_methods_is_current(make_docs):
    assert text_of("docs/methods.md") == make_docs.methods_page(), "Run `make docs`."


def test_the_python_examples_of_the_readme_run_one_after_the_other():
    example = "\n".join(re.findall(r"```python\n(.*?)```", text_of("README.md"), flags=re.DOTALL))
    result = subprocess.run([sys.executable, "-W", "error", "-c", example], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert len(result.stdout.splitlines()) >= 4


@pytest.mark.parametrize("key", ["benbrahim2015", "pinoangulo2019", "hosseini2018", "michel2018", "han2012"])
def test_the_citation_file_names_every_thesis(key):
    cited, work = text_of("CITATION.cff"), WORKS[key]
    for part in (work.title, work.authors[0].partition(",")[0], work.where, f"year: {work.year}"):
        assert part in cited


def test_the_citation_file_has_the_version_of_the_package():
    assert f"version: {__version__}\n" in text_of("CITATION.cff")


def test_links_between_documents_lead_somewhere():
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")):
        for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.relative_to(ROOT)} links to {link}"


def test_the_page_of_all_reruns_counts_what_the_pages_of_plans_say(make_reproduction):
    runs = json.loads(make_reproduction.SUMMARY.read_text(encoding="utf-8"))
    assert text_of("docs/reproduction/README.md") == make_reproduction.overview(runs)
    assert set(runs) == {row.name for row in ROWS}
    for plan, run in runs.items():
        page = text_of(f"docs/reproduction/{plan}.md")
        assert f"**{in_short(run['summary'])}**" in page
        made = f", Holdfast {run['holdfast_version']}, {run['date']};"
        assert re.search(rf"^`holdfast reproduce {plan}( --data DIR)?`{re.escape(made)}", page, flags=re.MULTILINE)


def test_a_page_keeps_what_was_written_by_hand(make_reproduction, tmp_path):
    place = tmp_path / "page.md"
    assert make_reproduction.with_hand(place, "new\n") == f"new\n\n{make_reproduction.BY_HAND}\n"
    place.write_text(f"old\n\n{make_reproduction.BY_HAND}\n\nby hand\n", encoding="utf-8")
    assert make_reproduction.with_hand(place, "new\n") == f"new\n\n{make_reproduction.BY_HAND}\n\nby hand\n"


def sources():
    for folder in ("src", "tests", "benchmarks", "docs"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".md", ".json", ".java"):
                yield path
    yield from (*ROOT.glob("*.md"), ROOT / "Makefile")


def test_no_file_names_a_folder_of_one_machine():
    folders = [f"/{name}/" for name in ("work", "home", "Users")]
    assert [str(path) for path in sources() if any(folder in path.read_text("utf-8") for folder in folders)] == []


def test_no_test_packs_the_present_second():
    # A worker that collects one second later would collect another test.
    calls = [call for path in sources() for call in re.findall(r"gzip\.compress\(.*", path.read_text("utf-8"))]
    assert len(calls) > 4
    assert [call for call in calls if "mtime=0" not in call] == []


def test_make_bench_runs_every_benchmark():
    rule = text_of("Makefile").partition("\nbench:")[2].partition("\n\n")[0]
    ran = re.findall(r"python -m (\S+)", rule)
    assert ran == [
        "benchmarks",
        "benchmarks.scaling",
        "benchmarks.startup",
        "benchmarks.methods",
        "benchmarks.limits",
        "benchmarks.svm_rfe",
        "benchmarks.svm_rfe_accuracy",
        "benchmarks.stability",
        "benchmarks.study",
        "benchmarks.consistency",
        "benchmarks.distance",
        "benchmarks.sequential",
        "benchmarks.evolutionary",
    ]
