import type { Tool } from './tool.ts'

/** A tool that takes whatever fits its schema: the shape in which tools of different inputs stand in one list. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  const { normalise } = tool
  return {
    ...tool,
    normalise: (input, context) => {
      const parsed = tool.input.parse(input)
      return normalise === undefined ? parsed : normalise(parsed, context)
    },
    run: (input, context) => tool.run(tool.input.parse(input), context),
  }
}
