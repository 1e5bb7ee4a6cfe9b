# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ctrl_c.py COMMAND...: sends SIGINT once the command has run for a while; an error unless it then ends with 130, soon. Prints
# what it said and which files there are.

import os
import signal
import subprocess
import sys
import time

run = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
time.sleep(2)
run.send_signal(signal.SIGINT)
start = time.monotonic()
text = run.communicate(timeout=60)[0].decode()
print(text)
if run.returncode != 130:
    sys.exit(f"expected exit code 130, but got {run.returncode}")
if time.monotonic() - start > 30:
    sys.exit("it took too long to end")
print("files:", *sorted(os.listdir(".")))
