/** Source of a prompt besides the arguments. */
type Input = AsyncIterable<Buffer | string> & {
  readonly isTTY?: boolean
  readonly destroy: () => unknown
  readonly once: (event: 'readable' | 'end', listener: () => void) => unknown
}

/** Milliseconds that a pipe may stay silent beside a prompt in the arguments: the program that starts us may leave one open. */
const SILENT_PIPE_TIMEOUT_MS = 3000

/** The prompt: the argument, what comes on standard input, or both; '' when there is neither. */
export async function readPrompt(
  argument: string,
  {
    input,
    tell,
    patienceMs = SILENT_PIPE_TIMEOUT_MS,
  }: { input: Input; tell: (text: string) => void; patienceMs?: number },
): Promise<string> {
  const piped = input.isTTY ? '' : await readPiped(input, { needed: argument === '', tell, patienceMs })
  return [argument, piped.trim()].filter((part) => part !== '').join('\n\n')
}

interface PipeWait {
  /** Nothing else says what to do, so it is waited for as long as it takes. */
  readonly needed: boolean
  readonly tell: (text: string) => void
  readonly patienceMs: number
}

async function readPiped(input: Input, { needed, tell, patienceMs }: PipeWait): Promise<string> {
  if (!needed && (await isSilent(input, patienceMs))) {
    input.destroy()
    tell(`Nothing came on standard input for ${patienceMs / 1000} s: going on with the prompt alone.`)
    return ''
  }
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

function isSilent(input: Input, patienceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), patienceMs)
    const onHeard = (): void => {
      clearTimeout(timer)
      resolve(false)
    }
    input.once('readable', onHeard)
    input.once('end', onHeard)
  })
}
