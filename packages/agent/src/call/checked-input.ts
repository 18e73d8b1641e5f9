import * as z from 'zod'
import type { Tool } from '../tools/tool.ts'

/** An input in the shape that the tool, hooks and rules can rely on, or what is wrong with it. */
export function checkToolInput(
  tool: Tool,
  input: unknown,
  { cwd }: { readonly cwd: string },
): { readonly input: unknown } | { readonly fault: string } {
  const parsed = tool.input.safeParse(input ?? {})
  if (!parsed.success) return { fault: z.prettifyError(parsed.error) }
  return { input: tool.normalise ? tool.normalise(parsed.data, { cwd }) : parsed.data }
}
