import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { stringify } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import type { Bridge, HostScope, Switch } from '../../src/bridges/bridge.ts'
import { locateSettings } from '../../src/bridges/install/host-settings.ts'
import { withBridge, writeEdit } from '../../src/bridges/install/install.ts'
import { findHostFile, type HostPlace, listEventFiles, listMappedEvents } from '../../src/bridges/install/installed.ts'
import { makeLossReport, type ReportLine } from '../../src/bridges/install/report.ts'
import { examineHost, type ScopeStanding } from '../../src/bridges/install/standing.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { toCanonicalJson } from '../../src/text/digest.ts'
import { commands, makeWorld, openOn, type World } from '../support/project.ts'

const ENTRY = { program: 'hookline', ifMissing: 'refuse', attended: false } as const
const HOOKS = { PreToolUse: [{ matcher: 'Bash', ...commands('./guard.sh') }] }

const tableOf = (agent: string): Bridge => findBridge(agent) as Bridge // it is in the list
const writtenFor = (bridge: Bridge): Bridge =>
  bridge.install.through === undefined ? bridge : tableOf(bridge.install.through)

interface Setting {
  readonly bridge: Bridge
  readonly world: World
  readonly place: HostPlace
}

/** A world in which the bridge to an agent is installed, and nothing but that. */
async function install(agent: string, scope: HostScope, env: HostPlace['env'] = {}): Promise<Setting> {
  const world = await makeWorld({ 'project/.claude/settings.json': { hooks: HOOKS } })
  const bridge = tableOf(agent)
  const place: HostPlace = { bridge: writtenFor(bridge), scope, ...world, env }
  for (const edit of await withBridge(place, ENTRY)) await writeEdit(edit, place)
  return { bridge, world, place: { ...place, bridge } }
}

const scopesOf = (agent: string): HostScope[] => Object.keys(tableOf(agent).install.files) as HostScope[]

async function standingIn({ bridge, place }: Setting): Promise<ScopeStanding | undefined> {
  const { scopes } = await examineHost(bridge, place)
  return scopes.find(({ scope }) => scope === place.scope)
}

/** What the report says of a guard. */
async function guardIn({ bridge, world, place }: Setting): Promise<ReportLine | undefined> {
  const engine = await openOn(world, { profile: 'current' })
  return makeLossReport(bridge, engine.list(), await examineHost(bridge, place))[0]
}

/** Writes a file of an agent, merged with what is there. */
function write(place: HostPlace, path: string, change: (now: Record<string, unknown>) => object): void {
  const file = locateSettings(place, path)
  const isToml = file.endsWith('.toml')
  const now = existsSync(file) && !isToml ? JSON.parse(readFileSync(file, 'utf8')) : {}
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, isToml ? stringify(change({})) : JSON.stringify(change(now), null, 2))
}

/** Has a user trust the project in the agent and accept its entries there, as far as it asks for that. */
function accept({ bridge, place }: Setting): void {
  const { trust, review } = bridge.install
  const own = { ...place, bridge }
  const state = review === undefined ? {} : { hooks: { state: reviewsOf(own) } }
  if (trust === undefined) return
  const lists = {
    levels: { [place.project]: 'TRUST_FOLDER' },
    projects: { [place.project]: { trust_level: 'trusted' } },
    paths: [place.project],
    keys: { [place.project]: {} },
  }
  const list = lists[trust.listed]
  write(own, trust.file, () => ({ ...(trust.keys?.[0] === undefined ? list : { [trust.keys[0]]: list }), ...state }))
}

/** What Codex writes down for entries that a user has accepted. */
function reviewsOf(place: HostPlace): object {
  const file = findHostFile(place) ?? ''
  const { hooks } = JSON.parse(readFileSync(file, 'utf8'))
  const states = Object.entries(hooks).map(([event, groups]) => {
    const [
      {
        hooks: [handler],
      },
    ] = groups as [{ hooks: [object] }] // as we write it
    const name = event.replaceAll(/(?!^)([A-Z])/g, '_$1').toLowerCase()
    const identity = { event_name: name, hooks: [{ async: false, ...handler }] }
    const digest = createHash('sha256').update(toCanonicalJson(identity)).digest('hex')
    return [`${file}:${name}:0:0`, { trusted_hash: `sha256:${digest}` }]
  })
  return Object.fromEntries(states)
}

describe.each(AGENTS)('the standing of %s', (agent) => {
  const { install: table } = tableOf(agent)

  it('is ready where nothing speaks against it, and the report says what the tables say', async () => {
    for (const scope of scopesOf(agent)) {
      const setting = await install(agent, scope)
      accept(setting)
      expect(await standingIn(setting)).toMatchObject({ state: 'ready', obstacles: [] })
      const engine = await openOn(setting.world, { profile: 'current' })
      expect(await guardIn(setting)).toEqual(makeLossReport(setting.bridge, engine.list())[0])
    }
  })

  it('is off where a setting or a variable of the agent turns hooks off, and no guard holds', async () => {
    for (const scope of scopesOf(agent))
      for (const one of table.switches ?? [])
        for (const turn of waysToTurnOff(one)) {
          const setting = await install(agent, scope, turn.env)
          accept(setting)
          turn.write({ ...setting.place, bridge: setting.bridge })
          const isConcerned = (one.stops ?? scope) === scope
          expect(await standingIn(setting)).toMatchObject({ state: isConcerned ? 'off' : 'ready' })
          if (isConcerned) expect(await guardIn(setting)).toMatchObject({ holds: 'lost', weaker: true })
        }
  })

  it('is not trusted where the agent asks for trust that nobody gave, and no guard of that file holds', async () => {
    for (const scope of scopesOf(agent)) {
      const { trust } = table
      const setting = await install(agent, scope)
      if (trust === undefined || table.review !== undefined) continue
      const { onlyIf } = trust
      if (onlyIf && !onlyIf.usual)
        write(setting.place, onlyIf.files[0] ?? '', (now) => ({ ...now, [onlyIf.key]: true }))
      const isStopped = trust.stops.includes(scope)
      expect(await standingIn(setting)).toMatchObject({ state: isStopped ? 'untrusted' : 'ready' })
      if (!isStopped) continue
      expect(await guardIn(setting)).toMatchObject({ holds: 'lost', weaker: true })
      for (const [name, value] of Object.entries(trust.grantedBy ?? {}))
        expect(await standingIn({ ...setting, place: { ...setting.place, env: { [name]: value } } })).toMatchObject({
          state: 'ready',
        })
      accept(setting)
      expect(await standingIn(setting)).toMatchObject({ state: 'ready' })
    }
  })

  it('cannot be read where the agent cannot read its file', async () => {
    for (const scope of scopesOf(agent))
      for (const spoil of WAYS_TO_SPOIL[table.reads.format] ?? []) {
        const setting = await install(agent, scope)
        accept(setting)
        const file = findHostFile(setting.place) ?? ''
        writeFileSync(file, spoil(readFileSync(file, 'utf8')))
        expect(await standingIn(setting)).toMatchObject({ state: 'unreadable' })
        expect(await guardIn(setting)).toMatchObject({ holds: 'lost', weaker: true })
      }
  })

  it('cannot be read, and says why, whatever stands in the place of its file', async () => {
    for (const scope of scopesOf(agent)) {
      const { place, bridge } = await install(agent, scope)
      const files = listEventFiles({ ...place, bridge: writtenFor(bridge) }).map(({ file }) => file)
      const texts = files.map((file) => readFileSync(file))
      for (const [state, { put, why, isFine }] of Object.entries(SPOILED)) {
        for (const file of files) rmSync(file, { recursive: true, force: true })
        for (const [at, file] of files.entries()) put(file, texts[at] ?? Buffer.alloc(0))
        const { scopes, unread } = await examineHost(bridge, place)
        const said = [...scopes, ...unread]
          .filter((one) => one.scope === scope)
          .flatMap(({ obstacles }) => obstacles.filter(({ kind }) => kind === 'unreadable').map(({ text }) => text))
          .join('\n')
        const isToml = table.reads.format === 'toml'
        if (!(isFine?.(isToml) ?? false))
          expect([scope, state, said]).toEqual([scope, state, expect.stringMatching(why)])
        if (said !== '') expect(said).toContain(files[0])
      }
    }
  })

  it('is told wherever its file was cut off', async () => {
    for (const scope of scopesOf(agent)) {
      const { place, bridge } = await install(agent, scope)
      const [{ file } = { file: '' }] = listEventFiles({ ...place, bridge: writtenFor(bridge) })
      const text = readFileSync(file, 'utf8')
      for (let part = 0; part < 24; part++) {
        const cut = text.slice(0, Math.floor((text.length - 2) * (part / 23)))
        writeFileSync(file, cut)
        const { scopes, unread } = await examineHost(bridge, place)
        const told = [...scopes, ...unread].flatMap(({ obstacles }) => obstacles.map(({ text: line }) => line))
        const isToml = table.reads.format === 'toml'
        const isWhole = isToml && /(^|\n)# hookline: e\w*$/.test(cut) // the comment behind the last hook
        const isWithout = isToml && !cut.includes('[[hooks]]')
        const end = cut.slice(-40)
        if (!isWhole && !isWithout) expect([end, told.join(' ')]).toEqual([end, expect.stringMatching(/./)])
      }
    }
  })

  it('is found in the folder that a variable moves it to, with the settings beside it', async () => {
    for (const { variable } of table.homes ?? []) {
      const moved = await makeWorld()
      const setting = await install(agent, 'user', { [variable]: moved.home })
      accept(setting)
      expect(await standingIn(setting)).toMatchObject({ state: 'ready' })
      const { notes, scopes } = await examineHost(setting.bridge, { ...setting.place, env: {} })
      const isFileMoved = findHostFile(setting.place) !== findHostFile({ ...setting.place, env: {} })
      expect({ notes, scopes: scopes.length }).toEqual({ notes: [], scopes: isFileMoved ? 0 : 1 })
    }
  })

  it('names entries that stand where the agent does not look any more', async () => {
    for (const { variable } of table.homes ?? []) {
      const setting = await install(agent, 'user')
      const elsewhere = { ...setting.place, env: { [variable]: join(setting.world.root, 'moved') } }
      if (findHostFile(elsewhere) === findHostFile(setting.place)) continue
      const { notes, scopes } = await examineHost(setting.bridge, elsewhere)
      expect(scopes).toEqual([])
      expect(notes.join('\n')).toContain(findHostFile(setting.place))
      expect(notes.join('\n')).toContain(variable)
    }
  })

  it('names events without an entry', async () => {
    if (table.shape !== 'file-per-event' && table.reads.format === 'program') return // one file is all or nothing
    for (const scope of scopesOf(agent)) {
      const setting = await install(agent, scope)
      accept(setting)
      const written = writtenFor(setting.bridge)
      const [event = ''] = listMappedEvents(written)
      const file = join(findHostFile(setting.place) ?? '', table.shape === 'file-per-event' ? event : '')
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`run ${written.name} ${event}`, 'run another'))
      expect(await standingIn(setting)).toMatchObject({
        state: table.shape === 'file-per-event' ? 'unreadable' : 'missing',
        obstacles: expect.arrayContaining([
          expect.objectContaining({ kind: 'missing', events: [event], text: expect.stringContaining(event) }),
        ]),
      })
    }
  })
})

interface Turn {
  readonly env: HostPlace['env']
  readonly write: (place: HostPlace) => void
}

function waysToTurnOff(one: Switch): Turn[] {
  if ('variable' in one) return one.is.map((value) => ({ env: { [one.variable]: value }, write: () => {} }))
  const value = (place: HostPlace): unknown =>
    one.is === 'listed'
      ? listMappedEvents(place.bridge).map((event) => `x bridge run ${place.bridge.name} ${event}`)
      : one.is
  const files = one.files.filter((path) => !isAbsolute(path)) // policy is not ours to write
  return files.map((path) => ({
    env: {},
    write: (place) => {
      const [first = '', ...rest] = typeof one.key === 'string' ? [one.key] : one.key
      const inner = rest.reduceRight((held: unknown, name) => ({ [name]: held }), value(place))
      write(place, path, (now) => ({ ...now, [first]: inner }))
    },
  }))
}

const WAYS_TO_SPOIL: Readonly<Record<string, readonly ((text: string) => string)[]>> = {
  json: [
    (text) => `// mine\n${text}`,
    (text) => text.replace(/\}\s*$/, ',}'),
    (text) => `\uFEFF${text}`,
    (text) => text.slice(0, -4),
  ],
  'json-with-comments': [(text) => text.replace(/\}\s*$/, ',}'), (text) => text.slice(0, -4)],
  'json-cut-at-slashes': [
    (text) => text.replace('"version": 1', '"version": 1, "see": "https://a.example"'),
    (text) => text.slice(0, -4),
  ],
  toml: [
    (text) => `${text}\nx = = 1\n`,
    (text) => `hooks = []\n${text}`,
    (text) => `${text}\n[[hooks]]\nevent = "Stop"\ncommand = "true"\nname = "mine"\n`,
    (text) => `${text}\n[[hooks]]\nevent = "Nope"\ncommand = "true"\n`,
    (text) => text.replace(/timeout = (\d+)/, 'timeout = $1.5'),
  ],
}

interface Spoil {
  /** Puts it in the place of a file with this text. */
  readonly put: (file: string, text: Buffer) => void
  /** Words that say what is wrong. */
  readonly why: RegExp
  /** True if the agent can read that, and finds no hook. */
  readonly isFine?: (isToml: boolean) => boolean
}

/** Things that may stand in the place of a file; the last one cannot be taken away again. */
const SPOILED: Readonly<Record<string, Spoil>> = {
  empty: { put: (file) => writeFileSync(file, ''), why: /is empty/, isFine: (isToml) => isToml },
  blank: { put: (file) => writeFileSync(file, ' \n\n'), why: /is empty/, isFine: (isToml) => isToml },
  'cut off': {
    put: (file, text) => writeFileSync(file, text.subarray(0, -4)),
    why: /is not (plain JSON|JSON|as this version)/,
    isFine: (isToml) => isToml, // what is cut off is a comment
  },
  'a folder': { put: (file) => mkdirSync(file), why: /is a folder, not a file/ },
  'a pipe': { put: (file) => execFileSync('mkfifo', [file]), why: /is not a regular file/ },
  'a link loop': { put: (file) => symlinkSync(file, file), why: /links lead in a circle/ },
  'a dead link': {
    put: (file) => symlinkSync(`${file}.gone`, file),
    why: /is a link that leads nowhere/,
  },
  'a link to a device': {
    put: (file) => symlinkSync('/dev/null', file),
    why: /is not a regular file/,
  },
  'wrong bytes': {
    put: (file, text) =>
      writeFileSync(file, Buffer.concat([text.subarray(0, 9), Buffer.from([0xe9]), text.subarray(9)])),
    why: /is not UTF-8 text/,
  },
  'sixteen bits a character': {
    put: (file, text) => writeFileSync(file, Buffer.from(`\uFEFF${text}`, 'utf16le')),
    why: /is not UTF-8 text/,
  },
  huge: {
    put: (file, text) => writeFileSync(file, Buffer.concat([Buffer.alloc(6 * 1024 * 1024, ' '), text])),
    why: /is too large/,
  },
  'below a file': {
    put: (file) => {
      rmSync(dirname(file), { recursive: true, force: true })
      writeFileSync(dirname(file), '')
    },
    why: /which is not a folder/,
  },
}
