import type { Engine, EngineOptions } from 'hookline'

/**
 * Whether the person accepted what this folder allows. A folder without hooks counts as accepted by the engine, for there
 * was nothing to ask about: that does not make its allow rules anybody's.
 */
export function mayLoosen({ trust }: Pick<Engine, 'trust'>, answer: EngineOptions['trust']): boolean {
  return answer === 'accepted' || (trust.accepted && Object.keys(trust.request.files).length > 0)
}
