"""The one compiling decorator, and three machine instructions that numpy does not offer for single numbers.

Kernels never allocate: results and scratch come from the caller. That lets numba drop its reference counts, which
in a loop over small array arguments cost ten times the work itself (180 against 15 ns for a joint count, measured).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numba
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic

Array: TypeAlias = npt.NDArray[Any]
Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS = {"nogil": True, "fastmath": False, "error_model": "numpy"}


def _compile(function: Function, **options: Any) -> Function:
    njit: Any = numba.njit
    compiled: Function
    try:
        compiled = njit(_nrt=False, **_OPTIONS, **options)(function)
    except KeyError:  # a numba without this option is slower, not wrong
        compiled = njit(**_OPTIONS, **options)(function)
    return compiled


def kernel(function: Function) -> Function:
    """Compile on first call, keep the result on disk, release the interpreter lock, never reorder float sums."""
    try:
        return _compile(function, cache=True)
    except RuntimeError:  # nowhere to write, as in a read-only container: compiled anew in every process
        return _compile(function)


def inlined(function: Function) -> Function:
    """Compile into every kernel that calls it."""
    return _compile(function, inline="always")


def _popcount(typingctx: Any, word: Any) -> Any:
    """Count the set bits of a 64-bit word in one instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


popcount: Any = intrinsic(_popcount)


def _bits_of(typingctx: Any, number: Any) -> Any:
    """The 64 bits of a float as a whole number; those of numbers from 0 on are in the order of the numbers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(types.int64))

    return types.int64(types.float64), generate


bits_of: Any = intrinsic(_bits_of)


def _float_of(typingctx: Any, bits: Any) -> Any:
    """The float that has these 64 bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(types.float64))

    return types.float64(types.int64), generate


float_of: Any = intrinsic(_float_of)
