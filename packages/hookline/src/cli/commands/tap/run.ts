import { findHome } from '../../../files/home.ts'
import { type ProgramEnd, runInPlace, toProgram } from '../../../process/in-place.ts'
import { MAX_TAPPED_OUTPUT_BYTES, recordTapped, type SeenEvent } from '../../../record/tap-line.ts'
import { hasPayloadOnStdin, readPayload } from '../../input/hook-payload.ts'
import { splitTapWords, type TapFlags } from '../../input/wrapper-call.ts'
import { tell } from '../../start/print.ts'

/** Runs `hookline tap record` and `hookline tap -- COMMAND`, inside of a hook. Whatever goes wrong here, the hook does not fail. */
export async function run(args: string[]): Promise<number> {
  const { flags, words } = splitTapWords(args)
  const at = new Date()
  if (words === null && args[0] !== 'record') {
    const { formatSuggestion } = await import('../../../text/nearest.ts') // no hook needs this
    const near = formatSuggestion(args[0] ?? '', ['install', 'uninstall', 'record'])
    tell(
      `hookline tap: It takes install, uninstall, or a command: hookline tap -- COMMAND.${near}\nSee hookline tap --help.\n`,
    )
    return 1
  }
  if (words === null) {
    const { payload } = await readPayload()
    await note({ at, input: payload ?? {}, hook: null }, flags)
    return 0
  }
  if (!hasPayloadOnStdin()) return endTap(await runInPlace({ ...toProgram(words), input: null }))
  const given = await readPayload()
  const input = { bytes: given.bytes, isAll: given.ended }
  const { payload } = given
  if (payload === null) return endTap(await runInPlace({ ...toProgram(words), input }))
  const outputs = { stdout: new TapStart(), stderr: new TapStart() }
  const started = performance.now()
  const end = async ({ code, signal, stopped }: ProgramEnd): Promise<void> => {
    const durationMs = Math.round((performance.now() - started) * 10) / 10
    const facts = {
      id: flags.as ?? null,
      matcher: flags.matcher ?? null,
      command: words.join(' '),
      exitCode: code,
      signal,
      stopped,
      durationMs,
    }
    const hook = { ...facts, stdout: outputs.stdout.readTold(), stderr: outputs.stderr.readTold() }
    await note({ at, input: payload, hook }, flags)
  }
  const listener = {
    heard: (stream: keyof typeof outputs, bytes: Buffer) => outputs[stream].add(bytes),
    ended: end,
  }
  return endTap(await runInPlace({ ...toProgram(words), input, listener }))
}

function endTap({ code, fault }: { readonly code: number; readonly fault?: string }): number {
  if (fault !== undefined) tell(`hookline tap: ${fault}\n`)
  return code
}

/** Writes down what this process has seen. */
const note = (seen: SeenEvent, { prompts = false }: TapFlags): Promise<void> =>
  recordTapped(seen, { home: findHome(), env: process.env, prompts })

/** The beginning of what a stream carries. */
class TapStart {
  readonly #kept: Buffer[] = []
  #length = 0
  #bytes = 0

  add(bytes: Buffer): void {
    this.#bytes += bytes.length
    const room = MAX_TAPPED_OUTPUT_BYTES - this.#length
    if (room <= 0) return
    const kept = bytes.subarray(0, room)
    this.#length += kept.length
    this.#kept.push(kept)
  }

  readTold(): { readonly text: string; readonly bytes: number } {
    return { text: Buffer.concat(this.#kept).toString('utf8'), bytes: this.#bytes }
  }
}
