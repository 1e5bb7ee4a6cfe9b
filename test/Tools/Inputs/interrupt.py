# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# interrupt.py LOWPC IN.mlir DIRECTORY: ends compilations after different times. The outputs are the old ones or the new ones,
# whole; SIGINT leaves no temporary file either (after SIGKILL nobody could remove one).

import os
import shutil
import signal
import subprocess
import sys
import time

lowpc, source, folder = sys.argv[1:]
command = [lowpc, source, "--target=gfx950", "-o", os.path.join(folder, "k.hsaco")]


def contents():
    return {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}


shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
start = time.monotonic()
subprocess.run(command, check=True)
whole, seconds = contents(), time.monotonic() - start
assert list(whole) == ["k.hsaco", "k.json"], list(whole)
old = {name: b"old" for name in whole}
for number in range(12):
    kill = signal.SIGKILL if number % 2 else signal.SIGINT
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    for name, data in old.items():
        open(os.path.join(folder, name), "wb").write(data)
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    time.sleep(seconds * (number + 1) / 12)
    process.send_signal(kill)
    process.wait()
    for name, data in contents().items():
        if name not in whole and kill == signal.SIGINT:
            sys.exit(f"left behind: {name}")
        if name in whole and data not in (old[name], whole[name]):
            sys.exit(f"half written: {name}")
