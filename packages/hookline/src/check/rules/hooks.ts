import { isFault } from '../../config/hook.ts'
import { mayRun } from '../../config/standing.ts'
import { fieldsInFiles } from '../../protocol/hook-fields.ts'
import type { Remark } from '../finding.ts'
import type { Entry } from '../subject.ts'

/** What to do about fields that only another profile has. */
const ADVICE: Readonly<Record<string, string>> = {
  if: 'test the input in the hook itself, which works in every client. An expression as matcher works here, but in Claude Code it matches nothing.',
  args: 'write the arguments into "command", quoted as for a shell.',
  shell: 'leave it out, and sh runs the command; or call the other shell in the command.',
  url: 'let a command send the event, such as curl --data @-.',
  server: 'let a command call the tool.',
  tool: 'let a command call the tool.',
  asyncRewake: 'use "async", and look at what it said at the next turn; nothing wakes the model here.',
  continueOnBlock: 'use a command hook where a block must not end the turn.',
}

/** V-HK-05: hook types of another profile. */
export function otherTypeRule({ hook, node, profile }: Entry): Remark[] {
  const { handler, written } = hook
  const isTypeHere = written.type !== null && Object.hasOwn(profile.hookTypes, written.type)
  if (!isFault(handler) || handler.verdict !== 'unsupported' || handler.elsewhere === null || isTypeHere) return []
  const place = node.fields?.get('type')?.node ?? node
  const message = `"${written.type}" is a hook type of the profile "${handler.elsewhere.profile}"; here the hook never runs.`
  return [{ rule: 'V-HK-05', place, message }]
}

/** V-HK-25: what to do instead of a field of another profile. */
export function otherFieldRule({ hook, node, profile }: Entry): Remark[] {
  if (isFault(hook.handler) && hook.handler.verdict === 'invalid') return []
  const own = fieldsInFiles(profile.hookTypes)
  return [...(node.fields ?? [])]
    .filter(([name]) => !own.has(name) && Object.hasOwn(ADVICE, name))
    .map(([name, { key }]) => ({ rule: 'V-HK-25', place: key, message: `Instead of "${name}": ${ADVICE[name]}` }))
}

/** V-HK-31: hooks that need a model on an event that lends none. */
export function modelRule({ hook, row, node }: Entry): Remark[] {
  if (isFault(hook.handler) || mayRun(hook.handler, row)) return []
  const place = node.fields?.get('type')?.node ?? node
  const message = `${hook.written.type} hooks do not run for ${row.name}. Use a command hook.`
  return [{ rule: 'V-HK-31', place, message }]
}
