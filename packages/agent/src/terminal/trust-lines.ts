import { cleanText, type TrustRequest } from 'hookline'
import { askText } from 'hookline/internal'

/** What a person would trust: every hook with its file, line and command, and whatever else the folder asks for. */
export function trustLines({ asks }: Pick<TrustRequest, 'asks'>): string[] {
  return asks.flatMap((ask) => {
    const { heading, lines } = askText(ask)
    return [heading, ...lines.flatMap((text) => text.split('\n')).map((text) => `    ${text}`)].map(cleanText)
  })
}
