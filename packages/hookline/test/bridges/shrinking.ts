import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { commands, put, type World } from '../support/project.ts'

export const USER = 'home/.claude/settings.json'
export const PROJECT = 'project/.claude/settings.json'
const LOCAL = 'project/.claude/settings.local.json'
const PLUGIN = 'home/.claude/plugins/cache/market/guard/1.0.0'
const REGISTRY = 'home/.claude/plugins/installed_plugins.json'

const GUARD = { type: 'command', command: './guard.sh' }
const ASKED = { type: 'http', url: 'http://127.0.0.1:9/guard' }
const EMPTY_SCRIPT = '#!/bin/sh\nexit 0\n'

/** The hooks of the user, with another entry in the place of the guard, and other settings beside them. */
const userFile = (guards: unknown = [GUARD], more: object = {}): object => ({
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: guards },
      { matcher: 'WebFetch', hooks: [ASKED] },
    ],
  },
  enabledPlugins: { 'guard@market': true },
  ...more,
})

const OF_PROJECT = { hooks: { PreToolUse: [{ matcher: 'Write', ...commands('true') }] } }
const OF_LOCAL = { hooks: { PreToolUse: [{ matcher: 'Edit', ...commands('true') }] } }
const OF_PLUGIN = { hooks: { PreToolUse: [{ matcher: 'Read', ...commands('true') }] } }

/** Writes guards into every place that may have them: none refuses a call of Bash. */
export async function writeGuards(world: World): Promise<void> {
  for (const folder of ['home/.claude', 'project', 'home/hooks', 'elsewhere'])
    rmSync(join(world.root, folder), { recursive: true, force: true })
  await put(world, USER, userFile())
  await put(world, PROJECT, OF_PROJECT)
  await put(world, LOCAL, OF_LOCAL)
  await put(world, 'project/.git/HEAD', '')
  await put(world, 'project/guard.sh', EMPTY_SCRIPT)
  await put(world, `${PLUGIN}/hooks/hooks.json`, OF_PLUGIN)
  const installed = [{ scope: 'user', installPath: join(world.root, PLUGIN) }]
  await put(world, REGISTRY, { version: 2, plugins: { 'guard@market': installed } })
}

/** What an agent does to the guards of its session. */
export type Shrink = (world: World, kept: string) => unknown

const user =
  (guards: unknown, more = {}): Shrink =>
  (world) =>
    put(world, USER, userFile(guards, more))

const write =
  (file: string, content: string | Buffer | object): Shrink =>
  (world) =>
    put(world, file, content)

const remove =
  (file: string): Shrink =>
  ({ root }) =>
    rmSync(join(root, file), { recursive: true })

const moveAway =
  (file: string): Shrink =>
  ({ root }) =>
    renameSync(join(root, file), join(root, `${file}.old`))

const replace =
  (file: string, make: (path: string, world: World) => void): Shrink =>
  (world) => {
    rmSync(join(world.root, file), { recursive: true })
    make(join(world.root, file), world)
  }

const linkToNothing = (path: string): void => symlinkSync('/no/such/file', path)

/** A link to a file that has nothing to say. */
function linkElsewhere(path: string, { root }: World): void {
  writeFileSync(join(root, 'other.json'), '{}')
  symlinkSync(join(root, 'other.json'), path)
}

/** Ways to leave nothing of a whole file of settings. */
const OF_A_FILE: Readonly<Record<string, (file: string) => Shrink>> = {
  'writes an empty object into': (file) => write(file, '{}'),
  'writes nothing into': (file) => write(file, ''),
  'writes null into': (file) => write(file, 'null'),
  breaks: (file) => write(file, '{ "hooks": {'),
  'empties the hooks of': (file) => write(file, { hooks: {} }),
  'misspells the hooks of': (file) => write(file, { Hooks: OF_PROJECT.hooks }),
  'writes the hooks twice into': (file) => write(file, '{ "hooks": { "PreToolUse": [] }, "hooks": {} }'),
  'writes another encoding into': (file) => write(file, Buffer.from('{}', 'utf16le')),
  removes: remove,
  'puts a folder in the place of': (file) => replace(file, (path) => mkdirSync(path)),
  'puts a link to nothing in the place of': (file) => replace(file, linkToNothing),
  'puts a link to another file in the place of': (file) => replace(file, linkElsewhere),
}

const FILES = { 'the file of the user': USER, 'the file of the project': PROJECT, 'the local file': LOCAL }

const wholeFiles = Object.entries(FILES).flatMap(([name, file]) =>
  Object.entries(OF_A_FILE).map(([how, shrink]) => [`${how} ${name}`, shrink(file)] as const),
)

const ENTRIES: Readonly<Record<string, Shrink>> = {
  'removes one of two hooks': write(USER, {
    ...userFile(),
    hooks: { PreToolUse: [{ matcher: 'WebFetch', hooks: [ASKED] }] },
  }),
  'narrows a matcher': write(USER, { ...userFile(), hooks: { PreToolUse: [{ matcher: 'Bash|x', hooks: [GUARD] }] } }),
  'spoils a matcher': write(USER, { ...userFile(), hooks: { PreToolUse: [{ matcher: 7, hooks: [GUARD] }] } }),
  'adds a condition': user([{ ...GUARD, if: 'Bash(x:*)' }]),
  'has the guard run in the background': user([{ ...GUARD, async: true }]),
  'has the guard run in the background and wake': user([{ ...GUARD, asyncRewake: true }]),
  'gives the guard no time': user([{ ...GUARD, timeout: 0.01 }]),
  'changes the command': user([{ ...GUARD, command: 'true' }]),
  'adds words to the command': user([{ ...GUARD, command: './guard.sh || true' }]),
  'adds arguments to the command': user([{ ...GUARD, args: ['--dry-run'] }]),
  'gives the guard another shell': user([{ ...GUARD, shell: 'powershell' }]),
  'gives the guard another type': user([{ ...GUARD, type: 'prompt', prompt: 'yes' }]),
  'gives the guard an unknown type': user([{ ...GUARD, type: 'nothing' }]),
  'spoils the entry': user('x'),
  'removes the entries': user([]),
  'moves the guard to another event': write(USER, {
    ...userFile(),
    hooks: { PostToolUse: [{ matcher: 'Bash', hooks: [GUARD] }] },
  }),
  'misspells the event': write(USER, { ...userFile(), hooks: { preToolUse: [{ matcher: 'Bash', hooks: [GUARD] }] } }),
}

const SWITCHES: Readonly<Record<string, Shrink>> = {
  'switches all hooks off for the user': user([GUARD], { disableAllHooks: true }),
  'switches all hooks off for the project': write(PROJECT, { ...OF_PROJECT, disableAllHooks: true }),
  'switches all hooks off in the local file': write(LOCAL, { ...OF_LOCAL, disableAllHooks: true }),
  'keeps a guard from its address for the user': user([GUARD], { allowedHttpHookUrls: [] }),
  'keeps a guard from its address in the local file': write(LOCAL, {
    ...OF_LOCAL,
    allowedHttpHookUrls: ['https://x/*'],
  }),
  'disables a plugin': user([GUARD], { enabledPlugins: { 'guard@market': false } }),
  'disables a plugin in the local file': write(LOCAL, { ...OF_LOCAL, enabledPlugins: { 'guard@market': false } }),
  'forgets that a plugin is enabled': user([GUARD], { enabledPlugins: {} }),
  'removes a plugin': remove(PLUGIN),
  'removes the hooks of a plugin': remove(`${PLUGIN}/hooks`),
  'empties the hooks of a plugin': write(`${PLUGIN}/hooks/hooks.json`, '{}'),
  'empties the list of plugins': write(REGISTRY, { version: 2, plugins: {} }),
}

const FOLDERS: Readonly<Record<string, Shrink>> = {
  'moves the folder of the user away': moveAway('home/.claude'),
  'moves the folder of the project away': moveAway('project/.claude'),
  'puts a link to nothing in the place of the folder of the user': replace('home/.claude', linkToNothing),
  'puts a link to nothing in the place of the folder of the project': replace('project/.claude', linkToNothing),
  'removes the script': remove('project/guard.sh'),
  'moves the script away': moveAway('project/guard.sh'),
  'takes the right to run from the script': ({ project }) => chmodSync(join(project, 'guard.sh'), 0o644),
  'puts a folder in the place of the script': replace('project/guard.sh', (path) => mkdirSync(path)),
  'puts a link to nothing in the place of the script': replace('project/guard.sh', linkToNothing),
}

/** Does something to all files of a name in a folder that is kept of the session. */
const spoilKept =
  (name: string, spoil: (path: string) => void): Shrink =>
  async (world, kept) => {
    await put(world, USER, '{}')
    for (const one of readdirSync(kept)) if (one === name) spoil(join(kept, one))
  }

/** Ways that spoil what is remembered of the session, which no file of settings brings back. */
export const MEMORY: Readonly<Record<string, Shrink>> = {
  'removes the record of its guards': spoilKept('guards.json', (path) => rmSync(path)),
  'cuts the record of its guards off': spoilKept('guards.json', (path) =>
    writeFileSync(path, readFileSync(path).subarray(0, 20)),
  ),
  'empties the record of its guards': spoilKept('guards.json', (path) => writeFileSync(path, '')),
  'writes a list into the record of its guards': spoilKept('guards.json', (path) => writeFileSync(path, '[]')),
  'puts a folder in the place of the record of its guards': spoilKept('guards.json', (path) => {
    rmSync(path)
    mkdirSync(path)
  }),
  'copies the project to where nothing is known of it': async (world) => {
    cpSync(world.project, join(world.root, 'elsewhere'), { recursive: true })
    await put(world, USER, '{}')
  },
}

/** Ways in which an agent may shrink the guards of its session; `kept` is the folder of what is remembered of it. */
export const SHRINKING: Readonly<Record<string, Shrink>> = {
  ...Object.fromEntries(wholeFiles),
  ...ENTRIES,
  ...SWITCHES,
  ...FOLDERS,
  ...MEMORY,
}
