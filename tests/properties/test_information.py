"""Entropy, mutual information and their relatives, and the bit-packed codes they are counted from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from holdfast.measures import conditional_mutual_information, entropy, mutual_information, symmetrical_uncertainty
from holdfast.prepare import Codes
from holdfast.prepare.codes import combine
from oracles import information as oracle

SIZES = st.sampled_from([1, 2, 5, 63, 64, 65, 127, 128, 129, 200])


@st.composite
def variables(draw, n_variables, most=6):
    """Discrete variables of the same samples."""
    n_samples = draw(SIZES)
    top = draw(st.integers(0, most - 1))
    return draw(arrays(np.int64, (n_variables, n_samples), elements=st.integers(0, top)))


@st.composite
def level_tables(draw):
    """Byte codes of variables that may have many levels or few, side by side."""
    n_samples = draw(SIZES)
    tops = draw(st.lists(st.sampled_from([0, 1, 2, 14, 15, 16, 17, 100, 254]), min_size=1, max_size=5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return np.array([rng.integers(0, top + 1, size=n_samples) for top in tops], dtype=np.uint8)


@given(level_tables())
def test_packed_codes_unpack_to_what_was_packed(levels):
    assert np.array_equal(Codes.of(levels).as_bytes(), levels)


@given(level_tables())
def test_one_variable_of_many_keeps_its_codes(levels):
    codes = Codes.of(levels)
    for variable in range(len(levels)):
        assert np.array_equal(codes.one(variable).as_bytes(), levels[variable : variable + 1])


@given(level_tables())
def test_counts_do_not_depend_on_how_a_variable_is_coded(levels):
    """Next to a variable of more than 16 levels all are counted from bytes, alone from bits; both count alike."""
    codes = Codes.of(levels)
    wide = Codes.of(np.vstack([levels, np.arange(levels.shape[1]) % 255]).astype(np.uint8))
    for variable in range(len(levels)):
        here = codes.joint_sums(codes.one(variable))
        assert np.array_equal(here, wide.joint_sums(wide.one(variable))[: len(levels)])
    assert np.array_equal(codes.margins, wide.margins[: len(levels)])


@given(level_tables())
def test_only_variables_of_one_level_are_constant(levels):
    assert Codes.of(levels).is_constant.tolist() == [len(set(row)) == 1 for row in levels.tolist()]


@given(variables(2))
def test_mutual_information_is_symmetric_and_not_negative(pair):
    assert mutual_information(pair[0], pair[1]) == mutual_information(pair[1], pair[0]) >= 0


@given(variables(2))
def test_symmetrical_uncertainty_is_symmetric_and_between_0_and_1(pair):
    there, back = symmetrical_uncertainty(pair[0], pair[1]), symmetrical_uncertainty(pair[1], pair[0])
    assert there == back
    assert 0 <= there <= 1 + 1e-12


@given(variables(3, most=4))
def test_measures_of_information_are_those_of_their_definitions(triple):
    x, y, z = triple.tolist()
    assert entropy(x) == pytest.approx(oracle.entropy(x), abs=1e-12)
    assert mutual_information(x, y) == pytest.approx(oracle.mutual_information(x, y), abs=1e-12)
    assert symmetrical_uncertainty(x, y) == pytest.approx(oracle.symmetrical_uncertainty(x, y), abs=1e-11)
    given_z = conditional_mutual_information(x, y, given=z)
    assert given_z == pytest.approx(oracle.conditional_mutual_information(x, y, z), abs=1e-12)


@given(variables(3, most=4))
def test_what_two_variables_tell_is_what_one_tells_and_the_other_adds(triple):
    x, y, z = triple
    pair = combine(Codes.of(x[np.newaxis]), Codes.of(z[np.newaxis]))
    together = mutual_information(pair, Codes.of(y[np.newaxis]))[0]
    added = mutual_information(z, y) + conditional_mutual_information(x, y, given=z)
    assert together == pytest.approx(added, abs=1e-11)


@example(n_x=2, n_y=2, times=16)
@example(n_x=3, n_y=7, times=3)
@given(n_x=st.integers(1, 20), n_y=st.integers(1, 20), times=st.integers(1, 5))
def test_independent_variables_share_exactly_nothing(n_x, n_y, times):
    x = np.repeat(np.arange(n_x), n_y * times)
    y = np.tile(np.arange(n_y), n_x * times)
    assert mutual_information(x, y) == 0.0
    assert symmetrical_uncertainty(x, y) == 0.0


@given(variables(1), st.permutations(range(6)))
def test_renamed_levels_change_no_bit(variable, names):
    x = variable[0]
    y = np.arange(len(x)) % 3
    assert mutual_information(np.array(names)[x], y) == mutual_information(x, y)
    assert entropy(np.array(names)[x]) == entropy(x)


@given(variables(2), st.randoms(use_true_random=False))
def test_shuffled_samples_change_no_bit(pair, random):
    rows = random.sample(range(pair.shape[1]), pair.shape[1])
    assert mutual_information(*pair[:, rows]) == mutual_information(*pair)


@given(variables(1))
def test_a_variable_tells_all_about_itself(variable):
    x = variable[0]
    assert mutual_information(x, x) == pytest.approx(entropy(x), abs=1e-12)
    assert symmetrical_uncertainty(x, x) == (pytest.approx(1.0, abs=1e-12) if len(set(x.tolist())) > 1 else 0.0)
