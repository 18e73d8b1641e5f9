import { dirname } from 'node:path'
import { readText, statOrUndefined } from '../../files/read.ts'
import { isObject } from '../../text/json.ts'
import type { Bridge, HostScope, JsonObject, Mark, Switch } from '../bridge.ts'
import { askFolderTrust } from './folder-trust.ts'
import { nameInstaller } from './guard-entries.ts'
import { type ReviewAnswer, readReviews } from './hook-review.ts'
import { locateSettings, lookUp, readSettings } from './host-settings.ts'
import { type EventFile, findStrayText, type HostPlace, isOurCommand, listEventFiles } from './installed.ts'

/** Reasons for which an agent does not call us although its file says so. */
export type ObstacleKind = 'unreadable' | 'off' | 'untrusted' | 'unreviewed' | 'missing'

/** Obstacle that keeps an agent from calling us. */
export interface Obstacle {
  readonly kind: ObstacleKind
  /** Events of the agent that it concerns; null: all. */
  readonly events: readonly string[] | null
  /** A sentence: what, where, and what to do. */
  readonly text: string
  /** Source of the fact that the agent minds. */
  readonly mark: Mark
}

/** Reads in the agent's own files what keeps it from calling us for these of its events. Never rejects. */
export async function findObstacles(place: HostPlace, events: readonly string[]): Promise<Obstacle[]> {
  const found = await Promise.all([
    findUnreadableFiles(place),
    findSwitches(place),
    findDistrust(place),
    findUnreviewed(place, events),
  ])
  return found.flat()
}

/** Reads in the agent's files why no hook of them is known to run: files that are cut off, not text, or no files. Never rejects. */
export async function findUnreadableFiles(place: HostPlace): Promise<Obstacle[]> {
  const { bridge, scope } = place
  const files = listEventFiles(place)
  const faults = await Promise.all(files.map((one) => findFileFault(one, bridge)))
  return [...new Set(faults)].flatMap((why) => {
    if (why === null) return []
    const same = files.filter((_, at) => faults[at] === why)
    const [first, ...others] = same
    const which = `${first?.file}${others.length === 0 ? '' : ` (and ${others.length} more)`}`
    const events = same.flatMap(({ event }) => event ?? [])
    return [
      {
        kind: 'unreadable' as const,
        events: events.length === 0 ? null : events,
        text: `${which} ${why}, so no hook in it is known to run in ${bridge.title}. Fix it or move it away, then run "${nameInstaller(bridge)} --scope ${scope}".`,
        mark: bridge.install.reads.mark,
      },
    ]
  })
}

/** Reason why an agent finds no hook of ours in a file that is there; null: none is known. */
async function findFileFault({ file, event }: EventFile, bridge: Bridge): Promise<string | null> {
  const { format } = bridge.install.reads
  if (format === 'program') {
    const content = await readText(file, { onlyUtf8: true })
    if (content.read === 'text') return findStrayText(content.text, bridge, event)
    return content.read === 'unreadable' ? content.reason : findBlockedFolder(file)
  }
  const settings = await readSettings(file, format)
  if (settings.state === 'missing') return findBlockedFolder(file)
  return settings.state === 'unreadable' ? settings.why : findMistake(settings.value, bridge)
}

/** Says that a file cannot be there, since what stands above it is not a folder; null: it may be. */
function findBlockedFolder(file: string): string | null {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    const stats = statOrUndefined(folder)
    if (stats !== undefined) return stats.isDirectory() ? null : `lies below ${folder}, which is not a folder`
  }
  return null
}

/** Finds what an agent does not accept in a file that it can parse; null: nothing that is known. */
export function findMistake(settings: JsonObject, { install: { reads }, events }: Bridge): string | null {
  const { keys, entries, whole = [] } = reads
  const extra = keys === undefined ? [] : Object.keys(settings).filter((key) => !keys.includes(key))
  if (extra.length > 0) return `has "${extra.join('", "')}" at its top`
  const list = entries === undefined ? [] : settings[entries.list]
  for (const [at, entry] of (Array.isArray(list) ? list : []).entries()) {
    const fields = isObject(entry) ? Object.keys(entry) : []
    const unknown = fields.filter((field) => !entries?.fields.includes(field))
    if (unknown.length > 0) return `has "${unknown.join('", "')}" in the entry ${at + 1} of "${entries?.list}"`
    const event = isObject(entry) && entries ? entry[entries.event] : undefined
    if (typeof event !== 'string' || !Object.hasOwn(events, event))
      return `names no event that is known in the entry ${at + 1} of "${entries?.list}"`
  }
  const broken = whole.find((name) => hasFraction(settings, name))
  return broken === undefined ? null : `has a "${broken}" that is not a whole number`
}

function hasFraction(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasFraction(one, name))
  if (!isObject(value)) return false
  return Object.entries(value).some(([key, one]) =>
    key === name && typeof one === 'number' ? !Number.isInteger(one) : hasFraction(one, name),
  )
}

async function findSwitches(place: HostPlace): Promise<Obstacle[]> {
  const concerned = (place.bridge.install.switches ?? []).filter(({ stops = place.scope }) => stops === place.scope)
  return (await Promise.all(concerned.map((one) => findSwitch(one, place)))).flat()
}

async function findSwitch(one: Switch, place: HostPlace): Promise<Obstacle[]> {
  const { bridge, env } = place
  const makeOffObstacle = (where: string, events: readonly string[] | null = null): Obstacle => ({
    kind: 'off',
    events,
    text: `${where}: ${bridge.title} runs ${events === null ? 'no hook' : `no hook for ${events.join(', ')}`}.`,
    mark: one.mark,
  })
  if ('variable' in one) {
    const value = env[one.variable]
    return value !== undefined && one.is.includes(value) ? [makeOffObstacle(`${one.variable} is ${value}`)] : []
  }
  const found = await Promise.all(one.files.map((path) => readSettings(locateSettings(place, path), one.format)))
  return found.flatMap((settings) => {
    const value = settings.state === 'read' ? lookUp(settings.value, one.key) : undefined
    const key = typeof one.key === 'string' ? one.key : [...one.key].reverse().join('" of "')
    if (one.is !== 'listed')
      return value === one.is ? [makeOffObstacle(`"${key}" is ${value} in ${settings.file}`)] : []
    const events = listListedEvents(value, bridge)
    return events.length === 0 ? [] : [makeOffObstacle(`"${key}" in ${settings.file} names our entries`, events)]
  })
}

/** Events whose entries of ours are in a list of commands, or of names. */
function listListedEvents(list: unknown, bridge: Bridge): string[] {
  const texts = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  return Object.keys(bridge.events).filter((event) => texts.some((text) => isOurCommand(text, bridge, event)))
}

async function findDistrust(place: HostPlace): Promise<Obstacle[]> {
  const { title, install } = place.bridge
  const { trust } = install
  if (trust === undefined || !trust.stops.includes(place.scope)) return []
  const finding = await askFolderTrust(trust, place)
  if (finding.trusted === true) return []
  const text =
    finding.trusted === 'unknown'
      ? `${finding.by} ${finding.why}, so ${title} trusts no folder. Fix it first.`
      : `${title} does not trust ${place.project} (${finding.by}), and ${UNTRUSTED_RESULTS[place.scope]}. ${trust.remedy}`
  return [{ kind: 'untrusted', events: null, text, mark: trust.mark }]
}

/** Words for what an agent leaves out of a folder that it does not trust, by the scope of the hook. */
const UNTRUSTED_RESULTS: Readonly<Record<HostScope, string>> = {
  user: 'runs no hook there',
  project: 'runs no hook of the project there',
}

async function findUnreviewed(place: HostPlace, events: readonly string[]): Promise<Obstacle[]> {
  const { title, install } = place.bridge
  const { review } = install
  if (review === undefined) return []
  const reviews = await readReviews(review, place)
  return (['unseen', 'changed', 'switched-off'] as const).flatMap((reviewed) => {
    const open = events.filter((event) => reviews.get(event) === reviewed)
    if (open.length === 0) return []
    const which = open.length === events.length ? 'any of our entries' : open.join(', ')
    const text = `${title} does not run ${which}: ${UNREVIEWED[reviewed]}. ${review.remedy}`
    return [
      {
        kind: reviewed === 'switched-off' ? ('off' as const) : ('unreviewed' as const),
        events: open,
        text,
        mark: review.mark,
      },
    ]
  })
}

const UNREVIEWED: Readonly<Record<Exclude<ReviewAnswer, 'accepted'>, string>> = {
  unseen: 'nobody has reviewed them yet',
  changed: 'they have changed since they were reviewed',
  'switched-off': 'they were switched off there',
}
