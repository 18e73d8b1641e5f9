import type { ToolCall } from '../../effects/tool-calls.ts'
import type { Effect, View } from '../../effects/view.ts'
import type { Verdict } from '../../guards/judge.ts'
import { listShaped, makeRedactor } from '../../record/redact.ts'
import { REDACTED } from '../../record/secret-flags.ts'

/** Shorter texts are no secrets: to cut them out would leave holes in ordinary words. */
const MIN_SECRET_CHARS = 3

/** Longer secrets are cut out of the middle of words, too. */
const MIN_PART_CHARS = 6

/** A view without the secrets of its call, as it may be shown and written down. */
export function redactView(view: View, call: ToolCall, env: NodeJS.ProcessEnv): View {
  return makeCutter(view, call, env)({ ...view, effects: view.effects.map(redactRun) })
}

/** A verdict without the secrets of its call. A subject that held one is left out: no exception can be made of the rest. */
export function redactVerdict(verdict: Verdict, call: ToolCall, env: NodeJS.ProcessEnv): Verdict {
  const cut = makeCutter(verdict.view, call, env)
  const { view, findings, excused } = verdict
  const clean = cut({ ...verdict, view: { ...view, effects: view.effects.map(redactRun) } })
  return {
    ...clean,
    findings: clean.findings.map((finding, at) => dropCutSubject(finding, findings[at]?.subject)),
    excused: clean.excused.map((finding, at) => dropCutSubject(finding, excused[at]?.subject)),
  }
}

function dropCutSubject<Kind extends { readonly subject: string }>(finding: Kind, before: string | undefined): Kind {
  return finding.subject === before ? finding : { ...finding, subject: '' }
}

/** A run with its words as a list of arguments is redacted, behind its program. */
function redactRun(effect: Effect): Effect {
  if (effect.does !== 'run') return effect
  const line = JSON.parse(makeRedactor({})({ command: effect.program, args: effect.words }))
  return { ...effect, words: line.args }
}

/**
 * Makes what cuts secrets out of a value: those that have their form there, and those that have it in the call, or in a line
 * that the call runs, wherever else they stand.
 */
function makeCutter(view: View, { input }: ToolCall, env: NodeJS.ProcessEnv): <Value>(value: Value) => Value {
  const redact = makeRedactor(env)
  const texts = new Set<string>()
  const gather = (_key: string, member: unknown): unknown => {
    // Programs such as printf make lines of what is written as \n, and some forms take lines.
    if (typeof member === 'string') texts.add(member).add(member.replaceAll(String.raw`\n`, '\n'))
    return member
  }
  JSON.stringify([input, view], gather)
  for (const effect of view.effects) if (effect.does === 'run') texts.add([effect.program, ...effect.words].join(' '))
  const secrets = [...texts].flatMap(listShaped).flatMap((secret) => [secret, ...secret.split(/[^\w+/=.-]+/)])
  const words = [...new Set(secrets)].filter(({ length }) => length >= MIN_SECRET_CHARS)
  const shape = words.length === 0 ? null : compileWords(words)
  return <Value>(value: Value): Value => {
    const cut = (_key: string, member: unknown): unknown =>
      typeof member === 'string' && shape ? member.replaceAll(shape, REDACTED) : member
    const text = redact(JSON.parse(JSON.stringify(value, cut)))
    return JSON.parse(text) as Value // texts of the same value, of which only the letters changed
  }
}

/** An expression for secrets, the longest first; a short one only counts as a word of its own, or right behind a flag. */
function compileWords(words: readonly string[]): RegExp {
  const list = [...words].sort((one, other) => other.length - one.length)
  const bodies = list.map((word) => {
    const body = word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)
    return word.length < MIN_PART_CHARS ? `(?:(?<![A-Za-z0-9])|(?<=-[A-Za-z]))${body}(?![A-Za-z0-9])` : body
  })
  return new RegExp(bodies.join('|'), 'g')
}
