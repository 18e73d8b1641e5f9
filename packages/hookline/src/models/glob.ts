import { type BadPattern, compileRegex, describeTooLong, MAX_PATTERN_CHARS, type Regex } from '../pattern/regex.ts'

/**
 * Compiles a glob (`*`, `**`, `?`, `[a-z]`, `{a,b}`) for paths with slashes. One without a slash is about names of files
 * in any folder.
 */
export async function compileGlob(glob: string): Promise<Regex | BadPattern> {
  if (glob.length > MAX_PATTERN_CHARS) return describeTooLong()
  const anywhere = glob.includes('/') ? glob.replace(/^\.?\//, '') : `**/${glob}`
  return compileRegex(`^(?:${toExpression(anywhere)})$`)
}

const PIECES = /\*\*\/|\*\*|\*|\?|\[[^\]/]+\]|\{[^{}]*\}|./gsu

function toExpression(glob: string): string {
  return [...glob.matchAll(PIECES)].map(([piece]) => toPiece(piece)).join('')
}

function toPiece(piece: string): string {
  if (piece === '**/') return '(?:.*/)?'
  if (piece === '**') return '.*'
  if (piece === '*') return '[^/]*'
  if (piece === '?') return '[^/]'
  if (piece.length > 2 && piece.startsWith('{')) {
    const choices = piece.slice(1, -1).split(',')
    return `(?:${choices.map(toExpression).join('|')})`
  }
  if (piece.length > 2 && piece.startsWith('[')) return toClass(piece.slice(1, -1))
  return piece.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
}

function toClass(inside: string): string {
  const letters = inside.replace(/^[!^]/, '')
  return `[${letters === inside ? '' : '^'}${letters.replace(/[\\[\]^]/g, '\\$&')}]`
}
