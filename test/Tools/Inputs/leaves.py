# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# leaves.py CODE COMMAND...: runs the command in the current directory. An error unless it ends with this very exit code,
# leaves the directory's files as they were, and speaks in messages: no backtrace of a crash, no module printed whole.

import os
import subprocess
import sys


def files():
    return {
        os.path.join(folder, name): os.stat(os.path.join(folder, name)).st_mtime_ns
        for folder, _, names in os.walk(".")
        for name in names
    }


before = files()
run = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
text = run.stdout.decode(errors="replace")
print(text)
if run.returncode != int(sys.argv[1]):
    sys.exit(f"expected exit code {sys.argv[1]}, but got {run.returncode}")
if files() != before:
    sys.exit(f"changed files: {sorted(set(files().items()) ^ set(before.items()))}")
if "Stack dump" in text or "LLVM ERROR" in text or len(text) > 2000:
    sys.exit("expected a message")
