import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { addHookText, type NewHook, removeHookText } from '../../src/config/settings-text.ts'

const seed = process.env.HOOKLINE_SEED
const settings = { numRuns: 1000, ...(seed === undefined ? {} : { seed: Number(seed) }) }

type Settings = { hooks?: Record<string, { matcher?: string; hooks: unknown[] }[]> }

/** Spaces, line breaks and comments, as people leave them. */
const trivia = fc
  .array(fc.constantFrom(' ', '  ', '\t', '\n', '\n  ', '\n\n', '/* {note}, */', '// "note": [\n'), { maxLength: 3 })
  .map((parts) => parts.join(''))

const scalar = fc.constantFrom('1', 'true', 'null', '"text"', '"with \\"quotes\\" // and , ]"', '[]', '{ }', '[1, 2]')
const hook = fc.constantFrom('{"type":"command","command":"true"}', '{ "type": "prompt",\n  "prompt": "x" }')

function container(brackets: string, members: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  const [open = '', close = ''] = brackets
  const parts = members.map((member) => fc.tuple(trivia, member, trivia).map((three) => three.join('')))
  return fc.tuple(trivia, fc.boolean(), fc.tuple(...parts)).map(([space, comma, written]) => {
    if (written.length === 0) return open + space + close
    return `${open}${written.join(',')}${comma ? `,${space}` : ''}${close}`
  })
}

const listOf = (element: fc.Arbitrary<string>, maxLength: number) =>
  fc.nat(maxLength).chain((length) =>
    container(
      '[]',
      Array.from({ length }, () => element),
    ),
  )

const property = (key: string, value: fc.Arbitrary<string>) =>
  fc.tuple(trivia, trivia, value).map(([before, after, written]) => `"${key}"${before}:${after}${written}`)

const group = listOf(hook, 2).chain((hooks) =>
  fc
    .subarray([property('matcher', fc.constant('"Bash"')), property('hooks', fc.constant(hooks))], { minLength: 1 })
    .chain((fields) => container('{}', fields)),
)

const hooksObject = fc.subarray(['Stop', 'PreToolUse', 'Notification']).chain((events) =>
  container(
    '{}',
    events.map((event) => property(event, listOf(group, 3))),
  ),
)

/** A settings file in any formatting. */
const settingsText = fc
  .tuple(
    fc
      .shuffledSubarray([property('model', scalar), property('hooks', hooksObject), property('permissions', scalar)])
      .chain((members) => container('{}', members)),
    trivia,
    trivia,
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([root, before, after, end, mark]) => (mark ? '\uFEFF' : '') + (before + root + after).replaceAll('\n', end))

const added = (at: number): fc.Arbitrary<NewHook> =>
  fc
    .record(
      { event: fc.constantFrom('Stop', 'PreToolUse', 'SessionStart'), matcher: fc.constantFrom('Bash', 'Edit|Write') },
      { requiredKeys: ['event'] },
    )
    .map((where) => ({ ...where, hook: { type: 'command', command: `echo "added ${at}"` } }))

const several = fc.tuple(added(0), added(1), added(2))

function placeOf(text: string, { event, hook: wanted }: NewHook) {
  const groups = (parse(text.replace('\uFEFF', '')) as Settings).hooks?.[event] ?? []
  const groupAt = groups.findIndex(({ hooks = [] }) =>
    hooks.some((one) => JSON.stringify(one) === JSON.stringify(wanted)),
  )
  return { event, group: groupAt, hook: 0 }
}

describe('editing a settings file', () => {
  it('adds a group at the end of its list and changes no other value', () => {
    fc.assert(
      fc.property(settingsText, added(0), (text, hookToAdd) => {
        const before = parse(text.replace('\uFEFF', '')) as Settings
        const { event, hook: entry, matcher } = hookToAdd
        const newGroup = { ...(matcher === undefined ? {} : { matcher }), hooks: [entry] }
        const expected = {
          ...before,
          hooks: { ...before.hooks, [event]: [...(before.hooks?.[event] ?? []), newGroup] },
        }
        const errors: never[] = []
        expect(parse(addHookText(text, hookToAdd).replace('\uFEFF', ''), errors, { allowTrailingComma: true })).toEqual(
          expected,
        )
        expect(errors).toEqual([])
      }),
      settings,
    )
  })

  it('restores the text to the byte when what was added is removed, in any order, but for lists that were empty', () => {
    fc.assert(
      fc.property(settingsText, several, fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), (text, hooks, order) => {
        const full = hooks.reduce(addHookText, text)
        const restored = order
          .map((at) => hooks[at])
          .reduce((rest, one) => (one ? removeHookText(rest, placeOf(rest, one)) : rest), full)
        const { hooks: before = {} } = parse(text.replace('\uFEFF', '')) as Settings
        const isEmpty = hooks.some(({ event }) => before[event]?.length === 0)
        if (!isEmpty) expect(restored).toBe(text)
        else
          expect(withoutEmpty(parse(restored.replace('\uFEFF', '')) as Settings)).toEqual(
            withoutEmpty(parse(text.replace('\uFEFF', '')) as Settings),
          )
      }),
      settings,
    )
  })

  it('removes exactly one hook of those that somebody wrote', () => {
    fc.assert(
      fc.property(settingsText, fc.nat(), (text, pick) => {
        const before = parse(text.replace('\uFEFF', '')) as Settings
        const places = Object.entries(before.hooks ?? {}).flatMap(([event, groups]) =>
          groups.flatMap(({ hooks = [] }, groupAt) => hooks.map((_hook, at) => ({ event, group: groupAt, hook: at }))),
        )
        const place = places[pick % Math.max(1, places.length)]
        fc.pre(place !== undefined)
        const errors: never[] = []
        const after = parse(removeHookText(text, place).replace('\uFEFF', ''), errors, {
          allowTrailingComma: true,
        }) as Settings
        expect(errors).toEqual([])
        expect(withoutEmpty(after)).toEqual(withoutEmpty(without(before, place)))
      }),
      settings,
    )
  })
})

function without({ hooks = {}, ...rest }: Settings, place: { event: string; group: number; hook: number }): Settings {
  const groups = (hooks[place.event] ?? []).flatMap((one, groupAt) => {
    if (groupAt !== place.group) return [one]
    const left = one.hooks.filter((_hook, at) => at !== place.hook)
    return left.length === 0 ? [] : [{ ...one, hooks: left }]
  })
  return { ...rest, hooks: { ...hooks, [place.event]: groups } }
}

/** Whether emptied lists stay depends on how they are laid out. */
function withoutEmpty({ hooks = {}, ...rest }: Settings): object {
  return { ...rest, hooks: Object.fromEntries(Object.entries(hooks).filter(([, groups]) => groups.length > 0)) }
}
