import type { TerminalHost } from './host.ts'
import { spendingText } from './prices.ts'

/** What there is to know about the session under way. */
export function statusText(host: TerminalHost): string {
  const { session, usage, cost } = host.store.get()
  const { engine } = host.agent ?? {}
  const listed = engine?.list() ?? []
  const active = listed.filter(({ standing }) => standing.verdict === 'active').length
  const rows: [string, string][] = [
    ['session', session?.id ?? 'none'],
    ['transcript', session?.transcriptPath ?? 'none'],
    ['folder', host.options.project],
    ['trust', engine?.trust.accepted === true ? 'its hooks may run' : 'its hooks do not run'],
    ['hooks', `${active} of ${listed.length} active`],
    ['model', host.modelName],
    ['mode', String(session?.mode ?? 'default')],
    ['tokens', spendingText(usage, cost)],
  ]
  return rows.map(([name, value]) => `${name.padEnd(11)} ${value}`).join('\n')
}
