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
  const table = parseTable(content.text, path)
  const problems = [...TABLE(table, ''), ...(isObject(table) && table.name !== agent ? [describeMisnamed(agent)] : [])]
  if (problems.length === 0) return table as Bridge // checked
  const told = problems.slice(0, MAX_FAULTS_TOLD).map((problem) => `${path}: ${problem}`)
  const more = problems.length - told.length
  throw new HooklineError([...told, ...(more > 0 ? [`and ${more} more.`] : [])].join('\n'))
}

const MAX_FAULTS_TOLD = 5

const describeMisnamed = (agent: string): string => `name: must be "${agent}", as the file is called.`

function parseTable(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new HooklineError(`${path} is not JSON (${String(error)}). Fix it, or take it away.`)
  }
}

/** Says what is wrong with a value at a place; nothing when it is right. */
type Check = (value: unknown, place: string) => string[]

const makeWrong = (place: string, wanted: string): string[] => [`${place || 'the table'}: must be ${wanted}.`]

const checkText: Check = (value, place) =>
  typeof value === 'string' && value !== '' ? [] : makeWrong(place, 'a string')
const checkAnyText: Check = (value, place) => (typeof value === 'string' ? [] : makeWrong(place, 'a string'))
const number: Check = (value, place) =>
  typeof value === 'number' && value > 0 ? [] : makeWrong(place, 'a number above 0')
const checkAnything: Check = () => []

const makeOneOf =
  (names: readonly unknown[]): Check =>
  (value, place) =>
    names.includes(value) ? [] : makeWrong(place, `one of ${names.map((name) => JSON.stringify(name)).join(', ')}`)

const list =
  (check: Check): Check =>
  (value, place) =>
    Array.isArray(value) ? value.flatMap((one, index) => check(one, `${place}[${index}]`)) : makeWrong(place, 'a list')

const makeSomeOf =
  (check: Check): Check =>
  (value, place) =>
    Array.isArray(value) && value.length === 0 ? makeWrong(place, 'a list with an entry') : list(check)(value, place)

const makeByName =
  (check: Check): Check =>
  (value, place) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, one]) => check(one, joinPlace(place, name)))
      : makeWrong(place, 'an object')

const makeOrNull =
  (check: Check): Check =>
  (value, place) =>
    value === null ? [] : check(value, place)

/** Either of two, told apart by a look at the value. */
const makeEither =
  (isFirst: (value: unknown) => boolean, first: Check, second: Check): Check =>
  (value, place) =>
    (isFirst(value) ? first : second)(value, place)

const isText = (value: unknown): boolean => typeof value === 'string'
const has =
  (name: string) =>
  (value: unknown): boolean =>
    isObject(value) && Object.hasOwn(value, name)

/** An object with these fields and no others; the name of one that may be missing ends with a question mark. */
function makeObject(fields: Readonly<Record<string, Check>>): Check {
  const known = new Map(Object.entries(fields).map(([name, check]) => [name.replace(/\?$/, ''), check]))
  return (value, place) => {
    if (!isObject(value)) return makeWrong(place, 'an object')
    const missing = Object.keys(fields).filter((name) => !name.endsWith('?') && !Object.hasOwn(value, name))
    return [
      ...missing.map((name) => `${joinPlace(place, name)}: is missing.`),
      ...Object.entries(value).flatMap(([name, one]) => {
        const check = known.get(name)
        if (check !== undefined) return check(one, joinPlace(place, name))
        return [`${joinPlace(place, name)}: is not known. Fields here: ${[...known.keys()].join(', ')}.`]
      }),
    ]
  }
}

const joinPlace = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`)

const mark = makeOneOf(['O', 'S', 'D', 'T'])
const format = makeOneOf(DATA_FORMATS)
const scope = makeOneOf(['user', 'project'])
const settingKey = makeEither(isText, checkText, list(checkText))
const fingerprint = makeObject({
  'payload?': list(checkText),
  'env?': makeByName(makeEither(isText, checkText, makeOneOf([true]))),
})
const fields = makeByName(
  makeEither(
    isText,
    checkText,
    makeEither(has('by'), makeObject({ by: makeOneOf(PAYLOAD_NAMES.reader) }), makeObject({ value: checkAnything })),
  ),
)

const places = {
  tool: makeEither(isText, checkText, makeObject({ value: checkText })),
  input: checkText,
  id: makeOrNull(checkText),
  output: makeOrNull(checkText),
  failed: makeOrNull(makeOneOf(PAYLOAD_NAMES.failure)),
  'frame?': makeOneOf(PAYLOAD_NAMES.frame),
  'error?': checkText,
  'mcp?': makeObject({ server: checkText, tool: checkText }),
  'inputIsText?': makeOneOf([true]),
  'folderOfCommand?': makeOneOf([true]),
}
const somePlaces = Object.fromEntries(
  Object.entries(places).map(([name, check]) => [`${name.replace('?', '')}?`, check]),
)

const event = makeEither(
  (value) => isObject(value) && value.as === null,
  makeObject({ as: checkAnything, why: checkText }),
  makeObject({
    as: makeOneOf(PAYLOAD_NAMES.event),
    'fields?': fields,
    'unless?': makeOneOf(PAYLOAD_NAMES.spurious),
    'observes?': makeOneOf([true]),
    'noOpinion?': checkAnyText,
    'call?': makeObject(somePlaces),
    'most?': number,
  }),
)

const EFFECTS = ['writes', 'runs', 'reads'] as const

const knownFields = {
  'required?': makeByName(makeOneOf(FIELD_TYPES)),
  'optional?': list(checkText),
  'harmless?': list(checkText),
  'folder?': checkText,
}

const tool = makeEither(
  has('parts'),
  makeObject({
    host: checkText,
    parts: makeOneOf(PARTS_NAMES),
    field: makeOrNull(checkText),
    'input?': makeByName(checkText),
    'as?': makeObject({ tool: checkText, field: checkText }),
    ...knownFields,
  }),
  makeObject({
    host: checkText,
    'does?': makeOneOf(EFFECTS),
    claude: makeEither(Array.isArray, makeSomeOf(checkText), checkText),
    input: makeByName(checkText),
    'constant?': makeByName(checkText),
    'list?': checkText,
    'rare?': makeOneOf([true]),
    rewrite: makeOneOf(['rename', 'never']),
    ...knownFields,
  }),
)

/** Treatments of an answer. A refusal that would become something milder is no choice. */
const cells = {
  exact: makeObject({
    how: checkAnything,
    write: makeOneOf(WRITER_NAMES),
    mark,
    'attended?': makeOneOf([true]),
    'stricter?': makeOneOf([true]),
    'note?': checkText,
  }),
  deny: makeObject({ how: checkAnything, as: makeOneOf(['deny']), note: checkText }),
  refusals: makeObject({ how: checkAnything, as: makeOneOf(['refusals']), note: checkText }),
  context: makeObject({ how: checkAnything, as: makeOneOf(['context']), note: checkText }),
  prefix: makeObject({ how: checkAnything, as: makeOneOf(['prefix']), note: checkText }),
  queued: makeObject({ how: checkAnything, note: checkText }),
  lost: makeObject({ how: checkAnything, note: checkText }),
}

type CellName = keyof typeof cells

function makeCell(...names: readonly CellName[]): Check {
  const describeCell = (name: CellName): string => (name in HOWS ? name : 'emulated')
  return (value, place) => {
    const said = isObject(value) ? value.how : undefined
    const fitting = names.find((name) => describeCell(name) === said)
    if (fitting !== undefined) return cells[fitting](value, place)
    return makeWrong(
      joinPlace(place, 'how'),
      `one of ${names.map((name) => JSON.stringify(describeCell(name))).join(', ')}`,
    )
  }
}

const HOWS: Readonly<Partial<Record<CellName, true>>> = { exact: true, queued: true, lost: true }

const answers: Readonly<Record<keyof Answers, Check>> = {
  deny: makeCell('exact'),
  ask: makeCell('exact', 'deny'),
  defer: makeCell('exact', 'deny'),
  updatedInput: makeCell('exact', 'deny'),
  halt: makeCell('exact', 'refusals'),
  haltBeforeTool: makeCell('exact', 'refusals'),
  contextBeforeTool: makeCell('exact', 'queued', 'lost'),
  contextAfterTool: makeCell('exact', 'queued', 'lost'),
  contextAtStart: makeCell('exact', 'queued', 'lost'),
  promptContext: makeCell('exact', 'queued', 'lost'),
  feedbackAfterTool: makeCell('exact', 'context', 'queued', 'lost'),
  environment: makeCell('exact', 'prefix', 'lost'),
  allow: makeCell('exact', 'lost'),
  updatedToolOutput: makeCell('exact', 'lost'),
  promptBlock: makeCell('exact', 'lost'),
  stopBlock: makeCell('exact', 'lost'),
  dialog: makeCell('exact', 'lost'),
  toUser: makeCell('exact', 'lost'),
}

const TABLE: Check = makeObject({
  name: checkText,
  title: checkText,
  seen: makeObject({ version: checkText, mark }),
  detect: list(fingerprint),
  'sharedWith?': list(makeObject({ is: fingerprint, agent: checkText })),
  install: makeObject({
    files: makeObject({ 'user?': checkText, 'project?': checkText }),
    'homes?': list(makeObject({ variable: checkText, insteadOf: checkAnyText, mark })),
    shape: makeOneOf(SHAPE_NAMES),
    reads: makeObject({
      format: makeOneOf([...DATA_FORMATS, 'program']),
      'keys?': list(checkText),
      'entries?': makeObject({ list: checkText, fields: list(checkText), event: checkText }),
      'whole?': list(checkText),
      mark,
    }),
    'switches?': list(
      makeEither(
        has('variable'),
        makeObject({ variable: checkText, is: list(checkText), 'stops?': scope, mark }),
        makeObject({
          files: list(checkText),
          format,
          key: settingKey,
          is: makeOneOf([true, false, 'listed']),
          'stops?': scope,
          mark,
        }),
      ),
    ),
    'trust?': makeObject({
      file: checkText,
      format,
      'movedBy?': checkText,
      listed: makeOneOf(TRUST_LIST_NAMES),
      'keys?': list(checkText),
      'onlyIf?': makeObject({ files: list(checkText), format, key: checkText, usual: makeOneOf([true, false]) }),
      'grantedBy?': makeByName(checkText),
      stops: list(scope),
      remedy: checkText,
      mark,
    }),
    'review?': makeObject({ by: makeOneOf(REVIEW_NAMES), file: checkText, format, remedy: checkText, mark }),
    'through?': checkText,
    timeout: makeObject({ unit: makeOneOf(['s', 'ms']), most: makeOrNull(number) }),
    loadsClaude: makeOrNull(
      makeObject({
        scopes: list(checkText),
        switchOff: makeOrNull(checkText),
        'calls?': makeObject({
          'common?': fields,
          'subagent?': makeOrNull(makeObject({ id: checkText, parent: makeOrNull(checkText) })),
          'call?': makeObject(places),
          'events?': makeByName(event),
          'tools?': list(tool),
        }),
        'refusesTypes?': list(checkText),
      }),
    ),
    person: list(checkText),
    missing: makeOneOf(['passes', 'refuses', 'asks']),
    'shell?': makeOneOf(['bash', 'login']),
  }),
  project: makeOrNull(checkText),
  common: fields,
  subagent: makeOrNull(makeObject({ id: checkText, parent: makeOrNull(checkText) })),
  modes: makeOrNull(makeByName(checkText)),
  call: makeObject(places),
  mcp: makeObject({
    style: makeOrNull(
      makeObject({
        start: checkAnyText,
        between: checkText,
        'unsure?': makeObject({ written: checkText, meant: checkText }),
      }),
    ),
    'files?': list(makeObject({ file: checkText, format: makeOneOf(DATA_FORMATS), key: checkText })),
    'own?': list(checkText),
  }),
  events: makeByName(event),
  tools: list(tool),
  answers: makeObject(answers),
  capabilities: makeObject({
    noOpinion: checkAnyText,
    stopCap: makeOrNull(number),
    input: makeOneOf(['replace', 'merge']),
    limit: number,
    blind: list(checkText),
    'unseen?': makeByName(makeOneOf(EFFECTS)),
  }),
  recipe: makeOrNull(
    makeObject({
      programs: list(checkText),
      model: checkText,
      files: makeByName(makeEither(isText, checkAnyText, makeByName(checkAnything))),
      env: makeByName(checkAnyText),
      args: list(checkText),
      shell: makeObject({ name: checkText, input: makeByName(checkAnything) }),
      seconds: number,
    }),
  ),
})
