/** What people are told about a rule. */
export interface RulePage {
  /** What holds when the rule is kept. */
  readonly title: string
  readonly why: string
  /** Breaks this rule; a test holds it to that. */
  readonly bad: Example
  /** Breaks no rule at all. */
  readonly good: Example
}

/** Files by their path in a project. A folder `plugin` is an enabled plugin; a file that starts with `#!` can be executed. */
export type Example = Readonly<Record<string, string>>

/** A project's settings file with these hooks. */
export function settings(hooks: object): Example {
  return { '.claude/settings.json': fitted({ hooks }) }
}

/** The hooks.json of the plugin. */
export function pluginFile(content: object): Example {
  return { 'plugin/hooks/hooks.json': fitted(content) }
}

/** JSON as people write it: what fits on a line stands on one. */
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
