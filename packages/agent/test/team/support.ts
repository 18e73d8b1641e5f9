import type { ScriptSource } from '../../src/models/script.ts'
import type { AgentEvent } from '../../src/output/events.ts'
import { readMessageText } from '../../src/output/messages.ts'
import { task } from '../subagents/support.ts'

/** A call that makes somebody a teammate; the kind of agent is the name too. */
export function teammate(name: string, more: object = {}) {
  return task(name, { name, team_name: 'core', ...more })
}

/** Kinds of agents with nothing to them but their names. */
export function kinds(...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, { description: name, prompt: name }]))
}

export const create = (subject: string) => ({ name: 'TaskCreate', input: { subject } })
export const update = (taskId: string, change: object) => ({ name: 'TaskUpdate', input: { taskId, ...change } })
export const write = (recipient: string, content: string) => ({ name: 'SendMessage', input: { recipient, content } })

/** A command that waits for a file of the project, for half a minute. */
export function until(file: string): string {
  return `i=0; while [ ! -e ${file} ] && [ $i -lt 600 ]; do i=$((i+1)); sleep 0.05; done; [ -e ${file} ]`
}

/** Acts when a model has said just this. */
export function whenSaid(text: string, act: () => unknown): (event: AgentEvent) => void {
  return (event) => {
    if (event.type === 'message' && event.message.role === 'assistant' && readMessageText(event.message) === text) act()
  }
}

type Turn = NonNullable<ScriptSource['turns']>[number]

/** The turns in which somebody claims a task that cannot begin yet, leaves a file to show it, and goes idle. */
export function tooEarly(taskId: string, file: string): Turn[] {
  return [
    { tools: [update(taskId, { status: 'in_progress' })] },
    { tools: [{ name: 'Bash', input: { command: `touch ${file}` } }] },
    { text: 'too early' },
  ]
}

/** The turns in which somebody claims a task, does it and marks it done. */
export function doing(taskId: string, command: string): Turn[] {
  return [
    { tools: [update(taskId, { status: 'in_progress' })] },
    { tools: [{ name: 'Bash', input: { command } }] },
    { tools: [update(taskId, { status: 'completed' })] },
    { text: `#${taskId} is done` },
  ]
}
