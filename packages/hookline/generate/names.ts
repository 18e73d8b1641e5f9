import type { HookTypes } from '../src/protocol/hook-type.ts'
import { KNOWN_HOOK_TYPES, PROFILE_NAMES } from '../src/protocol/profiles.ts'
import type { ProtocolRules } from '../src/protocol/rules.ts'
import { listAnswerFields } from '../src/protocol/schemas/compile.ts'
import type { EventTable } from '../src/protocol/schemas/event-definition.ts'
import { EVENT_TABLES, RULE_TABLES } from '../src/protocol/schemas/tables.ts'
import { listSettings } from '../src/protocol/setting-keys.ts'

/** The source of `generated/names.ts`: what each profile has names for, so that another one can tell what it meets. */
export function namesModule(): string {
  const names = PROFILE_NAMES.map((profile) => [
    profile,
    namesOf(EVENT_TABLES[profile], RULE_TABLES[profile], KNOWN_HOOK_TYPES[profile] ?? {}),
  ])
  return [
    '// Generated from the tables of the profiles by `npm run generate`.',
    '',
    'type Names = Readonly<Record<"events" | "answerFields" | "settings", readonly string[]>>',
    '',
    `export const names: Readonly<Record<${names.map(([profile]) => JSON.stringify(profile)).join(' | ')}, Names>> =`,
    `  ${JSON.stringify(Object.fromEntries(names), null, 2)}`,
    '',
  ].join('\n')
}

function namesOf(events: EventTable, rules: ProtocolRules, hookTypes: HookTypes): object {
  const rows = Object.values(events)
  const common = Object.entries(rules.answers.commonFields).filter(([, how]) => how !== 'unknown')
  const answerFields = [...common.map(([name]) => name), ...rows.flatMap(listAnswerFields)]
  return {
    events: Object.keys(events),
    answerFields: [...new Set(answerFields)],
    settings: listSettings({ rules, hookTypes }),
  }
}
