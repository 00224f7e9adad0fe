"""What tasks are sent as: batches as bytes, and the large things in them apart, so that none travels twice."""

from __future__ import annotations

import io
import pickle
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any
from uuid import uuid4

import numpy as np

# Bytes from which on it pays to send something once instead of with every task.
_LARGE = 1 << 16


def key_of(what: str) -> str:
    """A name for something on the cluster that nothing else has."""
    return f"holdfast-{what}-{uuid4().hex}"


@dataclass(frozen=True)
class Packed:
    """A batch as bytes, with numbers in place of large things, and these."""

    batch: bytes
    things: list[Any]


class Shared:
    """Large things that tasks hold: what several hold is sent once; what one holds goes to that task's worker only."""

    def __init__(self, client: Any) -> None:
        self._client = client
        # By id: arrays by weak references, which keep none alive, and tuples, which cannot be known otherwise.
        self._seen: dict[int, Any] = {}
        # Futures of what several batches hold; None before the first of these is sent.
        self._sent: dict[int, Any] = {}

    def packed(self, batch: Callable[[], Any]) -> Packed:
        """Take a batch apart, and note which of its things another has too."""
        place, things = io.BytesIO(), _Things()
        _packer()(place, things).dump(batch)
        for thing in things.found:
            before = self._seen.get(id(thing))
            if thing is (before() if isinstance(before, weakref.ref) else before):
                self._sent.setdefault(id(thing))
            else:
                self._seen[id(thing)] = weakref.ref(thing) if isinstance(thing, np.ndarray) else thing
        return Packed(place.getvalue(), things.found)

    def parts(self, packed: Packed) -> tuple[bytes, tuple[int, ...], list[Any]]:
        """Things that only this batch has, as bytes by number, and the numbers and futures of the others."""
        own = {number: thing for number, thing in enumerate(packed.things) if id(thing) not in self._sent}
        shared = {number: thing for number, thing in enumerate(packed.things) if number not in own}
        return pickled(own), tuple(shared), [self._future_of(thing) for thing in shared.values()]

    def _future_of(self, thing: Any) -> Any:
        """A thing on the cluster, made there from its bytes, so that the scheduler can make it again."""
        if self._sent[id(thing)] is None:
            # Kept from here on, so that no other thing can come by its id.
            self._seen[id(thing)] = thing
            self._sent[id(thing)] = self._client.submit(pickle.loads, pickled(thing), key=key_of("shared"))
        return self._sent[id(thing)]


class _Things:
    """Large things met in a batch."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self.found: list[Any] = []

    def number_of(self, thing: Any) -> int | None:
        """The number of a large thing; None for what stays in its place."""
        n_bytes = thing.nbytes if isinstance(thing, np.ndarray) else len(thing) * 8 if type(thing) is tuple else 0
        if n_bytes < _LARGE:
            return None
        if id(thing) not in self._numbers:
            self._numbers[id(thing)] = len(self.found)
            self.found.append(thing)
        return self._numbers[id(thing)]


@cache
def _packer() -> type[Any]:
    """A pickler of all that a task may be, which writes numbers in place of large things."""
    plain: Any = import_module("cloudpickle").Pickler

    class Packer(plain):
        def __init__(self, place: io.BytesIO, things: _Things) -> None:
            super().__init__(place, protocol=pickle.HIGHEST_PROTOCOL)
            self.persistent_id = things.number_of

    return Packer


def pickled(thing: Any) -> bytes:
    """Anything a task may hold, as bytes."""
    return bytes(import_module("cloudpickle").dumps(thing, protocol=pickle.HIGHEST_PROTOCOL))


class Unpacker(pickle.Unpickler):
    """Reads a batch, with large things in their places."""

    def __init__(self, batch: bytes, things: dict[int, Any]) -> None:
        super().__init__(io.BytesIO(batch))
        self._things = things

    def persistent_load(self, number: int) -> Any:
        """What belongs there."""
        return self._things[number]
