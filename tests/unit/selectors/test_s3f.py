"""S³F: the worked example, planted clusters, the silhouette, what takes part, and what is refused."""

from __future__ import annotations

import re
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest

from holdfast import S3F, DataError, NothingSelected
from holdfast._progress import watching
from holdfast.measures import _pairs
from holdfast.prepare import Codes
from holdfast.search.medoids import Medoids
from holdfast.selectors.pairwise import s3f
from oracles import datasets
from oracles.silhouette import Features, chosen_clusters
from oracles.silhouette import s3f as oracle
from oracles.worked import TOY12

PLAIN = S3F(discretizer=None).get_params()
SETTINGS = [
    {"start": "relevant"},
    {"n_clusters": 1},
    {"n_clusters": 4},
    {"n_clusters": 4, "start": "relevant"},
    {"n_clusters": 9},
    {"prefilter_size": 1},
    {"prefilter_size": 5},
    {"max_rounds": 1, "start": "relevant"},
    {"max_rounds": 2, "n_clusters": 3},
]


def toy(**parameters):
    return S3F(discretizer=None, **parameters).fit(*TOY12)


def features_of_toy():
    """The oracle's view of TOY12, whose features count from 1 in the specification."""
    X, y = TOY12
    return Features(X.tolist(), y.tolist(), PLAIN)


def to_six_digits(value):
    return pytest.approx(value, abs=5.1e-7)


def planted(rng, n_groups=4, n_each=6, n_samples=90, noise=0.06):
    """Groups of noisy copies of a few variables that tell the class to different degrees; and who is whose copy."""
    y = np.arange(n_samples) % 2
    follows = np.linspace(0.9, 0.3, n_groups)[:, np.newaxis]
    origins = np.where(rng.random((n_groups, n_samples)) < follows, 2 * y, rng.integers(0, 3, (n_groups, n_samples)))
    groups = rng.permutation(np.repeat(np.arange(n_groups), n_each))
    X = origins[groups]
    is_noise = rng.random(X.shape) < noise
    return np.where(is_noise, rng.integers(0, 3, X.shape), X).T, y, groups


def same_partition(one, other):
    return len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))


@pytest.mark.parametrize(("f", "g", "expected"), [(3, 4, 0.432524), (2, 6, 0.266953), (1, 5, 0.441339)])
def test_distances_of_toy12_are_those_of_the_specification(f, g, expected):
    assert features_of_toy().distance(f - 1, g - 1) == to_six_digits(expected)
    table = _pairs.uncertainty_of_pairs(Codes.of(TOY12[0].T), np.arange(6))
    relevance = toy().relevance_
    shared = table.entries[f - 1, g - 1] * table.unit
    assert 0.5 * (1 - shared + abs(relevance[f - 1] - relevance[g - 1])) == to_six_digits(expected)


def test_merits_of_toy12_are_those_of_the_specification():
    features, cluster = features_of_toy(), [0, 1, 4, 5]
    merits = [features.medoid_merit(f, cluster) for f in cluster]
    assert merits == to_six_digits([0.111406, 0.131905, 0.154862, 0.096890])
    assert [features.companion_merit(f, 4) for f in (0, 1, 5)] == to_six_digits([0.449779, 0.417488, 0.489534])


@pytest.mark.parametrize("start", ["relevant", "spread"])
def test_two_clusters_of_toy12_are_those_of_the_specification(start):
    found = toy(n_clusters=2, start=start)
    assert found.labels_.tolist() == [1, 1, 0, 0, 1, 1]
    assert (found.medoids_ + 1).tolist() == [3, 5]
    assert (found.indices_ + 1).tolist() == [3, 5, 4, 6]
    assert found.scores_[found.indices_].tolist() == to_six_digits([0.362012, 0.177635, 0.010796, 0.0])
    assert np.isnan(found.scores_[[0, 1]]).all()
    assert (found.n_evaluations_.relevance, found.n_evaluations_.pair) == (6, 15)


def test_the_number_of_clusters_of_toy12_has_the_largest_silhouette():
    found = toy(start="relevant")
    assert found.n_clusters_ == 3
    assert found.silhouettes_.tolist() == to_six_digits([0.491411, 0.551697])
    assert found.silhouette_ == found.silhouettes_[1]
    assert toy(n_clusters=3, start="relevant").indices_.tolist() == found.indices_.tolist()


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_setting_gives_what_the_slow_twin_gives(settings, n_classes, seed):
    for make in (datasets.tied, datasets.copied, datasets.mixed):
        data = make(seed, n_classes=n_classes)
        selector = S3F(discretizer=None if data.is_discrete else "equal-frequency", **settings)
        found = selector.fit(data.X, data.y)
        order, _ = oracle(data.X.tolist(), data.y.tolist(), selector.get_params())
        assert found.indices_.tolist() == order
        features = Features(data.X.tolist(), data.y.tolist(), selector.get_params())
        clusters, silhouettes = chosen_clusters(features, selector.get_params())
        by_label = {tuple(np.flatnonzero(found.labels_ == c)) for c in range(found.n_clusters_)}
        assert by_label == {tuple(sorted(members)) for members in clusters.values()}
        assert set(found.medoids_.tolist()) == set(clusters)
        np.testing.assert_allclose(found.silhouettes_, list(silhouettes.values()), atol=1e-12)


def test_planted_groups_and_their_number_are_found_from_a_spread_start(seed):
    X, y, groups = planted(np.random.default_rng([seed, 60]))
    found = S3F(start="spread", discretizer=None).fit(X, y)
    assert found.n_clusters_ == 4
    assert same_partition(found.labels_.tolist(), groups.tolist())
    assert sorted(groups[found.medoids_]) == [0, 1, 2, 3]
    assert sorted(groups[found.indices_]) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_planted_groups_are_found_from_the_most_relevant_features_where_these_are_one_of_each(seed):
    """Three features err on six samples each; five blurred copies of each err on six more."""
    rng = np.random.default_rng([seed, 61])
    y = np.arange(80) % 2
    rows = []
    for err in rng.permutation(40)[:9].reshape(3, 3):
        rest = np.setdiff1d(np.arange(40), err)
        for extra in ([], *(rng.choice(rest, 3, replace=False) for _ in range(5))):
            both = np.concatenate([err, extra]).astype(int)
            row = y.copy()
            row[np.concatenate([2 * both, 2 * both + 1])] ^= 1
            rows.append(row)
    order = rng.permutation(18)
    groups = np.repeat([0, 1, 2], 6)[order]
    found = S3F(n_clusters=3, start="relevant", discretizer=None).fit(np.array(rows)[order].T, y)
    assert same_partition(found.labels_.tolist(), groups.tolist())
    assert sorted(order[found.medoids_]) == [0, 6, 12]
    assert sorted(groups[found.indices_[3:]]) == [0, 1, 2]


def test_a_shorter_list_has_the_same_clusters():
    whole, part = toy(), toy(n_features_to_select=2)
    assert part.indices_.tolist() == whole.indices_[:2].tolist()
    assert part.labels_.tolist() == whole.labels_.tolist()
    assert part.medoids_.tolist() == whole.medoids_.tolist()


def test_medoids_come_by_falling_relevance_and_companions_behind_them(seed):
    X, y, _ = planted(np.random.default_rng([seed, 62]))
    found = S3F(discretizer=None).fit(X, y)
    n = found.n_clusters_
    assert found.indices_[:n].tolist() == found.medoids_.tolist()
    assert found.labels_[found.medoids_].tolist() == list(range(n))
    for part in (found.indices_[:n], found.indices_[n:]):
        assert (np.diff(found.relevance_[part]) <= 1e-12).all()


def test_only_the_most_relevant_features_take_part_where_a_size_is_given(seed):
    values, y, _ = planted(np.random.default_rng([seed, 63]))
    X = pd.DataFrame(values, columns=[f"gene{i:02d}" for i in range(24)])
    found = S3F(prefilter_size=9, discretizer=None).fit(X, y)
    part = np.flatnonzero(found.labels_ >= 0)
    assert len(part) == 9
    assert found.relevance_[part].min() >= np.delete(found.relevance_, part).max() - 1e-12
    alone = S3F(discretizer=None).fit(X.iloc[:, part], y)
    assert part[alone.indices_].tolist() == found.indices_.tolist()
    assert found.n_evaluations_.pair == 36


def test_more_candidates_than_features_are_all_features():
    assert toy(prefilter_size=100).indices_.tolist() == toy().indices_.tolist()


def test_constant_features_are_in_no_cluster():
    X, y = TOY12
    found = S3F(discretizer=None).fit(np.column_stack([np.zeros(12), X, np.full(12, 7)]), y)
    assert found.labels_[[0, 7]].tolist() == [-1, -1]
    assert (found.indices_ - 1).tolist() == toy().indices_.tolist()


def test_one_feature_that_varies_is_a_cluster_of_its_own():
    X, y = TOY12
    found = S3F(discretizer=None).fit(np.column_stack([np.zeros(12), X[:, 2]]), y)
    assert found.indices_.tolist() == found.medoids_.tolist() == [1]
    assert found.labels_.tolist() == [-1, 0]
    assert (found.n_clusters_, found.silhouette_, found.n_evaluations_.pair) == (1, 0.0, 0)


@pytest.mark.parametrize("n_clusters", [None, 2])
def test_nothing_is_chosen_where_nothing_varies(n_clusters):
    selector = S3F(n_clusters=n_clusters, discretizer=None)
    with pytest.warns(NothingSelected, match="more than one level"):
        selector.fit(np.ones((6, 3)), [0, 1] * 3)
    assert selector.labels_.tolist() == [-1, -1, -1]
    assert len(selector.indices_) == len(selector.medoids_) == selector.n_clusters_ == 0
    assert selector.silhouette_ == 0.0


def test_as_many_clusters_as_features_are_all_features():
    found = toy(n_clusters=6)
    assert (found.indices_ + 1).tolist() == [3, 5, 1, 2, 4, 6]
    assert found.silhouette_ == 0.0


def test_fewer_features_that_vary_than_clusters_asked_for_are_a_cluster_each():
    X, y = TOY12
    found = S3F(n_clusters=4, discretizer=None).fit(np.column_stack([X[:, :3], np.zeros((12, 3))]), y)
    assert found.n_clusters_ == 3
    assert sorted(found.indices_) == [0, 1, 2]


def test_more_clusters_than_features_are_refused():
    with pytest.raises(ValueError, match=r"n_clusters=7 but X has 6 feature\(s\)"):
        toy(n_clusters=7)


def test_a_feature_beside_two_copies_goes_to_the_first():
    """Medoids that are copies are equally near to all, so that the second is left alone."""
    X, y = TOY12
    found = S3F(n_clusters=2, start="relevant", discretizer=None).fit(X[:, [2, 0, 2, 4]], y)
    assert found.labels_.tolist() == [0, 0, 1, 0]
    assert found.silhouette_ == pytest.approx(0.0)
    assert found.n_ties_ >= 2


def test_a_silhouette_is_0_alone_1_for_a_medoid_and_0_beside_a_copy_of_it():
    entries = np.array([[0, 8, 0], [8, 0, 0], [0, 0, 0]])
    search = Medoids(_pairs.PairTable(entries, 1 / 8), np.zeros(3), n_seeds=3, are_spread=True, max_rounds=5)
    pair = search.clusters(2)
    assert pair.labels.tolist() == [0, 0, 1]
    assert pair.silhouette == pytest.approx((1 + 1 + 0) / 3)
    assert search.clusters(3).silhouette == 0.0
    assert search.clusters(2).labels.tolist() == [0, 0, 1]


def test_one_cluster_has_no_silhouette():
    assert toy(n_clusters=1).silhouette_ == 0.0
    assert len(toy(n_clusters=1).indices_) == 2


def test_rounds_end_when_they_are_over(seed):
    X, y, _ = planted(np.random.default_rng([seed, 64]), n_groups=8, noise=0.3)
    rounds = [S3F(n_clusters=5, start="spread", max_rounds=n, discretizer=None).fit(X, y) for n in (1, 2, 100)]
    assert rounds[0].n_rounds_ == 1
    assert rounds[1].n_rounds_ <= 2
    assert rounds[2].n_rounds_ <= 100


def test_medoids_that_come_back_for_ever_end_where_the_last_round_leaves_them():
    """On this table two clusters take turns; whole turns are not walked, and the last round is the same."""
    shared = [[0, 2, 5, 3, 1, 4], [2, 0, 0, 7, 1, 5], [5, 0, 0, 1, 7, 4], [3, 7, 1, 0, 4, 4], [1, 1, 7, 4, 0, 1]]
    table = _pairs.PairTable(np.array([*shared, [4, 5, 4, 4, 1, 0]]), 1 / 8)
    relevance = np.array([8, 8, 6, 6, 5, 4]) / 8
    for max_rounds in range(1, 30):
        search = Medoids(table, relevance, n_seeds=2, are_spread=False, max_rounds=max_rounds)
        found = search.clusters(2)
        assert found.medoids.tolist() == ([1, 2] if max_rounds % 2 else [0, 1])
        assert found.labels.tolist() == ([1, 0, 1, 0, 1, 1] if max_rounds % 2 else [0, 1, 0, 1, 0, 1])
        assert found.n_rounds == max_rounds


@pytest.mark.parametrize("start", ["relevant", "spread"])
def test_a_table_of_four_bytes_an_entry_gives_the_same_picks(start, seed, monkeypatch):
    X, y, _ = planted(np.random.default_rng([seed, 65]), n_groups=7, n_each=12, noise=0.25)
    plain = S3F(start=start, discretizer=None).fit(X, y)
    monkeypatch.setattr(_pairs, "MOST_IN_FULL", 10)
    assert _pairs.uncertainty_of_pairs(Codes.of(X.T), np.arange(84)).entries.dtype == np.uint32
    small = S3F(start=start, discretizer=None).fit(X, y)
    assert small.indices_.tolist() == plain.indices_.tolist()
    assert small.labels_.tolist() == plain.labels_.tolist()
    np.testing.assert_allclose(small.silhouettes_, plain.silhouettes_, atol=1e-8)


def test_the_whole_of_what_is_shared_fits_into_four_bytes(monkeypatch):
    monkeypatch.setattr(_pairs, "MOST_IN_FULL", 1)
    table = _pairs.uncertainty_of_pairs(Codes.of([[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]]), np.arange(3))
    assert (table.entries * table.unit).tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]


def test_sums_over_the_largest_tables_fit_into_64_bits():
    assert _pairs.MOST_IN_FULL * 2**46 < 2**63
    assert _pairs.MOST * 2**31 < 2**63
    assert _pairs.MOST < 2**15


def test_more_features_than_a_table_holds_are_refused_with_what_to_do(monkeypatch):
    monkeypatch.setattr(s3f, "MOST", 5)
    with pytest.raises(DataError, match=r"6 features would be clustered.*at most 5.*prefilter_size="):
        toy()
    assert len(toy(prefilter_size=5).indices_)


def test_constant_features_do_not_count_towards_what_a_table_holds(monkeypatch):
    monkeypatch.setattr(s3f, "MOST", 6)
    X, y = TOY12
    assert len(S3F(discretizer=None).fit(np.column_stack([X, np.zeros((12, 3))]), y).indices_)


def test_threads_fill_the_same_table(seed):
    rng = np.random.default_rng([seed, 66])
    codes = Codes.of(rng.integers(0, 4, size=(300, 50)))
    alone = _pairs.uncertainty_of_pairs(codes, np.arange(300))
    with joblib.parallel_config(backend="threading", n_jobs=3):
        shared = _pairs.uncertainty_of_pairs(codes, np.arange(300))
    assert np.array_equal(alone.entries, shared.entries)


@pytest.mark.parametrize("start", ["relevant", "spread"])
def test_no_order_of_columns_or_samples_and_no_name_of_a_class_changes_a_bit(start, seed):
    rng = np.random.default_rng([seed, 67])
    X, y, _ = planted(rng, n_groups=6, n_each=10, n_samples=40, noise=0.3)
    columns, rows = rng.permutation(X.shape[1]), rng.permutation(len(X))
    plain = S3F(start=start, discretizer=None).fit(X, y)
    moved = S3F(start=start, discretizer=None).fit(X[rows][:, columns], np.array(["b", "a"])[y[rows]])
    assert moved.silhouettes_.tobytes() == plain.silhouettes_.tobytes()
    assert np.array_equal(X[:, columns[moved.indices_]], X[:, plain.indices_])
    assert np.bincount(moved.labels_).tolist() == np.bincount(plain.labels_).tolist()


def test_the_work_reports_pairs_and_numbers_of_clusters():
    heard = []
    with watching(lambda what, done, total: heard.append((what, done, total))):
        toy()
    assert heard[0] == ("Pairs counted", 15, 15)
    assert heard[-1] == ("Numbers of clusters tried", 2, 2)


def test_notes_name_the_clusters():
    found = toy()
    assert re.search(r"6 of 6 features are in 3 cluster\(s\)", found._notes[0])
    assert found._details == {"clusters": 3, "silhouette": found.silhouette_}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert found.transform(TOY12[0]).shape == (12, 6)
