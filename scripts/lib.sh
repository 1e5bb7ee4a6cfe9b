# SPDX-FileCopyrightText: the lowp authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the scripts share; they source it. Each step is one line that says what is done and how long it took:
#   == building ... (12.3 s)
# The output of a step goes to a log under build/logs and is shown when the step fails.
# shellcheck shell=bash

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
logs=$root/build/logs
mkdir -p "$logs"

# A terminal gets ninja's own moving line instead of silence.
if [[ -t 1 ]]; then terminal=1; else terminal=; fi

say() { printf '%s\n' "$*"; }
complain() { printf '%s\n' "$*" >&2; }
die() {
  complain "error: $*"
  exit 1
}

# Microseconds since the epoch.
now() { printf '%s' "${EPOCHREALTIME/[.,]/}"; }

# since START: the time passed, as "12.3 s".
since() {
  local tenths=$((($(now) - $1) / 100000))
  printf '%d.%d s' $((tenths / 10)) $((tenths % 10))
}

# step TEXT LOG COMMAND...: runs the command with its output in build/logs/LOG.log. Its exit code is the step's.
step() {
  local text=$1 log=$logs/$2.log start code=0
  shift 2
  start=$(now)
  printf '== %s ... ' "$text"
  "$@" >"$log" 2>&1 </dev/null || code=$?
  if ((code == 0)); then
    say "($(since "$start"))"
  else
    say "failed ($(since "$start"))"
    tail -n "${lines_of_failure:-60}" "$log"
    complain "(the last lines of ${log#"$root"/})"
  fi
  return $code
}

# watched_step: the same, with the output on the terminal where there is one.
watched_step() {
  if [[ -z $terminal ]]; then
    step "$@"
    return
  fi
  local text=$1 start code=0
  shift 2
  start=$(now)
  say "== $text ..."
  "$@" || code=$?
  if ((code == 0)); then say "== $text: done ($(since "$start"))"; else say "== $text: failed ($(since "$start"))"; fi
  return $code
}

# The Python that builds against, and runs, what needs Python: Debian's own, or the environment that scripts/setup
# made on top of it. Another `python3` on the path has other packages and is not used.
lowp_python() {
  if [[ -x $root/.venv/bin/python3 ]]; then printf '%s' "$root/.venv/bin/python3"; else printf '/usr/bin/python3'; fi
}
