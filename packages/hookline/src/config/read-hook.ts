import { listedNames } from '../pattern/matcher.ts'
import { sentence } from '../protocol/check.ts'
import type { EventRow } from '../protocol/event-row.ts'
import { changesStart, fieldElsewhere, type HookField, otherProfileWithType } from '../protocol/hook-fields.ts'
import { handlerChecks } from '../protocol/profiles.ts'
import type { Scope } from '../protocol/scope.ts'
import { cleaned } from '../text/clean.ts'
import { clipped, suggestion } from '../text/nearest.ts'
import type { ConfiguredHook, Fault, Handler, PromptFunction } from './hook.ts'
import type { GroupReading, GroupShare } from './read-group.ts'
import type { Origin } from './read-hooks.ts'
import { GROUP_FIELDS, HOOK_FIELDS } from './rules.ts'
import { type RepeatedKey, repeatedKeysIn, type SourceNode } from './source.ts'

/** More are not told of one hook. */
const MOST_WARNINGS = 20

/** A timeout from here on was most likely meant in milliseconds. */
const LOOKS_LIKE_MILLISECONDS = 1000

interface HookReading extends GroupReading {
  readonly share: GroupShare
  readonly index: number
  /** The entry is a hook and its group in one. */
  readonly flat: boolean
}

/** Reads one hook. A bad optional field falls back to its default with a warning; without what it runs it is a fault. */
export function readHook(node: SourceNode, reading: HookReading): ConfiguredHook {
  const { share, origin } = reading
  const warnings: string[] = [...share.warnings]
  const fault = share.fault ?? ambiguity(repeatedKeysIn(node), origin)
  const sound = fault === null ? soundFields(node, reading, warnings) : {}
  const written = writtenAs(node, reading)
  const handler = fault === null ? handlerOf(node, sound, written.type, reading) : faultyHook(fault, node, reading)
  return Object.freeze({
    id: `${reading.label}:${reading.index}`,
    event: reading.event,
    scope: origin.scope,
    file: origin.file,
    line: origin.file === null ? null : node.line,
    matcherText: share.matcherText,
    matcher: 'verdict' in handler && handler.elsewhere !== null ? matcherElsewhere(share) : share.matcher,
    written: Object.freeze(written),
    handler,
    timeout: typeof sound.timeout === 'number' ? sound.timeout : null,
    statusMessage: typeof sound.statusMessage === 'string' ? sound.statusMessage : null,
    once: sound.once === true,
    blocksOnFailure: sound.onFailure === 'block',
    pluginRoot: origin.pluginRoot,
    trust: origin.needsTrust ? 'project' : 'none',
    warnings: Object.freeze(warnings),
  })
}

/** Why an entry of a project that holds a key twice cannot run: another reader may show or run the other one. */
export function ambiguity([first]: readonly RepeatedKey[] = [], { needsTrust }: Origin): string | null {
  return first && needsTrust ? `it has "${clipped(first.key)}" twice` : null
}

/** What it says it is, as far as it says something. */
function writtenAs({ value }: SourceNode, { flat }: HookReading): ConfiguredHook['written'] {
  const { type, command, prompt } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >
  const unwritten = flat ? 'command' : null
  return {
    type: typeof type === 'string' ? type : unwritten,
    ...(typeof command === 'string' ? { command } : {}),
    ...(typeof prompt === 'string' ? { prompt } : {}),
  }
}

/** The fields whose values can be used; of the others a warning is told and the default holds. */
function soundFields(node: SourceNode, reading: HookReading, warnings: string[]): Record<string, unknown> {
  const { flat, origin, row, report } = reading
  const sound: Record<string, unknown> = {}
  for (const [name, { key, node: field }] of node.fields ?? []) {
    if (Object.hasOwn(HOOK_FIELDS, name)) sound[name] = field.value
    else if (!(flat && GROUP_FIELDS.includes(name))) {
      const message = (): string => strangeField(name, field.value, reading)
      report(key, 'V-HK-16', message)
      if (warnings.length < MOST_WARNINGS) warnings.push(cleaned(message()))
    }
  }
  const type = flat && sound.type === undefined ? 'command' : sound.type
  const setAside = (name: string, message: string): void => {
    report(node.fields?.get(name)?.node ?? node, HOOK_FIELDS[name] ?? 'V-HK-16', message)
    warnings.push(cleaned(message))
    delete sound[name]
  }
  for (const misfit of checkOf(type)?.({ ...sound, type }) ?? []) {
    const name = String(misfit.path[0])
    if (sound[name] !== undefined && !REQUIRED.has(name)) setAside(name, `${sentence(misfit)}; its default holds.`)
  }
  if (typeof sound.timeout === 'number' && sound.timeout >= LOOKS_LIKE_MILLISECONDS) {
    const field = node.fields?.get('timeout')?.node ?? node
    report(field, 'V-HK-12', `timeout is in seconds; ${sound.timeout} looks like milliseconds.`)
  }
  const { countsIn } = row.rules.once
  if (sound.once === true && !countsIn.includes(origin.scope)) {
    setAside('once', `once counts in ${placesOf(countsIn)} only; the hook runs each time.`)
  }
  if (sound.async !== undefined && type !== 'command') setAside('async', 'async is for command hooks only.')
  const { onFailure } = sound
  if (onFailure === 'block' && sound.async === true)
    setAside('onFailure', 'onFailure "block" is ignored: nothing waits for an async hook.')
  else if (onFailure === 'block' && !(row.canBlock && row.failureBlocks))
    setAside('onFailure', `onFailure "block" is ignored on ${row.name}: ${whyIgnored(row)}.`)
  return sound
}

/** Scopes as people call them. */
function placesOf(scopes: readonly Scope[]): string {
  const words = scopes.map((scope) => ({ skill: 'skills', command: 'slash commands' })[scope as string] ?? scope)
  return words.join(' and ')
}

const whyIgnored = ({ canBlock }: EventRow): string =>
  canBlock ? 'a hook that always fails would never let it end' : 'the event cannot be blocked'

/** A field that hooks do not have here: another profile may know it, and then it may decide what starts. */
function strangeField(name: string, value: unknown, { profile }: HookReading): string {
  const known = fieldElsewhere(name, profile)
  if (!known) return `"${clipped(name)}" is not a field of a hook.${suggestion(name, Object.keys(HOOK_FIELDS))}`
  const said = `"${name}" is a field of the profile "${known.profile}"`
  if (changesStart(known.field, value)) return `${said}; "${profile}" does not run a hook that has it.`
  return known.field.start === null ? `${said}; "${profile}" ignores it.` : `${said}; "${profile}" does the same.`
}

/** Fields that only another profile has, and that say there what is started or whether it is. */
function fieldsOfElsewhere({ fields }: SourceNode, { profile }: HookReading) {
  return [...(fields ?? [])].flatMap(
    ([
      name,
      {
        node: { value },
      },
    ]) => {
      const known = Object.hasOwn(HOOK_FIELDS, name) ? null : fieldElsewhere(name, profile)
      return known && changesStart(known.field, value) ? [{ name, ...known }] : []
    },
  )
}

/** Why a hook that is sound otherwise must not run here: it would start something else than its author meant, or more often. */
function faultByFields(node: SourceNode, reading: HookReading): Fault | null {
  const fields = fieldsOfElsewhere(node, reading)
  const [first] = fields
  if (!first) return null
  const names = fields.map(({ name }) => `"${name}"`).join(' and ')
  const are = fields.length > 1 ? 'are fields' : 'is a field'
  const because = `${names} ${are} of the profile "${first.profile}", and ${STARTS[first.field.start ?? 'what']}`
  return { verdict: 'unsupported', because, elsewhere: { profile: first.profile, decides: isAwaited(node) } }
}

const STARTS: Readonly<Record<NonNullable<HookField['start']>, string>> = {
  what: 'without it something else would be started',
  whether: 'without it the hook would run when it should not',
}

/** A hook whose group is at fault, and nobody can tell which events its matcher accepts: another profile may run it all the same. */
function faultyHook(fault: string, node: SourceNode, reading: HookReading): Fault {
  const { share, profile } = reading
  const { type } = writtenAs(node, reading)
  const byType = type === null ? null : otherProfileWithType(type, profile)
  const other = checkOf(type) === undefined ? byType : fieldsOfElsewhere(node, reading)[0]?.profile
  const elsewhere = share.unreadable && other ? { profile: other, decides: isAwaited(node) } : null
  return { ...invalid(fault), elsewhere }
}

/** Nothing waits for a hook in the background, so it could not have objected. */
function isAwaited({ fields }: SourceNode): boolean {
  return fields?.get('async')?.node.value !== true
}

/** Other profiles write lists of names with commas and spaces too; what would be accepted there counts as accepted. */
function matcherElsewhere({ matcher, matcherText }: GroupShare): ConfiguredHook['matcher'] {
  return (matcher.kind === 'regex' && matcherText !== null && listedNames(matcherText)) || matcher
}

const REQUIRED = new Set(['type', 'command', 'prompt'])

function handlerOf(
  node: SourceNode,
  sound: Record<string, unknown>,
  type: string | null,
  reading: HookReading,
): Handler | Fault {
  const { report, profile } = reading
  const fault = (rule: 'V-HK-05' | 'V-HK-06' | 'V-HK-08', because: string, hint = ''): Fault => {
    const [field] = Object.entries(HOOK_FIELDS).find(([, owner]) => owner === rule) ?? []
    report(node.fields?.get(field ?? '')?.node ?? node, rule, `${capitalised(because)}.${hint}`)
    return invalid(because)
  }
  if (!node.fields) return fault('V-HK-05', 'a hook must be an object')
  if (type === null)
    return fault('V-HK-05', 'a hook needs a "type"', ` One of ${Object.keys(handlerChecks).join(', ')}.`)
  const other = checkOf(type) === undefined ? otherProfileWithType(type, profile) : null
  if (other !== null) {
    const because = `"${type}" is a hook type of the profile "${other}"`
    return { verdict: 'unsupported', because, elsewhere: { profile: other, decides: isAwaited(node) } }
  }
  if (checkOf(type) === undefined) {
    return fault('V-HK-05', `"${clipped(type)}" is not a hook type`, suggestion(type, Object.keys(handlerChecks)))
  }
  if (type === 'command') {
    const { command, async } = sound
    if (typeof command !== 'string') return fault('V-HK-06', 'a command hook needs a "command"')
    if (command.trim() === '') return fault('V-HK-06', 'the command is empty')
    if (command.includes('\0')) return fault('V-HK-06', 'the command has a NUL character in it')
    return faultByFields(node, reading) ?? { type, command, async: async === true }
  }
  const { prompt } = sound
  const model = typeof sound.model === 'string' ? sound.model : null
  if (typeof prompt === 'function') {
    if (type !== 'agent') return fault('V-HK-08', 'only the prompt of an agent hook may be a function')
    return faultByFields(node, reading) ?? { type, prompt: prompt as PromptFunction, model } // no file holds one: the host registered it
  }
  if (typeof prompt !== 'string' || prompt.trim() === '') return fault('V-HK-08', `a ${type} hook needs a "prompt"`)
  return faultByFields(node, reading) ?? { type: type === 'agent' ? 'agent' : 'prompt', prompt, model }
}

function checkOf(type: unknown): (typeof handlerChecks)['command'] | undefined {
  return typeof type === 'string' && Object.hasOwn(handlerChecks, type)
    ? handlerChecks[type as keyof typeof handlerChecks] // one of its own keys
    : undefined
}

const invalid = (because: string): Fault => ({ verdict: 'invalid', because: cleaned(because), elsewhere: null })

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
