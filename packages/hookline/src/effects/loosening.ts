/** A decision of the user alone. */
export interface Loosening {
  /** Subject of a sentence: what is decided. */
  readonly what: string
  /** Answer where nobody can be asked: `--yes` in a script of the user, or none but the command's own way. */
  readonly unasked: 'yes' | 'own'
}

/** Calls of Hookline that loosen what guards a session, by command: the words behind it without options. */
const LOOSENING: Readonly<Record<string, readonly (readonly [RegExp, string, Loosening['unasked']])[]>> = {
  guard: [
    [/^(?:allow|trust)\b/, 'What guards let pass', 'own'],
    [/^(?:remove|off|disable)\b/, 'Whether calls are guarded', 'own'],
  ],
  bridge: [
    [/^allow\b/, 'Which fields pass', 'own'],
    [/^(?:uninstall|remove)\b/, 'Whether hooks run in another agent', 'yes'],
  ],
  trust: [[/^(?:accept|add)\b/, 'Which hooks are trusted', 'own']],
  profile: [[/^[a-z]/, 'How settings are read', 'yes']],
  remove: [[/^/, 'Which hooks run', 'yes']],
  tap: [[/^(?:uninstall|remove|off)\b/, 'Whether sessions are recorded', 'yes']],
  wrap: [[/^(?:uninstall|remove)\b/, 'Whether hooks are held to their limits', 'yes']],
  resident: [[/^stop\b/, 'Whether the resident runs', 'yes']],
  fleet: [[/^(?:leave|remove|off)\b/, 'Whether a fleet is told', 'own']],
}

/** Finds out what a call of Hookline decides for the user alone; null for one that loosens nothing, and for one that only shows or explains. */
export function findLoosening(words: readonly string[]): Loosening | null {
  const [first = ''] = words
  if (!first.startsWith('-') && !Object.hasOwn(LOOSENING, first)) return null
  const end = words.indexOf('--')
  const own = end === -1 ? words : words.slice(0, end)
  if (own.some((word) => word === '--help' || word === '-h' || word === '--dry-run')) return null
  const [command = '', ...others] = own.filter((word) => !word.startsWith('-'))
  const calls = Object.hasOwn(LOOSENING, command) ? LOOSENING[command] : undefined
  const line = others.join(' ')
  const [, what, unasked] = calls?.find(([call]) => call.test(line)) ?? []
  return what === undefined || unasked === undefined ? null : { what, unasked }
}
