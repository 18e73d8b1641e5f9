import type { Bridge, FieldType, ToolRule } from '../../src/bridges/bridge.ts'
import { listRequiredFields } from '../../src/bridges/call/fields.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'

/** The shipped tables, and how agents call hooks of `.claude` where that is another dialect. */
export const ALL_TABLES: readonly (readonly [string, Bridge])[] = AGENTS.flatMap((name) => {
  const bridge = findBridge(name)
  if (bridge === null) throw new TypeError(`no bridge to ${name}`)
  const calls = bridge.install.loadsClaude?.calls
  return [[name, bridge] as const, ...(calls ? [[`${name}, hooks of .claude`, { ...bridge, ...calls }] as const] : [])]
})

/** The event before a call of a tool: some hosts have one for each tool. */
export function eventBefore({ events, call }: Bridge, tool: string): string {
  const before = Object.entries(events).filter(([, rule]) => rule.as === 'PreToolUse')
  const own = before.find(([, rule]) => {
    const named = rule.as === null ? undefined : rule.call?.tool
    return typeof named === 'object'
      ? named.value === tool
      : typeof call.tool === 'string' && rule.as !== null && rule.call === undefined
  })
  return (own ?? before[0])?.[0] ?? ''
}

/** The payload of a call, with what the places of a table say and nothing else. */
export function payloadOf(
  bridge: Bridge,
  tool: string,
  input: unknown,
  more: { cwd?: string; event?: string } = {},
): object {
  const event = more.event ?? eventBefore(bridge, tool)
  const rule = bridge.events[event]
  const places = { ...bridge.call, ...(rule === undefined || rule.as === null ? {} : rule.call) }
  const payload: Record<string, unknown> = {}
  if (typeof places.tool === 'string') put(payload, places.tool, tool)
  put(payload, places.input, places.inputIsText ? JSON.stringify(input) : input)
  if (places.id !== null) put(payload, places.id, 'call_1')
  for (const field of ['session_id', 'cwd'] as const) {
    const place = bridge.common[field]
    const value = field === 'cwd' ? more.cwd : 's1'
    const isInside = typeof place === 'string' && place.startsWith(`${places.input}.`)
    if (typeof place === 'string' && value !== undefined && !isInside) put(payload, place, value)
  }
  return payload
}

function put(payload: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.')
  if (rest.length === 0) payload[first] = value
  else if (rest[0] === '0') payload[first] = [value]
  else {
    const inner = (payload[first] ?? {}) as Record<string, unknown> // made here
    payload[first] = inner
    put(inner, rest.join('.'), value)
  }
}

/** An input of a tool with a value for each field that its row knows; every string in it occurs once. */
export function wholeInput(rule: ToolRule): unknown {
  let count = 0
  const unique = (field: string): string => `value-${++count}-of-${field.replaceAll(/\W/g, '')}`
  if ('parts' in rule && rule.field === null && rule.parts === 'patch') return patch(unique('file'), unique('text'))
  if ('parts' in rule && rule.parts === 'patchOrEdit') return patch(unique('file'), unique('text'))
  const { required = {}, harmless = [], folder, input: names = {} } = rule
  const typed: Record<string, FieldType> = { ...required, ...listRequiredFields(rule) }
  const fields: Record<string, unknown> = {}
  if ('parts' in rule) {
    if (rule.parts === 'inner') return { name: 'no_such_tool', arguments: { note: unique('note') } }
    if (rule.parts === 'overwrite') return { file_path: unique('file'), content: unique('content') }
    if (rule.parts === 'deletion') return { file_path: unique('file') }
    if (rule.parts === 'patch') fields[rule.field ?? ''] = patch(unique('file'), unique('text'))
    if (rule.parts === 'shellPatch') fields[rule.field ?? ''] = unique('command')
    if (rule.parts === 'each' || rule.parts === 'edits') {
      const entry = (): unknown =>
        rule.input === undefined
          ? unique('entry')
          : Object.fromEntries(
              Object.entries(rule.input)
                .filter(([, theirs]) => !(theirs in required))
                .map(([ours, theirs]) => [theirs, ours === 'args' ? [unique('args')] : unique(theirs)]),
            )
      fields[rule.field ?? ''] = typed[rule.field ?? ''] === 'object' ? entry() : [entry(), entry()]
      for (const field of Object.keys(required)) fields[field] ??= unique(field)
      for (const field of harmless) fields[field] = unique(field)
      if (folder !== undefined) fields[folder] = unique(folder)
      return fields
    }
  }
  const isReplaced = 'parts' in rule && rule.parts === 'writeOrEdit'
  for (const [ours, theirs] of Object.entries(names))
    if (!(isReplaced && ours === 'content' && names.content !== names.new_string)) fields[theirs] = unique(theirs)
  for (const field of harmless) fields[field] = unique(field)
  if (folder !== undefined) fields[folder] = unique(folder)
  if ('list' in rule && rule.list !== undefined) fields[rule.list] = [unique('first'), unique('second')]
  return fields
}

const patch = (file: string, text: string): string => `*** Begin Patch\n*** Add File: ${file}\n+${text}\n*** End Patch`

/** All strings in a value. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.match(/value-\d+-of-\w+/g) ?? []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsIn)
}
