import type { ListedModule } from '../../engine/listing.ts'
import { formatHanging } from './hook-view.ts'
import { clipText } from './layout.ts'
import type { Terminal } from './terminal.ts'

/** The modules of plugins, which answer before hooks do; no line where there are none. */
export function formatModules(modules: readonly ListedModule[], { width, paint }: Terminal): string[] {
  return modules.flatMap(({ state, file, line, module, because }) => [
    `  ${paint.yellow(state)}  ${paint.bold(clipText(`${file}:${line}`, width - state.length - 16))}  ${paint.dim('plugin')}`,
    `    module   ${clipText(module, width - 13)}`,
    paint.yellow(formatHanging('because', because, width)),
  ])
}
