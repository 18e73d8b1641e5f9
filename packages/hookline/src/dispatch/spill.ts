import type { PrivateFolder } from '../files/private-folder.ts'
import type { Result } from '../read/result.ts'
import type { Erase } from '../text/erase.ts'

/** Longer texts are too much for any conversation. */
const LONGEST_CONTEXT = 1024 * 1024
const PREVIEW = 2000

/** Puts contexts that are too long for a conversation into private files, without what may be erased, and points to them. */
export function spillLongContext(
  result: Result,
  folder: PrivateFolder,
  erase: Erase = (text) => text,
): Result | Promise<Result> {
  const { context } = result.opinion
  return context.every(({ text }) => text.length <= LONGEST_CONTEXT) ? result : spilled(result, folder, erase)
}

async function spilled(result: Result, folder: PrivateFolder, erase: Erase): Promise<Result> {
  const { opinion } = result
  const context = await Promise.all(
    opinion.context.map(async (one) => ({ ...one, text: await shortened(one.text, folder, erase) })),
  )
  return { ...result, opinion: { ...opinion, context } }
}

async function shortened(text: string, folder: PrivateFolder, erase: Erase): Promise<string> {
  if (text.length <= LONGEST_CONTEXT) return text
  const file = await folder.create('.txt', erase(text))
  const where = file === null ? 'there was no room to keep the rest' : `all of it is in ${file}`
  return `${text.slice(0, PREVIEW)}\n[${text.length} characters; ${where} ]`
}
