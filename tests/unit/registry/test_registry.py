"""Finding methods by name, and building selectors from them."""

from __future__ import annotations

import subprocess
import sys

import pytest

import holdfast
from holdfast import MRMR, TTest


def test_a_method_is_found_by_name_and_alias_in_any_spelling():
    for name in ("mrmr+", "MRMR+", " mrmr-plus ", "mrmr_plus", "mrmr plus", "mid+"):
        assert isinstance(holdfast.selector(name), MRMR)


def test_a_row_may_fix_parameters_of_its_class():
    assert holdfast.selector("pooled-t").get_params() == TTest(equal_var=True).get_params()


def test_parameters_reach_the_selector():
    assert holdfast.selector("mrmr+", n_features_to_select=7).n_features_to_select == 7


@pytest.mark.parametrize(
    ("wrong", "near"), [("mrmrr+", "mrmr+"), ("fcbff", "fcbf"), ("fisherscore", "fisher"), ("jmmi", "jmi")]
)
def test_an_unknown_name_is_answered_with_the_nearest(wrong, near):
    with pytest.raises(ValueError, match=f"no method called '{wrong}'.*'{near}".replace("+", r"\+")):
        holdfast.selector(wrong)


def test_a_name_like_no_other_is_refused_all_the_same():
    with pytest.raises(ValueError, match="None is close"):
        holdfast.selector("0123456789")


def test_a_parameter_that_contradicts_the_row_is_refused():
    with pytest.raises(ValueError, match="search='lazy' contradicts the method 'mrmr'"):
        holdfast.selector("mrmr", search="lazy")


def test_a_parameter_that_repeats_the_row_is_fine():
    assert holdfast.selector("mrmr", search="exhaustive").search == "exhaustive"


def test_an_unknown_parameter_is_answered_with_the_nearest():
    with pytest.raises(TypeError, match=r"no parameter 'n_features'.*n_features_to_select"):
        holdfast.selector("mrmr", n_features=5)


def test_methods_can_be_listed_by_family():
    both = holdfast.methods("ranking") + holdfast.methods("pairwise")
    assert sorted(row.name for row in both) == sorted(
        row.name for row in holdfast.methods() if row.family in ("ranking", "pairwise")
    )


def test_an_unknown_family_is_refused_with_the_families():
    with pytest.raises(ValueError, match="Choose one of ranking, pairwise"):
        holdfast.methods("magic")


def test_every_public_name_can_be_had_and_is_listed():
    for name in holdfast.__all__:
        assert getattr(holdfast, name) is not None
        assert name in dir(holdfast)


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing_like_it'"):
        _ = holdfast.nothing_like_it


def test_listing_the_methods_imports_nothing_heavy():
    script = (
        "import sys, holdfast; holdfast.methods(); "
        "print([m for m in ('numpy', 'numba', 'sklearn', 'scipy', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
