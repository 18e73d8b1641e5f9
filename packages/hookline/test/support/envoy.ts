import type { DispatchRecord, Engine } from '../../src/index.ts'
import { type Content, makeWorld, openOn } from './project.ts'

/** Hooks in Envoy's flat form, by event. */
export type Flat = Record<string, readonly { matcher?: string; command: string }[]>

/** A project with hooks in Envoy's flat form, and scripts beside them. */
export async function envoy(hooks: Flat, scripts: Record<string, Content> = {}) {
  const files = Object.entries(scripts).map(([name, content]) => [`project/${name}`, content] as const)
  const world = await makeWorld({ 'project/.claude/settings.json': { hooks }, ...Object.fromEntries(files) })
  const lines: string[] = []
  const debug = { categories: ['hooks'], write: (line: string) => void lines.push(line) }
  return { engine: await openOn(world, { preset: 'envoy', debug }), world, lines }
}

/** The record of the start of a session. */
export const started = (engine: Engine, source = 'startup') =>
  engine.dispatch({ hook_event_name: 'SessionStart', source })

/** The record of a tool that was used. */
export const used = (engine: Engine, tool_name = 'filesystem_write_file') =>
  engine.dispatch({ hook_event_name: 'PostToolUse', tool_name, tool_input: { path: 'a.txt' }, tool_response: 'ok' })

/** A script that gives an answer. */
export const says = (answer: object | string): string =>
  `console.log(${JSON.stringify(typeof answer === 'string' ? answer : JSON.stringify(answer))})`

/** A script that adds context. */
export const adding = (additionalContext: string, more: object = {}) =>
  says({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext }, ...more })

/** The texts for a reader. */
export const told = ({ decision }: DispatchRecord, reader: string): string[] =>
  decision.messages.filter(({ to }) => to === reader).map(({ text }) => text)

/** A script that notes when it starts and when it ends. */
export const NOTING = `
import { appendFileSync } from 'node:fs'
const [, , name] = process.argv
appendFileSync('noted.txt', name + ' starts\\n')
process.on('exit', () => appendFileSync('noted.txt', name + ' ends\\n'))
console.log(name)
`
