import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bridge, CallPart, ToolRule } from '../../src/bridges/bridge.ts'
import {
  findMisfit,
  findUnknownFields,
  listRequiredFields,
  listRowFields,
  listShownTools,
} from '../../src/bridges/call/fields.ts'
import { chooseParts, type HostTool, isAsWanted } from '../../src/bridges/call/parts.ts'
import { findBridge } from '../../src/bridges/list.ts'
import { ALL_TABLES, stringsIn, wholeInput } from './payloads.ts'

const CWD = '/home/ada/project'
const placeOf = ({ host }: ToolRule): HostTool => ({ name: host, cwd: CWD, base: CWD })

async function split(bridge: Bridge, rule: ToolRule, input: unknown): Promise<readonly CallPart[]> {
  const parts = await chooseParts(bridge.tools, rule.host).split(input, placeOf(rule))
  if (parts === null || typeof parts === 'string') throw new TypeError(`${rule.host}: ${parts ?? 'cannot be read'}`)
  return parts
}

/** Names that may move what a call does, in the spellings that tools have. */
const moving = fc
  .tuple(
    fc.constantFrom(
      'cwd',
      'dir',
      'folder',
      'path',
      'root',
      'command',
      'cmd',
      'script',
      'args',
      'env',
      'shell',
      'host',
      'stdin',
    ),
    fc.constantFrom('', 'work', 'new_', 'x-', 'Target'),
    fc.constantFrom('', 's', '_name', 'Override'),
    fc.boolean(),
  )
  .map(([word, before, after, isUpper]) =>
    isUpper ? `${before}${word}${after}`.toUpperCase() : `${before}${word}${after}`,
  )

const pathLike = fc.constantFrom('/etc/passwd', './a', '../b', '~/.ssh/id', 'C:\\Windows', '..')

const wrongFor = {
  string: [5, true, {}, ['a']],
  number: ['5', {}],
  boolean: ['no', 1],
  list: ['a', 5, {}],
  object: ['a', 5, []],
}

describe.each(ALL_TABLES)('the tools of %s', (_, bridge) => {
  it('lose no value of an input that their rows know', async () => {
    for (const rule of bridge.tools) {
      const input = wholeInput(rule)
      expect(findMisfit(rule, input), rule.host).toBeNull()
      const unknown = 'parts' in rule && rule.parts === 'inner' ? [] : findUnknownFields(rule, input, CWD)
      expect(unknown, rule.host).toEqual([])
      const shown = JSON.stringify(await split(bridge, rule, input))
      for (const text of stringsIn(input)) expect(shown, rule.host).toContain(text)
    }
  })

  it('lose no value that their rows do not know, and that moves nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...bridge.tools),
        fc.constantFrom('note', 'flag', 'tag', 'blob', 'zzz'),
        fc.oneof(
          fc.integer({ min: 1000 }),
          fc.stringMatching(/^[a-z]{12}$/),
          fc.record({ deep: fc.stringMatching(/^[a-z]{12}$/) }),
        ),
        async (rule, field, value) => {
          const input = wholeInput(rule)
          if (
            typeof input !== 'object' ||
            input === null ||
            ('parts' in rule && (rule.parts === 'inner' || rule.parts === 'deletion'))
          )
            return
          const given = { ...input, [field]: value }
          expect(findUnknownFields(rule, given, CWD)).toEqual([{ field, moves: false }])
          for (const part of await split(bridge, rule, given))
            expect(part.calls[0].input).toMatchObject({ [field]: value })
        },
      ),
      { numRuns: 60 },
    )
  })

  it('know when a field that no row names may move or replace what is done', async () => {
    await fc.assert(
      fc.property(
        fc.constantFrom(...bridge.tools.filter((rule) => typeof wholeInput(rule) === 'object')),
        fc.oneof(
          fc.tuple(moving, fc.constantFrom('a', 5, ['x'], { a: 'b' }, true)),
          fc.tuple(
            fc.constant('note'),
            fc.oneof(
              pathLike,
              pathLike.map((path) => [path]),
              pathLike.map((path) => ({ a: { b: path } })),
            ),
          ),
          fc.tuple(
            fc.constant('note'),
            moving.map((name) => ({ [name]: 'x' })),
          ),
        ),
        (rule, [field, value]) => {
          fc.pre(!listRowFields(rule).includes(field))
          const found = findUnknownFields(rule, { ...(wholeInput(rule) as object), [field]: value }, CWD)
          expect(found).toContainEqual({ field, moves: true })
        },
      ),
      { numRuns: 150 },
    )
  })

  it('take no known field under another spelling', () => {
    for (const rule of bridge.tools) {
      const input = wholeInput(rule)
      if (typeof input !== 'object') continue
      for (const field of Object.values(rule.input ?? {}))
        for (const other of [
          field.toUpperCase(),
          field.replaceAll('_', ''),
          `${field}_`,
          field.replace(/^./, (a) => a.toUpperCase()),
        ])
          if (!listRowFields(rule).includes(other))
            expect(findUnknownFields(rule, { ...input, [other]: 'x' }, CWD), rule.host).toContainEqual({
              field: other,
              moves: true,
            })
    }
  })

  it('cannot be called without a field that they need, or with one of another type', () => {
    for (const rule of bridge.tools) {
      const input = wholeInput(rule)
      for (const [field, type] of Object.entries(listRequiredFields(rule))) {
        const { [field]: _gone, ...rest } = input as Record<string, unknown>
        expect(findMisfit(rule, rest), `${rule.host}.${field}`).toContain(`"${field}"`)
        expect(findMisfit(rule, { ...rest, [field]: null }), `${rule.host}.${field}`).toContain(`"${field}"`)
        for (const wrong of wrongFor[type])
          if (!('list' in rule && rule.list === field && Array.isArray(wrong)))
            expect(findMisfit(rule, { ...rest, [field]: wrong }), `${rule.host}.${field}`).toContain(`"${field}"`)
      }
      for (const text of [null, 5, true, []]) expect(findMisfit(rule, text), rule.host).not.toBeNull()
    }
  })

  it('take over a change of any string in their inputs, or say that they cannot', async () => {
    for (const rule of bridge.tools) {
      const input = wholeInput(rule)
      const parts = chooseParts(bridge.tools, rule.host)
      const now = await split(bridge, rule, input)
      for (const [at, part] of now.entries())
        for (const [field, value] of Object.entries(part.calls[0].input)) {
          if (typeof value !== 'string') continue
          const calls = [{ ...part.calls[0], input: { ...part.calls[0].input, [field]: `${value} changed` } }] as const
          const wanted = now.with(at, { ...part, calls })
          const joined = await parts.join(input, wanted, placeOf(rule))
          if (joined === null) continue
          const back = await parts.split(joined, placeOf(rule))
          if (back === null || typeof back === 'string') continue
          const isTaken = isAsWanted(back, wanted, (index) => index === at)
          if (isTaken) expect(back[at]?.calls[0].input[field], `${rule.host}.${field}`).toBe(`${value} changed`)
          if (typeof input === 'object' && 'claude' in rule)
            for (const [name, old] of Object.entries(input as object))
              if (!Object.values(rule.input).includes(name) && name !== field && !Array.isArray(old))
                expect(joined, `${rule.host}.${name}`).toHaveProperty([name], old)
        }
    }
  })

  it('name a tool of Claude Code or themselves, and no field in two ways', () => {
    const hosts = bridge.tools.map(({ host }) => host)
    expect(hosts).toEqual([...new Set(hosts)])
    for (const rule of bridge.tools) {
      const fields = [
        ...(rule.harmless ?? []),
        ...(rule.folder ? [rule.folder] : []),
        ...Object.values(rule.input ?? {}),
      ]
      for (const field of rule.harmless ?? [])
        expect(
          fields.filter((one) => one === field),
          `${rule.host}.${field}`,
        ).toHaveLength(1)
      if (!('parts' in rule && rule.parts === 'inner'))
        expect(listShownTools(rule).length, rule.host).toBeGreaterThan(0)
    }
  })
})

interface Census {
  readonly client: string
  readonly version: string
  readonly tools: readonly {
    readonly name: string
    readonly isText?: true
    readonly fields: Readonly<Record<string, { readonly type: string; readonly required: boolean }>>
  }[]
}

const CENSUS = new URL('../../generate/census/', import.meta.url)
const censuses = readdirSync(CENSUS).map((file): Census => JSON.parse(readFileSync(new URL(file, CENSUS), 'utf8')))

describe.each(censuses)('the tools that $client $version offers its models', ({ client, tools }) => {
  const bridge = findBridge(client)

  it('are all in its table, with every field', () => {
    const unnamed = tools.flatMap(({ name, fields }) => {
      const rule = bridge?.tools.find(({ host }) => host === name)
      if (rule === undefined) return [name]
      const known = new Set(listRowFields(rule))
      return Object.keys(fields)
        .filter((field) => !known.has(field))
        .map((field) => `${name}.${field}`)
    })
    expect(unnamed).toEqual([])
  })

  it('need what their rows say that they need', () => {
    for (const { name, fields } of tools) {
      const rule = bridge?.tools.find(({ host }) => host === name)
      for (const field of Object.keys(rule ? listRequiredFields(rule) : {}))
        expect(fields[field]?.required, `${name}.${field}`).toBe(true)
    }
  })
})
