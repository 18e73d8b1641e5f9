import type { Example } from '../rule.ts'

/** A project's settings file with these hooks, and with other settings before them. */
export function makeSettingsExample(hooks: object, beside: object = {}): Example {
  return { '.claude/settings.json': fitJson({ ...beside, hooks }) }
}

/** A project's settings file whose hooks are written so, as no JSON text could be made from an object. */
export function makeWrittenExample(hooks: string): Example {
  return { '.claude/settings.json': `{\n  "hooks": {\n    ${hooks}\n  }\n}\n` }
}

/** A command on an event. */
export function on(event: string, command: string, more: object = {}): Example {
  return makeSettingsExample({ [event]: [{ hooks: [{ type: 'command', command, ...more }] }] })
}

/** A group on calls of Bash with these hooks. */
export function group(...hooks: readonly object[]): Example {
  return makeSettingsExample({ PreToolUse: [{ matcher: 'Bash', hooks }] })
}

/** A hook on tool calls under this matcher. */
export function makeMatchingExample(matcher: string): Example {
  return makeSettingsExample({ PreToolUse: [{ matcher, hooks: [{ type: 'command', command: 'echo called' }] }] })
}

/** A hook that asks a server about calls of Bash, beside other settings. */
export function makeAskingExample(url: string, beside: object = {}): Example {
  return makeSettingsExample({ PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'http', url }] }] }, beside)
}

/** A script beside the hooks of a project. */
export function makeScriptExample(name: string, text: string): Example {
  return { [`.claude/hooks/${name}`]: text }
}

/** A command of the plugin. */
export function makePluginCommandExample(command: string): Example {
  return makePluginFileExample({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command }] }] } })
}

/** The hooks.json of the plugin. */
export function makePluginFileExample(content: object): Example {
  return { 'plugin/hooks/hooks.json': fitJson(content) }
}

/** JSON as authors write it: what fits on a line stands on one. */
function fitJson(value: object): string {
  return `${fitJsonValue(value, '')}\n`
}

/** Leaves room for an indent in a terminal of 80 columns. */
const WIDTH = 74

/** A value that starts behind an indent and some name. */
function fitJsonValue(value: unknown, indent: string, name = ''): string {
  const line = name + writeSpacedJson(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= WIDTH) return line
  const inner = `${indent}  `
  const members = Array.isArray(value)
    ? value.map((member) => fitJsonValue(member, inner))
    : Object.entries(value).map(([key, member]) => fitJsonValue(member, inner, `${JSON.stringify(key)}: `))
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return [name + open, members.map((member) => `${inner}${member}`).join(',\n'), `${indent}${close}`].join('\n')
}

function writeSpacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeSpacedJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${writeSpacedJson(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
