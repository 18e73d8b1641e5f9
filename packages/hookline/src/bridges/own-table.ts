import { HooklineError } from '../files/error.ts'
import { readOwn } from '../files/own.ts'
import { DATA_FORMATS } from '../files/parse-data.ts'
import type { Misfit } from '../protocol/check.ts'
import { makeCheck, type ObjectShape, type Shape } from '../protocol/checker.ts'
import { isObject } from '../text/json.ts'
import { WRITER_NAMES } from './answer/answer.ts'
import type { Answers, Bridge } from './bridge.ts'
import { FIELD_TYPES } from './call/fields.ts'
import { PARTS_NAMES } from './call/parts.ts'
import { PAYLOAD_NAMES } from './call/payload.ts'
import { TRUST_LIST_NAMES } from './install/folder-trust.ts'
import { REVIEW_NAMES } from './install/hook-review.ts'
import { SHAPE_NAMES } from './install/install.ts'

/** The table of an agent that a user has written; null when there is none. Rejects with a HooklineError that says what is wrong, and where. */
export async function readTable(agent: string, path: string): Promise<Bridge | null> {
  const content = await readOwn(path)
  if (content.read === 'missing') return null
  if (content.read === 'unreadable') throw new HooklineError(`${path} ${content.reason}, so it is not used.`)
  const table = parseTable(content.text, path)
  const problems = listTableProblems(table, agent)
  if (problems.length === 0) return table as Bridge // checked
  const told = problems.slice(0, MAX_FAULTS_TOLD).map((problem) => `${path}: ${problem}`)
  const more = problems.length - told.length
  throw new HooklineError([...told, ...(more > 0 ? [`and ${more} more.`] : [])].join('\n'))
}

const MAX_FAULTS_TOLD = 5

/** Lists what is wrong with a table, each with its place; nothing when it is right. */
export function listTableProblems(table: unknown, agent: string): string[] {
  const misnamed = isObject(table) && table.name !== agent ? [describeMisnamed(agent)] : []
  return [...checkTable(table).map(formatProblem), ...misnamed]
}

const describeMisnamed = (agent: string): string => `name: must be "${agent}", as the file is called.`

function parseTable(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new HooklineError(`${path} is not JSON (${String(error)}). Fix it, or take it away.`)
  }
}

/** A misfit with its place, as a reader finds it in the file. */
function formatProblem({ path, message }: Misfit): string {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return `${place.replace(/^\./, '') || 'the table'}: ${message}.`
}

const above0: Shape = { above: 0 }

const makeChoice = (values: readonly (string | number | boolean)[]): Shape => ({ values })
const list = (entry: Shape): Shape => ({ list: entry })
const makeByName = (field: Shape): Shape => ({ each: field })
const makeOrNull = (shape: Shape): Shape => ({ either: ['null', shape] })
const makeEither = (...shapes: readonly Shape[]): Shape => ({ either: shapes })

/** An object with these fields and no others; the name of one that may be missing ends with a question mark. */
function makeObject(fields: Readonly<Record<string, Shape>>): ObjectShape {
  const named = Object.entries(fields).map(([name, shape]) => [name.replace(/\?$/, ''), shape])
  return {
    fields: Object.fromEntries(named),
    required: Object.keys(fields).filter((name) => !name.endsWith('?')),
    closed: true,
  }
}

const mark = makeChoice(['O', 'S', 'D', 'T'])
const format = makeChoice(DATA_FORMATS)
const scope = makeChoice(['user', 'project'])
const settingKey = makeEither('text', list('text'))
const fingerprint = makeObject({
  'payload?': list('text'),
  'env?': makeByName(makeEither('text', makeChoice([true]))),
})
const fields = makeByName(
  makeEither('text', makeEither(makeObject({ by: makeChoice(PAYLOAD_NAMES.reader) }), makeObject({ value: 'any' }))),
)

const places: Readonly<Record<string, Shape>> = {
  tool: makeEither('text', makeObject({ value: 'text' })),
  input: 'text',
  id: makeOrNull('text'),
  output: makeOrNull('text'),
  failed: makeOrNull(makeChoice(PAYLOAD_NAMES.failure)),
  'frame?': makeChoice(PAYLOAD_NAMES.frame),
  'error?': 'text',
  'mcp?': makeObject({ server: 'text', tool: 'text' }),
  'inputIsText?': makeChoice([true]),
  'folderOfCommand?': makeChoice([true]),
}
const somePlaces = Object.fromEntries(
  Object.entries(places).map(([name, check]) => [`${name.replace('?', '')}?`, check]),
)

const event = makeEither(
  makeObject({ as: 'null', why: 'text' }),
  makeObject({
    as: makeChoice(PAYLOAD_NAMES.event),
    'fields?': fields,
    'unless?': makeChoice(PAYLOAD_NAMES.spurious),
    'observes?': makeChoice([true]),
    'alsoWhen?': 'text',
    'noOpinion?': 'string',
    'call?': makeObject(somePlaces),
    'most?': above0,
  }),
)

const EFFECTS = ['writes', 'runs', 'reads'] as const

const knownFields: Readonly<Record<string, Shape>> = {
  'required?': makeByName(makeChoice(FIELD_TYPES)),
  'optional?': list('text'),
  'harmless?': list('text'),
  'folder?': 'text',
}

const tool = makeEither(
  makeObject({
    host: 'text',
    parts: makeChoice(PARTS_NAMES),
    field: makeOrNull('text'),
    'input?': makeByName('text'),
    'as?': makeObject({ tool: 'text', field: 'text' }),
    ...knownFields,
  }),
  makeObject({
    host: 'text',
    'does?': makeChoice(EFFECTS),
    claude: makeEither({ list: 'text', atLeast: 1 }, 'text'),
    input: makeByName('text'),
    'constant?': makeByName('text'),
    'list?': 'text',
    'rare?': makeChoice([true]),
    rewrite: makeChoice(['rename', 'never']),
    ...knownFields,
  }),
)

/** Treatments of an answer. A refusal that would become something milder is no choice. */
const emulate = (as: string): Shape => makeObject({ how: makeChoice(['emulated']), as: makeChoice([as]), note: 'text' })
const exact = makeObject({
  how: makeChoice(['exact']),
  write: makeChoice(WRITER_NAMES),
  mark,
  'attended?': makeChoice([true]),
  'stricter?': makeChoice([true]),
  'note?': 'text',
})
const queued = makeObject({ how: makeChoice(['queued']), note: 'text' })
const lost = makeObject({ how: makeChoice(['lost']), note: 'text' })

const answers: Readonly<Record<keyof Answers, Shape>> = {
  deny: exact,
  ask: makeEither(exact, emulate('deny')),
  defer: makeEither(exact, emulate('deny')),
  updatedInput: makeEither(exact, emulate('deny')),
  halt: makeEither(exact, emulate('refusals')),
  haltBeforeTool: makeEither(exact, emulate('refusals')),
  contextBeforeTool: makeEither(exact, queued, lost),
  contextAfterTool: makeEither(exact, queued, lost),
  contextAtStart: makeEither(exact, queued, lost),
  promptContext: makeEither(exact, queued, lost),
  feedbackAfterTool: makeEither(exact, emulate('context'), queued, lost),
  environment: makeEither(exact, emulate('prefix'), lost),
  allow: makeEither(exact, lost),
  updatedToolOutput: makeEither(exact, lost),
  promptBlock: makeEither(exact, lost),
  stopBlock: makeEither(exact, lost),
  dialog: makeEither(exact, lost),
  toUser: makeEither(exact, lost),
}

const TABLE: Shape = makeObject({
  name: 'text',
  title: 'text',
  seen: makeObject({ version: 'text', mark }),
  detect: list(fingerprint),
  'sharedWith?': list(makeObject({ is: fingerprint, agent: 'text' })),
  install: makeObject({
    files: makeObject({ 'user?': 'text', 'project?': 'text' }),
    'homes?': list(makeObject({ variable: 'text', insteadOf: 'string', mark })),
    shape: makeChoice(SHAPE_NAMES),
    reads: makeObject({
      format: makeChoice([...DATA_FORMATS, 'program']),
      'keys?': list('text'),
      'entries?': makeObject({ list: 'text', fields: list('text'), event: 'text' }),
      'whole?': list('text'),
      mark,
    }),
    'switches?': list(
      makeEither(
        makeObject({ variable: 'text', is: list('text'), 'stops?': scope, mark }),
        makeObject({
          files: list('text'),
          format,
          key: settingKey,
          is: makeChoice([true, false, 'listed']),
          'stops?': scope,
          mark,
        }),
      ),
    ),
    'trust?': makeObject({
      file: 'text',
      format,
      'movedBy?': 'text',
      listed: makeChoice(TRUST_LIST_NAMES),
      'keys?': list('text'),
      'onlyIf?': makeObject({ files: list('text'), format, key: 'text', usual: makeChoice([true, false]) }),
      'grantedBy?': makeByName('text'),
      stops: list(scope),
      remedy: 'text',
      mark,
    }),
    'review?': makeObject({ by: makeChoice(REVIEW_NAMES), file: 'text', format, remedy: 'text', mark }),
    'through?': 'text',
    timeout: makeObject({ unit: makeChoice(['s', 'ms']), most: makeOrNull(above0) }),
    loadsClaude: makeOrNull(
      makeObject({
        scopes: list('text'),
        switchOff: makeOrNull('text'),
        'calls?': makeObject({
          'common?': fields,
          'subagent?': makeOrNull(makeObject({ id: 'text', parent: makeOrNull('text') })),
          'call?': makeObject(places),
          'events?': makeByName(event),
          'tools?': list(tool),
        }),
        'refusesTypes?': list('text'),
        'refusesEmptyMatchers?': makeChoice([true]),
        'refusesPlainHttp?': makeChoice([true]),
        'failuresRefuse?': makeChoice([true]),
        'matchesOwnMcpNames?': makeChoice([true]),
      }),
    ),
    person: list('text'),
    missing: makeChoice(['passes', 'refuses', 'asks']),
    'shell?': makeChoice(['bash', 'login']),
  }),
  project: makeOrNull('text'),
  common: fields,
  subagent: makeOrNull(makeObject({ id: 'text', parent: makeOrNull('text') })),
  modes: makeOrNull(makeByName('text')),
  call: makeObject(places),
  mcp: makeObject({
    style: makeOrNull(
      makeObject({
        start: 'string',
        between: 'text',
        'unsure?': makeObject({ written: 'text', meant: 'text' }),
      }),
    ),
    'files?': list(makeObject({ file: 'text', format: makeChoice(DATA_FORMATS), key: 'text' })),
    'own?': list('text'),
  }),
  events: makeByName(event),
  tools: list(tool),
  answers: makeObject(answers),
  capabilities: makeObject({
    noOpinion: 'string',
    stopCap: makeOrNull(above0),
    input: makeChoice(['replace', 'merge']),
    limit: above0,
    blind: list('text'),
    'unseen?': makeByName(makeChoice(EFFECTS)),
  }),
  recipe: makeOrNull(
    makeObject({
      programs: list('text'),
      model: 'text',
      files: makeByName(makeEither('string', makeByName('any'))),
      env: makeByName('string'),
      args: list('text'),
      shell: makeObject({ name: 'text', input: makeByName('any') }),
      seconds: above0,
    }),
  ),
})

const checkTable = makeCheck(TABLE)
