import type { State } from './state.ts'

/** How to go on with the session that has ended; nothing for one in which nothing was said. */
export function resumeText({ items, session }: Pick<State, 'items' | 'session'>): string {
  const isEmpty = !items.some(({ kind }) => kind === 'user')
  return session === null || isEmpty ? '' : `Resume this session: hookline-agent --resume ${session.id}\n`
}
