"""A plan about nothing: how many samples and features tables have."""

from functools import partial

from holdfast.reproduce.cells import Key, Ours, Printed
from holdfast.reproduce.plan import HOLDS, Claim, Judgement, Part, Plan, Section
from holdfast.reproduce.plans import Row
from holdfast.reproduce.shelf import Set

SETS = {"One": Set("one"), "Two": Set("two"), "Three": Set("three", openml=3, shape=(5, 2))}


def measured(name, shelf):
    """A part."""
    return {"shape": list(shelf.load(name).X.shape)}


def parts(shelf, quick):
    return [Part(f"shape-{name}", partial(measured, name)) for name in shelf.there[: 1 if quick else None]]


def judge(made, shelf, quick):
    ours = {}
    for name in SETS:
        if f"shape-{name}" in made:
            n_samples, n_features = made[f"shape-{name}"]["shape"]
            ours[Key("1.1", name, "table", "", "samples")] = Ours(n_samples, within=2, honest=1.0)
            ours[Key("1.2", name, "table", "all", "features")] = Ours(n_features)
    return Judgement(
        ours,
        [Claim("1", "tables have rows", HOLDS, f"{len(made)} of them")],
        [Section("Rows | of ours", "In *short*.", ["data", "rows"], [[name, "1"] for name in shelf.there])],
    )


PLAN = Plan(
    printed="nowhere",
    sets=SETS,
    protocol=("Rows are **counted**, see `len`.",),
    better={"samples": True, "features": None},
    parts=parts,
    judge=judge,
    leaks={"1.1": "somebody looked."},
    remarks={"a": "smudged."},
)


PRINTED = {
    Key("1.1", "One", "table", "", "samples"): Printed(21.0, "a"),
    Key("1.1", "Two", "table", "", "samples"): Printed(20.0),
    Key("1.1", "Three", "table", "", "samples"): Printed(5.0),
    Key("1.2", "One", "table", "all", "features"): Printed(4.0),
    Key("1.2", "Two", "table", "all", "features"): Printed(-4.0, "", "less than nothing"),
}


class MadeUp(Row):
    """It is here, and not in the package."""

    def load(self):
        return PLAN
