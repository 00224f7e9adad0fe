"""Made-up tables in the place of those that a plan means."""

from holdfast.reproduce.shelf import Shelf


def as_found(sets, folder):
    """Sets whose files are in a folder, whatever their size."""
    files = {name: folder / f"{one.file}.npz" for name, one in sets.items()}
    return Shelf(sets, {name: str(file) for name, file in files.items() if file.is_file()})
