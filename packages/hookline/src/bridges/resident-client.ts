/** The folder below the home in which the resident engine and its clients meet. */
export const MEETING_FOLDER = '.hookline/resident'

/** Seconds after which a call that was not taken is withdrawn. */
const OFFER_TIMEOUT_SECONDS = 0.25

/**
 * Shell functions of the launcher that hand a call to the resident engine: `ask_resident` returns where the call has to go the
 * cold way, with the payload on stdin again, and exits with the answer otherwise.
 *
 * A call is left in a folder of its own. `claim` is made by one client alone; `fate` by one side alone, the client that withdraws
 * or the resident that takes: what was withdrawn is never taken. The wire is a named pipe that a clock holds open for a moment,
 * and then the resident alone: its end is heard at once.
 */
export const CLIENT_TEXT = `resident=$home/${MEETING_FOLDER}

# True if the process that serves is alive and not stopped; its number alone could be another's by now.
is_served() {
  [ -r "$resident/engine" ] || return 1
  read -r pid began <"$resident/engine" || return 1
  [ -r "/proc/$pid/stat" ] || return 1
  read -r stat <"/proc/$pid/stat" || return 1
  set -f
  set -- \${stat##*) }
  set +f
  case $1 in [TtZXx]) return 1 ;; esac
  [ "\${20}" = "$began" ]
}

claim_slot() {
  for slot in "$resident"/slots/*; do
    if [ -p "$slot/wire" ] && { echo $$ >"$slot/claim"; } 2>/dev/null; then return 0; fi
  done
  return 1
}

is_taken() {
  [ -r "$slot/fate" ] && read -r fate <"$slot/fate" && [ "$fate" = taken ]
}

# Ends a call that was taken, and of which nothing was heard since: hooks may have run, so it is not made again.
lose_call() {
  echo "hookline: the resident engine ended without an answer, so no hook could be asked." >&2
  case " $* " in
  *" --event PreToolUse "* | *" --event PermissionRequest "*) exit 2 ;;
  esac
  exit 127
}

# Prints what the resident has for an output: so many lines, or a file.
print_output() {
  if [ "$1" = file ]; then
    cat "$slot/$2"
    return
  fi
  while [ "$1" -gt 0 ]; do
    IFS= read -r line <&3 || return 1
    printf '%s\\n' "$line" || return 1
    set -- $(($1 - 1)) "$2"
  done
}

end_answered() {
  print_output "$out" stdout || exit 2
  print_output "$err" stderr >&2
  exit "$code"
}

ask_resident() {
  case $HOOKLINE_RESIDENT in off | 0 | no | false) return ;; esac
  if ! is_served; then
    start_resident
    return
  fi
  [ -p "$resident/bell" ] || return
  set -C
  claim_slot || { set +C && return; }
  { true >"$slot/stdin"; } 2>/dev/null || { set +C && return; }
  exec 4<"$slot/stdin"
  cat >>"$slot/stdin" || lose_call "$@"
  sleep ${OFFER_TIMEOUT_SECONDS} >"$slot/wire" </dev/null 2>/dev/null 4<&- &
  exec 3<"$slot/wire"
  echo "\${slot##*/}" 1<>"$resident/bell"
  if read -r code out err <&3; then
    if [ "$code" != cold ]; then
      end_answered
    fi
    { echo withdrawn >"$slot/fate"; } 2>/dev/null
  elif ! { echo withdrawn >"$slot/fate"; } 2>/dev/null && is_taken; then
    while is_served; do
      sleep 1 >"$slot/wire" </dev/null 2>/dev/null 4<&- &
      exec 3<"$slot/wire"
      if read -r code out err <&3; then
        end_answered
      fi
    done
    lose_call "$@"
  fi
  set +C
  exec 0<&4 3<&- 4<&-
}

# Starts the resident for the calls to come, where it may run at all; settings that switch it off count until they change.
start_resident() {
  [ -d /proc/self/ns ] && [ -w "$home/.hookline" ] || return
  if [ -e "$resident/off" ] && ! [ "$home/.claude/settings.json" -nt "$resident/off" ]; then return; fi
  if command -v setsid >/dev/null; then
    (cd / && exec setsid "$node" "$script" resident serve </dev/null >/dev/null 2>&1 &)
  fi
}
`
