import { resolve } from 'node:path'
import { type Behavior, parseRule } from 'hookline/rules'
import type { SourceNode } from 'hookline/settings'
import { isPermissionMode, PERMISSION_MODES } from './modes.ts'
import {
  makeNoRules,
  type PermissionProblem,
  type PermissionRules,
  type RuleSource,
  type SourcedRule,
} from './permission-rules.ts'

/** A settings file that counts. */
export interface SettingsPlace {
  readonly source: Exclude<RuleSource, 'argument' | 'session'>
  /** Sources whose rules count only where they restrict, and why: `a project that is not trusted`; null: it may loosen. */
  readonly restrained: string | null
  /** Allow rules of it that count all the same: the user gave them. */
  readonly granted?: ReadonlySet<string>
}

/** Source of a settings file's words. */
interface SettingsSource {
  readonly place: SettingsPlace
  /** For showing. */
  readonly file: string
  readonly project: string
  readonly home: string
  readonly root: SourceNode
}

/** Contribution of a settings file. */
export type Contribution = Omit<PermissionRules, 'project' | 'home'>

/** Reads what a settings file says of permissions; what is malformed is reported. */
export function readContribution(source: SettingsSource): Contribution {
  const { place, file, project } = source
  const permissions = source.root.fields?.get('permissions')?.node
  if (!permissions) return makeNoRules(source)
  const reader: Reader = { ...source, permissions, problems: [] }
  if (!permissions.fields) {
    reportProblem(reader, permissions, '"permissions" is not an object; write { "allow": [], "ask": [], "deny": [] }.')
    return {
      ...makeNoRules(source),
      deny: place.source === 'managed' ? [makeDenyAll(file)] : [],
      problems: reader.problems,
    }
  }
  const directories = readRuleList(reader, 'additionalDirectories') ?? []
  return {
    allow: readRules(reader, 'allow'),
    ask: readRules(reader, 'ask'),
    deny: readRules(reader, 'deny'),
    directories:
      place.restrained === null
        ? directories.flatMap(({ value }) => (typeof value === 'string' ? [resolve(project, value)] : []))
        : [],
    defaultMode: readDefaultMode(reader),
    bypassForbiddenBy: findPermissionMember(reader, 'disableBypassPermissionsMode')?.value === 'disable' ? file : null,
    problems: reader.problems,
  }
}

/** The rule of a policy that cannot be read. */
export function makeDenyAll(file: string): SourcedRule {
  return { text: '*', toolName: null, specifier: { kind: 'any' }, source: 'managed', file }
}

interface Reader extends SettingsSource {
  readonly permissions: SourceNode
  readonly problems: PermissionProblem[]
}

function reportProblem({ file, problems }: Reader, { line, column }: SourceNode, message: string): void {
  problems.push({ file, line, column, message })
}

function findPermissionMember({ permissions }: Reader, name: string): SourceNode | undefined {
  return permissions.fields?.get(name)?.node
}

/** The entries of a list; null when it is none. */
function readRuleList(reader: Reader, name: string): readonly SourceNode[] | null {
  const node = findPermissionMember(reader, name)
  if (!node || node.items) return node?.items ?? []
  reportProblem(reader, node, `"permissions.${name}" is not a list; write ["…"].`)
  return null
}

function readRules(reader: Reader, behavior: Behavior): SourcedRule[] {
  const { place, file } = reader
  const failsClosed = place.source === 'managed' && behavior !== 'allow'
  const entries = readRuleList(reader, behavior)
  if (!entries) return failsClosed ? [makeDenyAll(file)] : []
  const isRuleCounted = ({ value }: SourceNode): boolean =>
    behavior !== 'allow' || place.restrained === null || place.granted?.has(String(value)) === true
  const foreign = entries.find((entry) => !isRuleCounted(entry))
  if (foreign) reportProblem(reader, foreign, `The allow rules of ${place.restrained} do not count.`)
  return entries.filter(isRuleCounted).flatMap((entry) => readRuleEntry(reader, entry, { failsClosed }))
}

function readRuleEntry(
  reader: Reader,
  entry: SourceNode,
  { failsClosed }: { readonly failsClosed: boolean },
): SourcedRule[] {
  const { place, file } = reader
  const written = entry.value
  const rule = parseRule(written)
  if (!('fault' in rule)) return [{ ...rule, source: place.source, file }]
  const { fault, toolName } = rule
  if (!failsClosed) {
    reportProblem(reader, entry, `${fault} It does not count.`)
    return []
  }
  reportProblem(
    reader,
    entry,
    `${fault} Until it is fixed it counts for ${toolName === null ? 'every tool' : `all of ${toolName}`}.`,
  )
  const whole = parseRule(toolName)
  const specifier = 'fault' in whole ? ({ kind: 'any' } as const) : whole.specifier
  return [{ ...makeDenyAll(file), toolName, specifier, text: String(written) }]
}

function readDefaultMode(reader: Reader): Contribution['defaultMode'] {
  const { place, file } = reader
  const node = findPermissionMember(reader, 'defaultMode')
  if (!node) return null
  const mode = node.value
  const fault = findModeFault(mode, place)
  if (fault === null && isPermissionMode(mode)) return { mode, file }
  if (fault !== null) reportProblem(reader, node, fault)
  return null
}

function findModeFault(mode: unknown, { source, restrained }: SettingsPlace): string | null {
  if (!isPermissionMode(mode))
    return `"permissions.defaultMode" is one of ${PERMISSION_MODES.join(', ')}; ${JSON.stringify(mode)} does not count.`
  if (restrained !== null) return `The mode of ${restrained} does not count.`
  if ((mode === 'bypassPermissions' || mode === 'auto') && (source === 'project' || source === 'local'))
    return `A project cannot switch questions off; "${mode}" does not count here, only in the settings of the user.`
  return null
}
