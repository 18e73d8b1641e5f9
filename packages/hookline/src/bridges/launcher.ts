import { existsSync } from 'node:fs'
import { lstat, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { readOwn } from '../files/own.ts'
import { isBelow } from '../files/paths.ts'
import { readErrorCode } from '../files/read.ts'
import { replaceFile } from '../files/replace.ts'
import { findShippedScript } from '../files/shipped.ts'
import { quoteForShell } from '../text/quote.ts'
import { LAUNCHER } from './entry.ts'
import { CLIENT_TEXT } from './resident-client.ts'

/** The Node and the script that a launcher starts. */
export interface Installation {
  readonly node: string
  readonly script: string
}

/** A launcher as it was found. */
export type LauncherState =
  | { readonly is: 'missing' }
  | { readonly is: 'right' }
  /** Launcher that starts another installation, or is of another version. */
  | ({ readonly is: 'other' } & Partial<Installation>)
  /** Others may have written it. */
  | { readonly is: 'doubtful'; readonly why: string }

/** Path of the launcher: it never changes, so that entries with it do not either. */
export const findLauncherPath = (home: string): string => join(home, LAUNCHER)

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
  await replaceFile(path, makeLauncherText(home, installation), { mode: 0o700, followLinks: false })
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
  const [node, script] = ['node', 'script'].map((name) => new RegExp(`^${name}='(.*)'$`, 'm').exec(content.text)?.[1])
  return { is: 'other', ...(node === undefined ? {} : { node }), ...(script === undefined ? {} : { script }) }
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
  const isGone = state.is === 'missing' || !existsSync(state.script ?? '') || !existsSync(state.node ?? '')
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
 * cut off would end with 0. It names processes that will show an event after a call, for calls that the host makes meanwhile. They say so, since some agents take a refusal without words for none. Another Node is looked for where version managers keep them, then on the PATH, but never in a project.
 */
function makeLauncherText(home: string, { node, script }: Installation): string {
  return `#!/bin/sh
# Agents start Hookline by this file. "hookline bridge install" and "hookline doctor" write it; changes are lost.
home=${quoteForShell(home)}
node=${quoteForShell(node)}
script=${quoteForShell(script)}

fail() {
  echo "hookline: $1, so no hook could be asked. Install Hookline again, then run: hookline doctor" >&2
  exit 127
}

will_do() {
  [ -f "$1" ] && [ -x "$1" ] && "$1" -e "$NEW_ENOUGH" </dev/null >/dev/null 2>&1
}
NEW_ENOUGH='const [a, b] = process.versions.node.split("."); process.exitCode = a > 20 || (a == 20 && b >= 19) ? 0 : 1'

find_node() {
  for found in "\${node%/*/*/*}"/*/bin/node "$home"/.nvm/versions/node/*/bin/node "$home"/.volta/bin/node \\
    "$home"/.local/share/fnm/node-versions/*/installation/bin/node "$home"/.local/share/mise/installs/node/*/bin/node \\
    "$home"/.asdf/installs/nodejs/*/bin/node /opt/homebrew/bin/node /usr/local/bin/node /usr/bin/node; do
    if will_do "$found"; then node=$found && return; fi
  done
  project=$PWD above=$PWD
  while [ -n "$above" ] && [ "$above" != "$home" ]; do
    if [ -e "$above/.git" ] || [ -e "$above/.claude" ]; then project=$above; fi
    above=\${above%/*}
  done
  set -f
  IFS=:
  for folder in $PATH; do
    case $folder/ in
    "$project"/* | */node_modules/*) ;;
    /*) if will_do "$folder/node"; then node=$folder/node && return; fi ;;
    esac
  done
  fail "$node is gone, and there is no other Node 20.19 or newer"
}

UNTIL_ANSWERED='process.exitCode = 1
process.on("exit", (code) => code === 1 && console.error("hookline ended without an answer, so no hook could be asked."))
require(process.argv[1])'

case "$1 $2 $4" in
"bridge run "[Pp]ost*)
  starting=$home/.hookline/bridges/$3/starting
  if [ -d "$starting" ]; then true >"$starting/$$"; fi
  ;;
esac

[ -s "$script" ] || fail "$script is gone"
[ -x "$node" ] || find_node
${CLIENT_TEXT}
case "$1 $2" in
"bridge run") ask_resident "$@" ;;
esac
exec "$node" -e "$UNTIL_ANSWERED" "$script" "$@"
`
}
