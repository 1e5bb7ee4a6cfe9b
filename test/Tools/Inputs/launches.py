# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# launches.py LOWP-RUN LEAVES.PY: a launch file of scale.s that is right, and others that differ from it in one thing; prints
# what lowp-run says to each.

import copy
import json
import struct
import subprocess
import sys

right = {
    "code_object": "k.co", "kernel": "scale", "grid": [2], "block": [64],
    "buffers": {"in": {"bytes": 1200, "init": "in.bin", "access": "read"},
                "out": {"bytes": 1200, "init": "uninitialised", "access": "write"}},
    "kernarg": [{"offset": 0, "buffer": "out"}, {"offset": 8, "buffer": "in"}, {"offset": 16, "type": "f32", "value": 0.5},
                {"offset": 20, "type": "u32", "value": 300}],
}
open("in.bin", "wb").write(struct.pack("300f", *range(300)))


def launch(name, change, code=1):
    file = copy.deepcopy(right)
    text = change(file)
    open("l.json", "w").write(text if isinstance(text, str) else json.dumps(file))
    run = subprocess.run([sys.executable, sys.argv[2], str(code), sys.argv[1], "--launch", "l.json"], capture_output=True)
    if run.returncode:
        sys.exit(f"{name}: {run.stdout.decode()} {run.stderr.decode()}")
    said = [line for line in run.stdout.decode().splitlines() if line and " instructions, " not in line]
    print(f"{name}: {0 if code == 0 else ' / '.join(said)}")


def buffer(**changes):
    return lambda file: file["buffers"]["out"].update(changes)


def argument(index, **changes):
    def change(file):
        entry = {**file["kernarg"][index], **changes}
        file["kernarg"][index] = {key: value for key, value in entry.items() if value is not None}

    return change


def top(**changes):
    return lambda file: file.update(changes)


def without(key):
    return lambda file: file.pop(key) and None


launch("good", lambda file: None, 0)
launch("good with .kd", top(kernel="scale.kd"), 0)
launch("array", lambda file: "[1]")
launch("nesting", lambda file: "[" * 100000)
launch("no code", without("code_object"))
launch("no kernel", without("kernel"))
launch("no file", top(code_object="none.co"))
launch("kernel", top(kernel="scales"))
launch("key", top(kernal="f"))
launch("no grid", without("grid"))
launch("empty grid", top(grid=[]))
launch("four", top(grid=[1, 1, 1, 1]))
launch("zero", top(block=[64, 0]))
launch("fraction", top(grid=[1.5]))
launch("large grid", top(grid=[65536, 65536, 2]))
launch("packet", top(grid=[67108864]))
launch("block", top(block=[128]))
launch("dynamic", top(dynamic_lds=-1))
launch("lds", top(dynamic_lds=163841))
launch("buffers", top(buffers=[]))
launch("buffer", lambda file: file["buffers"].update(out=7))
launch("buffer key", buffer(size=4))
launch("bytes", buffer(bytes="1200"))
launch("negative", buffer(bytes=-1))
launch("memory", buffer(bytes=1 << 62))
launch("align", buffer(align=48))
launch("access", buffer(access="rw"))
launch("access kind", buffer(access=1))
launch("no init", buffer(init=""))
launch("init file", buffer(init="none.bin"))
launch("init size", buffer(init="in.bin", bytes=1196))
launch("init folder", buffer(init="."))
launch("pointers", buffer(pointers={}))
launch("pointer", buffer(pointers=[3]))
launch("pointer key", buffer(pointers=[{"at": 0, "buffer": "in", "plus": 8}]))
launch("pointer at", buffer(pointers=[{"at": 1193, "buffer": "in"}]))
launch("pointer none", buffer(pointers=[{"buffer": "in"}]))
launch("pointer name", buffer(pointers=[{"at": 0, "buffer": "Z"}]))
launch("pointer add", buffer(pointers=[{"at": 0, "buffer": "in", "add": "8"}]))
launch("kernarg", top(kernarg={}))
launch("entry", lambda file: file["kernarg"].append("x"))
launch("entry key", argument(0, bufer="in"))
launch("no offset", argument(0, offset=None))
launch("offset", argument(0, offset=65537))
launch("kinds", argument(2, buffer="in"))
launch("no value", argument(2, value=None))
launch("add alone", argument(2, add=4))
launch("name", argument(0, buffer="Z"))
launch("type", argument(3, type="u33"))
launch("range", argument(3, value=1 << 32))
launch("sign", argument(3, value=-1))
launch("sign of u64", argument(3, type="u64", value=-1))
launch("i64", argument(3, type="i64", value=1 << 63))
launch("float", argument(2, value=1e39))
launch("number", argument(2, value="1"))
launch("hex", argument(3, type=None, value=None, bytes="123"))
launch("twice", lambda file: file["kernarg"].append({"offset": 22, "bytes": "00"}))
launch("beyond", lambda file: file["kernarg"].append({"offset": 24, "bytes": "00"}))
launch("outputs", top(outputs=["out"]))
launch("output", top(outputs={"Z": "z.bin"}))
launch("output name", top(outputs={"out": 3}))
launch("same output", top(outputs={"in": "o.bin", "out": "o.bin"}))
launch("full", top(outputs={"out": "/dev/full"}))
launch("folder", top(outputs={"out": "none/o.bin"}))
# A kernel that goes wrong writes what it did, one that does not end writes nothing.
launch("finding", top(buffers={**right["buffers"], "out": {"bytes": 400, "init": "zeros"}}))
