"""The quick form of every plan on real tables, so that none can rot."""

import json
import os
from pathlib import Path

import pytest

from holdfast.report.reproduction import markdown, page, text
from holdfast.reproduce import ROWS, reproduce
from holdfast.reproduce.cells import AGREES, BETTER, DIFFERS, WORSE
from holdfast.reproduce.plan import NOT_TESTED

FOLDER = Path(os.environ.get("HOLDFAST_DATA", Path(__file__).parents[3] / "shared" / "data"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no folder of data sets: set HOLDFAST_DATA ({FOLDER} is none)"),
]


@pytest.fixture(scope="module", params=ROWS, ids=lambda row: row.name)
def quick(request, tmp_path_factory):
    out = tmp_path_factory.mktemp(request.param.name) / "run"
    return request.param, out, reproduce(request.param, data=FOLDER, quick=True, out=out)


def test_a_quick_run_has_numbers_beside_print_and_claims(quick):
    row, _, found = quick
    summary = found["summary"]
    judged = [summary[part][verdict] for part in ("total", "apart") for verdict in (AGREES, BETTER, WORSE, DIFFERS)]
    assert not row.tables or sum(judged) > 0
    assert sum(summary["claims"].values()) > summary["claims"][NOT_TESTED]
    assert found["is_quick"]


def test_a_quick_run_can_be_read_in_every_form(quick):
    _, _, found = quick
    json.dumps(found, allow_nan=False)
    for words in (markdown(found), page(found), text(found)):
        assert "nan" not in words.replace("Nan", "").split()


def test_a_quick_run_goes_on_from_what_is_kept(quick):
    row, out, found = quick
    assert reproduce(row, data=FOLDER, quick=True, out=out) == found
