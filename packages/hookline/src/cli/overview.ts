import { openEngine } from '../engine/engine.ts'
import { needsAttention } from './commands/list/list.ts'
import { COMMANDS } from './commands.ts'

/** A short map of the commands. */
export function overview(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(11)} ${summary}`)
  return [
    'hookline: the hooks engine for coding agents',
    '',
    ...lines,
    '',
    'hookline <command> --help tells more.',
    '',
  ].join('\n')
}

/** How it stands with the hooks of the folder we are in, in a line or two. */
export async function projectState(): Promise<string> {
  const engine = await openEngine()
  const hooks = engine.list()
  const attention = hooks.filter(needsAttention).length
  const problems = engine.problems.length
  await engine.close()
  if (hooks.length === 0 && problems === 0) return 'No hooks are configured here. hookline init makes one.\n'
  const count = `${hooks.length} ${hooks.length === 1 ? 'hook is' : 'hooks are'} configured here`
  if (attention === 0 && problems === 0) return `${count}, all of them active.\n`
  return `${count}; ${attention} ${attention === 1 ? 'needs' : 'need'} attention (hookline list).\n`
}
