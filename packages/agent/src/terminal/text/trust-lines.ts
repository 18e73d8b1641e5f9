import type { TrustRequest } from 'hookline'
import { toVisible, toVisibleLines } from 'hookline/internal'
import { formatAsk } from 'hookline/settings'

/** Formats what a user would trust: every hook with its file, line and command, and whatever else the folder asks for. */
export function formatTrustLines({ asks }: Pick<TrustRequest, 'asks'>): string[] {
  return asks.flatMap((ask) => {
    const { heading, lines } = formatAsk(ask)
    const below = lines.flatMap((text) => toVisibleLines(text).replaceAll('\t', '    ').split('\n'))
    return [toVisible(heading), ...below.map((line) => `    ${line}`)]
  })
}
