import type { CommandText } from '../command.ts'
import type { Remark } from '../finding.ts'
import type { Entry } from '../subject.ts'

/** How scripts of different languages end with exit code 2. */
const EXITS_WITH_2 = /\b_?exit\s*\(?\s*2\b(?!\s*>)|\bexitCode\s*=\s*2\b/
const BLOCKS = /\bdecision\W{1,8}(?:block|deny)\b|\bpermissionDecision\W{1,8}(?:deny|ask)\b/i
const DECIDES =
  /\b(?:permissionDecision|updatedInput|updatedPermissions)\b|\bdecision\W{1,8}(?:block|deny|approve|allow)\b/
const HALTS = /\bcontinue\W{1,6}false\b/i

/** V-HK-10: exit 2 on an event that it cannot block. */
export function exitCodeRule({ row }: Entry, { says, node }: CommandText): Remark[] {
  if (row.blocksOn !== 'never' || !EXITS_WITH_2.test(says)) return []
  const message = `Exit code 2 blocks nothing on ${row.name}: ${row.onBlock}. Exit 0, or use an event that can block.`
  return [{ rule: 'V-HK-10', place: node, message }]
}

/** V-HK-20: sending the agent on without looking whether that has happened already. */
export function loopRule({ row }: Entry, { says, node }: CommandText): Remark[] {
  const mayBlock = EXITS_WITH_2.test(says) || BLOCKS.test(says)
  if (row.loopField === null || !mayBlock || says.includes(row.loopField)) return []
  const message = `It blocks without looking at ${row.loopField}, so the agent may never come to an end. Let it pass when that is true.`
  return [{ rule: 'V-HK-20', place: node, message }]
}

/** V-HK-21: a decision of a hook that runs in the background. */
export function backgroundRule({ hook, row }: Entry, { says, node }: CommandText): Remark[] {
  if (hook.waits) return []
  const decides = DECIDES.test(says) || HALTS.test(says) || (row.blocksOn !== 'never' && EXITS_WITH_2.test(says))
  if (!decides) return []
  const message =
    'It decides something, but runs in the background: the decision is dropped. Remove "async" to be waited for.'
  return [{ rule: 'V-HK-21', place: node, message }]
}

/** Whether a command seems to replace the input of what it is asked about. */
export function rewrites({ says }: CommandText): boolean {
  return /\bupdatedInput\b/.test(says)
}
