import { type CommandPattern, parseCommandPattern } from './command-pattern.ts'
import { type HostPattern, parseHostPattern } from './host-pattern.ts'
import { type PathPattern, parsePathPattern } from './path-pattern.ts'

/** Effect that a rule means, in place of a tool: `Deletes(~/**)` means every call that deletes there, by whatever tool. */
export type EffectPattern =
  | { readonly does: 'read' | 'write' | 'delete'; readonly path: PathPattern | null }
  | { readonly does: 'run'; readonly command: CommandPattern | null }
  | { readonly does: 'send'; readonly host: HostPattern | null }
  | { readonly does: 'change'; readonly system: string | null; readonly operation: string | null }

/** Words that stand in the place of a tool, and the effects that they mean. */
export const EFFECT_WORDS: Readonly<Record<string, EffectPattern['does']>> = {
  Reads: 'read',
  Writes: 'write',
  Deletes: 'delete',
  Runs: 'run',
  Sends: 'send',
  Changes: 'change',
}

/** True for a word that means effects, and no tool. */
export function isEffectWord(name: string): boolean {
  return Object.hasOwn(EFFECT_WORDS, name)
}

/** Reads what stands in the parentheses behind a word for effects, `*` for all; a text is what is wrong with it. */
export function parseEffectPattern(word: string, text: string): EffectPattern | string {
  const does = EFFECT_WORDS[word] ?? 'change'
  const isAll = text === '*'
  if (does === 'run') return { does, command: isAll ? null : parseCommandPattern(text) }
  if (does === 'send') {
    const host = isAll ? null : parseHostPattern(text)
    return host === null && !isAll ? 'write a host such as Sends(*.example.com)' : { does, host }
  }
  if (does === 'change') return isAll ? { does, system: null, operation: null } : parseChange(text)
  const path = isAll ? null : parsePathPattern(text)
  return typeof path === 'string' ? path : { does, path }
}

/** Systems that calls can change beyond files. */
const SYSTEMS = 'git registry database cloud cluster containers machine service agent'.split(' ')

/** `database:drop`; `database` and `database:*` are all changes of databases. */
function parseChange(text: string): EffectPattern | string {
  const [system = '', operation = '*', ...more] = text.split(':').map((part) => part.trim())
  if (!SYSTEMS.includes(system) || more.length > 0)
    return `write a system and a change of it, such as Changes(database:drop); the systems are ${SYSTEMS.join(', ')}`
  return { does: 'change', system, operation: operation === '*' ? null : operation }
}
