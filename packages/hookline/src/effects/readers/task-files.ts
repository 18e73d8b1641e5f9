import { posix } from 'node:path'
import { findOwn } from '../../text/table.ts'
import { runByShape } from '../code-shape.ts'
import {
  type Context,
  enterStep,
  lowerCertainty,
  noteChange,
  noteUnseen,
  readSource,
  resolveOne,
  writePath,
} from '../context.ts'
import { runRow } from '../program.ts'
import { runFile, showFile } from '../run-file.ts'
import { type Content, EMPTY_CONTENT, readWord, toKnownWord, UNKNOWN_CONTENT, type Value } from '../value.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'

/** Readers of tools that run what a file of the project says under a name. */
const TASK_READERS: Readonly<Record<string, Reader>> = {
  procfile: readProcfile,
  tox: readTox,
  ant: readByName(['build.xml']),
  gradle: readByName(['build.gradle', 'build.gradle.kts']),
  'pre-commit': readHookRunner,
  direnv: readDirenv,
  act: readAct,
}

/** Reads a call by the one of them that its row names. */
export const readTaskCall: Reader = (call) => readByRow(TASK_READERS, call)

/** Lines of one file that are read. */
const MAX_TASK_LINES = 2000

interface TaskFile {
  readonly path: string
  readonly lines: readonly string[]
}

/** Opens the first of some files that is there. */
function openTaskFile(context: Context, files: readonly Value[]): TaskFile | null {
  for (const file of files) {
    const path = resolveOne(context, file)
    const text = path ? readSource(context, path.text) : null
    if (!path || text === null) continue
    context.reading.runFiles.set(path.text, text)
    return { path: path.text, lines: text.split('\n').slice(0, MAX_TASK_LINES) }
  }
  return null
}

/** Runs a line of a task file as a script, in the folder of the file. */
function runLine(context: Context, { path }: TaskFile, at: number, name: string, script: string): void {
  const step = { text: `${name}: ${script}`.slice(0, 160), at: `${showFile(context, path)}:${at + 1}` }
  const shell = { ...context.shell, folders: [{ path: posix.dirname(path), certainty: 'certain' as const }] }
  context.reading.runScript({ ...enterStep(context, step), shell }, script)
}

/** Reads `NAME: command` lines, as foreman, overmind and honcho run them. */
function readProcfile(call: Call): Content {
  const parsed = parseCall(call, '-f -p -e -m -l --procfile --port --env --formation')
  const file = openTaskFile(call.context, [parsed.value('-f', '--procfile') ?? toKnownWord('Procfile')])
  if (!file) {
    noteUnseen(call.context, 'program', call.name)
    return UNKNOWN_CONTENT
  }
  file.lines.forEach((line, at) => {
    const match = /^([\w-]+):\s*(.+)$/.exec(line)
    if (match) runLine(call.context, file, at, match[1] ?? '', match[2] ?? '')
  })
  return UNKNOWN_CONTENT
}

/** Sections of an INI or TOML file, by their heads. */
function* listSections({ lines }: TaskFile): Generator<{ head: string; at: number; line: string }> {
  let head = ''
  for (const [at, line] of lines.entries()) {
    const found = /^\s*\[\[?([^\]]+)\]/.exec(line)
    if (found) head = (found[1] ?? '').trim().replaceAll('"', '')
    else yield { head, at, line }
  }
}

function readTox(call: Call): Content {
  const parsed = parseCall(call, '-e -c -f --conf --workdir')
  const names = (readWord(parsed.value('-e') ?? toKnownWord('')) ?? '').split(',')
  const file = openTaskFile(call.context, [parsed.value('-c', '--conf') ?? toKnownWord('tox.ini')])
  if (!file) return UNKNOWN_CONTENT
  let isCommands = false
  for (const { head, at, line } of listSections(file)) {
    const isMeant = head === 'testenv' || names.some((name) => head === `testenv:${name}`)
    const start = /^(commands(?:_pre|_post)?)\s*=\s*(.*)$/.exec(line)
    if (start) isCommands = true
    else if (/^\S/.test(line)) isCommands = false
    const script = start ? start[2] : line.trim()
    if (isMeant && isCommands && script) runLine(call.context, file, at, head, script.replace(/^-\s*/, ''))
  }
  return UNKNOWN_CONTENT
}

/** Reads tools whose files are code: the part under a name is looked at by shape. */
function readByName(files: readonly string[]): Reader {
  return (call) => {
    const { context, name } = call
    const parsed = parseCall(call, '-f -p -b -x -D-x --file')
    const file = openTaskFile(context, [
      ...parsed.values('-f', '--file', '-b'),
      ...files.map((each) => toKnownWord(each)),
    ])
    for (const each of parsed.operands) runNamedPart(context, file, readWord(each) ?? '')
    return runRow(context, call.row, name, call.words, call.input)
  }
}

/** Looks at the lines from the one that names a task to the next that begins as deep. */
function runNamedPart(context: Context, file: TaskFile | null, name: string): void {
  if (!file || !/^[\w:-]{2,}$/.test(name)) return
  const start = file.lines.findIndex((line) =>
    new RegExp(`(?:task|target|register|tasks)\\b.*\\b${name.split(':').at(-1)}\\b`).test(line),
  )
  if (start === -1) return
  const depth = /^\s*/.exec(file.lines[start] ?? '')?.[0].length ?? 0
  const rest = file.lines.slice(start + 1)
  const end = rest.findIndex(
    (line) => line.trim() !== '' && !/^\s*[})]/.test(line) && (/^\s*/.exec(line)?.[0].length ?? 0) <= depth,
  )
  const text = [file.lines[start] ?? '', ...(end === -1 ? rest : rest.slice(0, end))].join('\n')
  const step = { text: name, at: `${showFile(context, file.path)}:${start + 1}` }
  runByShape(enterStep(context, step), posix.basename(file.path), text)
}

/** Files of tools that run commands at git's hooks, by the tool. */
const HOOK_FILES: Readonly<Record<string, readonly string[]>> = {
  'pre-commit': ['.pre-commit-config.yaml'],
  lefthook: ['lefthook.yml', '.lefthook.yml', 'lefthook.yaml'],
}

function readHookRunner(call: Call): Content {
  const { context, name } = call
  const [verb = '', wanted] = readCallWords(call.words).filter((text) => !text.startsWith('-'))
  if (/^(?:uninstall|remove)$/.test(verb)) noteChange(context, 'machine', 'startup', `${name} ${verb}`)
  if (name === 'husky') {
    const file = toKnownWord(`.husky/${wanted ?? ''}`)
    if (/^(?:add|set)$/.test(verb) && wanted) writePath(context, toKnownWord(wanted), 'append')
    if (verb === 'run' && wanted && resolveOne(context, file)?.exists) runFile(context, file, [], { language: 'shell' })
    return UNKNOWN_CONTENT
  }
  if (verb !== 'run') return UNKNOWN_CONTENT
  const file = openTaskFile(
    context,
    (findOwn(HOOK_FILES, name) ?? []).map((each) => toKnownWord(each)),
  )
  if (file) runYamlCommands(context, file, wanted ?? null)
  return UNKNOWN_CONTENT
}

/** Runs the `run:` and `entry:` lines of a YAML file: all, or those under a name. */
function runYamlCommands(context: Context, file: TaskFile, name: string | null): void {
  let isMeant = name === null
  let depth = -1
  file.lines.forEach((line, at) => {
    const indent = /^\s*/.exec(line)?.[0].length ?? 0
    const isNamed =
      name !== null &&
      new RegExp(`^\\s*(?:-\\s*id:\\s*)?["']?${name.replaceAll(/[^\w-]/g, '.')}["']?:?\\s*$`).test(line)
    if (isNamed) {
      isMeant = true
      depth = indent
    } else if (
      name !== null &&
      isMeant &&
      line.trim() !== '' &&
      indent <= depth &&
      !/^\s*(?:-\s*)?(?:id|entry|run|language|name)\b/.test(line)
    )
      isMeant = false
    const script = /^\s*(?:-\s*)?(?:run|entry):\s*(?:[|>][-+]?\s*)?(.+)$/.exec(line)?.[1]
    if (isMeant && script) runLine(context, file, at, name ?? 'run', script.replace(/^(["'])(.*)\1$/, '$2'))
  })
}

/** Reads `direnv`: allowing and executing runs `.envrc`. */
function readDirenv(call: Call): Content {
  const [verb = ''] = readCallWords(call.words)
  if (/^(?:allow|exec|reload|export|permit)$/.test(verb)) {
    const file = toKnownWord('.envrc')
    if (
      call.context.reading.files.has(resolveOne(call.context, file)?.text ?? '') ||
      resolveOne(call.context, file)?.exists
    )
      runFile(call.context, file, [], { language: 'shell', isSourced: true })
  }
  if (verb !== 'exec') return UNKNOWN_CONTENT
  return call.context.reading.runWords(enterStep(call.context), call.words.slice(2), EMPTY_CONTENT)
}

/** Reads `act`: steps of workflows run in containers that the user's own runner image may map to this machine. */
function readAct(call: Call): Content {
  const { context } = call
  const parsed = parseCall(call, '-j -W -P -s -e --job --workflows --platform --secret --eventpath')
  if (parsed.has('-l', '--list', '-n', '--dryrun', '--help')) return UNKNOWN_CONTENT
  const job = readWord(parsed.value('-j', '--job') ?? toKnownWord(''))
  const folder = resolveOne(context, toKnownWord('.github/workflows'))
  const names = folder ? (context.reading.world.list(folder.text) ?? []).slice(0, 10) : []
  for (const name of names) {
    const file = openTaskFile(context, [toKnownWord(`.github/workflows/${name}`)])
    if (file) runYamlCommands(lowerCertainty(context, 'likely'), file, job || null)
  }
  return UNKNOWN_CONTENT
}

/** Runs a script that a table of a TOML file names, as pdm, hatch, poe and pipenv have them; answers whether there is one. */
export function runTomlScript(context: Context, name: string): boolean {
  for (const [file, heads] of TOML_SCRIPTS) {
    const found = openTaskFile(context, [toKnownWord(file)])
    if (!found) continue
    for (const { head, at, line } of listSections(found)) {
      if (!heads.test(head)) continue
      const pair = /^\s*["']?([\w:.-]+)["']?\s*=\s*(.+)$/.exec(line)
      if (!pair || pair[1] !== name) continue
      const script = /["']([^"']+)["']/.exec(pair[2] ?? '')?.[1] ?? ''
      if (/^[\w.]+:\w+$/.test(script)) continue
      runLine(context, found, at, name, script)
      return true
    }
  }
  return false
}

const TOML_SCRIPTS: readonly (readonly [string, RegExp])[] = [
  [
    'pyproject.toml',
    /^tool\.(?:pdm\.scripts|hatch\.envs\.\w+\.scripts|poe\.tasks|poetry\.scripts|rye\.scripts|taskipy\.tasks|pixi\.tasks|uv\.scripts)$/,
  ],
  ['Pipfile', /^scripts$/],
  ['pixi.toml', /^tasks$/],
]

/** Services of a compose file, as far as they start something on this machine. */
export function readComposeServices(
  context: Context,
  files: readonly Value[],
): readonly {
  readonly name: string
  readonly command: string
  readonly volumes: readonly string[]
  readonly privileged: boolean
  readonly at: string
}[] {
  const usual = [
    'compose.yaml',
    'compose.yml',
    'docker-compose.yml',
    'docker-compose.yaml',
    'compose.override.yaml',
    'compose.override.yml',
    'docker-compose.override.yml',
  ].map((each) => toKnownWord(each))
  const opened = (files.length > 0 ? files : usual.slice(0)).flatMap((each) => openTaskFile(context, [each]) ?? [])
  return opened.flatMap((file) => parseServices(context, file))
}

function parseServices(context: Context, file: TaskFile) {
  const services: { name: string; command: string; volumes: string[]; privileged: boolean; at: string }[] = []
  let isServices = false
  let list = ''
  for (const [at, line] of file.lines.entries()) {
    if (/^\S/.test(line)) isServices = /^services:/.test(line)
    if (!isServices) continue
    const name = /^ {2}(?! )["']?([\w.-]+)["']?:\s*$/.exec(line)?.[1]
    if (name) {
      services.push({
        name,
        command: '',
        volumes: [],
        privileged: false,
        at: `${showFile(context, file.path)}:${at + 1}`,
      })
      list = ''
      continue
    }
    const last = services.at(-1)
    if (!last) continue
    const pair = /^\s{3,}([a-z_]+):\s*(.*)$/.exec(line)
    if (pair) {
      list = pair[1] ?? ''
      const value = (pair[2] ?? '').trim()
      if (list === 'command' || list === 'entrypoint') last.command = joinCommand(last.command, value)
      if (list === 'volumes')
        last.volumes.push(...[...value.matchAll(/["']([^"']+)["']/g)].map((match) => match[1] ?? ''))
      if (list === 'privileged') last.privileged = value === 'true'
    }
    const item = /^\s+-\s*["']?([^"'\s][^"']*)["']?$/.exec(line.trimEnd())?.[1]
    if (item && list === 'volumes') last.volumes.push(item)
    if (item && (list === 'command' || list === 'entrypoint')) last.command = joinCommand(last.command, item)
  }
  return services
}

function joinCommand(before: string, value: string): string {
  const words = /^\[(.*)\]$/.exec(value)?.[1]
  const plain = words
    ? [...words.matchAll(/"([^"]*)"|'([^']*)'/g)].map((match) => match[1] ?? match[2]).join(' ')
    : value
  return `${before} ${plain.replace(/^(["'])(.*)\1$/, '$2')}`.trim()
}
