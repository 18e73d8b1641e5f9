import type { RuleId } from '../config/problem.ts'
import { READING_RULES, type ReadingRule } from '../config/problem.ts'
import type { Place, SourceNode } from '../config/source.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { Profile } from '../protocol/profile.ts'
import type { ProfileName } from '../protocol/profiles.ts'
import type { CommandText, ScriptPlace } from './command.ts'
import type { Finding, Severity } from './finding.ts'
import type { HookEntry, Subject } from './subject.ts'
import type { Edit, FoundField } from './text-edit.ts'

/** A rule that files with hooks are held against: all there is to know about it. */
export interface Rule extends RuleName {
  readonly page: RulePage
  /** Finds where a hook breaks the rule. Rules without it, and others too, are found broken while files are read. */
  readonly find?: (one: ExaminedHook, all: readonly ExaminedHook[]) => Remark[] | Promise<Remark[]>
  /** Finds where a file breaks the rule beside its hooks. */
  readonly findInFile?: (subject: Subject) => Remark[]
  /** Exact place of a finding of the reading. */
  readonly placeOf?: (place: Place, subject: Subject) => Place
  /** Part that Claude Code drops where reading found it broken, by the profiles that say so: then it is an error. */
  readonly loss?: Finding['loss']
  /** True if its findings say what is wrong as well as the finding about a loss: they are told as one. */
  readonly takesLoss?: true
  /** The same message is told once a file, not once a place. */
  readonly oncePerFile?: true
  /** The edit that fixes a finding without a doubt about what was meant; null where only the author can. */
  readonly fix?: (field: FoundField, fixing: FixContext) => Edit | null
  /** The same of a finding about a whole group or hook. */
  readonly fixElement?: (element: SourceNode, fixing: FixContext) => Edit | null
}

/** A rule's number and name, and how grave it is to break it: an error makes the check fail. */
interface RuleName {
  readonly id: RuleId
  /** Mistake in a few words: `unknown-tool`. */
  readonly name: string
  readonly severity: Severity
}

/** Text for the user about a rule. */
export interface RulePage {
  /** Statement that holds when the rule is kept. */
  readonly title: string
  readonly why: string
  /** The profile that the examples are for; the default one where it is left out. */
  readonly profile?: ProfileName
  /** Breaks this rule; a test holds it to that. */
  readonly bad: Example
  /** Breaks no rule at all. */
  readonly good: Example
}

/** Files by their path in a project. A folder `plugin` is an enabled plugin; a file that starts with `#!` can be executed. */
export type Example = Readonly<Record<string, string>>

/** A hook with all that is known about it. */
export interface ExaminedHook {
  readonly subject: Subject
  readonly entry: HookEntry
  readonly command: CommandText | null
  /** Equal for hooks that would run the same thing. */
  readonly runs: string
  /** Tools of the host that settings declare, beside those that are known. */
  readonly ownTools: readonly string[]
  /** The addresses that settings allow: one has to be meant by every list. */
  readonly allowedAddresses: readonly (readonly string[])[]
}

/** Remark of a rule about a hook. */
export interface Remark {
  readonly place: Place
  readonly message: string
  /** Severity, where that is not as the rule says. */
  readonly severity?: Severity | undefined
  /** Part of it that Claude Code drops because of this. */
  readonly loss?: Finding['loss']
  /** The script that it is about, with the line there: it is told there, once for all hooks that run the script. */
  readonly script?: ScriptPlace | undefined
}

/** Material of a fix. */
export interface FixContext {
  readonly text: string
  readonly profile: Profile
  /** The event that a group is for; undefined where it is none of the profile. */
  readonly rowOf: (group: SourceNode) => EventRow | undefined
}

/** The name of a rule that the reading of files reports: the engine tells its severity too, and loads no rules for it. */
export function makeReportedRule(id: ReadingRule, name: string): RuleName {
  return { id, name, severity: READING_RULES[id] }
}

/** Makes the link to a rule's page in the documentation. */
export function linkTo({ id }: Pick<Rule, 'id'>): string {
  return `docs/rules.md#${id.toLowerCase()}`
}
