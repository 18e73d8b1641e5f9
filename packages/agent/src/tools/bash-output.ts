import * as z from 'zod'
import type { BackgroundStatus } from './background-commands.ts'
import { clip } from './clip.ts'
import { defineTool } from './define-tool.ts'
import { ToolError } from './tool.ts'

const MAX_BACKGROUND_OUTPUT_CHARS = 30_000

/** Reads what a command in the background has written. */
export const bashOutputTool = defineTool({
  name: 'BashOutput',
  description: 'Returns what a command in the background wrote since it was last asked, and whether it still runs.',
  input: z.strictObject({ bash_id: z.string().min(1).describe('The id that Bash gave') }),
  readOnly: true,
  edits: false,
  run: async ({ bash_id }, { background }) => {
    const output = await background.takeOutput(bash_id)
    if (output === null) throw new ToolError(describeUnknownCommand(bash_id, background.list()))
    const { text, skipped, state } = output
    const gap = skipped > 0 ? `[… ${skipped} bytes left out …]\n` : ''
    const shown = clip(text.trimEnd(), MAX_BACKGROUND_OUTPUT_CHARS)
    return {
      content: `Status: ${formatBackgroundStatus(state)}\n${gap}${shown || '(no new output)'}`,
      response: { shellId: bash_id, ...state, stdout: shown, skippedBytes: skipped },
    }
  },
})

/** Describes an unknown id. */
export function describeUnknownCommand(id: string, known: readonly { readonly id: string }[]): string {
  const ids = known.map((command) => command.id).join(', ')
  return `There is no command "${id}" in the background. ${ids ? `There are: ${ids}.` : 'None was started.'}`
}

/** A status as a user would say it. */
export function formatBackgroundStatus(state: BackgroundStatus): string {
  if (state.status === 'running') return 'running'
  return state.status === 'exited' ? `exited with code ${state.code}` : state.reason
}
