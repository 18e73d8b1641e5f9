import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROMPTS, SCRIPT } from './script.js'

const program = fileURLToPath(new URL('bin/hookline-agent.js', import.meta.resolve('@hookline/agent/package.json')))

const WORDS = `The agent, its tools and the hooks are real; the model says what a script tells it.
The first prompt is typed for you: "${PROMPTS[0]}"
After it, type whatever you like, such as "${PROMPTS[1]}". Ctrl+O shows all that hooks did, Ctrl+D leaves.
`

/** Opens the session in the terminal; resolves with the exit code. */
export async function showInTerminal({ folder, project, home, env }) {
  const script = join(folder, 'script.json')
  await writeFile(script, JSON.stringify(SCRIPT))
  process.stdout.write(`${WORDS}\n`)
  const places = ['--project', project, '--home', home, '--managed', join(folder, 'no-policy.json')]
  const freely = ['--trust', '--permission-mode', 'bypassPermissions'] // hooks decide here, not permission rules
  const args = [program, ...places, ...freely, '--model', `script:${script}`, PROMPTS[0]]
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {}) // the session ends, then we do
  const [code] = await once(child, 'exit')
  return code ?? 1
}
