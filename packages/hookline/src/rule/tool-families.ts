/** Kinds of text in the parentheses of a rule. */
export type SpecifierKind = 'command' | 'path' | 'domain' | 'agent'

/** The tools whose rules take a specifier, and of which kind. */
export const SPECIFIERS: Readonly<Record<string, SpecifierKind>> = {
  Bash: 'command',
  Read: 'path',
  Glob: 'path',
  Grep: 'path',
  Edit: 'path',
  Write: 'path',
  WebFetch: 'domain',
  Task: 'agent',
}

/** Tools that rules of another tool count for too. */
const COVERED_TOOLS: Readonly<Record<string, readonly string[]>> = {
  Read: ['Glob', 'Grep'],
  Edit: ['Write'],
}

/** True if rules of one tool count for the calls of another: its own, its family's, or those of an MCP server. */
export function isRuleFor(
  ruleTool: string,
  { toolName, server }: { readonly toolName: string; readonly server?: string | undefined },
): boolean {
  if (ruleTool === toolName || (server !== undefined && ruleTool === `mcp__${server}`)) return true
  if (Object.hasOwn(COVERED_TOOLS, ruleTool) && COVERED_TOOLS[ruleTool]?.includes(toolName)) return true
  return /^mcp__(?!.*__)./.test(ruleTool) && toolName.startsWith(`${ruleTool}__`)
}

/** The tool that a rule should name, so that it counts for the whole family. */
export function findFamily(toolName: string): string {
  return Object.keys(COVERED_TOOLS).find((head) => COVERED_TOOLS[head]?.includes(toolName)) ?? toolName
}

/** True if calls of a tool leave the machine. */
export function isReachingOut(toolName: string): boolean {
  return toolName === 'WebFetch' || toolName === 'WebSearch' || toolName.startsWith('mcp__')
}
