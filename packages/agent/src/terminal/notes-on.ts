import { blockedPromptShown } from '../hooks/words.ts'
import type { AgentResult } from '../output/result.ts'
import type { Item } from './item.ts'

/** What there is to say when a prompt had no answer; a hook's halt was told when it came. */
export function notesOn(result: AgentResult, prompt: string): Item[] {
  if (result.success || result.subtype === 'error_stopped_by_hook') return []
  const tone = result.subtype === 'error_interrupted' ? 'plain' : 'bad'
  if (result.subtype !== 'error_prompt_blocked') return [{ kind: 'note', text: result.error, tone }]
  return [{ kind: 'note', text: blockedPromptShown(result.error, prompt), tone, afterwards: result.error }]
}

/** Whether hooks kept a prompt from the conversation. */
export function isDropped({ subtype, turns }: AgentResult): boolean {
  return subtype === 'error_prompt_blocked' || (subtype === 'error_stopped_by_hook' && turns === 0)
}
