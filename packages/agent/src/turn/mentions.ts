import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { refusalText } from '../permission/words.ts'
import { fileOnDisk } from '../tools/file-on-disk.ts'
import { filePage } from '../tools/file-page.ts'
import { readTool } from '../tools/read.ts'
import { ToolError } from '../tools/tool.ts'
import type { Loop } from './loop-state.ts'

const MOST_FILES = 10
const MOST_LINES = 2000
const MOST_NAMES = 200

/** What the model reads of files that a prompt names with `@`, if it may read them unasked; a word that names none is a word. */
export async function mentionedFiles(loop: Loop, prompt: string, signal: AbortSignal): Promise<string[]> {
  const texts: string[] = []
  for (const name of namesIn(prompt).slice(0, MOST_FILES)) {
    const text = await mentionedText(loop, name, signal)
    if (text !== null) texts.push(text)
  }
  return texts
}

/** The words behind an `@`, with and without what ends a sentence. */
function namesIn(prompt: string): string[] {
  const found = [...prompt.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|(\S+))/g)]
  return [...new Set(found.map(([, quoted, bare = '']) => quoted ?? bare))]
}

async function mentionedText(loop: Loop, name: string, signal: AbortSignal): Promise<string | null> {
  const whole = await shown(loop, name, signal)
  const trimmed = name.replace(/[.,;:!?)]+$/, '')
  return whole ?? (trimmed === name || trimmed === '' ? null : shown(loop, trimmed, signal))
}

/** null: there is no such file. */
async function shown(loop: Loop, name: string, signal: AbortSignal): Promise<string | null> {
  const { session } = loop
  const path = resolve(loop.cwd, name)
  const input = { file_path: path }
  const call = { tool: readTool, originalInput: input, finalInput: input, hook: null }
  const tell = (why: string): null => {
    session.emit({ type: 'told', to: 'user', text: `@${name} was not added: ${why}` })
    return null
  }
  const entries = await readdir(path).catch(() => null) // it is no folder
  const exists = entries !== null || (await fileOnDisk(path).catch(() => null))?.is === 'file'
  if (!exists) return null
  const { behavior, because } = await session.permissions.decide(call)
  if (behavior === 'deny') return tell(refusalText('Read', because))
  if (behavior === 'ask') return tell('reading it requires approval, which the model can ask for.')
  if (entries !== null)
    return `The user named the folder ${path}. It holds:\n${entries.slice(0, MOST_NAMES).join('\n')}`
  try {
    const page = await filePage(path, { offset: 1, limit: MOST_LINES, signal })
    session.toolContext(null, signal).seen.set(path, page.stats.mtimeMs)
    const rest =
      page.totalLines > page.lines.length ? `\n[the first ${page.lines.length} of ${page.totalLines} lines]` : ''
    return `The user named the file ${path}. It says:\n${page.lines.join('\n')}${rest}`
  } catch (error) {
    if (error instanceof ToolError) return tell(error.message)
    throw error
  }
}
