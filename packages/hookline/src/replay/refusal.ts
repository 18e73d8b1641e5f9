import type { PastOutcome } from './past-event.ts'

/** Words in which clients tell the model that a call was not made: what a hook said, what the user said, what a rule said. */
const REFUSAL_WORDS: readonly (readonly [by: 'hook' | 'person' | 'rule', words: RegExp])[] = [
  ['hook', /^(?:<tool_use_error>)?(?:Error: )?PreToolUse:\S+ hook (?:blocking )?error\b/],
  ['hook', /^(?:Error: )?Hook PreToolUse:\S+ denied this tool/],
  ['hook', /^(?:Error: )?Execution stopped by PreToolUse hook/],
  ['person', /^(?:Error: )?The user (?:doesn't|does not) want to (?:proceed with this tool use|take this action)/],
  ['person', /^(?:Error: )?User rejected tool use/],
  ['person', /^\[Request interrupted by user for tool use\]/],
  ['rule', /^(?:Error: )?Permission to use .* (?:has been|was) denied/],
  ['rule', /requested permissions? to .*, but you haven't granted it yet/],
  ['rule', /^(?:Error: )?Permission for this action (?:has been|was) denied/],
]

/** A reminder that newer and older clients put beside the result of a call that a hook denied. */
const BESIDE = /PreToolUse:\S+ hook blocking error from command:/

/** Reads what a failed result says about its call: refused and by whom, or made. */
export function readRefusal(
  result: string,
  { beside = '', decision }: { readonly beside?: string; readonly decision?: unknown } = {},
): PastOutcome {
  const told = readClientDecision(decision)
  if (told) return told
  const words = REFUSAL_WORDS.find(([, pattern]) => pattern.test(result))
  if (words) return { was: 'refused', by: words[0] }
  return BESIDE.test(beside) ? { was: 'refused', by: 'hook' } : { was: 'passed' }
}

/** Newer clients write down who decided. */
function readClientDecision(decision: unknown): PastOutcome | null {
  if (typeof decision !== 'object' || decision === null || !('decision' in decision)) return null
  if (typeof decision.decision !== 'string' || !/^(?:reject|den(?:y|ied)|block)/.test(decision.decision)) return null
  const source = 'source' in decision ? String(decision.source) : ''
  if (/hook/i.test(source)) return { was: 'refused', by: 'hook' }
  return { was: 'refused', by: /user|person/i.test(source) ? 'person' : 'rule' }
}

/** True if the user pressed the key that ends a turn. */
export function isInterrupt(text: string): boolean {
  return /^\[Request interrupted by user/.test(text)
}

/** True if a text is what a hook had against a call that was already made. */
export function isFeedback(text: string): boolean {
  return /^(?:<system-reminder>\s*)?PostToolUse(?:Failure)?:\S+ hook blocking error\b/m.test(text)
}

/** True if a result says that a call did not fit its tool: no hook was asked about it. */
export function isInputError(text: string): boolean {
  return /^<tool_use_error>/.test(text)
}

/** Beginnings of failures of tools. Whatever else stands in a failed result may be a hook's reason. */
const FAILURE =
  /^(?:Error: )?(?:Exit code \d|Command (?:timed out|was|failed)|<tool_use_error>|\[Request interrupted|E[A-Z]{3,}\b|\w*(?:Error|Exception)\b|MCP error|File |Path |String to replace)/

/** True if a failed result reads like a failure of its tool. Servers and agents may say anything. */
export function isToolFailure(tool: string, text: string): boolean {
  return /^(?:mcp__|Task$|Agent$)/.test(tool) || FAILURE.test(text)
}
