/** A profile: a folder with its rules and hook types, its events with their schemas, and a row wherever profiles are listed. */
import { toPascalCase } from './edit.js'

const PROTOCOL = 'packages/hookline/src/protocol'

/** @type {import('./edit.js').ScaffoldKind} */
export const profile = {
  says: 'a profile: its folder, its rows in the lists of profiles, and a test',
  name: /^[a-z][a-z0-9]*$/,
  names: 'a profile is called by one word, like classic',
  make(name, tree) {
    const type = toPascalCase(name)
    const lists = `${PROTOCOL}/profiles.ts`
    tree.refuse(lists, new RegExp(`^  ${name}:`, 'm'), `The profile ${name} exists already.`)
    const copyFile = (/** @type {string} */ file) =>
      tree.get(`${PROTOCOL}/${file}`).replaceAll('classic', name).replaceAll('Classic', type)
    const copy = (/** @type {string} */ file) => copyFile(`classic/${file}`)
    tree.add(`${PROTOCOL}/${name}/rules.ts`, copy('rules.ts'))
    tree.add(`${PROTOCOL}/${name}/hook-types.ts`, copy('hook-types.ts'))
    tree.add(`${PROTOCOL}/${name}/profile.ts`, copy('profile.ts'))
    tree.add(
      `${PROTOCOL}/schemas/events/${name}.ts`,
      copyFile('schemas/events/classic.ts').replace(/The \d+ events/, 'The events'),
    )
    tree.add(`${PROTOCOL}/${name}/generated/rows.ts`, copy('generated/rows.ts'))
    tree.add(`${PROTOCOL}/${name}/generated/shapes.ts`, copy('generated/shapes.ts'))

    const tables = `${PROTOCOL}/schemas/tables.ts`
    tree.import(tables, `import { ${name} } from './events/${name}.ts'`)
    tree.import(tables, `import { ${name}Rules } from '../${name}/rules.ts'`)
    tree.insert(tables, ' } satisfies', `, ${name}`, { after: 'EVENT_TABLES = {' })
    tree.insert(tables, '\n}\n', `\n  ${name}: ${name}Rules,`, { after: 'RULE_TABLES' })

    tree.import(lists, `import { ${name}HookTypes } from './${name}/hook-types.ts'`)
    const load = `makeGeneratedProfile((await import('./${name}/profile.ts')).${name}Profile)`
    tree.insert(lists, '\n} satisfies', `\n  ${name}: async () => ${load},`, { after: 'LOADERS = {' })
    tree.insert(lists, '\n}\n', `\n  ${name}: ${name}HookTypes,`, { after: 'KNOWN_HOOK_TYPES' })

    const rows = `${PROTOCOL}/profile-rows.ts`
    tree.insert(rows, '\n}\n', `\n  ${name}: async () => (await import('./${name}/generated/rows.ts')).rows,`, {
      after: 'export const ROWS',
    })

    const events = `${PROTOCOL}/profile-events.ts`
    tree.import(events, `import type { RowTypes as ${type}Rows } from './${name}/generated/rows.ts'`)
    const shapes = `answers as ${name}Answers, commonAnswer as ${name}Common, inputs as ${name}Inputs`
    tree.import(events, `import type { ${shapes} } from './${name}/generated/shapes.ts'`)
    tree.insert(
      events,
      '/** The events of the profiles that come with the package. */',
      `/** The events of the profile \`${name}\`, as types alone. */
export type ${type}Events = {
  readonly [Name in keyof typeof ${name}Inputs]: ${type}Rows[Name] &
    Event<(typeof ${name}Inputs)[Name], (typeof ${name}Answers)[Name], typeof ${name}Common, ClassicHookSetting>
}

`,
    )
    tree.insert(events, '\n}\n', `\n  readonly ${name}: ${type}Events`, { after: 'interface ProfileEvents' })

    const clients = `${PROTOCOL}/other-profiles.ts`
    tree.insert(clients, '\n}\n', `\n  ${name}: 'a client that speaks ${name}',`, { after: 'CLIENTS' })

    tree.add(
      `packages/hookline/test/protocol/${name}.test.ts`,
      `import { describe, expect, it } from 'vitest'
import { loadProfile } from '../../src/protocol/profiles.ts'
import { bashCall, commands, makeWorld, openOn } from '../support/project.ts'

describe('the profile ${name}', () => {
  it('is loaded by its name', async () => {
    const { name, events } = await loadProfile('${name}')
    expect(name).toBe('${name}')
    expect(events.size).toBeGreaterThan(0)
  })

  it('dispatches an event to a hook', async () => {
    const hooks = { PreToolUse: [commands('echo no >&2; exit 2')] }
    const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': { hooks } }), { profile: '${name}' })
    expect((await engine.dispatch(bashCall)).decision).toMatchObject({ blocked: true, reason: 'no' })
  })
})
`,
    )
    return {
      files: tree.files,
      next: [
        `Say in ${PROTOCOL}/${name}/ what is different about it: rules.ts, events.ts, hook-types.ts are those of classic.`,
        'npm run generate',
        `npx vitest run --project hookline test/protocol/${name}.test`,
      ],
    }
  },
}
