import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { ConfiguredHook } from '../../src/config/hook.ts'
import { parseJsonSource } from '../../src/config/json-source.ts'
import type { Problem } from '../../src/config/problem.ts'
import { readHooks } from '../../src/config/read-hooks.ts'
import { parseSettings, type SettingsFile } from '../../src/config/settings-file.ts'
import { listRepeatedKeys } from '../../src/config/source.ts'
import { listSwitchProblems } from '../../src/config/switches.ts'
import { DEFAULT_RUNNABLE } from '../../src/engine/profiles.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { cpuMs } from '../support/cpu-time.ts'

export type Json = Record<string, unknown>

/** What a settings text was read as, and what it says when it is plain JSON and not refused for good reason. */
interface ReadSettings {
  readonly hooks: readonly ConfiguredHook[]
  readonly problems: readonly Problem[]
  readonly document: unknown
}

/** Reads a text as the project's settings. */
export async function readSettings(text: string): Promise<ReadSettings> {
  const place = { scope: 'project', path: '/project/settings.json', plugin: null, needsTrust: true } as const
  const file = await parseSettings(place, { read: 'text', text, stamp: '' }, '/project')
  const node = file.root?.fields?.get('hooks')?.node
  const origin = { ...file, name: null, pluginRoot: null }
  const read = node ? await readHooks(node, origin, { profile: DEFAULT_RUNNABLE }) : { hooks: [], problems: [] }
  const refused = file.problems.some(({ rule, message }) => rule === 'V-HK-01' && /twice|nest/.test(message))
  const document = refused ? undefined : parsed(text)
  if (isObject(document)) expectSame(file, document)
  return { hooks: read.hooks, problems: [...file.problems, ...listSwitchProblems(file), ...read.problems], document }
}

/** What was read is what the text says, but for settings that hold a key twice: those are set aside. */
function expectSame({ root, problems }: SettingsFile, document: Json): void {
  const read = root?.value as Json // a text that is not refused has a root
  const isWhole = !problems.some(({ rule }) => rule === 'V-HK-27')
  expect(isWhole ? Object.keys(read) : []).toEqual(isWhole ? Object.keys(document) : [])
  for (const [name, value] of Object.entries(read)) expect(isDeepStrictEqual(value, document[name])).toBe(true)
}

/** Whether a policy says something twice in what it runs or allows: then nobody knows what it says. */
export async function isAmbiguousPolicy(text: string): Promise<boolean> {
  const source = await parseJsonSource(text)
  if (!('root' in source)) return false
  const lists = ['hooks', 'mcpServers', 'permissions'].flatMap((name) => source.root.fields?.get(name)?.node ?? [])
  return lists.some((node) => listRepeatedKeys(node).length > 0)
}

/** How many hooks a `hooks` value configures: what is malformed counts as one. */
export function hookCount(hooks: unknown): number {
  if (!isObject(hooks)) return 0
  const counts = [...DEFAULT_PROFILE.events.keys()].map((event) => {
    if (!Object.hasOwn(hooks, event) || hooks[event] === undefined) return 0
    const groups = hooks[event]
    if (!Array.isArray(groups)) return isObject(groups) && Array.isArray(groups.hooks) ? groups.hooks.length : 1
    return sum(groups.map((group) => (isObject(group) && Array.isArray(group.hooks) ? group.hooks.length : 1)))
  })
  return sum(counts)
}

/** Every problem stands inside the text. */
export function expectPlaced(problems: readonly Problem[], text: string): void {
  const lines = text.split('\n')
  for (const { line, column, message } of problems) {
    const length = lines[line - 1]?.length ?? -1
    expect(line >= 1 && column >= 1 && column <= length + 1, `${line}:${column} ${message}`).toBe(true)
  }
}

const inherited = Object.getOwnPropertyNames(Object.prototype).length

/** Nothing that was read has become part of all objects. */
export function expectUnpolluted(): void {
  expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(inherited)
}

/** Does something that must not cost more than so many milliseconds of CPU. */
export async function within<T>(milliseconds: number, act: () => Promise<T> | T): Promise<T> {
  const started = cpuMs()
  const result = await act()
  expect(cpuMs() - started).toBeLessThan(milliseconds)
  return result
}

/** Whether something is an object with members. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined // no JSON
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
