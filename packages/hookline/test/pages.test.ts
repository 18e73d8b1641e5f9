import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'unbash'
import { describe, expect, it } from 'vitest'
import { AGENTS } from '../src/bridges/list.ts'
import { walk } from '../src/check/shell-words.ts'
import { COMMANDS } from '../src/cli/commands.ts'
import { findMeantCommand } from '../src/cli/meant-command.ts'
import { rows as classic } from '../src/protocol/classic/generated/rows.ts'
import { rows as current } from '../src/protocol/current/generated/rows.ts'
import { hooklineInProcess } from './support/in-process.ts'
import { makeWorld } from './support/project.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Every page that a reader may follow. */
function listPages(): string[] {
  const found = ['docs', 'examples', 'packages/hookline', 'packages/agent', 'clients'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.md$/.test(name) && !/node_modules|(?:^|\/)test\//.test(name))
      .map((name) => join(ROOT, folder, name)),
  )
  return [...found, join(ROOT, 'README.md')].filter((page) => !page.endsWith('CHANGELOG.md'))
}

/** A call of the command that a page shows, as words. */
interface ShownCall {
  readonly page: string
  readonly words: readonly string[]
}

/** The calls in shell blocks, in examples of usages, and in code inside of sentences. */
function listCalls(page: string): ShownCall[] {
  const text = readFileSync(page, 'utf8')
  const blocks = [...text.matchAll(/^ *```(?:sh|bash|shell|console)\n([\s\S]*?)^ *```$/gm)].map(([, body = '']) => body)
  const plain = [...text.matchAll(/^```(?:text)?\n([\s\S]*?)^```$/gm)].flatMap(([, body = '']) =>
    (body.match(/^ {0,2}(?:npx )?hookline [a-z].*$/gm) ?? []).filter((line) => !/\w\|\w|: |\.$|\S {3}/.test(line)),
  )
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
  const inline = [...prose.matchAll(/`((?:npx )?hookline [^`\n]+)`/g)].map(([, body = '']) => body)
  return [...blocks, ...plain, ...inline].flatMap(readCalls).map((words) => ({ page: relative(ROOT, page), words }))
}

function readCalls(script: string): string[][] {
  const found: string[][] = []
  walk(
    parse(script.replaceAll(/^\$ /gm, '').replaceAll(/…|\[[^\]\n]*\]|<(\w+)>/g, (_, name) => name ?? '')),
    (node) => {
      if (node.type !== 'Command') return
      const words = [node.name, ...node.args].flatMap((word) => (word && 'value' in word ? [String(word.value)] : []))
      const at = words[0] === 'npx' ? words.indexOf('hookline') : 0
      if (words[at] === 'hookline') found.push(words.slice(at + 1))
    },
  )
  return found
}

/** A word that stands for what a reader puts there. */
const isPlaceholder = (word: string): boolean => /^[A-Z][A-Z_-]*$|^\$|\||^[Ee]vent$|^mine$/.test(word)

const EVENTS = new Set([...Object.keys(classic), ...Object.keys(current)])

/** Reason why a call would not be understood; null: it would. */
async function findFault([name, ...words]: readonly string[]): Promise<string | null> {
  if (name === undefined || ['help', 'version', '--version', '--help', '-h'].includes(name)) return null
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) return isPlaceholder(name) || findMeantCommand(name) !== null ? null : 'is not a command'
  const { usage } = await command.load()
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  const flags = own.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=', 1)[0] ?? '')
  const unknown = flags.filter(
    (flag) => !new RegExp(`(?:^|[\\s\\[|])${flag}(?![\\w-])`).test(usage) && !/^--help$|^-h$/.test(flag),
  )
  if (unknown.length > 0) return `does not take ${unknown.join(', ')}`
  const isValue = (at: number): boolean =>
    new RegExp(`${own[at - 1]} [A-Z]{2}`).test(usage) && /^--/.test(own[at - 1] ?? '')
  const [first = '', second = ''] = own.filter((word, at) => !word.startsWith('-') && !isValue(at))
  const [call = ''] = usage.split('\n\n', 1)
  const isEvent = call.includes('<Event>') && first !== '' && !/[/=]/.test(first) && !call.includes(first)
  if (isEvent && !EVENTS.has(first) && !isPlaceholder(first)) return `has no event ${first}`
  const isAgent = name === 'bridge' && second !== '' && !/^(?:run|trust|allow|disallow)$/.test(first)
  return isAgent && !AGENTS.some((agent) => agent === second) && !isPlaceholder(second)
    ? `has no agent ${second}`
    : null
}

describe('pages', () => {
  it('show no call of hookline that it would not understand', async () => {
    const calls = listPages().flatMap(listCalls)
    expect(calls.length).toBeGreaterThan(400)
    const faults = await Promise.all(
      calls.map(async ({ page, words }) => {
        const fault = await findFault(words)
        return fault === null ? [] : [`${page}: hookline ${words.join(' ')}: ${fault}`]
      }),
    )
    expect(faults.flat()).toEqual([])
  })

  it('of agents show calls that succeed in a project with a guard', async () => {
    const guard = { matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }
    const hooks = { 'project/.claude/settings.json': { hooks: { PreToolUse: [guard] } } }
    for (const agent of AGENTS) {
      const world = await makeWorld(hooks)
      const calls = listCalls(join(ROOT, 'docs/bridges', `${agent}.md`)).filter(({ words }) => words[2] === agent)
      expect(calls.length, agent).toBeGreaterThanOrEqual(2)
      for (const { words } of calls)
        expect(await hooklineInProcess(world, [...words]), words.join(' ')).toMatchObject({ code: 0 })
    }
  })

  it('open with one sentence, or with an example', () => {
    const openers = listPages()
      .filter((page) => relative(ROOT, page).startsWith('docs/') && !/\/(?:faq|performance|drift)\.md$/.test(page)) // questions, and figures that a script writes
      .map((page) => [relative(ROOT, page), readOpener(readFileSync(page, 'utf8'))] as const)
    expect(openers.filter(([, opener]) => !isOneSentence(opener))).toEqual([])
  })
})

/** The first paragraph below the title. */
function readOpener(text: string): string {
  const [, opener = ''] = /^# .*\n+(?:<!--[\s\S]*?-->\s*)?([\s\S]*?)\n\n/m.exec(text) ?? []
  return opener
}

function isOneSentence(opener: string): boolean {
  if (/^(?:```|#|\|)/.test(opener)) return true
  const plain = opener.replaceAll(/`[^`]*`/g, 'x').replaceAll(/\]\([^)]*\)/g, ']')
  return (plain.match(/[.!?](?=\s|$)/g) ?? []).length === (opener.endsWith(':') ? 0 : 1)
}
