import { createHash } from 'node:crypto'
import { resolveLinks } from '../../files/paths.ts'
import { toCanonicalJson } from '../../text/digest.ts'
import { isObject } from '../../text/json.ts'
import type { Bridge, HookReview, JsonObject, ReviewName } from '../bridge.ts'
import { locateSettings, lookUp, readSettings } from './host-settings.ts'
import { findHostFile, type HostPlace, isOurCommand } from './installed.ts'

/** Answer of a user to one of our entries in the agent: `changed` was reviewed as it was before. */
export type ReviewAnswer = 'accepted' | 'unseen' | 'changed' | 'switched-off'

/** Looks up what the user has said to our entries, by the agent's event. Never rejects. */
export async function readReviews(review: HookReview, place: HostPlace): Promise<ReadonlyMap<string, ReviewAnswer>> {
  const file = findHostFile(place)
  const [entries, settings] = await Promise.all([
    readSettings(file ?? '', 'json'),
    readSettings(locateSettings(place, review.file), review.format),
  ])
  if (file === null || entries.state !== 'read') return new Map()
  return REVIEWS[review.by](
    file,
    listOurHandlers(entries.value, place.bridge),
    settings.state === 'read' ? settings.value : {},
  )
}

/** Readers of the ways in which agents write down what was reviewed: our entries by event, from their file and the file with the reviews. */
const REVIEWS: Readonly<
  Record<
    ReviewName,
    (file: string, entries: readonly Handler[], settings: JsonObject) => ReadonlyMap<string, ReviewAnswer>
  >
> = {
  /** Codex keeps a digest of each entry by its position. */
  digestByPosition: (file, entries, settings) => {
    const states = lookUp(settings, 'hooks.state')
    const found = new Map<string, ReviewAnswer>()
    for (const { event, group, handler, position } of entries) {
      const keys = [file, resolveLinks(file)].map((path) => `${path}:${toSnakeCase(event)}:${position}`)
      const state = keys.map((key) => (isObject(states) ? states[key] : undefined)).find(isObject) ?? {}
      found.set(event, judge(state, digestHandler(event, group, handler)))
    }
    return found
  },
}

/** Names of those ways. */
export const REVIEW_NAMES = Object.keys(REVIEWS)

function judge({ enabled, trusted_hash }: JsonObject, digest: string): ReviewAnswer {
  if (enabled === false) return 'switched-off'
  if (trusted_hash === undefined) return 'unseen'
  return trusted_hash === digest ? 'accepted' : 'changed'
}

interface Handler {
  readonly event: string
  readonly group: JsonObject
  readonly handler: JsonObject
  /** Of the group in its event, and of the handler in the group. */
  readonly position: string
}

/** Our entries among the groups of handlers of each event. */
function listOurHandlers({ hooks }: JsonObject, bridge: Bridge): Handler[] {
  if (!isObject(hooks)) return []
  return Object.entries(hooks).flatMap(([event, groups]) =>
    listObjects(groups).flatMap((group, at) =>
      listObjects(group.hooks).flatMap((handler, within) =>
        typeof handler.command === 'string' && isOurCommand(handler.command, bridge, event)
          ? [{ event, group, handler, position: `${at}:${within}` }]
          : [],
      ),
    ),
  )
}

function listObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map((one) => (isObject(one) ? one : {})) : []
}

const toSnakeCase = (event: string): string => event.replaceAll(/(?!^)([A-Z])/g, '_$1').toLowerCase()

/** Seconds that Codex gives a handler which names none, and at most, where an event has its own. */
const USUAL_SECONDS = 600
const BRIEF_EVENTS: Readonly<Record<string, { readonly usual: number; readonly max: number }>> = {
  SessionEnd: { usual: 1, max: 3 },
  Interrupt: { usual: 1, max: 3 },
}
/** Events whose matcher Codex ignores. */
const WITHOUT_MATCHER: ReadonlySet<string> = new Set(['UserPromptSubmit', 'Stop'])

/** The digest that Codex keeps of a handler, as of 0.169.0: over what it makes of the entry, with sorted keys. */
function digestHandler(event: string, group: JsonObject, handler: JsonObject): string {
  const { usual, max } = BRIEF_EVENTS[event] ?? { usual: USUAL_SECONDS, max: Number.POSITIVE_INFINITY }
  const timeout = typeof handler.timeout === 'number' ? handler.timeout : usual
  const identity = {
    event_name: toSnakeCase(event),
    hooks: [
      {
        additionalContextLimit: handler.additionalContextLimit,
        async: handler.async ?? false,
        command: handler.command,
        statusMessage: handler.statusMessage,
        timeout: Math.min(Math.max(timeout, 1), max),
        type: 'command',
      },
    ],
    matcher: WITHOUT_MATCHER.has(event) ? undefined : group.matcher,
  }
  return `sha256:${createHash('sha256').update(toCanonicalJson(identity)).digest('hex')}`
}
