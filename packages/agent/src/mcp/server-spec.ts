/** A process to talk to over its standard input and output. */
export interface StdioSpec {
  readonly type: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  /** Variables added to the session's environment. */
  readonly env: Readonly<Record<string, string>>
}

/** A server elsewhere. */
export interface HttpSpec {
  readonly type: 'http'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** A configured server, ready to be connected to. */
export interface ServerSpec {
  /** As it stands in the names of its tools. */
  readonly name: string
  /** Source of its configuration: by the project, a plugin, or for this run alone. */
  readonly source: 'project' | 'plugin' | 'dynamic'
  /** `file:line:column` of its entry. */
  readonly place: string
  readonly reach: StdioSpec | HttpSpec
}

/** The name of a server or tool as it can stand in a tool's name. */
export function toToolNamePart(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_')
}

/** Makes the beginning of all tool names of a server. */
export function makeServerPrefix(server: string): string {
  return `mcp__${server}`
}
