/** Subject of an event, for counting. */
export type Subject = 'prompt' | 'call' | 'result' | 'failure' | 'stop' | 'other'

const SUBJECTS: Readonly<Record<string, Subject>> = {
  UserPromptSubmit: 'prompt',
  PreToolUse: 'call',
  PostToolUse: 'result',
  PostToolUseFailure: 'failure',
  Stop: 'stop',
  SubagentStop: 'stop',
}

/** Finds what an event of a name is about. */
export function findEventSubject(event: string): Subject {
  return (Object.hasOwn(SUBJECTS, event) && SUBJECTS[event]) || 'other'
}
