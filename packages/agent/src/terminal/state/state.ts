import type { HookLine } from 'hookline'
import type { Usage } from '../../output/messages.ts'
import type { Hunk } from '../../tools/patch.ts'
import { type Editor, EMPTY } from '../keys/editor.ts'
import type { Theme } from '../text/look.ts'
import type { Dialog } from './dialog.ts'
import { type History, NO_HISTORY } from './history.ts'
import type { HookWork } from './hook-work.ts'
import { type Item, isVerbose } from './item.ts'

/** State of all that the terminal shows. */
export interface State {
  readonly items: readonly Item[]
  /** The first item that was drawn when everything was drawn anew: those before it have scrolled away. */
  readonly drawnFrom: number
  /** Another number: what stands on the screen is drawn anew. */
  readonly drawing: number
  readonly verbose: boolean
  /** Theme that the user chose; null: what the environment says. */
  readonly theme: Theme | null
  /** Text of a message of the model that is not complete. */
  readonly streaming: string
  readonly calls: readonly OpenCall[]
  readonly hooks: readonly RunningHook[]
  /** Objections of hooks while calls are under way: a result may say it too, and it is told once. */
  readonly objections: readonly string[]
  /** Work under way; null: the user may speak. */
  readonly work: string | null
  /** Beginning of the turn that the user may interrupt, in milliseconds; null: there is none. */
  readonly since: number | null
  readonly session: SessionFacts | null
  readonly usage: Usage
  /** Of the last request in the session's own loop; null: none has ended. */
  readonly lastUsage: Usage | null
  /** Lines of files that calls have added and removed. */
  readonly lines: { readonly added: number; readonly removed: number }
  /** Dollars; null where no price is known. */
  readonly cost: number | null
  readonly editor: Editor
  /** Long texts that were pasted into the prompt, which has a mark for each. */
  readonly pastes: readonly string[]
  readonly history: History
  /** Search among what was typed before, and how many matches are passed over; null: nothing is. */
  readonly search: { readonly query: string; readonly skip: number } | null
  /** Models whose words the user types; none: the words are the user's own. */
  readonly playing: readonly PlayedModel[]
  /** Prompts that wait for the turn to end. */
  readonly queued: readonly string[]
  readonly dialogs: readonly Dialog[]
  /** One line below the input, until the next key. */
  readonly hint: string | null
  readonly statusLine: string | null
  /** Hooks that are switched off, by the user or by a setting. */
  readonly hooksOff: number
  /** The session has ended: only the conversation stays on the screen. */
  readonly over: boolean
  /** The last runs of each hook, newest first. */
  readonly runs: ReadonlyMap<string, readonly HookRun[]>
}

/** The session under way. */
export interface SessionFacts {
  readonly id: string
  readonly transcriptPath: string
  readonly cwd: string
  readonly mode: string
  /** Title that hooks gave it; null: nothing. */
  readonly title: string | null
}

/** A call that the model asked for and that has no result yet. */
export interface OpenCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
  readonly running: boolean
  readonly hunks: readonly Hunk[]
  readonly agent: string | null
  /** Work of hooks for it so far. */
  readonly work: HookWork | null
  /** The end of what it has printed so far. */
  readonly output: string
  /** Beginning of its run, in milliseconds; null: not yet. */
  readonly startedAt: number | null
}

/** A hook under way. */
export interface RunningHook {
  readonly id: string
  readonly event: string
  readonly statusMessage: string | null
}

/** A run of a hook that has ended. */
export interface HookRun {
  readonly at: Date
  readonly line: HookLine
}

/** The user answers in the model's place. */
export interface PlayedModel {
  /** Speaker of the words: the session's own loop, a subagent, a compaction. */
  readonly as: string
  readonly answer: (words: string) => void
}

/** A terminal in which nothing has happened. */
export const INITIAL: State = {
  items: [],
  drawnFrom: 0,
  drawing: 0,
  verbose: false,
  theme: null,
  streaming: '',
  calls: [],
  hooks: [],
  objections: [],
  work: 'Starting',
  since: null,
  session: null,
  usage: { inputTokens: 0, outputTokens: 0 },
  lastUsage: null,
  lines: { added: 0, removed: 0 },
  cost: null,
  editor: EMPTY,
  pastes: [],
  history: NO_HISTORY,
  search: null,
  playing: [],
  queued: [],
  dialogs: [],
  hint: null,
  statusLine: null,
  hooksOff: 0,
  over: false,
  runs: new Map(),
}

/** The dialog that is shown: the agent waits for those that the user did not open. */
export function findShownDialog({ dialogs }: Pick<State, 'dialogs'>): Dialog | null {
  return dialogs.find(({ kind }) => kind !== 'hooks') ?? dialogs[0] ?? null
}

/** Items that are kept when the screen is drawn anew. */
const MAX_ITEMS = 400

/** The state as it is drawn anew, from the items on: those that filled the screen, or all that are kept. */
export function redrawState(state: State, { rows }: { readonly rows: number }): State {
  const items = state.items.slice(-MAX_ITEMS).map(toRedrawnItem)
  return { ...state, items, drawnFrom: findFirstOnScreen(items, { ...state, rows }), drawing: state.drawing + 1 }
}

/** The first of the last items that fill a screen, whatever is drawn below them. */
function findFirstOnScreen(items: readonly Item[], { rows, verbose }: { rows: number; verbose: boolean }): number {
  let filled = 0
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at]
    if (item !== undefined && (verbose || !isVerbose(item))) filled += countLeastRows(item)
    if (filled >= rows) return at
  }
  return 0
}

/** Lines that stay of a folded text. */
const MIN_FOLDED_LINES = 10

/** Rows that an item takes up at least: marks of Markdown vanish, and results are folded. */
function countLeastRows(item: Item): number {
  if (item.kind === 'banner') return item.lines.length + 3
  if (item.kind === 'call') return 3
  if (item.kind === 'work') return 1
  const lines = item.text.split('\n').filter((line) => !/^\s*(```|~~~)/.test(line)).length
  if (item.kind === 'user' || item.kind === 'read') return Math.min(lines, MIN_FOLDED_LINES) + 1
  return item.kind === 'told' || item.kind === 'hook' ? lines : lines + 1
}

/** An item that is not shown for the first time. */
function toRedrawnItem(item: Item): Item {
  if (item.kind !== 'note' || item.afterwards === undefined) return item
  return { kind: 'note', text: item.afterwards, tone: item.tone }
}

/** The state for another session: nothing has been said in it, and nothing has run. */
export function makeEmptyState(state: State): State {
  const { items, calls, streaming, hooks, objections, usage, lastUsage, lines, cost, runs } = INITIAL
  const nothing = { items, calls, streaming, hooks, objections, usage, lastUsage, lines, cost, runs }
  return redrawState({ ...state, ...nothing }, { rows: 0 })
}
