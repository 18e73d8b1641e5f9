import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { formatRuleRefusal } from '../permission/words.ts'
import { lookAtFile } from '../tools/file-on-disk.ts'
import { readFilePage } from '../tools/file-page.ts'
import { readTool } from '../tools/read.ts'
import { ToolError } from '../tools/tool.ts'
import type { Loop } from './loop-state.ts'

const MAX_MENTIONED_FILES = 10
const MAX_MENTIONED_LINES = 2000
const MAX_MENTIONS = 200

/** A file that a prompt names with `@`. */
export interface Mention {
  /** Text for the model; null: it may not, or cannot. */
  readonly text: string | null
  /** Text for the user: that it was read, or why not. */
  readonly note: string
}

/** Reads the files that a prompt names with `@`, if the model may read them unasked; a word that names none is a word. */
export async function readMentionedFiles(loop: Loop, prompt: string, signal: AbortSignal): Promise<Mention[]> {
  const mentions: Mention[] = []
  for (const name of listMentions(prompt).slice(0, MAX_MENTIONED_FILES)) {
    const mention = await readMention(loop, name, signal)
    if (mention !== null) mentions.push(mention)
  }
  return mentions
}

/** The words behind an `@`, with and without what ends a sentence. */
function listMentions(prompt: string): string[] {
  const found = [...prompt.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|(\S+))/g)]
  return [...new Set(found.map(([, quoted, bare = '']) => quoted ?? bare))]
}

async function readMention(loop: Loop, name: string, signal: AbortSignal): Promise<Mention | null> {
  const whole = await readNamed(loop, name, signal)
  const trimmed = name.replace(/(?<![.,;:!?)])[.,;:!?)]+$/, '')
  return whole ?? (trimmed === name || trimmed === '' ? null : readNamed(loop, trimmed, signal))
}

/** null: there is no such file. */
async function readNamed(loop: Loop, name: string, signal: AbortSignal): Promise<Mention | null> {
  const { session } = loop
  const path = resolve(loop.cwd, name)
  const input = { file_path: path }
  const call = { tool: readTool, originalInput: input, finalInput: input, hook: null }
  const leaveOut = (why: string): Mention => ({ text: null, note: `@${name} was not added: ${why}` })
  const entries = await readdir(path).catch(() => null) // the path is no folder
  const exists = entries !== null || (await lookAtFile(path).catch(() => null))?.is === 'file'
  if (!exists) return null
  const { behavior, because } = await session.permissions.decide(call)
  if (behavior === 'deny') return leaveOut(formatRuleRefusal('Read', because))
  if (behavior === 'ask') return leaveOut('reading it requires approval, which the model can ask for.')
  if (entries !== null)
    return {
      text: `The user named the folder ${path}. It holds:\n${entries.slice(0, MAX_MENTIONS).join('\n')}`,
      note: `@${name} was read: ${entries.length === 1 ? '1 name' : `${entries.length} names`}`,
    }
  try {
    const page = await readFilePage(path, { offset: 1, limit: MAX_MENTIONED_LINES, signal })
    session.toolContext(null, signal).seen.set(path, page.stats.mtimeMs)
    const isCut = page.totalLines > page.lines.length
    const part = `the first ${page.lines.length} of ${page.totalLines} lines`
    const count = page.lines.at(-1) === '' ? page.totalLines - 1 : page.totalLines
    const whole = count === 1 ? '1 line' : `${count} lines`
    return {
      text: `The user named the file ${path}. It says:\n${page.lines.join('\n')}${isCut ? `\n[${part}]` : ''}`,
      note: `@${name} was read: ${isCut ? part : whole}`,
    }
  } catch (error) {
    if (error instanceof ToolError) return leaveOut(error.message)
    throw error
  }
}
