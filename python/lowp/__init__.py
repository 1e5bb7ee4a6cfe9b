# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels for AMD Instinct from MLIR text, run on the simulator.

    import lowp, numpy as np, ml_dtypes
    kernel = lowp.compile(open("gemm.mlir").read(), target="gfx950")
    d = kernel.run(a, b)          # numpy arrays, ml_dtypes for the narrow types
    kernel.manifest["entries"][0]["variants"][0]["name"]
    print(kernel.stages["pipelined"])
"""

import functools
import json

import numpy as np

from . import _lowp
from ._lowp import Error

__all__ = ["Error", "Kernel", "compile", "version"]

# MLIR's names of element types and numpy's or ml_dtypes' for the same formats.
_DTYPES = {
    "f32": "float32", "f16": "float16", "bf16": "bfloat16", "i8": "int8", "i32": "int32",
    "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2", "f8E4M3FNUZ": "float8_e4m3fnuz", "f8E5M2FNUZ": "float8_e5m2fnuz",
}


def _dtype(name):
    spelled = _DTYPES.get(name)
    if spelled is None:
        raise Error(f"element type '{name}' has no numpy type; accepted are {', '.join(_DTYPES)}")
    if hasattr(np, spelled):
        return np.dtype(spelled)
    import ml_dtypes

    return np.dtype(getattr(ml_dtypes, spelled))


def version():
    """'lowp X.Y.Z (LLVM X.Y.Z)'."""
    return _lowp.version()


class Kernel:
    """A compiled module: its code object and manifest, and on demand the text of every stage on the way."""

    def __init__(self, text, target, allow_spills=False):
        self._kernel = _lowp.Kernel(text, target, allow_spills)
        self.manifest = json.loads(self._kernel.manifest())
        self.last_variant = None
        self.last_reports = []

    @functools.cached_property
    def stages(self):
        """The text of each stage, by name."""
        return self._kernel.stages()

    @property
    def asm(self):
        """The assembly of all kernels."""
        return self.stages["asm"]

    @property
    def hsaco(self):
        """The code object's bytes, the manifest inside."""
        return self._kernel.hsaco()

    def run(self, *arguments, entry=None, variant=""):
        """Runs an entry (the only one, if `entry` is None) on the simulator.

        `arguments` are those of the function in order: arrays for tensors, numbers for scalars. Returns the result as an array, or a
        tuple of them. A finding of the simulator's checks, an array of the wrong type or rank, or sizes that the entry refuses
        raise Error. `last_variant` and `last_reports` then say what ran and what the simulator counted.
        """
        entries = self.manifest["entries"]
        if entry is None:
            if len(entries) != 1:
                raise Error(f"the module has {len(entries)} entries; name one of {', '.join(e['name'] for e in entries)}")
            entry = entries[0]["name"]
        found = next((e for e in entries if e["name"] == entry), None)
        if found is None:
            raise Error(f"no entry '{entry}'; the module has {', '.join(e['name'] for e in entries)}")
        expected = [a for a in found["arguments"] if a["kind"] in ("input", "scalar")]
        if len(arguments) != len(expected):
            raise Error(f"entry '{entry}' takes {len(expected)} arguments, but got {len(arguments)}")
        tensors, scalars = [], {}
        for given, argument in zip(arguments, expected):
            if argument["kind"] == "scalar":
                scalars[argument["name"]] = (float(given), int(given))
                continue
            dtype = _dtype(argument["type"])
            array = np.asarray(given)
            if array.dtype != dtype:
                raise Error(f"{argument['name']} must have dtype {dtype}, but has {array.dtype}")
            tensors.append((array.tobytes(), list(array.shape)))
        results, self.last_variant, reports = self._kernel.run(entry, tensors, scalars, variant)
        self.last_reports = [json.loads(report) for report in reports]
        types = [a["type"] for a in found["arguments"] if a["kind"] == "result"]
        arrays = tuple(np.frombuffer(data, dtype=_dtype(t)).reshape(shape) for (data, shape), t in zip(results, types))
        return arrays[0] if len(arrays) == 1 else arrays


def compile(text, target, allow_spills=False):
    """Compiles MLIR text for `target` ("gfx942" or "gfx950"); raises Error with the diagnostics on failure."""
    return Kernel(text, target, allow_spills)
