import { BRIDGES, bridgeNamed } from '../../../bridges/list.ts'
import { runBridge } from '../../../bridges/run.ts'
import { engineOptions, readArguments, UsageError } from '../../start/flags.ts'
import { print, tell } from '../../start/print.ts'

const FLAGS = {
  attended: { type: 'boolean' },
  'native-transcript': { type: 'boolean' },
  project: { type: 'string' },
  home: { type: 'string' },
  managed: { type: 'string' },
  plugin: { type: 'string', multiple: true },
  settings: { type: 'string' },
  trust: { type: 'boolean' },
} as const

/** No event of an agent is longer. */
const LONGEST = 16 * 1024 * 1024

/** Runs `hookline bridge run`: the host reads stdout and the exit code, a person stderr. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const [agent = '', hostEvent, ...more] = positionals
  const bridge = bridgeNamed(agent)
  if (bridge === null)
    throw new UsageError(`"${agent}" is not an agent that is known. Agents: ${Object.keys(BRIDGES).join(', ')}.`)
  if (hostEvent === undefined || more.length > 0)
    throw new UsageError('It takes the name of an agent and of one of its events.')
  const { project, profile: _, ...engine } = engineOptions(values)
  const { stdout, stderr, code, notes } = await runBridge({
    bridge,
    hostEvent,
    text: await readInput(),
    env: process.env,
    attended: values.attended === true,
    nativeTranscript: values['native-transcript'] === true,
    engine: values.project === undefined ? engine : { ...engine, project },
  })
  if (stderr !== '') tell(`${stderr}\n`)
  for (const note of notes) if (code === 0) tell(`hookline: ${note}\n`)
  if (stdout !== '') print(`${stdout}\n`)
  return code
}

/** All of stdin, to its end: some hosts write it before they read anything. Null when it is too long. */
async function readInput(): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin) {
    length += chunk.length
    if (length <= LONGEST) chunks.push(chunk)
  }
  return length > LONGEST ? null : Buffer.concat(chunks).toString('utf8')
}
