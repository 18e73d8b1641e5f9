import type { SpecialCommand } from '../config/switches.ts'
import type { Session } from '../dispatch/pipe.ts'
import { runCommand } from '../hook-types/command.ts'
import { Payload } from '../run/payload.ts'
import type { BackgroundRun, Run } from '../run/run.ts'
import { linkStopSignals } from '../run/stop-signal.ts'
import { removeControls } from '../text/clean.ts'

/** Milliseconds that the status line and the file suggestion may take. */
const SPECIAL_COMMAND_TIMEOUT_MS = 5000

/** Wishes of a host that follows a special command. */
export interface SpecialCall {
  readonly signal?: AbortSignal | undefined
  /** Hears why it failed. */
  readonly onFault?: ((text: string) => void) | undefined
}

/** Runs the configured status line on a status object: its lines trimmed, blank ones removed; null when there is none. */
export async function runStatusLine(
  session: Session,
  status: Readonly<Record<string, unknown>>,
  call: SpecialCall,
): Promise<string | null> {
  const lines = await readLines(session, 'statusLine', status, call)
  return lines === null ? null : lines.join('\n')
}

/** Asks the configured command for paths that fit what was typed; none when there is no such command or it fails. */
export async function runFileSuggestion(session: Session, query: string, call: SpecialCall): Promise<string[]> {
  return (await readLines(session, 'fileSuggestion', { ...session.common, query }, call)) ?? []
}

async function readLines(
  session: Session,
  which: 'statusLine' | 'fileSuggestion',
  input: Readonly<Record<string, unknown>>,
  { signal, onFault }: SpecialCall,
): Promise<string[] | null> {
  const special: SpecialCommand | null = session.snapshot.switches[which]
  if (special === null) return null
  const { options, closing, log } = session
  const { stop, unlink } = linkStopSignals(signal, closing)
  const run = await runCommand(
    { type: 'command', command: special.command },
    {
      payload: new Payload(input, { onlyFunctions: false }),
      env: options.run.environment(session.snapshot.profiles.own.rules.environment).makeForProcess(),
      cwd: typeof input.cwd === 'string' ? input.cwd : options.places.project,
      pluginRoot: null,
      plugin: null,
      envFile: null,
      waits: true,
      recurs: null,
      timeoutMs: SPECIAL_COMMAND_TIMEOUT_MS,
      stop,
      closing,
      options: options.run,
    },
  )
  unlink?.()
  if (run.ended !== 'exited' || run.code !== 0) {
    const fault = `${which} failed: ${describeFailure(run)}`
    log?.('ERROR', () => fault)
    if (run.ended !== 'aborted') onFault?.(removeControls(fault))
    return null
  }
  const lines = run.stdout.kept.toString('utf8').split('\n')
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

/** Describes how a command failed, with the first line of its words. */
function describeFailure(run: Run | BackgroundRun): string {
  if (run.ended === 'timed-out') return `it took longer than ${SPECIAL_COMMAND_TIMEOUT_MS / 1000} s`
  if (run.ended !== 'exited') return 'reason' in run ? run.reason : run.ended
  const [said = ''] = `${run.stderr.kept.toString('utf8')}\n${run.stdout.kept.toString('utf8')}`.trim().split('\n')
  return `exit code ${run.code}${said === '' ? '' : `: ${said.trim()}`}`
}
