import { formatHanging } from './hook-view.ts'
import { indentText } from './layout.ts'
import type { Terminal } from './terminal.ts'

/** Reason why hooks are silent, each with what to do about it. */
export function formatCauses(
  causes: readonly { readonly because: string; readonly fix: string }[],
  { width, paint }: Terminal,
): string[] {
  return causes.flatMap(({ because, fix }) => [
    paint.yellow(indentText(because, '  ', width)),
    formatHanging('fix', fix, width),
  ])
}
