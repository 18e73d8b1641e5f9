import { describe, expect, it } from 'vitest'
import { type Content, commands, makeWorld, openOn } from '../../../hookline/test/support/project.ts'
import type { PermissionRules } from '../../src/permission/permission-rules.ts'
import { readPermissions } from '../../src/permission/rules.ts'

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
