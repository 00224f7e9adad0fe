"""Figures of searches by distance correlation, and of analyses of the sets they find."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest

from holdfast import D2CORFS, DCORFS, NothingSelected, report
from holdfast.data import Table
from holdfast.evaluate import bin_cost, feature_values, search_cost, split_sensitivity
from holdfast.evaluate.diversity import diversity
from holdfast.evaluate.redundancy import redundancy

HOSTILE = 'se <b>x</b> & "y", %{x}'
SHOWN = 'se &lt;b&gt;x&lt;/b&gt; &amp; "y", …'
NAMES = [HOSTILE, "TP53", "MYC", "ACTB", "EGFR", "KRAS", "BRAF", "ABL1", "JAK2", "a name that is far too long for it"]


@pytest.fixture(scope="module")
def made():
    rng = np.random.default_rng(406)
    X = rng.normal(size=(40, 10))
    return Table(X, NAMES, target=np.where(X[:, 0] + X[:, 1] > 0, "sick", "well"))


@pytest.fixture(scope="module")
def search(made):
    return DCORFS(confidence=None).fit(made)


@pytest.fixture(scope="module")
def bins(made):
    return D2CORFS(confidence=None, n_bins=3).fit(made)


@pytest.fixture(scope="module")
def lacking(made):
    return redundancy(made, None, [0, 1, 2], classifier="nb", X_test=made.take(np.arange(20)))


@pytest.fixture(scope="module")
def splits(made):
    return split_sensitivity(made, None, [0, 1], "nb", n_splits=80)


@pytest.fixture(scope="module")
def sets(made):
    return diversity(DCORFS(confidence=None), made, slack=0.5, max_models=5)


@pytest.fixture(scope="module")
def costs(made):
    return search_cost(made, n_features=[3, 10], n_iterations=[2, 20, 30], n_repeats=2)


@pytest.fixture(scope="module")
def values(made):
    return feature_values(made, None, [0, 1], ["train"] * 25 + ["test"] * 15)


@pytest.fixture(scope="module")
def figures(search, bins, lacking, splits, sets, costs, values):
    return {
        "inclusion_trace": lambda **more: report.inclusion_trace(search, **more),
        "rounds": lambda **more: report.rounds(bins, **more),
        "redundancy_bars": lambda **more: report.redundancy_bars(lacking, **more),
        "sensitivity_histogram": lambda **more: report.sensitivity_histogram(splits, **more),
        "diversity_matrix": lambda **more: report.diversity_matrix(sets, **more),
        "cost_curves": lambda **more: report.cost_curves(costs, **more),
        "value_strips": lambda **more: report.value_strips(values, **more),
    }


FIGURES = [
    "inclusion_trace", "rounds", "redundancy_bars", "sensitivity_histogram", "diversity_matrix", "cost_curves",
    "value_strips",
]  # fmt: skip


def _title(figure):
    return figure.layout.title.text.replace("<br>", " ").removeprefix("<b>").removesuffix("</b>")


@pytest.mark.parametrize("name", FIGURES)
def test_the_title_is_a_sentence_or_what_was_given(figures, name):
    assert _title(figures[name]()).endswith(".")
    assert figures[name](title="<mine>").layout.title.text == "<b>&lt;mine&gt;</b>"
    assert figures[name](title="").layout.title.text is None


@pytest.mark.parametrize("name", FIGURES)
def test_both_themes_are_drawn_and_others_refused(figures, name):
    light, dark = (figures[name](theme=theme).layout.paper_bgcolor for theme in ("light", "dark"))
    assert light != dark
    with pytest.raises(ValueError, match="'light' or 'dark'"):
        figures[name](theme="blue")


@pytest.mark.parametrize("name", FIGURES)
def test_names_are_never_read_as_markup(figures, name):
    assert "<b>x</b>" not in figures[name]().to_json().replace("\\u003c", "<").replace("\\u003e", ">")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("redundancy_bars", "what evaluate.redundancy gave"),
        ("sensitivity_histogram", "what evaluate.split_sensitivity gave"),
        ("diversity_matrix", "what evaluate.diversity gave"),
        ("cost_curves", "what search_cost or bin_cost gave"),
        ("value_strips", "what evaluate.feature_values gave"),
        ("inclusion_trace", "a fitted DCORFS, but dict came"),
        ("rounds", "a fitted D2CORFS, but dict came"),
    ],
)
def test_something_else_is_refused(name, words):
    with pytest.raises(TypeError, match=words):
        getattr(report, name)({})


def test_a_search_that_is_not_fitted_or_another_one_is_refused(made, search):
    with pytest.raises(NotFittedError):
        report.inclusion_trace(DCORFS())
    with pytest.raises(TypeError, match="SelectKBest came, which has no trace_"):
        report.inclusion_trace(SelectKBest(k=1).fit(made.X, made.target))
    with pytest.raises(TypeError, match="DCORFS came, which has no rounds_"):
        report.rounds(search)


def test_lines_are_the_traced_probabilities(search):
    figure = report.inclusion_trace(search)
    drawn = sorted(np.asarray(line.y).tolist() for line in figure.data)
    assert drawn == sorted(search.trace_.T.tolist())
    assert all(list(line.x) == list(range(search.n_iterations_ + 1)) for line in figure.data)


def test_chosen_features_have_their_names_and_others_share_one_entry(search):
    figure = report.inclusion_trace(search)
    shown = [line.name for line in figure.data if line.showlegend]
    chosen = [search.feature_names_in_[j] for j in search.indices_]
    assert set(shown) - {"not chosen"} == {SHOWN if name == HOSTILE else name for name in chosen}
    assert shown.count("not chosen") == 1


def test_the_threshold_is_drawn(made):
    figure = report.inclusion_trace(DCORFS(confidence=None, threshold=0.9).fit(made))
    assert figure.layout.shapes[0].y0 == 0.9
    assert figure.layout.annotations[0].text == "chosen from 0.9 on"


def test_features_without_names_are_numbered(made):
    figure = report.inclusion_trace(DCORFS(confidence=None).fit(made.X, made.target))
    assert {line.name for line in figure.data} >= {"x0", "x1"}


def test_the_pointer_tells_the_values_of_the_population(search):
    line = report.inclusion_trace(search).data[-1]
    assert line.customdata[0][1] == "at the start"
    assert line.customdata[1][1].startswith(f"best set {search.history_[0]['best']:.3f}")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "2 features came to a probability of 0.98; the search came to rest after"),
        ({"n_features_to_select": 1}, "2 features came to a probability of 0.98, of which 1 was kept"),
        ({"n_iterations": 1}, "No feature came to a probability of 0.98 in 1 population;"),
        ({"n_iterations": 3, "step": 90.0, "elitist": True}, "The best set drawn in 3 populations has"),
    ],
)
def test_the_title_tells_how_the_search_ended(made, settings, words):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        fitted = DCORFS(confidence=None, **settings).fit(made)
    assert words in _title(report.inclusion_trace(fitted))


def test_a_search_without_traces_is_refused(made):
    with pytest.raises(ValueError, match="traced no feature"):
        report.inclusion_trace(DCORFS(confidence=None, n_traced=0).fit(made))


def test_every_round_has_the_value_and_size_of_the_best_set(bins):
    (line,) = report.rounds(bins).data
    assert list(line.x) == list(range(1, bins.n_rounds_ + 1))
    assert list(line.y) == bins.rounds_["value"].tolist()
    assert list(line.text) == [str(n) for n in bins.rounds_["n_features"]]


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        ("perfect", "its value cannot be higher"),
        ("agreement", "all bins found the same set"),
        ("rounds", "no round was left"),
        ("stall", "rounds brought nothing better"),
    ],
)
def test_the_title_tells_why_the_rounds_ended(made, stop, words):
    fitted = D2CORFS(confidence=None, n_bins=2, max_rounds=2).fit(made)
    fitted.stop_ = stop
    assert _title(report.rounds(fitted)).endswith(f"the search ended since {words}.")


def test_a_search_without_rounds_is_refused(made):
    rng = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        nothing = D2CORFS(confidence=0.999).fit(rng.normal(size=(20, 5)), np.arange(20) % 2)
    with pytest.raises(ValueError, match="there was no round"):
        report.rounds(nothing)


def test_bars_go_from_the_whole_set_to_the_set_without_a_feature(lacking):
    figure = report.redundancy_bars(lacking)
    ends = {}
    for bars in (trace for trace in figure.data if trace.type == "bar"):
        ends |= {row: bars.base + length for row, length in zip(bars.y, bars.x, strict=True)}
    assert [ends[row] for row in (1, 2, 3)] == pytest.approx(lacking.value_without.tolist())
    assert list(figure.layout.yaxis.ticktext) == ["the whole set", SHOWN, "TP53", "MYC"]


def test_accuracies_stand_beside_the_bars(lacking):
    figure = report.redundancy_bars(lacking)
    written = [note.text for note in figure.layout.annotations]
    assert written == [
        "<b>train</b>", *(f"{row['train_accuracy']:.3f}" for row in lacking.table()),
        "<b>test</b>", *(f"{row['test_accuracy']:.3f}" for row in lacking.table()),
    ]  # fmt: skip
    assert not report.redundancy_bars(
        replace(lacking, train_accuracy_without=None, test_accuracy_without=None)
    ).layout.annotations


def test_redundant_features_are_told_apart(made, lacking):
    spare = replace(
        lacking, value_without=np.array([0.1, 0.2, lacking.value + 0.1]), is_redundant=np.array([0, 0, 1]) > 0
    )
    figure = report.redundancy_bars(spare)
    assert [trace.name for trace in figure.data if trace.name] == ["adds to the set", "redundant"]
    assert _title(figure).startswith("1 feature is redundant: without MYC")
    none = replace(lacking, value_without=np.array([0.1, 0.2, 0.3]), is_redundant=np.zeros(3, dtype=bool))
    assert "No feature is redundant" in _title(report.redundancy_bars(none))
    alone = redundancy(made, None, ["TP53"])
    assert _title(report.redundancy_bars(alone)).startswith("TP53 alone is worth 0.")


def test_bars_of_splits_are_the_shares_of_the_accuracies(splits):
    (bars,) = report.sensitivity_histogram(splits).data
    rows = splits.table()
    assert list(bars.x) == [row["score"] for row in rows]
    assert list(bars.y) == [row["share"] for row in rows]
    assert sum(bars.y) == pytest.approx(1)


def test_the_title_of_splits_tells_the_range_and_how_many_are_perfect(splits):
    made_up = replace(splits, errors=np.array([0, 1, 1, 2]), n_test={"sick": 5, "well": 5})
    title = _title(report.sensitivity_histogram(made_up))
    assert title == (
        "The accuracy of nb goes from 0.80 to 1.00 over 4 splits of the same samples; 25% of them are without an error."
    )
    same = replace(made_up, errors=np.array([1, 1]))
    assert _title(report.sensitivity_histogram(same)) == "The accuracy of nb is 0.90 in every one of 2 splits."


def test_many_accuracies_have_no_numbers_over_their_bars(splits):
    many = replace(splits, errors=np.arange(10), n_test={"sick": 10, "well": 10})
    assert report.sensitivity_histogram(many).data[0].text is None


def test_cells_are_filled_where_a_set_has_the_feature(sets):
    figure = report.diversity_matrix(sets)
    (cells,) = figure.data
    assert np.array_equal(np.asarray(cells.z) == 1, sets.incidence)
    assert set(figure.layout.yaxis.ticktext) <= {SHOWN, *NAMES}
    crosses = np.asarray(cells.text) == "×"
    assert np.array_equal(crosses, [[name in model.excluded for model in sets.models] for name in sets.features])
    assert not (crosses & sets.incidence).any()


@pytest.mark.parametrize(("n_models", "headings"), [(5, 5), (6, 6), (10, 5), (12, 6), (20, 5)])
def test_headings_have_room(sets, n_models, headings):
    model = sets.models[0]
    many = replace(
        sets,
        models=(model,) * n_models,
        incidence=np.ones((len(sets.features), n_models), dtype=bool),
        shared=np.ones((n_models, n_models)),
        jaccard=np.ones((n_models, n_models)),
    )
    ticks = report.diversity_matrix(many).layout.xaxis.ticktext
    assert len(ticks) == headings
    assert ("value" in ticks[0]) == (n_models <= 5)


def test_a_single_set_is_said_to_be_alone(made):
    alone = diversity(DCORFS(confidence=None), made, max_searches=0)
    assert _title(report.diversity_matrix(alone)) == "No other set did as well in 0 searches."


def test_curves_of_a_search_go_along_features_and_those_of_bins_along_bins(made, costs):
    figure = report.cost_curves(costs, measure="evaluations")
    assert [line.name for line in figure.data] == ["2 iterations", "20 iterations", "30 iterations"]
    for j, line in enumerate(figure.data):
        assert list(line.y) == costs.evaluations[:, j].mean(axis=1).tolist()
    short = D2CORFS(selector=DCORFS(n_iterations=4), confidence=None, max_rounds=2)
    bins = bin_cost(made, n_features=[5, 10], n_bins=[1, 2, 5], selector=short, n_repeats=1)
    figure = report.cost_curves(bins)
    assert [line.name for line in figure.data] == ["5 features", "10 features"]
    assert list(figure.data[1].y) == bins.seconds[1].mean(axis=1).tolist()
    assert list(figure.layout.xaxis.ticktext) == ["1", "2", "5"]


def test_whiskers_of_curves_go_from_the_least_to_the_most(costs):
    line = report.cost_curves(costs, measure="evaluations").data[2]
    least, most = costs.evaluations[:, 2].min(axis=1), costs.evaluations[:, 2].max(axis=1)
    assert np.asarray(line.y) - line.error_y.arrayminus == pytest.approx(least)
    assert np.asarray(line.y) + line.error_y.array == pytest.approx(most)


@pytest.mark.parametrize(("most", "kind"), [(29, None), (31, "log")])
def test_costs_that_span_much_go_by_their_logarithm(costs, most, kind):
    made_up = replace(costs, seconds=np.linspace(1, most, costs.seconds.size).reshape(costs.seconds.shape))
    axis = report.cost_curves(made_up).layout.yaxis
    assert axis.type == kind
    assert all(text.endswith(("s", "min")) for text in axis.ticktext)


def test_the_title_of_curves_names_the_least_and_the_most(costs):
    assert _title(report.cost_curves(costs)).startswith("DCORFS takes ")
    same = replace(costs, evaluations=np.full(costs.evaluations.shape, 7))
    assert _title(report.cost_curves(same, measure="evaluations")) == "DCORFS judges 7 sets throughout."


def test_an_unknown_cost_is_refused(costs):
    with pytest.raises(ValueError, match=r"measure='memory' is not allowed. There is: 'seconds', 'evaluations'"):
        report.cost_curves(costs, measure="memory")


def test_strips_hold_every_value_of_every_sample(values):
    figure = report.value_strips(values)
    points = [trace for trace in figure.data if trace.mode == "markers"]
    assert sorted(np.concatenate([trace.x for trace in points])) == sorted(values.values.ravel())
    assert [trace.name for trace in points] == [
        f"{label} ({(values.labels == label).sum()})" for label in ("sick", "well")
    ]
    assert list(figure.layout.yaxis.ticktext) == [
        f"{SHOWN}<br>train",
        f"{SHOWN}<br>test",
        "TP53<br>train",
        "TP53<br>test",
    ]


def test_points_stay_in_the_strip_of_their_class_and_row(values):
    for trace in (one for one in report.value_strips(values).data if one.mode == "markers"):
        rows = np.round(np.asarray(trace.y))
        assert np.abs(np.asarray(trace.y) - rows).max() < 0.5
        assert set(rows) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("X", "part", "words"),
    [
        ([[0.0], [1.0], [2.0], [3.0]], None, "The classes do not overlap in 1 of 1 feature."),
        ([[0.0], [2.0], [1.0], [3.0]], None, "The classes overlap in every feature, least in x0 (0.33)."),
        (
            [[0.0], [1.0], [2.0], [3.0], [0.0], [2.0], [1.0], [3.0]], ["train"] * 4 + ["test"] * 4,
            "The classes do not overlap in 1 of 1 feature in train, and in none in test.",
        ),
    ],
    ids=["apart", "mixed", "parts"],
)  # fmt: skip
def test_the_title_of_strips_counts_features_whose_classes_are_apart(X, part, words):
    y = ["a", "a", "b", "b"] * (len(X) // 4)
    assert _title(report.value_strips(feature_values(X, y, [0], part))) == words
