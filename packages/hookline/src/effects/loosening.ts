/** Calls of Hookline that loosen what guards a session, by command: the words behind it without options, with what they decide. */
const LOOSENING: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  guard: [
    [/^(?:allow|trust)\b/, 'What guards let pass'],
    [/^(?:remove|off|disable)\b/, 'Whether calls are guarded'],
  ],
  bridge: [
    [/^allow\b/, 'Which fields pass'],
    [/^(?:uninstall|remove)\b/, 'Whether hooks run in another agent'],
  ],
  trust: [[/^(?:accept|add)\b/, 'Which hooks are trusted']],
  profile: [[/^[a-z]/, 'How settings are read']],
  remove: [[/^/, 'Which hooks run']],
  tap: [[/^(?:uninstall|remove|off)\b/, 'Whether sessions are recorded']],
  wrap: [[/^(?:uninstall|remove)\b/, 'Whether hooks are held to their limits']],
  resident: [[/^stop\b/, 'Whether the resident runs']],
  fleet: [[/^(?:leave|remove|off)\b/, 'Whether a fleet is told']],
}

/** Finds out what a call of Hookline decides for the user alone; null for one that loosens nothing, and for one that only shows or explains. */
export function findLoosening(words: readonly string[]): string | null {
  const [first = ''] = words
  if (!first.startsWith('-') && !Object.hasOwn(LOOSENING, first)) return null
  const end = words.indexOf('--')
  const own = end === -1 ? words : words.slice(0, end)
  if (own.some((word) => word === '--help' || word === '-h' || word === '--dry-run')) return null
  const [command = '', ...others] = own.filter((word) => !word.startsWith('-'))
  const calls = Object.hasOwn(LOOSENING, command) ? LOOSENING[command] : undefined
  const line = others.join(' ')
  return calls?.find(([call]) => call.test(line))?.[1] ?? null
}
