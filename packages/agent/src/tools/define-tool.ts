import type { Tool } from './tool.ts'

/** A tool that takes whatever fits its schema: the shape in which tools of different inputs stand in one list. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool // the compiler cannot know that inputs are parsed by `tool.input` before they come here
}
