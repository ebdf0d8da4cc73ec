# What up, down, restart and logs share: where an environment lives, its ports, its processes. Sourced, not run.
# An environment is named by its first port; everything it knows lies in $state.
# shellcheck shell=bash

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

# etcd refuses to start with a variable that says what an argument says.
unset "${!ETCD_@}"

# In the order they start; down stops them in the opposite order.
processes=(etcd kube-apiserver kube-controller-manager kube-scheduler kwok jobset emulator driver operator gateway dns kueue lws trainer training-operator kuberay)

say() { echo "$*" >&2; }
# Line by line, so that progress is seen at once when the output is a file.
indent() { sed -u 's/^/   /'; }
fail() { say "${0##*/}: $*"; exit 1; }

# shellcheck source=deploy/local/progress.bash
. "$here/progress.bash"
# shellcheck source=deploy/local/workloads/controllers.bash
. "$here/workloads/controllers.bash"
# shellcheck source=deploy/local/node/node.bash
. "$here/node/node.bash"

# Ports are offsets from the port base, so that an environment needs one number.
port_span=26
declare -A offset=(
  [kube-apiserver]=0 [etcd]=1 [etcd-peer]=2 [kube-controller-manager]=3 [kube-scheduler]=4 [kwok]=5
  [jobset]=6 [jobset-metrics]=7 [jobset-health]=8
  [emulator]=10 [emulator-http]=11 [driver]=12 [driver-http]=13 [operator]=14
  [kueue]=15 [kueue-metrics]=16 [kueue-health]=17
  [lws]=18 [lws-health]=19 [trainer]=20 [trainer-health]=21 [training-operator]=22 [training-operator-health]=23
  [kuberay]=24 [kuberay-health]=25
)
port() { echo $((port_base + offset[$1])); }

use_environment() { # port base
  port_base=$1
  whole_number --port-base "$port_base" 1024 $((65535 - port_span))
  state=${XDG_STATE_HOME:-$HOME/.local/state}/lightpath/local-$port_base
  export KUBECONFIG=$state/kubeconfig
}

whole_number() { # option value least most
  [[ $2 =~ ^(0|[1-9][0-9]{0,8})$ ]] && [ "$2" -ge "$3" ] && [ "$2" -le "$4" ] ||
    fail "$1 $2: allowed is a whole number from $3 to $4"
}

# The value of an option that wants one; the next option is none.
value() { # option [next]
  [ $# -gt 1 ] && [[ $2 != -* ]] || fail "$1 needs a value${2:+, not $2}"
  echo "$2"
}

# Common arguments of down, restart and logs: [NAME] [--port-base N], and what the caller allows beside it.
name=
follow=
keep_logs=
parse_arguments() { # usage-line, then the arguments
  local usage=$1 base=18400
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      --port-base) base=$(value "$@"); shift ;;
      --port-base=*) base=${1#*=} ;;
      -h | --help) echo "$usage"; exit 0 ;;
      --keep-logs) [[ $usage == *--keep-logs* ]] || fail "unknown option --keep-logs; usage: $usage"; keep_logs=yes ;;
      -f) [[ $usage == *-f* ]] || fail "unknown option -f; usage: $usage"; follow=-f ;;
      -*) fail "unknown option $1; usage: $usage" ;;
      *) [[ $usage == *NAME* ]] && [ -z "$name" ] || fail "unexpected argument $1; usage: $usage"; name=$1 ;;
    esac
    shift
  done
  use_environment "$base"
  [[ $usage != *NAME* ]] || known_process "$name" "$usage"
}

known_process() {
  local each
  for each in "${processes[@]}"; do [ "$each" != "$1" ] || return 0; done
  fail "${1:-no NAME}: NAME is one of ${processes[*]}; usage: $2"
}

# A process is ours if it carries the mark it was started with: a number in a stale pid file may be somebody else's by now.
alive() { # name
  local pid
  pid=$(cat "$state/$1.pid" 2> /dev/null) && [ -n "$pid" ] && marked "$pid" "$state/$1"
}

marked() { grep -qzxF "LIGHTPATH_LOCAL=$2" "/proc/$1/environ" 2> /dev/null; }

# Writes $state/NAME.run: one script per process, so that restart brings back exactly what was started.
describe() { # name command...
  local process=$1
  shift
  {
    echo '#!/usr/bin/env bash'
    echo "# Started by deploy/local/up and restart. Holds no descriptor of whoever starts it."
    # shellcheck disable=SC2016
    echo 'for fd in /proc/self/fd/*; do fd=${fd##*/}; [ "$fd" -le 2 ] || [ "$fd" = 255 ] || eval "exec $fd>&-"; done'
    printf 'cd %q\n' "$state"
    # shellcheck disable=SC2016
    echo 'echo $$ > '"$process.pid"
    printf 'exec'
    printf ' %q' "$@"
    printf ' < /dev/null >> logs/%s.log 2>&1\n' "$process"
  } > "$state/$process.run"
}

start() { # name
  rm -f "$state/$1.pid"
  # the mark is there before anybody can read the number
  LIGHTPATH_LOCAL="$state/$1" setsid bash "$state/$1.run" < /dev/null >> "$state/logs/$1.log" 2>&1 &
  disown
  local tries=0
  until [ -s "$state/$1.pid" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || fail "$1 did not start, see $state/logs/$1.log"
    sleep 0.05
  done
}

# A node is switched off; anything else ends by itself.
ending() { case $1 in node-*) echo -KILL ;; *) echo -TERM ;; esac }

stop() { # names: ends them, gently for five seconds
  local process tries=0 left pid
  for process in "$@"; do
    if alive "$process"; then kill "$(ending "$process")" "$(cat "$state/$process.pid")" 2> /dev/null || true; fi
  done
  while [ "$tries" -lt 50 ]; do
    left=
    for process in "$@"; do if alive "$process"; then left=1; fi; done
    [ -n "$left" ] || break
    tries=$((tries + 1))
    sleep 0.1
  done
  for process in "$@"; do
    if alive "$process"; then
      pid=$(cat "$state/$process.pid")
      kill -KILL "$pid" 2> /dev/null || true
      while marked "$pid" "$state/$process"; do sleep 0.05; done
    fi
    rm -f "$state/$process.pid"
  done
}

# Ends the environment of a story; where it failed, its logs stay.
stop_environment() { # exit code of the story
  local down=()
  [ "$1" = 0 ] || down=(--keep-logs)
  "$here/down" "${down[@]}" --port-base "$port_base" > /dev/null 2>&1 || true
  [ ! -d "$state/logs" ] || say "   the logs of every process are in $state/logs"
}

# Deletes what an environment wrote, its logs apart: what a message named stays there to be read.
clear_state() {
  local entry
  for entry in "$state"/*; do
    [ "${entry##*/}" = logs ] || rm -rf "$entry"
  done
  if [ -n "$(ls -A "$state/logs" 2> /dev/null)" ]; then
    say "its logs are kept in $state/logs until the next up at port base $port_base"
  else
    rm -rf "$state"
  fi
}

# Ends everything of this environment, a process whose pid file was lost included.
stop_all() {
  local index reversed=() entry
  for ((index = ${#processes[@]} - 1; index >= 0; index--)); do reversed+=("${processes[index]}"); done
  stop "${reversed[@]}"
  for entry in /proc/[0-9]*; do
    if grep -qz "^LIGHTPATH_LOCAL=$state/" "$entry/environ" 2> /dev/null; then kill -KILL "${entry#/proc/}" 2> /dev/null || true; fi
  done
  nodes_down
}

listening() { (exec 3<> "/dev/tcp/${2:-127.0.0.1}/$1") 2> /dev/null; } # port [address]

http_get() { # port path [header]: status line, header and body
  (
    exec 2> /dev/null 3<> "/dev/tcp/127.0.0.1/$1" || exit 1
    printf '%s\r\n' "GET $2 HTTP/1.0" 'Host: localhost' "${@:3}" '' >&3
    timeout 10 cat <&3
  )
}

# Whether the operator of this environment plans: only the leader has a view to show.
leads() { answers "$(port operator)" /view "Authorization: Bearer $(administrator_token)"; }

administrator_token() { sed -n 's/.*token: "\([^"]*\)".*/\1/p' "$state/kubeconfig"; }

answers() { [[ $(http_get "$@" | head -n 1) == HTTP/*' 200 '* ]]; } # port path [header]

ready() { # name
  case $1 in
    etcd) answers "$(port etcd)" /health ;;
    kube-apiserver) kubectl get --raw /readyz > /dev/null 2>&1 ;;
    kube-controller-manager | kube-scheduler) listening "$(port "$1")" ;;
    kwok) answers "$(port kwok)" /healthz ;;
    jobset | kueue | lws | trainer | training-operator | kuberay) answers "$(port "$1-health")" /readyz ;;
    emulator) answers "$(port emulator-http)" /health ;;
    driver) answers "$(port driver-http)" /health ;;
    operator) answers "$(port operator)" /q/health/ready ;;
    gateway) listening "$(port kube-apiserver)" "$(gateway)" ;;
    dns) listening 8181 "$(gateway)" ;;
    node-*) listening 10250 "$(node_address "${1#node-}")" ;;
  esac
}

await() { # name: until it is ready, at most two minutes
  local deadline=$((SECONDS + 120))
  until ready "$1"; do
    if ! alive "$1"; then
      tail -n 5 "$state/logs/$1.log" >&2 || true
      fail "$1 ended while starting, above is the end of its log"
    fi
    [ "$SECONDS" -lt "$deadline" ] || fail "$1 is not ready after 2 min, see $state/logs/$1.log"
    sleep 0.2
  done
}

kubectl() { "$state/kubectl" --cache-dir "$state/cache" "$@"; }
