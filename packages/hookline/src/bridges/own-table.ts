import { HooklineError } from '../files/error.ts'
import { readOwn } from '../files/own.ts'
import { DATA_FORMATS } from '../files/parse-data.ts'
import { isObject } from '../text/json.ts'
import { WRITER_NAMES } from './answer.ts'
import type { Answers, Bridge } from './bridge.ts'
import { FIELD_TYPES } from './fields.ts'
import { TRUST_LIST_NAMES } from './folder-trust.ts'
import { REVIEW_NAMES } from './hook-review.ts'
import { SHAPE_NAMES } from './install.ts'
import { PARTS_NAMES } from './parts.ts'
import { PAYLOAD_NAMES } from './payload.ts'

/** The table of an agent that a user has written; null when there is none. Rejects with a HooklineError that says what is wrong, and where. */
export async function readTable(agent: string, path: string): Promise<Bridge | null> {
  const content = await readOwn(path)
  if (content.read === 'missing') return null
  if (content.read === 'unreadable') throw new HooklineError(`${path} ${content.reason}, so it is not used.`)
  const table = tableIn(content.text, path)
  const problems = [...TABLE(table, ''), ...(isObject(table) && table.name !== agent ? [misnamed(agent)] : [])]
  if (problems.length === 0) return table as Bridge // checked
  const told = problems.slice(0, MOST_TOLD).map((problem) => `${path}: ${problem}`)
  const more = problems.length - told.length
  throw new HooklineError([...told, ...(more > 0 ? [`and ${more} more.`] : [])].join('\n'))
}

const MOST_TOLD = 5

const misnamed = (agent: string): string => `name: must be "${agent}", as the file is called.`

function tableIn(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new HooklineError(`${path} is not JSON (${String(error)}). Fix it, or take it away.`)
  }
}

/** Says what is wrong with a value at a place; nothing when it is right. */
type Check = (value: unknown, place: string) => string[]

const wrong = (place: string, wanted: string): string[] => [`${place || 'the table'}: must be ${wanted}.`]

const text: Check = (value, place) => (typeof value === 'string' && value !== '' ? [] : wrong(place, 'a string'))
const anyText: Check = (value, place) => (typeof value === 'string' ? [] : wrong(place, 'a string'))
const number: Check = (value, place) => (typeof value === 'number' && value > 0 ? [] : wrong(place, 'a number above 0'))
const anything: Check = () => []

const oneOf =
  (names: readonly unknown[]): Check =>
  (value, place) =>
    names.includes(value) ? [] : wrong(place, `one of ${names.map((name) => JSON.stringify(name)).join(', ')}`)

const list =
  (check: Check): Check =>
  (value, place) =>
    Array.isArray(value) ? value.flatMap((one, index) => check(one, `${place}[${index}]`)) : wrong(place, 'a list')

const someOf =
  (check: Check): Check =>
  (value, place) =>
    Array.isArray(value) && value.length === 0 ? wrong(place, 'a list with an entry') : list(check)(value, place)

const byName =
  (check: Check): Check =>
  (value, place) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, one]) => check(one, inside(place, name)))
      : wrong(place, 'an object')

const orNull =
  (check: Check): Check =>
  (value, place) =>
    value === null ? [] : check(value, place)

/** Either of two, told apart by a look at the value. */
const either =
  (isFirst: (value: unknown) => boolean, first: Check, second: Check): Check =>
  (value, place) =>
    (isFirst(value) ? first : second)(value, place)

const isText = (value: unknown): boolean => typeof value === 'string'
const has =
  (name: string) =>
  (value: unknown): boolean =>
    isObject(value) && Object.hasOwn(value, name)

/** An object with these fields and no others; the name of one that may be missing ends with a question mark. */
function object(fields: Readonly<Record<string, Check>>): Check {
  const known = new Map(Object.entries(fields).map(([name, check]) => [name.replace(/\?$/, ''), check]))
  return (value, place) => {
    if (!isObject(value)) return wrong(place, 'an object')
    const missing = Object.keys(fields).filter((name) => !name.endsWith('?') && !Object.hasOwn(value, name))
    return [
      ...missing.map((name) => `${inside(place, name)}: is missing.`),
      ...Object.entries(value).flatMap(([name, one]) => {
        const check = known.get(name)
        if (check !== undefined) return check(one, inside(place, name))
        return [`${inside(place, name)}: is not known. Fields here: ${[...known.keys()].join(', ')}.`]
      }),
    ]
  }
}

const inside = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`)

const mark = oneOf(['O', 'S', 'D', 'T'])
const format = oneOf(DATA_FORMATS)
const scope = oneOf(['user', 'project'])
const settingKey = either(isText, text, list(text))
const fingerprint = object({ 'payload?': list(text), 'env?': byName(either(isText, text, oneOf([true]))) })
const fields = byName(
  either(isText, text, either(has('by'), object({ by: oneOf(PAYLOAD_NAMES.reader) }), object({ value: anything }))),
)

const places = {
  tool: either(isText, text, object({ value: text })),
  input: text,
  id: orNull(text),
  output: orNull(text),
  failed: orNull(oneOf(PAYLOAD_NAMES.failure)),
  'frame?': oneOf(PAYLOAD_NAMES.frame),
  'error?': text,
  'mcp?': object({ server: text, tool: text }),
  'inputIsText?': oneOf([true]),
  'folderOfCommand?': oneOf([true]),
}
const somePlaces = Object.fromEntries(
  Object.entries(places).map(([name, check]) => [`${name.replace('?', '')}?`, check]),
)

const event = either(
  (value) => isObject(value) && value.as === null,
  object({ as: anything, why: text }),
  object({
    as: oneOf(PAYLOAD_NAMES.event),
    'fields?': fields,
    'unless?': oneOf(PAYLOAD_NAMES.spurious),
    'observes?': oneOf([true]),
    'noOpinion?': anyText,
    'call?': object(somePlaces),
    'most?': number,
  }),
)

const EFFECTS = ['writes', 'runs', 'reads'] as const

const knownFields = {
  'required?': byName(oneOf(FIELD_TYPES)),
  'optional?': list(text),
  'harmless?': list(text),
  'folder?': text,
}

const tool = either(
  has('parts'),
  object({
    host: text,
    parts: oneOf(PARTS_NAMES),
    field: orNull(text),
    'input?': byName(text),
    'as?': object({ tool: text, field: text }),
    ...knownFields,
  }),
  object({
    host: text,
    'does?': oneOf(EFFECTS),
    claude: either(Array.isArray, someOf(text), text),
    input: byName(text),
    'constant?': byName(text),
    'list?': text,
    'rare?': oneOf([true]),
    rewrite: oneOf(['rename', 'never']),
    ...knownFields,
  }),
)

/** What may become of an answer. A refusal that would become something milder is no choice. */
const cells = {
  exact: object({
    how: anything,
    write: oneOf(WRITER_NAMES),
    mark,
    'attended?': oneOf([true]),
    'stricter?': oneOf([true]),
    'note?': text,
  }),
  deny: object({ how: anything, as: oneOf(['deny']), note: text }),
  refusals: object({ how: anything, as: oneOf(['refusals']), note: text }),
  context: object({ how: anything, as: oneOf(['context']), note: text }),
  prefix: object({ how: anything, as: oneOf(['prefix']), note: text }),
  queued: object({ how: anything, note: text }),
  lost: object({ how: anything, note: text }),
}

type CellName = keyof typeof cells

function cell(...names: readonly CellName[]): Check {
  const how = (name: CellName): string => (name in HOWS ? name : 'emulated')
  return (value, place) => {
    const said = isObject(value) ? value.how : undefined
    const fitting = names.find((name) => how(name) === said)
    if (fitting !== undefined) return cells[fitting](value, place)
    return wrong(inside(place, 'how'), `one of ${names.map((name) => JSON.stringify(how(name))).join(', ')}`)
  }
}

const HOWS: Readonly<Partial<Record<CellName, true>>> = { exact: true, queued: true, lost: true }

const answers: Readonly<Record<keyof Answers, Check>> = {
  deny: cell('exact'),
  ask: cell('exact', 'deny'),
  defer: cell('exact', 'deny'),
  updatedInput: cell('exact', 'deny'),
  halt: cell('exact', 'refusals'),
  haltBeforeTool: cell('exact', 'refusals'),
  contextBeforeTool: cell('exact', 'queued', 'lost'),
  contextAfterTool: cell('exact', 'queued', 'lost'),
  contextAtStart: cell('exact', 'queued', 'lost'),
  promptContext: cell('exact', 'queued', 'lost'),
  feedbackAfterTool: cell('exact', 'context', 'queued', 'lost'),
  environment: cell('exact', 'prefix', 'lost'),
  allow: cell('exact', 'lost'),
  updatedToolOutput: cell('exact', 'lost'),
  promptBlock: cell('exact', 'lost'),
  stopBlock: cell('exact', 'lost'),
  dialog: cell('exact', 'lost'),
  toUser: cell('exact', 'lost'),
}

const TABLE: Check = object({
  name: text,
  title: text,
  seen: object({ version: text, mark }),
  detect: list(fingerprint),
  'sharedWith?': list(object({ is: fingerprint, agent: text })),
  install: object({
    files: object({ 'user?': text, 'project?': text }),
    'homes?': list(object({ variable: text, insteadOf: anyText, mark })),
    shape: oneOf(SHAPE_NAMES),
    reads: object({
      format: oneOf([...DATA_FORMATS, 'program']),
      'keys?': list(text),
      'entries?': object({ list: text, fields: list(text), event: text }),
      'whole?': list(text),
      mark,
    }),
    'switches?': list(
      either(
        has('variable'),
        object({ variable: text, is: list(text), 'stops?': scope, mark }),
        object({
          files: list(text),
          format,
          key: settingKey,
          is: oneOf([true, false, 'listed']),
          'stops?': scope,
          mark,
        }),
      ),
    ),
    'trust?': object({
      file: text,
      format,
      'movedBy?': text,
      listed: oneOf(TRUST_LIST_NAMES),
      'keys?': list(text),
      'onlyIf?': object({ files: list(text), format, key: text, usual: oneOf([true, false]) }),
      'grantedBy?': byName(text),
      stops: list(scope),
      remedy: text,
      mark,
    }),
    'review?': object({ by: oneOf(REVIEW_NAMES), file: text, format, remedy: text, mark }),
    'through?': text,
    timeout: object({ unit: oneOf(['s', 'ms']), most: orNull(number) }),
    loadsClaude: orNull(
      object({
        scopes: list(text),
        switchOff: orNull(text),
        'calls?': object({
          'common?': fields,
          'subagent?': orNull(object({ id: text, parent: orNull(text) })),
          'call?': object(places),
          'events?': byName(event),
          'tools?': list(tool),
        }),
        'refusesTypes?': list(text),
      }),
    ),
    person: list(text),
    missing: oneOf(['passes', 'refuses', 'asks']),
    'shell?': oneOf(['bash', 'login']),
  }),
  project: orNull(text),
  common: fields,
  subagent: orNull(object({ id: text, parent: orNull(text) })),
  modes: orNull(byName(text)),
  call: object(places),
  mcp: object({
    style: orNull(object({ start: anyText, between: text, 'unsure?': object({ written: text, meant: text }) })),
    'files?': list(object({ file: text, format: oneOf(DATA_FORMATS), key: text })),
    'own?': list(text),
  }),
  events: byName(event),
  tools: list(tool),
  answers: object(answers),
  capabilities: object({
    noOpinion: anyText,
    stopCap: orNull(number),
    input: oneOf(['replace', 'merge']),
    limit: number,
    blind: list(text),
    'unseen?': byName(oneOf(EFFECTS)),
  }),
  recipe: orNull(
    object({
      programs: list(text),
      model: text,
      files: byName(either(isText, anyText, byName(anything))),
      env: byName(anyText),
      args: list(text),
      shell: object({ name: text, input: byName(anything) }),
      seconds: number,
    }),
  ),
})
