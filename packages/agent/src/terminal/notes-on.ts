import type { AgentResult } from '../result.ts'
import type { Item } from './item.ts'

/** What there is to say when a prompt had no answer; a hook's halt was told when it came. */
export function notesOn(result: AgentResult): Item[] {
  if (result.success || result.subtype === 'error_stopped_by_hook') return []
  return [{ kind: 'note', text: result.error, tone: result.subtype === 'error_interrupted' ? 'plain' : 'bad' }]
}
