# How stories speak and wait: sourced by those that show Lightpath, after environment.bash.
# shellcheck shell=bash

number=0
step() { number=$((number + 1)); printf '\n%d. %s\n' "$number" "$*"; }
tell() { printf '   %s\n' "$*"; }
verified() { printf '   \342\234\223 %s\n' "$*"; }
now() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); } # milliseconds
seconds() { printf '%d.%02d s' $(($1 / 1000)) $(($1 % 1000 / 10)); }
until_true() { # seconds what command...
  local limit=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    [ "$SECONDS" -lt "$limit" ] || fail "waited in vain until $what"
    sleep 0.1
  done
}
