"""What plans share."""

import numpy as np
import pytest

from holdfast import DataError
from holdfast.reproduce.ben_brahim._sets import prepared as of_ben_brahim
from holdfast.reproduce.han._microarrays import prepared as of_han
from holdfast.reproduce.protocol import training_part
from holdfast.reproduce.table import Table


def test_the_training_part_is_the_samples_that_split_says_so_of():
    table = Table("Prostate", np.eye(3), np.array([0, 1, 1]), more={"split": np.array(["train", "test", "train"])})
    assert training_part(table).X.tolist() == [[1, 0, 0], [0, 0, 1]]
    assert training_part(table).y.tolist() == [0, 1]


def test_a_table_without_a_split_has_no_training_part_and_is_named():
    with pytest.raises(DataError, match=r"^Prostate must have split, which says of every sample train or test\."):
        training_part(Table("Prostate", np.eye(3), np.array([0, 1, 1])))


class _OfProstate:
    """A shelf whose Prostate has a test part from another laboratory."""

    def load(self, name):
        rng = np.random.default_rng(0)
        split = np.repeat(["train", "test"], [8, 4])
        return Table(name, rng.uniform(1, 9000, (12, 5)), np.arange(12) % 2, more={"split": split})


@pytest.mark.parametrize("prepared", [of_ben_brahim, of_han], ids=["ben-brahim", "han"])
def test_the_test_part_of_prostate_takes_no_part(prepared):
    table = prepared(_OfProstate(), "Prostate")
    assert (len(table.X), len(table.y)) == (8, 8)
