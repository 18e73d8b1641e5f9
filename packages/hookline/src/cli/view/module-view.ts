import type { ListedModule } from '../../engine/listing.ts'
import { hanging } from './hook-view.ts'
import { clipped } from './layout.ts'
import type { Terminal } from './terminal.ts'

/** The modules of plugins, which answer before hooks do; no line where there are none. */
export function moduleLines(modules: readonly ListedModule[], { width, paint }: Terminal): string[] {
  return modules.flatMap(({ state, file, line, module, because }) => [
    `  ${paint.yellow(state)}  ${paint.bold(clipped(`${file}:${line}`, width - state.length - 16))}  ${paint.dim('plugin')}`,
    `    module   ${clipped(module, width - 13)}`,
    paint.yellow(hanging('because', because, width)),
  ])
}
