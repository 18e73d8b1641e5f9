import { isFault } from '../config/hook.ts'
import type { Remark } from './finding.ts'
import type { Entry } from './subject.ts'

/** Fields that hooks have in a newer version of the protocol, and what becomes of a hook that has them here. */
const NEWER_FIELDS: Readonly<Record<string, string>> = {
  if: 'the hook runs for every call that its matcher hits. Use an expression as matcher',
  args: 'the command runs in a shell, without these arguments. Write them into "command"',
  shell: "the system's own shell runs the command",
  asyncRewake: 'the hook is waited for, and wakes nobody',
  onFailure: 'a hook that fails decides nothing',
  url: 'nothing is sent anywhere',
  headers: 'nothing is sent anywhere',
  allowedEnvVars: 'nothing is sent anywhere',
  server: 'no MCP tool is called',
  tool: 'no MCP tool is called',
  input: 'no MCP tool is called',
  continueOnBlock: 'a block is what the event says it is',
}

/** V-HK-05: hook types of the newer protocol. */
export function newerTypeRule({ hook, node }: Entry): Remark[] {
  if (!isFault(hook.handler) || hook.handler.verdict !== 'unsupported') return []
  const place = node.fields?.get('type')?.node ?? node
  const message = `"${hook.written.type}" is a hook type of the newer protocol; here the hook never runs.`
  return [{ rule: 'V-HK-05', place, message }]
}

/** V-HK-25: fields of the newer protocol. */
export function newerFieldRule({ hook, node }: Entry): Remark[] {
  if (isFault(hook.handler)) return []
  return [...(node.fields ?? [])]
    .filter(([name]) => Object.hasOwn(NEWER_FIELDS, name))
    .map(([name, { key }]) => ({
      rule: 'V-HK-25',
      place: key,
      message: `"${name}" is a field of the newer protocol; here ${NEWER_FIELDS[name]}.`,
    }))
}

/** V-HK-31: hooks that need a model on an event that lends none. */
export function modelRule({ hook, row, node }: Entry): Remark[] {
  if (isFault(hook.handler) || hook.handler.type === 'command' || row.handlers === 'all') return []
  const place = node.fields?.get('type')?.node ?? node
  const message = `${hook.handler.type} hooks do not run for ${row.name}. Use a command hook.`
  return [{ rule: 'V-HK-31', place, message }]
}
