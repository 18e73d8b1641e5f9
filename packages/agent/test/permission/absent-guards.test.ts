import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Content, commands, makeWorld, openOn } from '../../../hookline/test/support/project.ts'
import type { PermissionRules } from '../../src/permission/permission-rules.ts'
import { readPermissions } from '../../src/permission/rules.ts'
import { bash, openAgent, textsOf } from '../support/opened-agent.ts'

const LOOSE = {
  permissions: {
    allow: ['Bash(make:*)'],
    deny: ['WebSearch'],
    additionalDirectories: ['../shared'],
    defaultMode: 'acceptEdits',
  },
}
const GOOD = commands('true')
const NAMELESS = { hooks: [{ type: 'command' }] }

/** Permissions of a world, as a session of the profile reads them. */
async function permissionsIn(files: Record<string, Content>, profile: 'classic' | 'current'): Promise<PermissionRules> {
  const world = await makeWorld(files)
  const engine = await openOn(world, { profile })
  const { absentGuards, configuration } = engine
  return readPermissions(world, { trusted: true, read: configuration.files, absentGuards })
}

function loosened({ allow, directories, defaultMode }: PermissionRules): boolean[] {
  return [allow.length > 0, directories.length > 0, defaultMode !== null]
}

const ALL = [true, true, true]
const NONE = [false, false, false]

describe('what a file loosens', () => {
  const SETTINGS: Readonly<Record<string, object>> = {
    'a guard without a command': { hooks: { PreToolUse: [NAMELESS] } },
    'a guard beside one that runs': { hooks: { PreToolUse: [GOOD, NAMELESS] } },
    'a permission guard of an unknown type': { hooks: { PermissionRequest: [{ hooks: [{ type: 'magic' }] }] } },
    'a guard whose matcher is a list': { hooks: { PreToolUse: [{ matcher: ['Bash'], ...GOOD }] } },
    'a group without hooks': { hooks: { PreToolUse: [{ matcher: 'Bash' }] } },
    'a group that is null': { hooks: { PreToolUse: [null, GOOD] } },
    'an event that is an object': { hooks: { PreToolUse: GOOD } },
    'hooks that are a list': { hooks: [GOOD] },
    'guards beside "hooks"': { PreToolUse: [GOOD] },
  }
  it.each(Object.entries(SETTINGS))('does not count where it set aside %s', async (_what, settings) => {
    for (const file of ['project/.claude/settings.json', 'home/.claude/settings.json']) {
      const rules = await permissionsIn({ [file]: { ...LOOSE, ...settings } }, 'current')
      expect(loosened(rules)).toEqual(NONE)
      expect(rules.deny).toHaveLength(1)
      expect(rules.problems.map(({ message }) => message).join()).toContain('set aside')
    }
  })

  it.each([
    ['another event', { hooks: { PostToolUse: [NAMELESS] } }],
    ['a field with a default', { hooks: { PreToolUse: [{ hooks: [{ ...GOOD.hooks[0], timeout: 0 }] }] } }],
    ['an event that is null', { hooks: { PreToolUse: null } }],
    ['an unknown event', { hooks: { PreToolUze: [GOOD] } }],
  ])('counts where a misfit is in %s', async (_what, settings) => {
    const rules = await permissionsIn({ 'project/.claude/settings.json': { ...LOOSE, ...settings } }, 'current')
    expect(loosened(rules)).toEqual(ALL)
  })

  it('counts in the files beside the one with the misfit', async () => {
    const rules = await permissionsIn(
      {
        'project/.claude/settings.json': { hooks: { PreToolUse: [NAMELESS] } },
        'home/.claude/settings.json': LOOSE,
      },
      'current',
    )
    expect(loosened(rules)).toEqual(ALL)
  })

  it('counts as before under classic', async () => {
    const settings = { ...LOOSE, hooks: { PreToolUse: [NAMELESS] } }
    expect(loosened(await permissionsIn({ 'project/.claude/settings.json': settings }, 'classic'))).toEqual(ALL)
  })
})

/** Entries with a misfit, and if the call that their file allows is refused because of it. */
const ENTRIES: readonly [what: string, event: string, isRefused: boolean][] = [
  ['a guard', 'PreToolUse', true],
  ['a guard of dialogs', 'PermissionRequest', true],
  ['another event', 'PostToolUse', false],
]

describe('what a file for one run loosens, named by --settings', () => {
  it.each(ENTRIES)('by a misfit in %s', async (_what, event, isRefused) => {
    const world = await makeWorld({ 'run.json': { ...LOOSE, hooks: { [event]: [NAMELESS] } } })
    const settings = join(world.root, 'run.json')
    const script = { turns: [{ tools: [bash('make --version')] }, {}] }
    const { agent, requests, told } = await openAgent(script, { world, settings, profile: 'current' })
    expect(loosened(agent.permissions.rules)).toEqual(isRefused ? NONE : ALL)
    expect(agent.permissions.rules.deny).toHaveLength(1)
    await agent.run('Go')
    const result = textsOf(requests[1]?.messages.at(-1)).join()
    expect(result.includes('Permission to use Bash was denied')).toBe(isRefused)
    expect(told().user.join().includes('set aside')).toBe(isRefused)
  })

  it('leaves what other files loosen', async () => {
    const world = await makeWorld({
      'home/.claude/settings.json': LOOSE,
      'run.json': { hooks: { PreToolUse: [NAMELESS] } },
    })
    const opening = { world, settings: join(world.root, 'run.json'), profile: 'current' } as const
    expect(loosened((await openAgent({}, opening)).agent.permissions.rules)).toEqual(ALL)
  })
})

describe('the allowed-tools of a command', () => {
  const FILES = ['project/.claude/commands/ship.md', 'home/.claude/commands/ship.md'] as const
  const cases = ENTRIES.flatMap(([what, event, isRefused]) =>
    FILES.map((file) => [what, file, event, isRefused] as const),
  )

  it.each(cases)('by a misfit in %s of %s', async (_what, file, event, isRefused) => {
    const text = `---\nallowed-tools: Bash(echo:*)\nhooks:\n  ${event}:\n    - hooks:\n        - type: command\n---\nShip it.\n`
    const script = { turns: [{ tools: [bash('echo shipped')] }, {}] }
    const { agent, requests, told } = await openAgent(script, {
      world: await makeWorld({ [file]: text }),
      profile: 'current',
    })
    await agent.run('/ship')
    expect(textsOf(requests[1]?.messages.at(-1)).join()).toContain(
      isRefused ? 'Permission to use Bash was denied' : 'shipped',
    )
    expect(told().user.join().includes('its allowed-tools do not count')).toBe(isRefused)
    expect(agent.permissions.rules.allow).toEqual([])
  })

  it('count where the misfit is in another file', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [NAMELESS] } },
      'project/.claude/commands/ship.md': '---\nallowed-tools: Bash(echo:*)\n---\nShip it.\n',
    })
    const script = { turns: [{ tools: [bash('echo shipped')] }, {}] }
    const { agent, requests } = await openAgent(script, { world, profile: 'current' })
    await agent.run('/ship')
    expect(textsOf(requests[1]?.messages.at(-1)).join()).toContain('shipped')
  })
})
