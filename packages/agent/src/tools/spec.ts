import * as z from 'zod'
import type { ToolSpec } from '../models/model.ts'
import type { Tool } from './tool.ts'

const specs = new WeakMap<Tool, ToolSpec>()

/** A tool as the model is told of it; made once. */
export function specOf(tool: Tool): ToolSpec {
  const known = specs.get(tool)
  if (known) return known
  const { $schema, ...inputSchema } = tool.inputSchema ?? z.toJSONSchema(tool.input, { io: 'input' })
  const spec = { name: tool.name, description: tool.description, inputSchema }
  specs.set(tool, spec)
  return spec
}
