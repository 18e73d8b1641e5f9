import type { Example } from '../rule.ts'

/** A project's settings file with these hooks, and with other settings before them. */
export function settings(hooks: object, beside: object = {}): Example {
  return { '.claude/settings.json': fitted({ ...beside, hooks }) }
}

/** A project's settings file whose hooks are written so, as no JSON text could be made from an object. */
export function written(hooks: string): Example {
  return { '.claude/settings.json': `{\n  "hooks": {\n    ${hooks}\n  }\n}\n` }
}

/** A command on an event. */
export function on(event: string, command: string, more: object = {}): Example {
  return settings({ [event]: [{ hooks: [{ type: 'command', command, ...more }] }] })
}

/** A group on calls of Bash with these hooks. */
export function group(...hooks: readonly object[]): Example {
  return settings({ PreToolUse: [{ matcher: 'Bash', hooks }] })
}

/** A hook on tool calls under this matcher. */
export function matching(matcher: string): Example {
  return settings({ PreToolUse: [{ matcher, hooks: [{ type: 'command', command: 'echo called' }] }] })
}

/** A hook that asks a server about calls of Bash, beside other settings. */
export function asking(url: string, beside: object = {}): Example {
  return settings({ PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'http', url }] }] }, beside)
}

/** A script beside the hooks of a project. */
export function script(name: string, text: string): Example {
  return { [`.claude/hooks/${name}`]: text }
}

/** A command of the plugin. */
export function pluginCommand(command: string): Example {
  return pluginFile({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command }] }] } })
}

/** The hooks.json of the plugin. */
export function pluginFile(content: object): Example {
  return { 'plugin/hooks/hooks.json': fitted(content) }
}

/** JSON as authors write it: what fits on a line stands on one. */
function fitted(value: object): string {
  return `${fittedAt(value, '')}\n`
}

/** Leaves room for an indent in a terminal of 80 columns. */
const WIDTH = 74

/** A value that starts behind an indent and some name. */
function fittedAt(value: unknown, indent: string, name = ''): string {
  const line = name + spaced(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= WIDTH) return line
  const inner = `${indent}  `
  const members = Array.isArray(value)
    ? value.map((member) => fittedAt(member, inner))
    : Object.entries(value).map(([key, member]) => fittedAt(member, inner, `${JSON.stringify(key)}: `))
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return [name + open, members.map((member) => `${inner}${member}`).join(',\n'), `${indent}${close}`].join('\n')
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
