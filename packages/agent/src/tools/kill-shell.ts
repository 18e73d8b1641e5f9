import * as z from 'zod'
import { describeUnknownCommand, formatBackgroundStatus } from './bash-output.ts'
import { defineTool } from './define-tool.ts'
import { ToolError } from './tool.ts'

/** Ends a command in the background. */
export const killShellTool = defineTool({
  name: 'KillShell',
  description: 'Ends a command in the background, with every process it started.',
  input: z.strictObject({ shell_id: z.string().min(1).describe('The id that Bash gave') }),
  readOnly: false,
  edits: false,
  run: async ({ shell_id }, { background }) => {
    const state = await background.end(shell_id)
    if (state === null) throw new ToolError(describeUnknownCommand(shell_id, background.list()))
    return { content: `${shell_id}: ${formatBackgroundStatus(state)}`, response: { shell_id, ...state } }
  },
})
