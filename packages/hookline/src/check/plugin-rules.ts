import { isAbsolute, relative, resolve } from 'node:path'
import type { CommandText } from './command.ts'
import type { Remark } from './finding.ts'
import { kindAt } from './kind-at.ts'
import { type ShellWord, simpleCommands } from './shell-text.ts'
import type { Subject } from './subject.ts'

const PLUGIN_ROOT = 'CLAUDE_PLUGIN_ROOT'

/** V-HK-11: whether a plugin finds its scripts wherever it is installed. */
export async function pluginPathRule(
  { invocations, node }: CommandText,
  { pluginRoot, project }: Subject,
): Promise<Remark[]> {
  if (pluginRoot === null) return []
  const words = invocations.flatMap(({ program, script }) => [program, script]).filter((word) => word !== null)
  for (const word of words) {
    if (!(await isFixed(word, { pluginRoot, project }))) continue
    const way = relative(pluginRoot, resolve(pluginRoot, word.value ?? ''))
    const better = way.startsWith('..') ? '' : ` Write "\${${PLUGIN_ROOT}}/${way}".`
    const message = `${word.raw} is a fixed path: it is wrong wherever else the plugin is installed.${better}`
    return [{ rule: 'V-HK-11', place: node, message }]
  }
  return []
}

/** Whether a script of the plugin is named by its place on this machine, or by one below the current folder. */
async function isFixed(word: ShellWord, { pluginRoot, project }: { pluginRoot: string; project: string }) {
  const { value } = word
  if (value === null || namesRoot(word)) return false
  if (isAbsolute(value)) return !relative(pluginRoot, value).startsWith('..') || /\.\w+$/.test(value)
  if (!value.includes('/')) return false
  return (await kindAt(resolve(pluginRoot, value))) === 'file' && (await kindAt(resolve(project, value))) !== 'file'
}

/** V-HK-07: scripts named through a variable that only plugins have. */
export function noPluginRule({ text, node }: CommandText, { pluginRoot }: Subject): Remark[] {
  if (pluginRoot !== null) return []
  const word = simpleCommands(text, {})
    .flatMap(({ words }) => words)
    .find(namesRoot)
  if (!word) return []
  const message = `${word.raw} leads nowhere: ${PLUGIN_ROOT} is set for the hooks of plugins only.`
  return [{ rule: 'V-HK-07', place: node, message }]
}

function namesRoot({ variables }: ShellWord): boolean {
  return variables.some(({ name }) => name === PLUGIN_ROOT)
}
