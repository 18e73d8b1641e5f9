/** A compiled pattern: linear in time whatever it says, unanchored, case-sensitive. */
export type Regex = (subject: string) => boolean

/** A pattern that could not be compiled, and where it goes wrong. */
export interface BadPattern {
  readonly problem: string
  /** Offset of the fault in the pattern, where it is known. */
  readonly offset: number
  /** True for a pattern of clients whose patterns may take any time. */
  readonly isPatternElsewhere?: true
}

/** Longer patterns are refused: compiling them takes time that no hook is worth. */
export const MAX_PATTERN_CHARS = 4096

/** Compiles a regular expression of the RE2 syntax. What it takes is loaded when the first one is met. */
export async function compileRegex(pattern: string): Promise<Regex | BadPattern> {
  if (pattern.length > MAX_PATTERN_CHARS) return describeTooLong()
  const { compilePattern } = await import('./compiled.ts')
  try {
    return compilePattern(pattern)
  } catch (error) {
    return explainFault(pattern, error instanceof Error ? error.message : String(error))
  }
}

/** Compiles a pattern that may look ahead and behind, as in `^(?!mcp__)`: bounded in time on names, which are short. */
export async function compileWithLookAround(pattern: string): Promise<Regex | BadPattern> {
  const plain = await compileRegex(pattern)
  if (!isBadPattern(plain) || !LOOK_AROUND.test(pattern) || pattern.length > MAX_PATTERN_CHARS) return plain
  const { compileLookAround } = await import('./look-around.ts')
  return compileLookAround(pattern) ?? plain
}

const LOOK_AROUND = /\(\?<?[=!]/

/** Describes a pattern that is too long. */
export function describeTooLong(): BadPattern {
  return { problem: `is longer than ${MAX_PATTERN_CHARS} characters`, offset: MAX_PATTERN_CHARS }
}

/** True if compiling failed. */
export function isBadPattern(compiled: Regex | BadPattern): compiled is BadPattern {
  return typeof compiled !== 'function'
}

function explainFault(pattern: string, message: string): BadPattern {
  const lookAround = pattern.search(LOOK_AROUND)
  if (lookAround >= 0)
    return { problem: 'uses look-around, which RE2 does not have', offset: lookAround, isPatternElsewhere: true }
  const backReference = pattern.search(/\\[1-9]/)
  if (backReference >= 0)
    return {
      problem: 'uses a back-reference, which RE2 does not have',
      offset: backReference,
      isPatternElsewhere: true,
    }
  const quoted = /`(.*)`\s*$/s.exec(message)?.[1] ?? ''
  return {
    problem: `is not a valid regular expression: ${message.replace(/^error parsing regexp: /, '')}`,
    offset: Math.max(0, pattern.indexOf(quoted)),
  }
}
