import type { SourceNode } from '../../config/source.ts'
import { findLosses, type Loss } from '../client-losses.ts'
import type { Remark, Rule } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { group } from './example.ts'

/** Rules about what a mistake costs in Claude Code. */
export const lossRules: readonly Rule[] = [
  {
    id: 'V-HK-50',
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

function tellLosses({ root, profile, stray }: Subject): Remark[] {
  if (root === null || stray !== null || profile.rules.misfits !== 'as-the-client') return []
  return findLosses(root, profile).map((loss) => ({
    place: loss.place,
    message: describeLoss(loss, root),
    loss: loss.costs,
  }))
}

function describeLoss({ costs, what }: Loss, root: SourceNode): string {
  if (costs === 'entry') return `Claude Code does not run this: ${what}. The rest of the file counts there.`
  const [hooks, rules] = [countHooks(root), countDenyRules(root)]
  const lost = [countWords(hooks, 'hook'), countWords(rules, 'deny rule')].filter((words) => words !== null)
  const tail = lost.length === 0 ? '' : `, its ${lost.join(' and ')} neither`
  return `Claude Code applies nothing of this file${tail}: ${what}.`
}

const countWords = (count: number, noun: string): string | null =>
  count === 0 ? null : `${count} ${noun}${count === 1 ? '' : 's'}`

function countHooks(root: SourceNode): number {
  const events = [...(root.fields?.get('hooks')?.node.fields?.values() ?? [])]
  const groups = events.flatMap(({ node }) => node.items ?? [])
  return groups.reduce((count, { fields }) => count + (fields?.get('hooks')?.node.items?.length ?? 0), 0)
}

function countDenyRules(root: SourceNode): number {
  return root.fields?.get('permissions')?.node.fields?.get('deny')?.node.items?.length ?? 0
}
