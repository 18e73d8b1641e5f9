import { problemLine } from '../../config/problem.ts'
import { type Engine, openEngine } from '../../engine/engine.ts'
import { indented } from '../view/layout.ts'
import { type Terminal, terminalOf } from '../view/terminal.ts'
import { driverDefaults } from './driver-defaults.ts'
import { type EngineFlags, engineOptions } from './flags.ts'
import { lentModels } from './models.ts'
import { tell } from './print.ts'

/** Opens an engine as the flags say, and closes it when the command is done. */
export async function withEngine(flags: EngineFlags, act: (engine: Engine) => Promise<number>): Promise<number> {
  const engine = await openEngine({ ...driverDefaults(engineOptions(flags)), ...lentModels(flags) })
  try {
    return await act(engine)
  } finally {
    await engine.close()
  }
}

/** Where a command writes to. */
export function commandTerminal(flags: EngineFlags): Terminal {
  return terminalOf(process.stdout, process.env, { color: flags['no-color'] !== true })
}

/** Tells what is wrong in the files, on stderr: data and talk do not mix. */
export function tellProblems({ problems }: Engine): void {
  if (problems.length === 0) return
  const { width } = terminalOf(process.stderr, process.env)
  for (const problem of problems) {
    const line = problemLine(problem)
    tell(`${process.stderr.isTTY ? indented(line, '', width) : line}\n`) // programs read whole lines
  }
}
