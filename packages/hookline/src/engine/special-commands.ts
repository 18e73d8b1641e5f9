import type { SpecialCommand } from '../config/switches.ts'
import { runCommand } from '../run/command.ts'
import { Payload } from '../run/payload.ts'
import { linkStopSignals } from '../run/stop-signal.ts'
import type { Session } from './session.ts'

/** How long the status line and the file suggestion may take. */
const LIMIT_MS = 5000

/** Runs the configured status line on a status object: its lines trimmed, blank ones removed; null when there is none. */
export async function runStatusLine(
  session: Session,
  status: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const lines = await linesOf(session, 'statusLine', status, signal)
  return lines === null ? null : lines.join('\n')
}

/** Asks the configured command for paths that fit what was typed; none when there is no such command or it fails. */
export async function runFileSuggestion(
  session: Session,
  query: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  return (await linesOf(session, 'fileSuggestion', { ...session.common, query }, signal)) ?? []
}

async function linesOf(
  session: Session,
  which: 'statusLine' | 'fileSuggestion',
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<string[] | null> {
  const special: SpecialCommand | null = session.snapshot.switches[which]
  if (special === null) return null
  const { options, closing, log } = session
  const { stop, unlink } = linkStopSignals(signal, closing)
  const run = await runCommand(
    { type: 'command', command: special.command, async: false },
    {
      payload: new Payload(input, { onlyFunctions: false }),
      env: options.run.environment.now(),
      cwd: typeof input.cwd === 'string' ? input.cwd : options.places.project,
      pluginRoot: null,
      envFile: null,
      timeoutMs: LIMIT_MS,
      stop,
      closing,
      options: options.run,
    },
  )
  unlink()
  if (run.ended !== 'exited' || run.code !== 0) {
    log?.('ERROR', () => `${which} failed: ${run.ended === 'exited' ? `exit code ${run.code}` : run.ended}`)
    return null
  }
  const lines = run.stdout.kept.toString('utf8').split('\n')
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}
