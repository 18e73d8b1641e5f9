import { existsSync } from 'node:fs'
import { lstat, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HooklineError } from '../../files/error.ts'
import { readOwn } from '../../files/own.ts'
import { isBelow } from '../../files/paths.ts'
import { readErrorCode } from '../../files/read.ts'
import { replaceFile } from '../../files/replace.ts'
import { findShippedScript } from '../../files/shipped.ts'
import { quoteForShell } from '../../text/quote.ts'
import { COLD_LAUNCHER, LAUNCHER } from './entry.ts'
import { CLIENT_TEXT, STARTER_TEXT } from './resident-client.ts'

/** The Node and the script that a launcher starts. */
export interface Installation {
  readonly node: string
  readonly script: string
}

/** A launcher as it was found. */
export type LauncherState =
  | { readonly is: 'missing' }
  | { readonly is: 'right' }
  /** Launcher that starts another installation, or is of another version; one that is not whole was cut off, or is none of ours. */
  | ({ readonly is: 'other'; readonly isWhole: boolean } & Partial<Installation>)
  /** Others may have written it. */
  | { readonly is: 'doubtful'; readonly why: string }

/** First and last line of a launcher: one that lacks either is not whole. */
const FIRST_LINE = '#!/bin/sh'
const LAST_LINE = 'fi'

/** Seconds after which a Node that does not start is given up. */
const NODE_TIMEOUT_SECONDS = 10

/** Path of the launcher: it never changes, so that entries with it do not either. */
export const findLauncherPath = (home: string, { resident = true } = {}): string =>
  join(home, resident ? LAUNCHER : COLD_LAUNCHER)

/** True if a path is one word to every shell, and to agents that split commands themselves. */
export const isOneWord = (path: string): boolean => /^[\w./@%+=:,-]+$/.test(path)

/** Finds this installation. */
export const findInstallation = (): Installation => ({ node: process.execPath, script: findShippedScript() })

/** Reason why an installation does not last, so that no entry of the user should start it; null: it does. */
export function findShortLife({ script }: Installation, project: string): string | null {
  if (/[/\\](?:_npx|dlx-[^/\\]+)[/\\]/.test(script)) return 'npx keeps it for a while only'
  for (let folder = project; ; folder = dirname(folder)) {
    if (isBelow(script, join(folder, 'node_modules'))) return `it belongs to the project ${folder}, which may change it`
    if (dirname(folder) === folder) return null
  }
}

/**
 * Writes the launcher. Rejects with a HooklineError where others could write to it: what agents start must be this user's own.
 */
export async function writeLauncher(home: string, installation: Installation): Promise<void> {
  const path = findLauncherPath(home)
  for (const folder of [dirname(dirname(path)), dirname(path)]) await makeOwnFolder(folder)
  const options = { mode: 0o700, followLinks: false }
  await replaceFile(path, makeLauncherText(home, installation), options)
  await replaceFile(findLauncherPath(home, { resident: false }), COLD_LAUNCHER_TEXT, options)
}

/** Looks at the launcher of a user. */
export async function readLauncher(home: string, installation: Installation): Promise<LauncherState> {
  const path = findLauncherPath(home)
  const content = await readOwn(path)
  if (content.read === 'missing') return { is: 'missing' }
  if (content.read === 'unreadable') return { is: 'doubtful', why: `${path} ${content.reason}` }
  const { mode } = await lstat(path)
  if ((mode & 0o100) === 0) return { is: 'doubtful', why: `${path} cannot be executed` }
  if (content.text === makeLauncherText(home, installation)) return { is: 'right' }
  const [node, script] = ['node', 'script'].map(
    (name) => new RegExp(`^(?:hookline_)?${name}='(.*)'$`, 'm').exec(content.text)?.[1],
  )
  const isWhole = content.text.startsWith(`${FIRST_LINE}\n`) && content.text.endsWith(`\n${LAST_LINE}\n`)
  return { is: 'other', isWhole, ...(node === undefined ? {} : { node }), ...(script === undefined ? {} : { script }) }
}

/** Says what is wrong with the launcher where wrapped hooks read it into their shell; null: nothing. Never rejects. */
export async function explainWrappedLauncher(home: string): Promise<string | null> {
  const path = findLauncherPath(home)
  const state = await readLauncher(home, findInstallation())
  if (state.is === 'missing')
    return `${path} is missing, so wrapped hooks run as if they were not wrapped: run "hookline wrap install" again.`
  if (state.is === 'doubtful') return `${state.why}. Wrapped hooks do what it says, and others may have written it.`
  if (state.is === 'right' || state.isWhole) return null
  return `${path} is cut off, or is not the file that hookline writes. Wrapped hooks do what it says, which may be nothing, or a refusal of every call: run "hookline doctor".`
}

/** Fate of a launcher that was looked at: `left` is one that is not as it should be, and why. */
export type Renewal = { readonly is: 'none' | 'right' | 'renewed' } | { readonly is: 'left'; readonly why: string }

/**
 * Writes the launcher anew where it is not as this installation would write it. Unasked, only where it is of this installation or
 * starts one that is gone; asked, also where it starts another, and where it is missing although entries name it. An installation
 * that does not last never takes its place. Never rejects.
 */
export async function renewLauncher(
  home: string,
  project: string,
  { isAsked, isWanted = false }: { readonly isAsked: boolean; readonly isWanted?: boolean },
): Promise<Renewal> {
  const own = findInstallation()
  const state = await readLauncher(home, own)
  if (state.is === 'right') return { is: 'right' }
  if (state.is === 'doubtful')
    return { is: 'left', why: `${state.why}: entries that name it start what others may have written.` }
  if (state.is === 'missing' && !(isAsked && isWanted)) return { is: 'none' }
  const isGone =
    state.is === 'missing' || !state.isWhole || !existsSync(state.script ?? '') || !existsSync(state.node ?? '')
  if (!isAsked && !isGone && state.is === 'other' && state.script !== own.script) return { is: 'none' }
  const why = findShortLife(own, project)
  if (why !== null)
    return isGone
      ? { is: 'left', why: `${findLauncherPath(home)} starts nothing, and this hookline cannot take over: ${why}.` }
      : { is: 'none' }
  try {
    await writeLauncher(home, own)
    return { is: 'renewed' }
  } catch (error) {
    return { is: 'left', why: error instanceof Error ? error.message : String(error) }
  }
}

async function makeOwnFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST')
      throw new HooklineError(`${folder} cannot be made (${readErrorCode(error)}).`)
  }
  const stats = await lstat(folder)
  const user = process.getuid?.()
  if (user === undefined) return // a system where modes say nothing
  const why = findLauncherDoubt(stats, user)
  if (why !== null)
    throw new HooklineError(
      `${folder} ${why}, so agents are not told to start a program in it. Make it a folder that only you can write to (chmod go-w), then run this again. Nothing was written.`,
    )
}

function findLauncherDoubt(stats: Awaited<ReturnType<typeof lstat>>, user: number): string | null {
  if (!stats.isDirectory()) return 'is not a folder'
  if (stats.uid !== user) return 'belongs to another user'
  return (Number(stats.mode) & 0o022) === 0 ? null : 'may be written by others'
}

/**
 * Shell text of the launcher. It starts the script by way of lines that have failed until the script says otherwise: one that was
 * cut off would end with 0, and so would this text. It names processes that will show an event after a call, for calls that the
 * host makes meanwhile. They say so, since some agents take a refusal without words for none. Another Node is looked for where
 * version managers keep them, then on the PATH, but never in a project.
 *
 * Wrapped hooks read this text into their own shell, and run by themselves where it comes to its end. So all names in it begin
 * with "hookline_", and nothing that a command behind it could see is left changed.
 */
function makeLauncherText(home: string, { node, script }: Installation): string {
  return `${FIRST_LINE}
case $0 in */hookline | */hookline-cold) trap 'exit 127' 0 ;; esac # until all of this is read
# Agents start Hookline by this file. "hookline bridge install" and "hookline doctor" write it; changes are lost.
hookline_home=${quoteForShell(home)}
hookline_node=${quoteForShell(node)}
hookline_script=${quoteForShell(script)}

case "$1 $2 $4" in
"bridge run "[Pp]ost*)
  hookline_starting=$hookline_home/.hookline/bridges/$3/starting
  if [ -d "$hookline_starting" ]; then true >"$hookline_starting/$$"; fi
  ;;
esac

${CLIENT_TEXT}
# What follows is of the cold way.

# Says what Node prints, and does not wait for one that hangs.
hookline_try_node() {
  [ -f "$1" ] && [ -s "$1" ] && [ -x "$1" ] || return 1
  if command -v timeout >/dev/null; then set -- timeout -s KILL ${NODE_TIMEOUT_SECONDS} "$@"; fi
  "$@" </dev/null 2>/dev/null
}
hookline_will_do() {
  [ "$(hookline_try_node "$1" -e "$hookline_new_enough")" = new ]
}
hookline_new_enough='const [a, b] = process.versions.node.split("."); if (a > 20 || (a == 20 && b >= 19)) console.log("new")'

hookline_find_node() {
  hookline_beside=\${hookline_node%/*/*/*}
  case $hookline_beside in "$hookline_home"/* | /opt/* | /usr) ;; *) hookline_beside=/usr ;; esac # others may write to /tmp
  for hookline_found in "$hookline_beside"/*/bin/node "$hookline_home"/.nvm/versions/node/*/bin/node "$hookline_home"/.volta/bin/node \\
    "$hookline_home"/.local/share/fnm/node-versions/*/installation/bin/node "$hookline_home"/.local/share/mise/installs/node/*/bin/node \\
    "$hookline_home"/.asdf/installs/nodejs/*/bin/node /opt/homebrew/bin/node /usr/local/bin/node /usr/bin/node; do
    if hookline_will_do "$hookline_found"; then hookline_node=$hookline_found && return; fi
  done
  hookline_project=$PWD hookline_above=$PWD
  while [ -n "$hookline_above" ] && [ "$hookline_above" != "$hookline_home" ]; do
    if [ -e "$hookline_above/.git" ] || [ -e "$hookline_above/.claude" ]; then hookline_project=$hookline_above; fi
    hookline_above=\${hookline_above%/*}
  done
  hookline_path=$PATH:
  while [ -n "$hookline_path" ]; do
    hookline_folder=\${hookline_path%%:*}
    hookline_path=\${hookline_path#*:}
    case $hookline_folder/ in
    "$hookline_project"/* | */node_modules/*) ;;
    /*) if hookline_will_do "$hookline_folder/node"; then hookline_node=$hookline_folder/node && return; fi ;;
    esac
  done
  hookline_fault="$hookline_node cannot be started, and there is no other Node 20.19 or newer"
  return 1
}

# True if Node and script can stand around a hook: once they were handed one, it does not run without them.
hookline_is_ready() {
  [ "$(hookline_try_node "$hookline_node" "$hookline_script" wrap --ready)" = ready ]
}

# The same without a start of Node where nothing has changed since: its file, the script, limits, and variables that Node reads.
hookline_is_sound() {
  hookline_seen=$(ls -Llic "$hookline_node" "$hookline_script" 2>/dev/null && ulimit -a) || hookline_seen=
  hookline_sound=$hookline_home/.hookline/bin/sound
  set -f
  set -- $hookline_seen "$NODE_OPTIONS" "$NODE_ICU_DATA" "$OPENSSL_CONF" "$LD_PRELOAD" "$LD_LIBRARY_PATH" "$LD_AUDIT" \\
    "$DYLD_INSERT_LIBRARIES" "$DYLD_LIBRARY_PATH" .
  set +f
  if [ -n "$hookline_seen" ] && [ -f "$hookline_sound" ] && IFS= read -r hookline_seen <"$hookline_sound"; then
    if [ "$hookline_seen" = "$*" ]; then return; fi
  fi
  hookline_is_ready || return 1
  { printf '%s\\n' "$*" >"$hookline_sound"; } 2>/dev/null || true
}

hookline_can_start() {
  hookline_fault="$hookline_script is gone"
  [ -s "$hookline_script" ] && { [ -x "$hookline_node" ] || hookline_find_node; }
}

hookline_can_stand_around() {
  hookline_can_start && { hookline_is_sound || { hookline_find_node && hookline_is_ready; }; }
}

hookline_until_answered='process.exitCode = 1
process.on("exit", (code) => code === 1 && console.error("hookline ended without an answer, so no hook could be asked."))
require(process.argv[1])'

# A hook that we cannot stand around runs by itself.
hookline_or_alone='try { require(process.argv[1]) } catch (error) {
  const words = process.argv.slice(process.argv.indexOf("--") + 1)
  const { CLAUDE_PROJECT_DIR: project } = process.env
  const fill = (word) => project === undefined ? word : word.replaceAll("\${CLAUDE_PROJECT_DIR}", () => project)
  const isProgram = words.length > 1 || process.argv.includes("--exec")
  const [file, ...args] = isProgram ? words.map(fill) : ["/bin/sh", "-c", ...words]
  process.exitCode = require("node:child_process").spawnSync(file, args, { stdio: "inherit" }).status ?? 1
}'

${STARTER_TEXT}
if [ "$hookline_wanted" = yes ]; then hookline_start_resident; fi
hookline_start=$hookline_until_answered
hookline_check=hookline_can_start
case "$1 $2" in
"tap record" | *install) ;;
wrap\\ * | tap\\ *)
  hookline_start=$hookline_or_alone
  hookline_check=hookline_can_stand_around
  ;;
esac
if [ "$hookline_reply" != alone ]; then
  if $hookline_check; then exec "$hookline_node" -e "$hookline_start" "$hookline_script" "$@"; fi
  case $0 in */hookline | */hookline-cold)
    echo "hookline: $hookline_fault, so no hook could be asked. Install Hookline again, then run: hookline doctor" >&2
    exit 127
    ;;
  esac
${LAST_LINE}
`
}

/** Shell text of the launcher of entries that never use the resident engine. */
const COLD_LAUNCHER_TEXT = `#!/bin/sh
trap 'exit 127' 0
hookline_cold=yes
. "\${0%-cold}"
`
