/** The folder below the home in which the resident engine and its clients meet. */
export const MEETING_FOLDER = '.hookline/resident'

/** Seconds after which a call that was not taken is withdrawn, and between two looks at one that was. */
const OFFER_TIMEOUT_SECONDS = 0.25
const LOOK_SECONDS = 1

/** Bytes of a payload that are read at once. Most have fewer; the resident asks for the rest of one that is not whole. */
const FIRST_READ_BYTES = 262_144

/** Shell text that executes its words when the process that names it has ended, or after so many looks. */
const START_LATER = 'for look in 1 2 3 4 5 6 7 8 9 10; do kill -0 $0 && sleep 0.1; done; exec "$@"'

/**
 * Shell functions of the launcher that hand a call to the resident engine: `hookline_ask` returns where the call has to go the cold
 * way, with the payload on stdin again, and exits with the answer otherwise. A wrapped hook that is to run by itself returns too.
 *
 * A call is left in a folder of its own. `claim` is made by one client alone; `fate` by one side alone, the client that withdraws
 * or the resident that takes: what was withdrawn is never taken. The wire is a named pipe that the resident holds open, and a
 * clock for a moment: its end is heard at once. What is on stdin is read by the resident itself where that is a pipe.
 */
export const CLIENT_TEXT = `hookline_resident=$hookline_home/${MEETING_FOLDER}

# A process with the number of the one that serves could be another by now: that is looked at where a call is not taken. One that has
# ended, and that its parent has not asked about yet, has no program.
hookline_is_served() {
  [ -r "$hookline_resident/engine" ] && read -r hookline_pid hookline_began <"$hookline_resident/engine" &&
    [ -e "/proc/$hookline_pid/exe" ]
}

# True if the process that serves is alive and not stopped.
hookline_is_awake() {
  [ -r "/proc/$hookline_pid/stat" ] || return 1
  read -r hookline_stat <"/proc/$hookline_pid/stat" || return 1
  set -f
  set -- \${hookline_stat##*) }
  set +f
  case $1 in [TtZXx]) return 1 ;; esac
  [ "\${20}" = "$hookline_began" ]
}

hookline_claim_slot() {
  for hookline_slot in "$hookline_resident"/slots/*; do
    if [ -p "$hookline_slot/wire" ] && { echo $$ >"$hookline_slot/claim"; } 2>/dev/null; then return 0; fi
  done
  return 1
}

hookline_is_taken() {
  [ -r "$hookline_slot/fate" ] && read -r hookline_fate <"$hookline_slot/fate" && [ "$hookline_fate" = taken ]
}

hookline_end() {
  trap - 0
  exit "$1"
}

# Ends a call that was taken, and of which nothing was heard since: hooks may have run, so it is not made again.
hookline_lose_call() {
  echo "hookline: the resident engine ended without an answer, so no hook could be asked." >&2
  case " $* " in
  *" --event PreToolUse "* | *" --event PermissionRequest "*) hookline_end 2 ;;
  *" --as "*:PreToolUse:* | *" --as "*:PermissionRequest:*) hookline_end 2 ;;
  esac
  hookline_end 127
}

# Prints what the resident has for an output: so many lines, or a file.
hookline_print() {
  case $1 in file*)
    cat "$hookline_slot/$1"
    return
    ;;
  esac
  while [ "$1" -gt 0 ]; do
    IFS= read -r hookline_line <&3 || return 1
    printf '%s\\n' "$hookline_line" || return 1
    set -- $(($1 - 1))
  done
}

# Sets off a clock that is heard in a while, whatever becomes of the resident. It names this client: the next one may have its slot.
hookline_wind_clock() {
  { sleep "$1" && echo late $$; } 2>/dev/null </dev/null 1<>"$hookline_slot/wire" 3<&- 5<&- &
}

hookline_ring() {
  echo "\${hookline_slot##*/}" 1<>"$hookline_resident/bell"
}

# Reads what the resident says until it has said all: returns where the call is not its own.
hookline_hear() {
  while read -r hookline_code hookline_out hookline_err <&3; do
    case $hookline_code in
    cold | alone)
      hookline_reply=$hookline_code
      return
      ;;
    more)
      cat >>"$hookline_slot/stdin" || hookline_lose_call "$@"
      hookline_ring
      ;;
    late)
      [ "$hookline_out" = $$ ] || continue
      if { echo withdrawn >"$hookline_slot/fate"; } 2>/dev/null || ! hookline_is_taken; then
        hookline_is_awake || hookline_wanted=yes
        return
      fi
      hookline_is_awake || hookline_lose_call "$@"
      hookline_wind_clock ${LOOK_SECONDS}
      ;;
    *)
      trap '' PIPE # an agent that has gone is no reason to end without a refusal
      hookline_print "$hookline_out" || hookline_end 2
      hookline_print "$hookline_err" >&2
      case $hookline_code in
      part) ;;
      -*)
        trap - 0
        kill "$hookline_code" $$
        ;;
      *) hookline_end "$hookline_code" ;;
      esac
      ;;
    esac
  done
  if ! { echo withdrawn >"$hookline_slot/fate"; } 2>/dev/null && hookline_is_taken; then hookline_lose_call "$@"; fi
}

hookline_ask() {
  case $HOOKLINE_RESIDENT in off | 0 | no | false) return ;; esac
  if [ "$hookline_cold" = yes ] || ! hookline_has_reader "$@"; then return; fi
  if ! hookline_is_served; then
    hookline_wanted=yes
    return
  fi
  [ -p "$hookline_resident/bell" ] || return 0
  set -C
  if hookline_claim_slot; then hookline_offer "$@"; else echo 1<>"$hookline_resident/bell"; fi # has it look for slots of clients that are gone
  set +C
}

# True if stdout leads to a reader of an answer: where none is, the cold way refuses the call that waits for it.
hookline_has_reader() {
  [ "$1" = tap ] || { [ -e /dev/fd/1 ] && ! [ /dev/fd/1 -ef /dev/null ]; }
}

# Leaves a call. What is on stdin comes behind it where this shell has to read that: the resident looks at the caller meanwhile.
# It waits by a clock: looking for the answer all the time would keep the resident from it.
hookline_offer() {
  if ! [ -p /proc/self/fd/0 ]; then { true >"$hookline_slot/stdin"; } 2>/dev/null || return 0; fi
  { command exec 5<>"$hookline_slot/wire" 3<"$hookline_slot/wire" 5<&0; } 2>/dev/null || return 0
  hookline_ring
  if [ -e "$hookline_slot/stdin" ]; then
    dd bs=${FIRST_READ_BYTES} count=1 >>"$hookline_slot/stdin" 2>/dev/null || hookline_lose_call "$@"
    hookline_ring
  fi
  hookline_wind_clock ${OFFER_TIMEOUT_SECONDS}
  hookline_out=
  hookline_hear "$@"
  exec 3<&- 5<&-
  if [ -e "$hookline_slot/stdin" ]; then
    if [ "$hookline_out" != whole ]; then cat >>"$hookline_slot/stdin" || hookline_lose_call "$@"; fi
    exec 0<"$hookline_slot/stdin"
  fi
}

hookline_reply= hookline_wanted=
case "$1 $2" in
*install) ;;
"bridge run" | "guard " | wrap\\ * | tap\\ *) hookline_ask "$@" ;;
esac
`

/** Shell functions that start the resident for the calls to come. */
export const STARTER_TEXT = `# Starts the resident for the calls to come, where it may run at all; settings that switch it off count until they change. It comes
# when this call is over, or in a second: two starts of Node at a time would have the agent wait.
hookline_start_resident() {
  [ -d /proc/self/ns ] && [ -w "$hookline_home/.hookline" ] || return 0
  if [ -e "$hookline_resident/off" ] && ! [ "$hookline_home/.claude/settings.json" -nt "$hookline_resident/off" ]; then return; fi
  if command -v setsid >/dev/null && hookline_can_start; then
    (cd / && exec setsid sh -c '${START_LATER}' $$ "$hookline_node" "$hookline_script" resident serve </dev/null >/dev/null 2>&1 3<&- &)
  fi
}
`
