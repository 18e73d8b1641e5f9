import { posix } from 'node:path'
import { findOwn } from '../../text/table.ts'
import { type Context, enterStep, noteChange, noteUnseen, readSource, resolveOne } from '../context.ts'
import { runRow } from '../program.ts'
import { showFile } from '../run-file.ts'
import { type Content, EMPTY_CONTENT, readKnownStart, readWord, toKnownWord, UNKNOWN_CONTENT } from '../value.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'

/** Readers of just, task and relatives, which run the recipes of a file. */
const RECIPE_READERS: Readonly<Record<string, Reader>> = {
  just: readJust,
}

/** Reads a call by the one of them that its row names. */
export const readRecipeCall: Reader = (call) => readByRow(RECIPE_READERS, call)

function readJust(call: Call): Content {
  const { context, name } = call
  const parsed = parseCall(call, '-f -d --justfile --working-directory --set --taskfile --dir')
  if (
    parsed.has(
      '--list',
      '-l',
      '--summary',
      '--show',
      '--dump',
      '--dry-run',
      '-n',
      '--help',
      '--version',
      '-T',
      '--tasks',
      '-P',
      '--evaluate',
      '--choose',
      '-a',
      '--list-all',
    )
  )
    return UNKNOWN_CONTENT
  const names: Readonly<Record<string, readonly string[]>> = {
    just: ['justfile', 'Justfile', '.justfile'],
    task: ['Taskfile.yml', 'Taskfile.yaml'],
    rake: ['Rakefile'],
    invoke: ['tasks.py'],
    inv: ['tasks.py'],
  }
  const own = parsed.value('-f', '--justfile', '--taskfile', '-t')
  for (const file of own ? [own] : (findOwn(names, name) ?? []).map((each) => toKnownWord(each))) {
    const path = resolveOne(context, file)
    const text = path ? readSource(context, path.text) : null
    if (!path || text === null) continue
    context.reading.runFiles.set(path.text, text)
    if (name === 'just')
      runRecipes(
        context,
        path.text,
        text,
        parsed.operands.map((each) => readWord(each) ?? ''),
      )
    else if (name === 'task')
      runTaskfile(
        context,
        path.text,
        text,
        parsed.operands.map((each) => readWord(each) ?? ''),
      )
    else for (const each of parsed.operands) runCodeTask(context, { path: path.text, text }, name, readWord(each) ?? '')
    break
  }
  if (name === 'rake' && parsed.operands.some((each) => readKnownStart(each).startsWith('db:')))
    return runRow(
      context,
      {
        verbs: [
          [
            /\bdb:(?:drop|reset|schema:load|purge|seed:replant|truncate_all)\b|\bdb:migrate VERSION=0\b/,
            'database drop',
          ],
        ],
      },
      'rake',
      call.words,
      EMPTY_CONTENT,
    )
  if (
    name === 'rake' &&
    parsed.operands.some((each) => /^(?:\w+:)?(?:release|gem:push|publish)$/.test(readWord(each) ?? ''))
  )
    noteChange(context, 'registry', 'publish', `rake ${readCallWords(call.words).join(' ')}`)
  noteUnseen(context, 'program', name)
  return UNKNOWN_CONTENT
}

/** Runs the part of a Rakefile or a tasks.py that a name stands for. */
function runCodeTask(
  context: Context,
  { path, text }: { path: string; text: string },
  tool: string,
  name: string,
): void {
  if (!/^[\w:-]+$/.test(name)) return
  const lines = text.split('\n')
  const shape = name.split(':').at(-1)?.replaceAll(/[-_]/g, '[-_]') ?? name
  const isPython = tool === 'invoke' || tool === 'inv'
  const start = lines.findIndex((line) =>
    new RegExp(isPython ? `^\\s*def ${shape}\\b` : `^\\s*task\\b.*\\b${shape}\\b`).test(line),
  )
  if (start === -1) {
    noteUnseen(context, 'code', `${showFile(context, path)}: ${name}`, 'run')
    return
  }
  const depth = /^\s*/.exec(lines[start] ?? '')?.[0].length ?? 0
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => line.trim() !== '' && (/^\s*/.exec(line)?.[0].length ?? 0) <= depth)
  const body = (end === -1 ? rest : rest.slice(0, end)).join('\n')
  const step = { text: name, at: `${showFile(context, path)}:${start + 1}` }
  context.reading.runCode(enterStep(context, step), isPython ? 'python' : 'ruby', body, EMPTY_CONTENT)
}

function runRecipes(context: Context, path: string, text: string, words: readonly string[]): void {
  const lines = text.split('\n')
  const values = new Map(
    [...text.matchAll(/^(\w+)\s*:=\s*["']?([^"'\n]*)["']?$/gm)].map((match) => [match[1] ?? '', match[2] ?? '']),
  )
  const recipes = new Map<string, { needs: string[]; at: number; parameters: string[] }>()
  lines.forEach((line, at) => {
    const head = /^@?([\w-]+)((?:\s+[^:]*)?):(?!=)\s*(.*)$/.exec(line)
    if (head && !/^\s/.test(line))
      recipes.set(head[1] ?? '', {
        needs: (head[3] ?? '').split(/\s+/).filter((each) => /^[\w-]+$/.test(each)),
        at,
        parameters: (head[2] ?? '')
          .trim()
          .split(/\s+/)
          .filter((each) => each !== ''),
      })
  })
  const done = new Set<string>()
  const visit = (name: string, args: readonly string[]): void => {
    const recipe = recipes.get(name)
    if (!recipe || done.has(name)) return
    done.add(name)
    for (const need of recipe.needs) visit(need, [])
    const own = new Map(values)
    for (const [at, parameter] of recipe.parameters.entries())
      own.set(
        parameter.replace(/=.*$/, '').replace(/^[+*$]+/, ''),
        args[at] ?? /=["']?([^"']*)/.exec(parameter)?.[1] ?? '',
      )
    for (let at = recipe.at + 1; at < lines.length && (/^\s/.test(lines[at] ?? '') || lines[at] === ''); at++) {
      const line = (lines[at] ?? '').trim().replace(/^[@-]+/, '')
      if (line === '' || line.startsWith('#')) continue
      const script = line.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, key: string) => own.get(key) ?? '"$JUST"')
      const shell = { ...context.shell, folders: [{ path: posix.dirname(path), certainty: 'certain' as const }] }
      context.reading.runScript(
        {
          ...enterStep(context, {
            text: `${name}: ${script}`.slice(0, 160),
            at: `${showFile(context, path)}:${at + 1}`,
          }),
          shell,
        },
        script,
      )
    }
  }
  const first = words.find((word) => recipes.has(word))
  if (first) for (const [at, word] of words.entries()) visit(word, words.slice(at + 1))
  else if (words.length === 0) visit(recipes.has('default') ? 'default' : (recipes.keys().next().value ?? ''), [])
  else noteUnseen(context, 'program', `just ${words.join(' ')}`)
}

function runTaskfile(context: Context, path: string, text: string, words: readonly string[]): void {
  const wanted = words.length > 0 ? words : ['default']
  const lines = text.split('\n')
  for (const name of wanted) {
    const start = lines.findIndex((line) =>
      new RegExp(`^\\s{1,8}["']?${name.replaceAll(/[^\w:-]/g, '.')}["']?:`).test(line),
    )
    if (start === -1) {
      noteUnseen(context, 'program', `task ${name}`)
      continue
    }
    const indent = /^\s*/.exec(lines[start] ?? '')?.[0].length ?? 0
    for (let at = start + 1; at < lines.length; at++) {
      const line = lines[at] ?? ''
      if (line.trim() !== '' && (/^\s*/.exec(line)?.[0].length ?? 0) <= indent) break
      const script = /^\s*(?:-\s+(?:cmd:\s*)?|cmds?:\s*(?=[^\s|]))(.+)$/.exec(line)?.[1]
      if (!script || /^(?:task|deps|vars|desc):/.test(script)) continue
      const plain = script.replace(/^(["'])(.*)\1$/, '$2')
      context.reading.runScript(
        enterStep(context, { text: `${name}: ${plain}`.slice(0, 160), at: `${showFile(context, path)}:${at + 1}` }),
        plain,
      )
    }
  }
}
