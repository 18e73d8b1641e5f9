import type { PrivateFolder } from '../files/temp-folder.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { LongTextRules } from '../protocol/rules.ts'
import type { Result } from '../read/result.ts'
import type { Erase } from '../text/erase.ts'

const PREVIEW = 2000

/** Place for texts that are too long, and what may not be in them. */
export interface SpillTarget {
  readonly row: EventRow
  readonly folder: PrivateFolder
  readonly erase: Erase | undefined
}

/** Puts texts that are too long for a conversation into private files, without what may be erased, and points to them. */
export function spillLongTexts(result: Result, spilling: SpillTarget): Result | Promise<Result> {
  const { rules, effects } = spilling.row
  const { longest, of } = rules.longTexts
  const isLong = ({ text }: { readonly text: string }): boolean => text.length > longest
  const isLongEffect = ([name, value]: [string, unknown]): boolean =>
    effects[name]?.isContext === true && String(value).length > longest
  const contextIsLong =
    of.includes('context') &&
    (result.opinion.context.some(isLong) || Object.entries(result.opinion.effects).some(isLongEffect))
  const warningIsLong =
    of.includes('systemMessage') && result.texts.some((one) => one.kind === 'warning' && isLong(one))
  return contextIsLong || warningIsLong ? spillResult(result, spilling) : result
}

async function spillResult(result: Result, spilling: SpillTarget): Promise<Result> {
  const { opinion } = result
  const { of } = spilling.row.rules.longTexts
  const shortenMessage = async <Text extends { readonly text: string }>(one: Text): Promise<Text> => ({
    ...one,
    text: await shortenText(one.text, spilling),
  })
  const shortenEffect = async ([name, value]: [string, unknown]): Promise<[string, unknown]> =>
    spilling.row.effects[name]?.isContext === true ? [name, await shortenText(String(value), spilling)] : [name, value]
  const told = result.texts.map((one) =>
    one.kind === 'warning' && of.includes('systemMessage') ? shortenMessage(one) : one,
  )
  const texts = await Promise.all(told)
  if (!of.includes('context')) return { ...result, texts }
  const context = await Promise.all(opinion.context.map(shortenMessage))
  const effects = Object.fromEntries(await Promise.all(Object.entries(opinion.effects).map(shortenEffect)))
  return { ...result, opinion: { ...opinion, context, effects }, texts }
}

async function shortenText(text: string, { row, folder, erase = (kept) => kept }: SpillTarget): Promise<string> {
  const { longest, replacedBy } = row.rules.longTexts
  if (text.length <= longest) return text
  const file = await folder.create('.txt', erase(text))
  return REPLACEMENTS[replacedBy](text, file)
}

/** Replacements for a text that is in a file; null: there was no room for one. */
const REPLACEMENTS: Readonly<Record<LongTextRules['replacedBy'], (text: string, file: string | null) => string>> = {
  'preview-and-place': (text, file) => {
    const where = file === null ? 'there was no room to keep the rest' : `all of it is in ${file}`
    return `${text.slice(0, PREVIEW)}\n[${text.length} characters; ${where} ]`
  },
  'persisted-output': (text, file) => {
    const where = file === null ? 'There was no room to keep it.' : `It was saved to: ${file}`
    return `<persisted-output>\nOutput too long (${text.length} characters). ${where}\n\n${text.slice(0, PREVIEW)}\n</persisted-output>`
  },
}
