# What takes minutes says how far it is. Sourced, not run; whoever sources it has a function say.
# shellcheck shell=bash

# Runs a command with its output appended to a log, and says every 15 s what it does, how far it is and since when.
# Answers with the command's exit code.
with_progress() { # what log how-far command...; how-far is a command that is given the log and prints a few words
  local what=$1 log=$2 how_far=$3 result=0 reporter
  shift 3
  report_progress "$what" "$log" "$how_far" &
  reporter=$!
  "$@" >> "$log" 2>&1 < /dev/null 9>&- || result=$?
  kill "$reporter" 2> /dev/null || true
  wait "$reporter" 2> /dev/null || true
  return "$result"
}

# Ends within a second after the script that it reports for, so that it holds nobody's output open.
report_progress() { # what log how-far
  local began=$SECONDS ticks=0
  exec 9>&- # a lock of the script is none of ours
  while sleep 1 && kill -0 "$$" 2> /dev/null; do
    ticks=$((ticks + 1))
    [ $((ticks % 15)) != 0 ] || say "$1: $("$3" "$2"), since $((SECONDS - began)) s"
  done
}

# The last "[3/12]" of Maven's output.
modules_begun() { # log
  local last
  last=$(grep -o '\[[0-9]*/[0-9]*\]$' "$1" | tail -n 1 | tr -d '[]') || true
  if [ -n "$last" ]; then echo "module ${last/\// of }"; else echo "fetching what it needs"; fi
}
