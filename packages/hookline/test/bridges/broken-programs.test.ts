import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isGuarding } from '../../src/bridges/answer/answer.ts'
import type { Bridge, HostScope } from '../../src/bridges/bridge.ts'
import { withBridge, writeEdit } from '../../src/bridges/install/install.ts'
import {
  type HostPlace,
  isPlugin,
  isProgram,
  listEventFiles,
  readInstalledEntries,
} from '../../src/bridges/install/installed.ts'
import { findLauncherPath, writeLauncher } from '../../src/bridges/install/launcher.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { type WrapperWay, wrapCommand } from '../../src/protocol/wrapped-command.ts'
import { program as script } from '../support/command.ts'
import { makeWorld } from '../support/project.ts'
import { runInShell, SHELLS, type ShellLine } from '../support/shells.ts'

const WRITTEN = AGENTS.flatMap((agent) => {
  const bridge = findBridge(agent)
  const isWritten = bridge !== null && bridge.install.through === undefined && !isPlugin(bridge) // plugins: entry.test.ts
  return isWritten ? [{ agent, bridge }] : []
})

/** A call that is refused in words by another Node that is found, too. */
const PROBE = '{"hookline_probe":"n1"}'

/** Shells that a user may have, started as at a login. */
const LOGIN_SHELLS: readonly ShellLine[] = ['bash', 'zsh', 'fish'].flatMap((name): ShellLine[] =>
  spawnSync(name, ['-c', 'true']).status === 0 ? [[name, '-lc']] : [],
)

const put =
  (text: string, mode = 0o755) =>
  (path: string) =>
    writeFileSync(path, text, { mode })

/** A program of this machine with other bytes in the place of some. */
const patch = (find: string | number, other: string | number) => (path: string) => {
  const bytes = readFileSync('/bin/sh')
  const at = typeof find === 'number' ? find : bytes.indexOf(find)
  bytes.write(typeof other === 'number' ? String.fromCharCode(other) : other, at, 'latin1')
  writeFileSync(path, bytes, { mode: 0o755 })
}

/** Offset of the machine in the header of a program, and a number that no machine of ours has. */
const MACHINE_AT = 18
const OTHER_MACHINE = 0x16

/** Things that may stand where a program is looked for, none of which asks a hook. */
const BROKEN: Readonly<Record<string, (path: string) => void>> = {
  nothing: () => {},
  'an empty file': put(''),
  'a file that cannot be executed': put('#!/bin/sh\nexit 0\n', 0o644),
  'a folder': (path) => mkdirSync(path),
  'a program that says nothing': put('#!/bin/sh\nexit 0\n'),
  'a program that reads all and says nothing': put('#!/bin/sh\ncat >/dev/null\n'),
  'a program that prints its usage': put('#!/bin/sh\necho usage: hookline FISH\n'),
  'a program that answers with an empty object': put("#!/bin/sh\necho '{}'\n"),
  'a program that fails without a word': put('#!/bin/sh\nexit 1\n'),
  'a program that refuses without a word': put('#!/bin/sh\nexit 2\n'),
  'a program that is killed': put('#!/bin/sh\nkill -9 $$\n'),
  'a program of another machine': patch(MACHINE_AT, OTHER_MACHINE),
  'a program without its loader': patch('/lib', '/bil'),
  'a program that was cut off': (path) =>
    writeFileSync(path, readFileSync(process.execPath).subarray(0, 40_000), { mode: 0o755 }),
  'a link to nothing': (path) => symlinkSync('/no/such/program', path),
  'an interpreter that is not there': put('#!/no/such/interpreter\n'),
  'a Node that is not there': put(readFileSync(script, 'utf8')),
  'a script that was cut off': (path) =>
    writeFileSync(path, `#!${process.execPath}\n${readFileSync(script, 'utf8').split('\n').slice(1, 30).join('\n')}`, {
      mode: 0o755,
    }),
}

/** The same without a script that looks for Node, and would find itself. */
const { 'a Node that is not there': _, ...BROKEN_NODES } = BROKEN

describe.each(WRITTEN)('the guarding entries of $agent', ({ bridge }) => {
  it('refuse in words, in every shell, whatever stands in the place of hookline', async () => {
    const world = await makeWorld()
    const home = makeHome()
    const bin = join(home, 'bin')
    for (const scope of Object.keys(bridge.install.files) as HostScope[]) {
      const program = scope === 'user' ? findLauncherPath(home) : 'hookline'
      const place: HostPlace = { bridge, scope, project: world.project, home, env: {} }
      const text = await installGuard(place, program)
      const path = scope === 'user' ? program : join(bin, 'hookline')
      mkdirSync(dirname(path), { recursive: true })
      for (const [kind, spoil] of Object.entries(BROKEN)) {
        spoil(path)
        for (const shell of shellsOf(bridge)) refuse(place, { kind, shell, text, bin })
        rmSync(path, { recursive: true, force: true })
      }
    }
  })

  it('refuse in words, whatever stands in the place of the Node of the launcher', async () => {
    if (bridge.install.files.user === undefined) return
    const world = await makeWorld()
    const home = makeHome()
    const bin = join(home, 'bin')
    const place: HostPlace = { bridge, scope: 'user', project: world.project, home, env: {} }
    const text = await installGuard(place, findLauncherPath(home))
    mkdirSync(bin)
    await writeLauncher(home, { node: join(bin, 'node'), script })
    for (const [kind, spoil] of Object.entries(BROKEN_NODES)) {
      spoil(join(bin, 'node'))
      for (const shell of shellsOf(bridge).slice(0, 1)) refuse(place, { kind, shell, text, bin })
      rmSync(join(bin, 'node'), { recursive: true, force: true })
    }
  })
})

/** A home that is one word, as most are. */
function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'hookline-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** Writes the entries of an agent; returns the shell text of one that guards. */
async function installGuard(place: HostPlace, program: string): Promise<string> {
  for (const edit of await withBridge(place, { program, ifMissing: 'refuse', attended: false }))
    await writeEdit(edit, place)
  const entry = (await readInstalledEntries(place)).find(({ event }) => isGuarding(place.bridge, event))
  const file = listEventFiles(place).find(({ event }) => event === entry?.event)?.file
  return isProgram(place) ? `'${file}'` : (entry?.command ?? '')
}

function refuse(
  place: HostPlace,
  { kind, shell, text, bin }: { kind: string; shell: ShellLine; text: string; bin: string },
): void {
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: place.home }
  const { code, stdout, stderr } = runInShell(shell, text, { cwd: place.project, env, input: PROBE })
  const isInWords = isProgram(place) ? stdout.includes('"cancel":true') : code === 2 && stderr.trim() !== ''
  const says = { scope: place.scope, kind, shell: shell[0], code, stdout, stderr, isRefused: isInWords }
  expect(says).toEqual({ ...says, isRefused: true })
}

/** The shells that may run an entry; the text is the same for most agents, so that one of them is tried in all. */
function shellsOf({ name, install: { shell } }: Bridge): readonly ShellLine[] {
  if (shell === 'login') return LOGIN_SHELLS
  return name === 'droid' ? SHELLS : SHELLS.slice(0, 1)
}

interface Folders {
  readonly bin: string
  readonly home: string
}

/** A part of ours that a wrapped hook needs, and what may have become of it. */
interface Part {
  readonly way: WrapperWay
  readonly path: (folders: Folders) => string
  readonly kinds: Readonly<Record<string, (path: string) => void>>
}

/** Text of a whole launcher, cut off after so many parts of ten. */
const cut = (tenths: number) => (path: string) => {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, (text.length * tenths) / 10), { mode: 0o700 })
}

const PARTS: Readonly<Record<string, Part>> = {
  'hookline on the PATH': { way: 'path', path: ({ bin }) => join(bin, 'hookline'), kinds: BROKEN },
  'the launcher': {
    way: 'launcher',
    path: ({ home }) => findLauncherPath(home),
    kinds: Object.fromEntries(
      Array.from({ length: 10 }, (_, tenths) => [`cut off after ${tenths} tenths`, cut(tenths)]),
    ),
  },
  'the Node of the launcher': { way: 'launcher', path: ({ bin }) => join(bin, 'node'), kinds: BROKEN_NODES },
  'the script of the launcher': { way: 'launcher', path: ({ bin }) => join(bin, 'hookline.js'), kinds: BROKEN },
}

describe.each(Object.entries(PARTS))('a hook with a wrapper, whatever stands in the place of %s,', (_, part) => {
  const wrappers = part.way === 'path' ? (['wrap', 'tap', 'both'] as const) : (['wrap', 'tap'] as const)

  it.each(wrappers)('runs once with all of its input, and ends as it does: %s', async (by) => {
    const wrap = (hook: { command: string; args?: readonly string[] }): string => {
      const inner = wrapCommand({ ...hook, flags: [] }, by === 'tap' ? 'tap' : 'wrap', part.way)
      return by === 'both' ? wrapCommand({ command: inner, flags: [] }, 'tap', part.way) : inner
    }
    const world = await makeWorld()
    const folders = { bin: join(world.root, 'bin'), home: world.home }
    const [count, got] = [join(world.root, 'count'), join(world.root, 'got')]
    const text = `echo x >> '${count}'; cat > '${got}'; echo no >&2; exit 2`
    const forms = [{ command: text }, { command: '/bin/sh', args: ['-c', text] }]
    const input = JSON.stringify({ tool_input: { command: 'a\n'.repeat(40_000) } })
    for (const [kind, spoil] of Object.entries(part.kinds)) {
      await spoilPart(part, folders, spoil)
      const isCheap = part.way === 'path' || kind.startsWith('cut off')
      const isInAllShells = by === 'wrap' && (isCheap || kind === 'a program of another machine')
      for (const [at, shell] of (isInAllShells ? SHELLS : SHELLS.slice(0, 1)).entries()) {
        writeFileSync(count, '')
        writeFileSync(got, '')
        const env = { PATH: `${folders.bin}:/usr/bin:/bin`, HOME: world.home }
        const form = forms[at % 2] ?? { command: text }
        const { code, stderr } = runInShell(shell, wrap(form), { cwd: world.project, input, env })
        if (kind.startsWith('cut off') && stderr.includes(findLauncherPath(world.home)) && code === 2) continue // refused
        const says = [kind, shell[0], code, stderr.includes('no'), readFileSync(count, 'utf8')]
        expect(says).toEqual([kind, shell[0], 2, true, 'x\n'])
        expect(readFileSync(got, 'utf8') === input).toBe(true)
      }
    }
  })
})

/** Writes all parts anew, whole but for one. */
async function spoilPart({ way, path }: Part, folders: Folders, spoil: (path: string) => void): Promise<void> {
  rmSync(folders.bin, { recursive: true, force: true })
  rmSync(join(folders.home, '.hookline'), { recursive: true, force: true })
  mkdirSync(folders.bin)
  if (way === 'path') return spoil(path(folders))
  const [node, copy] = [join(folders.bin, 'node'), join(folders.bin, 'hookline.js')]
  symlinkSync(process.execPath, node)
  symlinkSync(script, copy)
  await writeLauncher(folders.home, { node, script: copy })
  if (!path(folders).startsWith(folders.home)) rmSync(path(folders))
  spoil(path(folders))
}
