"""Writing a golden file: one line per list of numbers, with versions and the date on top."""

import datetime as dt
import json
import re
from pathlib import Path

HERE = Path(__file__).parent


def save(name, versions, how_made, data_sets):
    """Write ``name.json`` beside this module."""
    golden = {
        "made_by": how_made,
        "date": dt.date.today().isoformat(),
        "versions": versions,
        "data": data_sets,
    }
    text = json.dumps(golden, indent=1, allow_nan=False)
    flat = re.sub(r"\[[^\[\]{}]*\]", lambda found: re.sub(r"\s+", " ", found[0]), text)
    (HERE / f"{name}.json").write_text(flat + "\n")
