import { hanging } from './hook-view.ts'
import { indented } from './layout.ts'
import type { Terminal } from './terminal.ts'

/** Why hooks are silent, each with what to do about it. */
export function causeLines(
  causes: readonly { readonly because: string; readonly fix: string }[],
  { width, paint }: Terminal,
): string[] {
  return causes.flatMap(({ because, fix }) => [
    paint.yellow(indented(because, '  ', width)),
    hanging('fix', fix, width),
  ])
}
