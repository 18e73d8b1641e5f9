import { classicRules } from '../classic/rules.ts'
import { currentRules } from '../current/rules.ts'
import type { ProtocolRules } from '../rules.ts'
import type { EventTable } from './event-definition.ts'
import { classic } from './events/classic.ts'
import { current } from './events/current.ts'

/** The events of every profile that comes with the package, with their schemas. `loadProfile` gives the same without a schema library. */
export const EVENT_TABLES = { classic, current } satisfies Readonly<Record<string, EventTable>>

/** The rules of every profile, for what is generated from them. */
export const RULE_TABLES: Readonly<Record<keyof typeof EVENT_TABLES, ProtocolRules>> = {
  classic: classicRules,
  current: currentRules,
}

/** The events of the default profile. */
export const DEFAULT_EVENTS: typeof classic = EVENT_TABLES.classic
