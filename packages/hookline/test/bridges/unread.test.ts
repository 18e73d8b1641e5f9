import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isAwaited } from '../../src/bridges/answer/answer.ts'
import type { Bridge, EventRule } from '../../src/bridges/bridge.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { commands, makeWorld, type World } from '../support/project.ts'
import { ask, HOSTS } from './host.ts'

const GUARD = { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('true') }] } }

/** Ways in which a settings file is there and cannot be read. */
const FAULTS: Readonly<Record<string, (path: string) => void>> = {
  'not JSON': (path) => writeFileSync(path, '{ "hooks": { '),
  empty: (path) => writeFileSync(path, ''),
  'not an object': (path) => writeFileSync(path, '[]'),
  'UTF-16': (path) => writeFileSync(path, Buffer.from(`\uFEFF${JSON.stringify(GUARD)}`, 'utf16le')),
  binary: (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0x80])),
  'too large': (path) => writeFileSync(path, `{"a": "${'x'.repeat(6 * 1024 * 1024)}"}`),
  'nested too deeply': (path) => writeFileSync(path, '['.repeat(200_000)),
  'a folder': (path) => mkdirSync(path),
  'a loop of links': (path) => symlinkSync(path, path),
  'a link to nothing': (path) => symlinkSync('/nowhere/at/all', path),
  'not readable': (path) => {
    writeFileSync(path, JSON.stringify(GUARD))
    chmodSync(path, 0)
  },
  'behind a folder that is a loop': (path) => {
    rmSync(dirname(path), { recursive: true })
    symlinkSync(dirname(path), dirname(path))
  },
  'behind a folder that is a link to nothing': (path) => {
    rmSync(dirname(path), { recursive: true })
    symlinkSync('/nowhere/at/all', dirname(path))
  },
}

const isRoot = process.getuid?.() === 0
const faults = Object.entries(FAULTS).filter(([name]) => name !== 'not readable' || !isRoot)

async function worldWithBroken(file: string, breakIt: (path: string) => void): Promise<World> {
  const world = await makeWorld({ [`${dirname(file)}/.keep`]: '' })
  breakIt(join(world.root, file))
  return world
}

describe.each(AGENTS)('%s, while a settings file cannot be read', (agent) => {
  const host = HOSTS[agent]
  if (host === undefined) throw new TypeError(`no host ${agent}`)

  it('has calls refused and is told at every start and prompt, in whichever scope it is', async () => {
    await Promise.all(FILES.map((file) => expectTold(agent, host, file)))
  })
})

describe.each(AGENTS)('%s, while a settings file of the user cannot be read', (agent) => {
  const bridge = findBridge(agent)
  const host = HOSTS[agent]
  if (bridge === null || host === undefined) throw new TypeError(`no host ${agent}`)
  const events = Object.entries(bridge.events).filter(([, rule]) => rule.as !== null && !isAwaited(rule.as))

  it('refuses nothing at any other event, and tells user and model where it can', async () => {
    await Promise.all(
      events.map(async ([event, rule]) => {
        const world = await worldWithBroken('home/.claude/settings.json', FAULTS['not JSON'] ?? (() => {}))
        const payload = event === host.after ? host.shell('ls', { output: 'x' }) : host.said('hello')
        const told = await ask(world, agent, event, { ...payload, hook_event_name: event })
        const said = `${told.stdout}${told.stderr}${isTellingByNotes(bridge) ? told.notes.join() : ''}`
        expect(told.code, event).toBe(0)
        expect(said, event).not.toMatch(/"decision":"(block|deny)"|"continue":false|"refuse"|"cancel":true/)
        expect(said.includes('settings.json'), `${event}: ${said}`).toBe(canTell(bridge, rule))
        expect(told.notes.join(), event).toContain('settings.json')
      }),
    )
  })
})

it('tells it once at a prompt, however many events before it could not', async () => {
  await Promise.all(
    AGENTS.map(async (agent) => {
      const host = HOSTS[agent]
      if (host === undefined || host.prompt === null) return
      const world = await worldWithBroken('home/.claude/settings.json', FAULTS['not JSON'] ?? (() => {}))
      for (let left = 3; left > 0; left--) await ask(world, agent, host.after, host.shell('ls', { output: 'x' }))
      const { stdout, stderr } = await ask(world, agent, host.prompt, host.said('hello'))
      expect(`${stdout}${stderr}`.split('Hookline refuses every call').length - 1, agent).toBeLessThanOrEqual(2) // user, model
    }),
  )
})

/** The host shows its user what a hook writes to stderr. */
const isTellingByNotes = ({ answers: { toUser } }: Bridge): boolean =>
  toUser.how === 'exact' && toUser.write === 'errorText'

/** An event at which a host reads the answer, and has a place for a text to the user or to the model. */
function canTell({ answers }: Bridge, rule: EventRule): boolean {
  if (rule.as === null) return false
  if (rule.observes === true) return answers.toUser.how === 'exact' && answers.toUser.write === 'errorText'
  const context: Readonly<Record<string, keyof Bridge['answers']>> = {
    PostToolUse: 'contextAfterTool',
    PostToolUseFailure: 'contextAfterTool',
    UserPromptSubmit: 'promptContext',
    SessionStart: 'contextAtStart',
    SubagentStart: 'contextAtStart',
  }
  const toModel = context[rule.as]
  return answers.toUser.how === 'exact' || (toModel !== undefined && answers[toModel].how === 'exact')
}

const FILES = [
  'home/.claude/settings.json',
  'project/.claude/settings.json',
  'project/.claude/settings.local.json',
  'managed.json',
]

async function expectTold(agent: string, host: NonNullable<(typeof HOSTS)[string]>, file: string): Promise<void> {
  const world = await worldWithBroken(file, FAULTS['not JSON'] ?? (() => {}))
  const name = file.split('/').at(-1)
  const events = [host.start, host.prompt].filter((event) => event !== null)
  await Promise.all([
    ...events.map(async (event) => {
      const told = await ask(world, agent, event, { ...host.said('hello'), hook_event_name: undefined })
      expect(told.code, event).toBe(0)
      expect(`${told.notes.join()}${told.stdout}${told.stderr}`, event).toContain(name)
      expect(told.stdout, event).not.toMatch(/"decision":"(block|deny)"|"continue":false|"refuse"|"cancel":true/)
    }),
    ask(world, agent, host.before, host.shell('ls')).then(({ stdout, stderr }) => {
      expect(`${stdout}${stderr}`).toContain(name)
      expect(`${stdout}${stderr}`).toContain('could not ask the hooks')
    }),
  ])
}

describe('a settings file of the user', () => {
  it.each(faults)('that is %s has every call refused, in every agent, with its path', async (_how, breakIt) => {
    const world = await worldWithBroken('home/.claude/settings.json', breakIt)
    await Promise.all(
      AGENTS.map(async (agent) => {
        const host = HOSTS[agent]
        const { stdout, stderr } = await ask(world, agent, host?.before ?? '', host?.shell('ls') ?? {})
        expect(`${stdout}${stderr}`, agent).toContain(
          join(world.home, '.claude', 'settings.json').replaceAll('"', '\\"'),
        )
      }),
    )
  })

  it('with a byte order mark is read', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': `\uFEFF${JSON.stringify(GUARD)}` })
    expect(await ask(world, 'codex', 'PreToolUse', HOSTS.codex?.shell('ls') ?? {})).toMatchObject({
      stdout: '',
      code: 0,
    })
  })

  it('that an editor is about to finish is read again', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': '' })
    const path = join(world.home, '.claude', 'settings.json')
    const answer = ask(world, 'codex', 'PreToolUse', HOSTS.codex?.shell('ls') ?? {})
    setTimeout(() => writeFileSync(path, JSON.stringify(GUARD)), 20)
    expect(await answer).toMatchObject({ stdout: '', code: 0 })
  })

  it('of a project that was never trusted stops nobody', async () => {
    const world = await worldWithBroken('project/.claude/settings.json', FAULTS['not JSON'] ?? (() => {}))
    const answer = await ask(world, 'codex', 'PreToolUse', HOSTS.codex?.shell('ls') ?? {}, { trust: 'stored' })
    expect(answer).toMatchObject({ stdout: '', code: 0 })
  })
})
