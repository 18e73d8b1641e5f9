import * as z from 'zod'
import { defineTool } from './define-tool.ts'

/** The name of the tool that ends the mode `plan`. */
export const EXIT_PLAN_MODE = 'ExitPlanMode'

/** Note for the model with each prompt in the mode `plan`. */
export const PLAN_NOTE = [
  'Plan mode is on: nothing may be changed yet. Look around with read-only tools, then call',
  `${EXIT_PLAN_MODE} with a plan. The user approves it, or says what to change.`,
].join(' ')

/** Shows the user a plan; once they approve it, the mode is another one. */
export const exitPlanModeTool = defineTool({
  name: EXIT_PLAN_MODE,
  description: 'In plan mode: shows the user your plan and asks for approval. Call it when the plan is complete.',
  input: z.strictObject({ plan: z.string().min(1).describe('The plan, in Markdown: what you will do, step by step') }),
  readOnly: true,
  edits: false,
  isApproved: true,
  run: async ({ plan }) => ({ content: 'The user approved the plan. Carry it out.', response: { plan } }),
})
