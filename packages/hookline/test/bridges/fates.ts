import type { HostAnswer } from '../../src/bridges/answer/answer.ts'
import { encodeText } from '../../src/text/program-text.ts'

/** An answer as a host reads it. */
export interface ReadAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly code: number
}

/** Reads an answer from the bytes that leave. */
export function asRead<Answer extends HostAnswer>({ stdout, stderr, ...answer }: Answer) {
  return { ...answer, stdout: encodeText(stdout).toString(), stderr: encodeText(stderr).toString() }
}

/** What becomes of a call, from the weakest. */
export const STRENGTH = ['runs', 'asks', 'refused'] as const
/** One of them. */
export type Fate = (typeof STRENGTH)[number]

/** The object that an answer ends with. */
export const object = (text: string): Record<string, unknown> =>
  text.trim() === '' ? {} : JSON.parse(text.trimEnd().split('\n').at(-1) ?? '{}')
/** What stands in it for the event. */
export const inside = (json: Record<string, unknown>): Record<string, unknown> =>
  (json.hookSpecificOutput ?? {}) as Record<string, unknown>
const byWord = (word: unknown): Fate => {
  if (word === 'deny') return 'refused'
  return word === 'ask' ? 'asks' : 'runs'
}
const known = (json: object, ...names: string[]): boolean => Object.keys(json).every((name) => names.includes(name))

/**
 * What each host was seen to do with an answer before a tool: kept apart from the tables that write it. A host that
 * cannot ask runs the call.
 */
export const FATES: Readonly<Record<string, (answer: ReadAnswer) => Fate>> = {
  codex: ({ stdout }) => {
    const json = object(stdout)
    const own = inside(json)
    const denies = own.permissionDecision === 'deny' && typeof own.permissionDecisionReason === 'string'
    const clean =
      known(json, 'hookSpecificOutput') && known(own, 'hookEventName', 'permissionDecision', 'permissionDecisionReason')
    return denies && clean && own.permissionDecisionReason !== '' ? 'refused' : 'runs'
  },
  copilot: ({ stdout, code }) => (code === 0 ? byWord(object(stdout).permissionDecision) : 'refused'),
  cursor: ({ stdout, code }) => (code === 2 ? 'refused' : byWord(object(stdout).permission)),
  opencode: ({ stdout }) => (typeof object(stdout).refuse === 'string' ? 'refused' : 'runs'),
  kilo: ({ stdout }) => (typeof object(stdout).refuse === 'string' ? 'refused' : 'runs'),
  pi: ({ stdout }) => (typeof object(stdout).refuse === 'string' ? 'refused' : 'runs'),
  gemini: ({ stdout }) => byWord(object(stdout).decision),
  qwen: ({ stdout }) => byWord(inside(object(stdout)).permissionDecision),
  droid: ({ stdout }) => (inside(object(stdout)).permissionDecision === 'deny' ? 'refused' : 'runs'),
  kimi: ({ code }) => (code === 2 ? 'refused' : 'runs'),
  vscode: ({ stdout, code }) => (code === 2 ? 'refused' : byWord(inside(object(stdout)).permissionDecision)),
  cline: ({ stdout }) => (object(stdout).cancel === true ? 'refused' : 'runs'),
  windsurf: ({ code }) => (code === 2 ? 'refused' : 'runs'),
  kiro: ({ code }) => (code === 2 ? 'refused' : 'runs'),
  grok: ({ stdout, code }) => (code === 2 && object(stdout).decision === 'deny' ? 'refused' : 'runs'),
  antigravity: ({ stdout }) => {
    const { decision } = object(stdout)
    if (decision === 'deny') return 'refused'
    return decision === 'force_ask' ? 'asks' : 'runs'
  },
}
