import type { Hunk } from '../../tools/patch.ts'
import type { HookWork } from './hook-work.ts'

/** Part of the conversation that is complete and does not change any more. */
export type Item =
  | { readonly kind: 'banner'; readonly title: string; readonly lines: readonly string[] }
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'model'; readonly text: string; readonly agent: string | null }
  | FinishedCall
  /** From hooks or the host, for the user; `verbose`: in the verbose view only. */
  | { readonly kind: 'told'; readonly text: string; readonly verbose: boolean }
  /** Texts of hooks for the model; shown to a user who plays it. */
  | { readonly kind: 'read'; readonly text: string }
  /** Work of hooks at an event that is about no call. */
  | { readonly kind: 'work'; readonly work: HookWork }
  /** A hook's start or end; in the verbose view only. */
  | { readonly kind: 'hook'; readonly text: string }
  /** Words of the terminal itself; `afterwards`: what stays of a text that may be shown once. */
  | { readonly kind: 'note'; readonly text: string; readonly tone: 'plain' | 'bad'; readonly afterwards?: string }

/** A call with what became of it. */
export interface FinishedCall {
  readonly kind: 'call'
  readonly name: string
  readonly input: unknown
  readonly result: string
  readonly failed: boolean
  /** Change that it made in a file. */
  readonly hunks: readonly Hunk[]
  /** Work of hooks for it; null: none ran. */
  readonly work: HookWork | null
  readonly agent: string | null
}

/** True if an item belongs to the verbose view alone. */
export function isVerbose(item: Item): boolean {
  return item.kind === 'hook' || (item.kind === 'told' && item.verbose)
}
