/** What was typed earlier, and how far back the user has gone. */
export interface History {
  readonly entries: readonly string[]
  /** Counted from the end; 0: nowhere. */
  readonly back: number
  /** What was being typed before. */
  readonly draft: string
}

const MOST_ENTRIES = 500

export const NO_HISTORY: History = { entries: [], back: 0, draft: '' }

/** The history with one more entry; the same twice in a row counts once. */
export function remembered({ entries }: History, entry: string): History {
  const kept = entries.at(-1) === entry ? entries : [...entries, entry].slice(-MOST_ENTRIES)
  return { entries: kept, back: 0, draft: '' }
}

/** The history without an entry that must not come back. */
export function forgotten({ entries, draft }: History, entry: string): History {
  return { entries: entries.filter((each) => each !== entry), back: 0, draft }
}

/** A step back or forth, and the text there; null: there is nothing further. */
export function recalled(
  { entries, back, draft }: History,
  by: -1 | 1,
  current: string,
): { readonly history: History; readonly text: string } | null {
  const next = back - by
  if (next < 0 || next > entries.length) return null
  const kept = back === 0 ? current : draft
  const text = next === 0 ? kept : (entries[entries.length - next] ?? '')
  return { history: { entries, back: next, draft: kept }, text }
}
