/** Entries that were typed earlier, and how far back the user has gone. */
export interface History {
  readonly entries: readonly string[]
  /** Counted from the end; 0: nowhere. */
  readonly back: number
  /** Text that was being typed before. */
  readonly draft: string
}

const MAX_HISTORY_ENTRIES = 500

export const NO_HISTORY: History = { entries: [], back: 0, draft: '' }

/** The history with one more entry; the same twice in a row counts once. */
export function addEntry({ entries }: History, entry: string): History {
  const kept = entries.at(-1) === entry ? entries : [...entries, entry].slice(-MAX_HISTORY_ENTRIES)
  return { entries: kept, back: 0, draft: '' }
}

/** The history with what was typed in earlier sessions before it. */
export function addEarlier({ entries, back, draft }: History, earlier: readonly string[]): History {
  return { entries: [...earlier, ...entries].slice(-MAX_HISTORY_ENTRIES), back, draft }
}

/** The history without an entry that must not come back. */
export function removeEntry({ entries, draft }: History, entry: string): History {
  return { entries: entries.filter((each) => each !== entry), back: 0, draft }
}

/** The newest entry that holds a text, in whatever case, when so many matches are passed over; null: there is none. */
export function searchHistory({ entries }: History, query: string, skip: number): string | null {
  const wanted = query.toLowerCase()
  const matches = [...new Set(entries.toReversed())].filter((entry) => entry.toLowerCase().includes(wanted))
  return matches[skip] ?? null
}

/** The history when what was recalled is edited: it is a draft like any other. */
export function settleDraft({ entries }: History): History {
  return { entries, back: 0, draft: '' }
}

/** A step back or forth, and the text there; null: there is nothing further. */
export function recallEntry(
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
