import type { PrivateFolder } from '../files/private-folder.ts'
import type { LongTextRules } from '../protocol/rules.ts'
import type { Result } from '../read/result.ts'
import type { Erase } from '../text/erase.ts'

const PREVIEW = 2000

/** Where texts that are too long go, and what may not be in them. */
interface Spilling {
  readonly rules: LongTextRules
  readonly folder: PrivateFolder
  readonly erase: Erase | undefined
}

/** Puts texts that are too long for a conversation into private files, without what may be erased, and points to them. */
export function spillLongTexts(result: Result, spilling: Spilling): Result | Promise<Result> {
  const { rules } = spilling
  const isLong = ({ text }: { readonly text: string }): boolean => text.length > rules.longest
  const contextIsLong = rules.of.includes('context') && result.opinion.context.some(isLong)
  const warningIsLong =
    rules.of.includes('systemMessage') && result.texts.some((one) => one.kind === 'warning' && isLong(one))
  return contextIsLong || warningIsLong ? spilled(result, spilling) : result
}

async function spilled(result: Result, spilling: Spilling): Promise<Result> {
  const { opinion } = result
  const { of } = spilling.rules
  const shorter = async <Text extends { readonly text: string }>(one: Text): Promise<Text> => ({
    ...one,
    text: await shortened(one.text, spilling),
  })
  const context = of.includes('context') ? await Promise.all(opinion.context.map(shorter)) : opinion.context
  const told = result.texts.map((one) => (one.kind === 'warning' && of.includes('systemMessage') ? shorter(one) : one))
  return { ...result, opinion: { ...opinion, context }, texts: await Promise.all(told) }
}

async function shortened(text: string, { rules, folder, erase = (kept) => kept }: Spilling): Promise<string> {
  if (text.length <= rules.longest) return text
  const file = await folder.create('.txt', erase(text))
  return REPLACEMENTS[rules.replacedBy](text, file)
}

/** What stands in the place of a text that is in a file; null: there was no room for one. */
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
