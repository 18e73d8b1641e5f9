import * as z from 'zod'

const common = {
  timeout: z.number().gt(0).optional().describe('seconds'),
  statusMessage: z.string().optional().describe("text beside the host's spinner while the hook runs"),
  onFailure: z.enum(['continue', 'block']).optional().describe('block: a failure of the hook blocks the event'),
  once: z.boolean().optional().describe('runs once per session; in skills and slash commands only'),
}

/** The hook types of `classic`, as they are written in settings. */
export const handlerSchemas = {
  command: z.looseObject({
    type: z.literal('command'),
    command: z.string().describe('shell text'),
    async: z.boolean().optional().describe('starts in the background and cannot decide anything'),
    ...common,
  }),
  prompt: z.looseObject({
    type: z.literal('prompt'),
    prompt: z.string().describe('$ARGUMENTS stands for the event as JSON'),
    model: z.string().optional(),
    ...common,
  }),
  agent: z.looseObject({
    type: z.literal('agent'),
    prompt: z.string().describe('$ARGUMENTS stands for the event as JSON'),
    model: z.string().optional(),
    ...common,
  }),
}

/** A group of hooks under one matcher. */
export const groupSchema = z.looseObject({
  matcher: z.string().optional(),
  description: z.string().optional(),
  hooks: z.array(
    z.discriminatedUnion(
      'type',
      Object.values(handlerSchemas) as [
        typeof handlerSchemas.command,
        typeof handlerSchemas.prompt,
        typeof handlerSchemas.agent, // Object.values forgets the tuple
      ],
    ),
  ),
})

/** A hook of one of the types as it stands in a settings file. */
export type HookSetting = z.infer<(typeof handlerSchemas)[keyof typeof handlerSchemas]>
