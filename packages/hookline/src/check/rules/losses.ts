import type { Loss } from '../client-losses.ts'
import { countDenyRules, countHooks, describeLost, listLosses } from '../lens.ts'
import type { Remark, Rule } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { group } from './example.ts'

/** The rule about what Claude Code drops. */
export const LOSS_RULE = 'V-HK-50'

/** Rules about what a mistake costs in Claude Code. */
export const lossRules: readonly Rule[] = [
  {
    id: LOSS_RULE,
    name: 'dropped-by-client',
    severity: 'error',
    page: {
      title: 'Claude Code applies the file, and all of its hooks',
      why: 'Claude Code is less forgiving than Hookline. One misfit in an entry of PreToolUse or PermissionRequest, or a setting of the wrong type, and it applies nothing of the file: no hook, and no permission rule either. In an entry of another event a misfit costs that entry alone. In Hookline the other hooks run all the same.',
      profile: 'current',
      bad: group({ type: 'command', command: 'echo called', timeout: 0 }),
      good: group({ type: 'command', command: 'echo called', timeout: 5 }),
    },
    findInFile: tellLosses,
  },
]

function tellLosses(subject: Subject): Remark[] {
  const { root, lens } = subject
  return listLosses(subject).map((loss) => ({
    place: loss.place,
    message: describeLoss(loss, { hooks: countHooks(root), denyRules: countDenyRules(root) }),
    loss: loss.costs,
    severity: lens?.severity,
  }))
}

function describeLoss({ costs, what }: Loss, counts: Parameters<typeof describeLost>[0]): string {
  if (costs === 'entry') return `Claude Code does not run this: ${what}. The rest of the file counts there.`
  return `Claude Code applies nothing of this file${describeLost(counts)}: ${what}.`
}
