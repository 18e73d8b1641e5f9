import { setTimeout as pause } from 'node:timers/promises'
import { readSettings } from '../../../config/configuration.ts'
import { HooklineError } from '../../../files/error.ts'
import { findHome } from '../../../files/home.ts'
import { type Enrolment, enrolMachine, makePseudonym, readEnrolment } from '../../../fleet/enrolment.ts'
import { findSpool, type SpoolPlace, sweepSpool } from '../../../fleet/segments.ts'
import { type FleetSettings, findFleet } from '../../../fleet/settings.ts'
import { countRecords, listBatches, type Shipped, ship } from '../../../fleet/ship.ts'
import { toProgramText } from '../../../text/program-text.ts'
import { readArguments, UsageError } from '../../start/flags.ts'
import { print, printForProgram, printJson, tell } from '../../start/print.ts'

export const usage = `hookline ship [flags]
hookline ship enrol URL TOKEN

Sends the records that hooks made on this machine to the fleet that it is in:
"hookline": { "fleet": { "url": "https://fleet.example" } } in the settings of
your organisation, or in your own. A project's settings have no say. Records
that the server has are removed here; one that it refuses is put aside, and
holds up no other.

  hookline ship enrol https://fleet.example 3f9c…
  hookline ship --dry-run
  hookline ship --watch

"enrol" gives the token that an administrator made for a key of this machine,
kept in ~/.hookline/fleet.json. "level" in the settings says what leaves it:
counts (figures of the hour), facts (names, times and outcomes; the default),
redacted (texts too, without secrets), full.

  --dry-run                print exactly what would leave the machine, and send
                           nothing
  --watch                  go on as new records come; Ctrl+C stops it
  --home DIR               use this as the user's home
  --json                   print JSON

Exit codes: 0; 1 a mistake, no fleet, or the server has not taken everything.
`

const FLAGS = {
  'dry-run': { type: 'boolean' },
  watch: { type: 'boolean' },
  home: { type: 'string' },
  json: { type: 'boolean' },
} as const

/** Runs `hookline ship`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const home = values.home ?? findHome()
  const [act, url, token, ...more] = positionals
  if (act === 'enrol') {
    if (url === undefined || token === undefined || more.length > 0)
      throw new UsageError('enrol takes the address of the server and a token: hookline ship enrol URL TOKEN.')
    const { machine } = await enrolMachine(home, url, token)
    if (values.json) printJson({ machine, url })
    else print(`This machine is ${machine} in the fleet at ${url}.\n`)
    return 0
  }
  if (act !== undefined) throw new UsageError(`"${act}" is not enrol, which is all that can stand here.`)
  const place = findSpool(home)
  if (values['dry-run']) return printBatches(place, await readEnrolment(home))
  const settings = await readFleetSettings(home)
  const enrolment = await requireEnrolment(home)
  if (values.watch) return watch(place, { settings, enrolment })
  return report(await shipOnce(place, { settings, enrolment }), { isJson: values.json === true, url: enrolment.url })
}

interface Fleet {
  readonly settings: FleetSettings
  readonly enrolment: Enrolment
}

async function readFleetSettings(home: string): Promise<FleetSettings> {
  const found = findFleet(await readSettings({ project: home, home }))
  if (found === null)
    throw new HooklineError('no fleet is configured here: "hookline": { "fleet": { "url": … } } in your settings.')
  if ('fault' in found) throw new HooklineError(`${found.file}  ${found.fault}.`)
  return found.settings
}

async function requireEnrolment(home: string): Promise<Enrolment> {
  const enrolment = await readEnrolment(home)
  if (enrolment === null) throw new HooklineError('this machine is not enrolled: hookline ship enrol URL TOKEN.')
  return enrolment
}

async function shipOnce(place: SpoolPlace, { settings, enrolment }: Fleet, signal?: AbortSignal): Promise<Shipped> {
  const server = { url: settings.url, key: enrolment.key }
  const shipped = await ship(place, server, {
    person: makePseudonym(enrolment),
    ...(signal === undefined ? {} : { signal }),
  })
  const { dropped } = await sweepSpool(place, settings.maxBytes)
  if (dropped > 0) tell(`The spool is full: records of ${dropped} segments were dropped, which is a record too.\n`)
  return shipped
}

function report({ sent, refused, problem }: Shipped, { isJson, url }: { isJson: boolean; url: string }): number {
  if (isJson) printJson({ sent, refused, problem: problem?.because ?? null })
  else {
    print(`${sent} ${sent === 1 ? 'record' : 'records'} sent.\n`)
    if (refused > 0) tell(`${refused} were refused, and put aside in ~/.hookline/spool.\n`)
    if (problem !== null) tell(`${url} has not taken everything: ${problem.because}.\n`)
  }
  return problem === null ? 0 : 1
}

/** Prints the text of every batch, as it would be on the wire before it is compressed. */
async function printBatches(place: SpoolPlace, enrolment: Enrolment | null): Promise<number> {
  let count = 0
  const person = enrolment === null ? null : makePseudonym(enrolment)
  for await (const { text, lines } of listBatches(place, person)) {
    printForProgram(toProgramText(text))
    count += countRecords(lines)
  }
  tell(`${count} ${count === 1 ? 'record' : 'records'} would be sent.\n`)
  return 0
}

const IDLE_MS = 2000
const MAX_PAUSE_MS = 60_000

/** Ships until it is ended. A server that does not answer is asked less and less often, and not by all machines at once. */
async function watch(place: SpoolPlace, fleet: Fleet): Promise<number> {
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  let failures = 0
  while (!ending.signal.aborted) {
    const { sent, problem } = await shipOnce(place, fleet, ending.signal)
    if (sent > 0) tell(`${sent} records sent.\n`)
    if (ending.signal.aborted) break
    if (problem?.retry === null)
      return report({ sent, refused: 0, segments: 0, problem }, { isJson: false, url: fleet.settings.url })
    failures = problem === null ? 0 : failures + 1
    if (failures === 1) tell(`${fleet.settings.url}: ${problem?.because}; it is tried again.\n`)
    await pause(choosePause(failures, problem?.retry?.afterSeconds ?? null), undefined, {
      signal: ending.signal,
    }).catch(
      () => {}, // ended
    )
  }
  return 0
}

function choosePause(failures: number, afterSeconds: number | null): number {
  if (afterSeconds !== null) return Math.min(afterSeconds * 1000, MAX_PAUSE_MS)
  const longest = Math.min(IDLE_MS * 2 ** failures, MAX_PAUSE_MS)
  return failures === 0 ? IDLE_MS : longest / 2 + Math.random() * (longest / 2)
}
