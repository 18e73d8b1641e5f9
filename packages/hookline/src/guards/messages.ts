import type { Effect, Step } from '../effects/view.ts'
import type { World } from '../effects/world.ts'
import { quoteForShell } from '../text/quote.ts'
import type { Finding } from './guard.ts'
import { showPath } from './guards.ts'
import type { Verdict } from './judge.ts'

/** Findings that one message tells. */
const MAX_TOLD = 3

/** Reason for the model: effects, places and the way to them, and another way; never how to loosen a guard. */
export function writeReason({ findings }: Verdict): string {
  const told = findings.slice(0, MAX_TOLD).map((finding) => {
    const way = findWay(finding)
    return `${finding.guard}: ${finding.says}${way ? ` (by ${way})` : ''}.`
  })
  const more = findings.length > MAX_TOLD ? [`And ${findings.length - MAX_TOLD} more.`] : []
  const instead = findings[0] ? [`Instead: ${findings[0].instead}`] : []
  return [...told, ...more, ...instead].join(' ')
}

/** Message for the user alone: how an exception is made. */
export function writeUserMessage({ findings, answer }: Verdict): string {
  const [first] = findings
  if (!first) return ''
  const way = writeException(first)
  const exception = way === null ? '' : ` If that is meant: ${way}`
  return `hookline guard ${answer === 'deny' ? 'refused' : 'asks about'} a call (${first.guard}: ${first.says}).${exception}`
}

/** The command with which a user lets one call pass; null for what no exception lets pass. */
export function writeException({ guard, subject, final: isFinal }: Finding): string | null {
  return isFinal || subject === ''
    ? null
    : `hookline guard allow ${guard} ${quoteForShell(subject)} --reason WHY --once`
}

/** Files and lines on the way to a finding, as `package.json:17`. */
function findWay(finding: Finding): string {
  return listSteps(finding)
    .flatMap(({ at }) => (at ? [at] : []))
    .join(' → ')
}

/** The steps that lead to a finding. */
export function listSteps({ about }: Finding): readonly Step[] {
  return 'steps' in about ? about.steps : about.from
}

/** One line about an effect, for people. */
export function describeEffect(effect: Effect, world: World): string {
  switch (effect.does) {
    case 'read':
      return `reads    ${showPath(world, effect.path.text)} (${effect.path.place})`
    case 'write':
      return `writes   ${showPath(world, effect.path.text)} (${effect.path.place}, ${effect.how})`
    case 'delete':
      return `deletes  ${showPath(world, effect.path.text)} (${effect.path.place}${effect.back === 'none' ? '' : `, back from ${effect.back}`})`
    case 'run':
      return `runs     ${[effect.program, ...effect.words].join(' ')}${effect.as === 'root' ? ' as root' : ''}`
    case 'send':
      return `sends    to ${effect.host}`
    case 'fetch':
      return `fetches  from ${effect.host}`
    case 'listen':
      return `listens  ${effect.on}`
    case 'change':
      return `changes  ${effect.system}: ${effect.operation} (${effect.target})`
  }
}
