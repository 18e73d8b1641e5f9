import type { Loop } from './loop-state.ts'

/** Gives the session the title that a hook wants: it is kept, and shown where sessions are listed. */
export function setTitle({ transcript, session }: Loop, title: string | null | undefined): void {
  if (title === null || title === undefined || title === session.title) return
  session.title = title
  transcript.append({ kind: 'title', title })
  session.emit({ type: 'title', title })
}

/** Makes what hooks read of the title. */
export function makeTitleField({ title }: Loop['session']): { readonly session_title?: string } {
  return title === null ? {} : { session_title: title }
}
