import { judge, type Verdict } from '../../src/guards/judge.ts'
import type { ListedCall } from './call-list.ts'

/** Judges calls of a list in a world, each once, however many tests ask: a verdict on the same call is the same. */
export function makeListJudge(world: Parameters<typeof judge>[1]): (call: ListedCall) => Verdict {
  const verdicts = new Map<ListedCall, Verdict>()
  return (call) => {
    const verdict = verdicts.get(call) ?? judge(call, world)
    verdicts.set(call, verdict)
    return verdict
  }
}
