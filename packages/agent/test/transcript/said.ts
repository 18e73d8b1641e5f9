import type { Message } from '../../src/output/messages.ts'
import type { TranscriptEntry } from '../../src/transcript/entry.ts'
import { Transcript, type TranscriptOptions } from '../../src/transcript/transcript.ts'

/** A message that is one text. */
export function text(role: Message['role'], said: string): Message {
  return { role, content: [{ type: 'text', text: said }] }
}

/** A line of the model's, with numbers that do not matter. */
export function answered(message: Message): TranscriptEntry {
  return { kind: 'assistant', message, model: 'm', usage: { inputTokens: 3, outputTokens: 2 }, cutShort: false }
}

/** A line of what the model reads. */
export function told(message: Message): TranscriptEntry {
  return { kind: 'user', message, origin: 'user' }
}

/** A message as the entry of its side. */
export function entryOf(message: Message): TranscriptEntry {
  return message.role === 'user' ? told(message) : answered(message)
}

/** A transcript at a path, for a session that does not matter. */
export function transcriptAt(path: string, options: Partial<TranscriptOptions> = {}): Transcript {
  const unexpected = (problem: string): never => {
    throw new Error(problem)
  }
  return new Transcript({ path, sessionId: 's1', cwd: '/project', onProblem: unexpected, ...options })
}
