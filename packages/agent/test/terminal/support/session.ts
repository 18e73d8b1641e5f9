import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openTerminal, type TmuxTerminal } from '../../../../../scripts/tmux-terminal.js'
import { type Content, makeWorld, put, type World } from '../../../../hookline/test/support/project.ts'
import type { ScriptSource } from '../../../src/models/script.ts'
import { environment, program } from '../../support/command.ts'

/** How a session is opened. */
export interface Opening {
  /** Files of the world, by path: `project/…`, `home/…`. */
  readonly files?: Record<string, Content>
  /** Hooks of the project's settings. */
  readonly hooks?: object
  /** Other settings of the project. */
  readonly settings?: object
  /** What the model says; nothing: the user plays it. */
  readonly turns?: ScriptSource['turns']
  readonly args?: readonly string[]
  /** What stands before the command, such as `env`. */
  readonly prefix?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly columns?: number
  readonly rows?: number
  /** Whether the project's hooks are accepted; true unless said. */
  readonly trusted?: boolean
}

/** A session in a terminal, and the world it is in. */
export interface Session {
  readonly terminal: TmuxTerminal
  readonly world: World
}

/** Opens a session in a real terminal, in a world of its own; both are gone when the test is over. */
export async function openSession(opening: Opening = {}): Promise<Session> {
  const { files = {}, hooks, settings = {}, turns } = opening
  const own = hooks === undefined ? settings : { hooks, ...settings }
  const world = await makeWorld({ 'project/.claude/settings.json': own, ...files })
  if (turns !== undefined) await put(world, 'turns.json', { turns })
  return { world, terminal: await reopen(world, opening) }
}

/** Opens another session in a world. */
export async function reopen(world: World, opening: Opening = {}): Promise<TmuxTerminal> {
  const { turns, args = [], prefix = [], env = {}, columns = 80, rows = 30, trusted = true } = opening
  const { project, home, managed, root } = world
  const terminal = await openTerminal({
    command: [
      ...[...prefix, process.execPath, program, '--home', home, '--managed', managed],
      ...(turns === undefined ? [] : ['--model', `script:${join(root, 'turns.json')}`]),
      ...(trusted ? ['--trust'] : []),
      ...args,
    ],
    cwd: project,
    // A test presses a key as soon as it sees the dialog.
    env: { ...terminalEnvironment(), HOME: home, LANG: 'C.UTF-8', HOOKLINE_ANSWER_AFTER_MS: '0', ...env },
    columns,
    rows,
  })
  onTestFinished(() => terminal.close())
  return terminal
}

/** Opens a shell in a real terminal, with job control, in a world of its own; both are gone when the test is over. */
export async function openShell({ columns = 80, rows = 30 }: Pick<Opening, 'columns' | 'rows'> = {}): Promise<Session> {
  const world = await makeWorld({ 'project/.claude/settings.json': {} })
  const env = { ...terminalEnvironment(), HOME: world.home, LANG: 'C.UTF-8', PS1: '$ ' }
  const command = ['bash', '--norc', '--noprofile', '-i']
  const terminal = await openTerminal({ command, cwd: world.project, env, columns, rows })
  onTestFinished(() => terminal.close())
  return { world, terminal }
}

/** A hook that keeps what it reads, for `seen`. */
export const recording = 'cat >> "$CLAUDE_PROJECT_DIR/seen.jsonl"; echo >> "$CLAUDE_PROJECT_DIR/seen.jsonl"'

/** A group with one command hook. */
export function group(command: string, more: object = {}): object {
  return { hooks: [{ type: 'command', command, ...more }] }
}

/** What recording hooks have read so far. */
export function seen({ project }: World): Record<string, unknown>[] {
  const file = join(project, 'seen.jsonl')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** This environment as a person's terminal has it: no build machine, no colours decided elsewhere. */
function terminalEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(CI|CONTINUOUS_INTEGRATION|NO_COLOR|FORCE_COLOR|LC_.*|TMUX.*|VITEST.*|NODE_ENV)$|^CI_/
  return Object.fromEntries(Object.entries(environment()).filter(([name]) => !foreign.test(name)))
}
