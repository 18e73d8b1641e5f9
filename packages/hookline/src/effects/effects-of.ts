import type { Program } from '../programs/program.ts'
import { digestText } from '../text/digest.ts'
import { runCode } from './code/run-code.ts'
import { type Context, noteUnseen, type Reading, type Shell, TooMuch } from './context.ts'
import type { OwnPlaces } from './places.ts'
import { noteSelfRunning } from './self-running.ts'
import { runScript, runWords } from './shell.ts'
import { readToolCall, type ToolCall } from './tool-calls.ts'
import type { Effect, Step, View } from './view.ts'
import type { World } from './world.ts'

/** Places and programs that a team names itself. */
export interface OwnTables {
  readonly places?: OwnPlaces
  readonly programs?: Readonly<Record<string, Program>>
}

/** Lists all that a call would do, as far as its text and the files of the project tell. Never throws; runs nothing. */
export function effectsOf(call: ToolCall, world: World, own: OwnTables = {}): View {
  const context = openContext(world, own)
  const { reading } = context
  try {
    readToolCall(context, call)
    if (reading.files.size > 0 || reading.settings.size > 0) noteSelfRunning(context) // most calls write nothing
  } catch (error) {
    // A call that needs more steps or a deeper stack than there is, or a mistake of this reader: none of them is "no effect".
    const reason = error instanceof TooMuch || error instanceof RangeError ? 'too-much' : 'not-parsed'
    reading.seen.clear()
    noteUnseen(context, reason, error instanceof Error ? error.message : 'the call', 'run')
  }
  const showWay = (effect: Effect) => (effect.from.length > 0 ? effect : { ...effect, from: showCall(call) })
  return {
    effects: reading.effects.map(showWay),
    guesses: reading.guesses.map(showWay),
    flows: reading.flows.map((flow) => (flow.steps.length > 0 ? flow : { ...flow, steps: showCall(call) })),
    unseen: reading.unseen,
    // A digest takes as long as a tenth of the reading, and is asked for where there is something to tell.
    get files() {
      return Object.fromEntries([...reading.runFiles].map(([path, text]) => [path, digestText(text)]))
    },
  }
}

/** The call itself as the way to what no program in it does: redirections, variables. */
function showCall({ tool, input }: ToolCall): readonly Step[] {
  const { command } = input
  return [{ text: (typeof command === 'string' ? command : tool).trim().slice(0, 160) }]
}

function openContext(world: World, own: OwnTables): Context {
  const reading: Reading = {
    world,
    own: own.places ?? {},
    programs: new Map(Object.entries(own.programs ?? {})),
    effects: [],
    guesses: [],
    flows: [],
    unseen: [],
    seen: new Set(),
    runFiles: new Map(),
    files: new Map(),
    folders: new Set(),
    sinks: new Map(),
    links: new Map(),
    places: new Map(),
    settings: new Map(),
    scripts: new Set(),
    steps: 0,
    runWords,
    runScript,
    runCode,
  }
  const shell: Shell = {
    variables: new Map(),
    arrays: new Map(),
    functions: new Map(),
    aliases: new Map(),
    references: new Map(),
    descriptors: new Map(),
    folders: [{ path: world.folder, certainty: 'certain' }],
    before: [{ path: world.folder, certainty: 'certain' }],
    positional: [],
    noGlobs: false,
    showsAll: false,
  }
  return {
    reading,
    shell,
    certainty: 'certain',
    steps: [],
    as: 'user',
    where: 'here',
    mounts: null,
    depth: 0,
    inside: [],
  }
}
