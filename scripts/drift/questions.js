/** How the rows of `rows.js` are asked: the sessions that answer them, many rows in one, and what is read of a session. */
import { readFileSync } from 'node:fs'
import { serverArgs } from '../clients/client.js'
import { noteOf, paths, resultOf, runs, shapeOf, textsWith, typesOf } from './reading.js'
import {
  AFTER_CALL,
  AFTER_FAILURE,
  AT_DIALOG,
  AT_PROMPT,
  AT_STOP,
  BEFORE_CALL,
  CONDITION_COMMANDS,
  CONDITIONS,
  ENDING,
  EVENTS,
  FILES,
  MATCHERS,
  MISFITS,
  SWITCHES,
  TOOLS,
  VARIABLE_EVENTS,
} from './rows.js'

/**
 * @import { ScriptedToolCall, SpokenAnswer } from 'hookline/testing'
 * @import { Place } from '../clients/client.js'
 * @import { Seen } from '../clients/run-client.js'
 * @import { AnswerRow, MisfitRow, Said } from './rows.js'
 */

/**
 * A run of the client. Paths of files begin in the project; `../home` and `../plugin` lie beside it.
 * @typedef {object} Session
 * @property {Record<string, unknown>} files objects are written as JSON
 * @property {readonly SpokenAnswer[]} [steps] what the model says
 * @property {string} [prompt]
 * @property {readonly string[]} [args]
 * @property {string} [allowed] tools that need no permission
 * @property {(place: Place) => Record<string, object>} [homeFiles]
 */

/**
 * A question, the session that answers it, and how the answer is read there. `docs` is the page that stands on it.
 * @typedef {object} Question
 * @property {string} id
 * @property {string} asks
 * @property {string} docs
 * @property {string} session
 * @property {(seen: Seen) => string} look
 */

/** Prompt of sessions that have none of their own; its last word is nowhere else. */
export const PROMPT = 'Do as told by drift-watch'
const HOOK = readFileSync(new URL('hook.mjs', import.meta.url), 'utf8')
/** Notes that a hook ran, and for which call: cheaper than Node where there are many. */
const NOTE = `read -r line; id=\${line#*\\"tool_use_id\\":\\"}; case $line in *'"tool_use_id":"'*) ;; *) id=-;; esac
echo "$1 \${id%%\\"*}" >> "$CLAUDE_PROJECT_DIR/ran.txt"
`

const EVENTS_PAGE = 'docs/events-current.md'
const CONFIGURATION_PAGE = 'docs/classic-and-current.md'
const SILENCE_PAGE = 'docs/my-hook-does-not-fire.md'
const HOOKS_PAGE = 'docs/hook-types.md'

/** @param {string} name */
const answering = (name) => ({ type: 'command', command: `node "$CLAUDE_PROJECT_DIR/.claude/hook.mjs" ${name}` })
/** @param {string} name */
const noting = (name) => ({ type: 'command', command: `sh "$CLAUDE_PROJECT_DIR/.claude/note.sh" ${name}` })
/** @param {...object} hooks */
const group = (...hooks) => [{ hooks }]
/** @param {Record<string, Said>} answers */
const programs = (answers = {}) => ({
  '.claude/hook.mjs': HOOK,
  '.claude/note.sh': NOTE,
  '.claude/answers.json': answers,
})
/** @param {string} command @param {string} id @returns {ScriptedToolCall} */
const bash = (command, id) => ({ name: 'Bash', input: { command, description: 'as scripted' }, id: `toolu_${id}` })
/** @param {readonly ScriptedToolCall[]} calls @returns {SpokenAnswer[]} */
const inTurn = (calls) => [...calls.map((call) => ({ tools: [call] })), { text: 'All done.' }]
/** A session with an MCP server called `files`. */
const withServer = {
  /** @param {Place} place */
  homeFiles: (place) => ({ '.claude.json': { mcpServers: { files: { command: 'node', args: serverArgs(place) } } } }),
}

/** All sessions, by their names. */
export const SESSIONS = /** @type {Record<string, Session>} */ ({})
/** All questions. */
export const QUESTIONS = /** @type {Question[]} */ ([])

/**
 * Rows of answers on one event, a call each, in one session.
 * @param {string} event
 * @param {object} table
 * @param {string} table.name of the session
 * @param {readonly AnswerRow[]} table.rows
 * @param {Record<string, object>} table.hooks by their names, with their further fields
 * @param {(row: any, word: string) => ScriptedToolCall} table.call
 * @param {(row: any, word: string, seen: Seen) => string} table.look
 * @param {Partial<Session>} [table.session]
 */
function askAnswers(event, { name, rows, hooks, call, look, session }) {
  /** @type {Record<string, Said>} */
  const answers = {}
  const calls = rows.map((row) => {
    const word = `row-${row.id}`
    for (const [hook, said] of Object.entries(row.says(word))) answers[`${event} ${word} ${hook}`] = said
    QUESTIONS.push({
      id: `${event}/${row.id}`,
      asks: `${event}: ${row.asks}`,
      docs: EVENTS_PAGE,
      session: name,
      look: (seen) => look(row, word, seen),
    })
    return call(row, word)
  })
  const configured = Object.entries(hooks).map(([hook, fields]) => ({ ...answering(hook), ...fields }))
  SESSIONS[name] = {
    files: { ...programs(answers), '.claude/settings.json': { hooks: { [event]: group(...configured) } } },
    steps: inTurn(calls),
    ...session,
  }
}

/** @param {Seen} seen @param {string} word */
const ran = ({ read }, word) => (read(`${word}.txt`) === null ? 'did not run' : 'ran')

askAnswers('PreToolUse', {
  name: 'answers before a call',
  rows: BEFORE_CALL,
  hooks: { one: {}, two: {}, brief: { timeout: 1 }, behind: { async: true }, closed: { onFailure: 'block' } },
  call: (_, word) => bash(`echo done > ${word}.txt`, word),
  look: (_, word, seen) => {
    const made = ['.new', '-slow.new', '-fast.new'].filter((end) => seen.read(`${word}${end}`) !== null)
    const call = made.length > 0 ? `ran as rewritten${made.join().replaceAll('.new', '')}` : ran(seen, word)
    return `${call}; the model reads: ${resultOf(seen, `toolu_${word}`)}${textsWith(seen, word)}`
  },
})

askAnswers('PostToolUse', {
  name: 'answers after a call',
  rows: AFTER_CALL,
  hooks: { one: {}, two: {} },
  call: ({ tool }, word) => {
    if (tool === 'mcp__files__look') return { name: tool, input: { target: word }, id: `toolu_${word}` }
    if (tool === 'Read') return { name: tool, input: { file_path: `${word}.md` }, id: `toolu_${word}` }
    return bash(`printf secret; : ${word}`, word)
  },
  look: (_, word, seen) => `the model reads: ${resultOf(seen, `toolu_${word}`)}${textsWith(seen, word)}`,
  session: withServer,
})
SESSIONS['answers after a call'] = {
  ...SESSIONS['answers after a call'],
  files: { ...SESSIONS['answers after a call']?.files, 'row-read-output.md': 'secret\n' },
}

askAnswers('PostToolUseFailure', {
  name: 'answers after a failure',
  rows: AFTER_FAILURE,
  hooks: { one: {} },
  call: (_, word) => bash(`exit 3 # ${word}`, word),
  look: (_, word, seen) => `the model reads: ${resultOf(seen, `toolu_${word}`)}${textsWith(seen, word)}`,
})

askAnswers('PermissionRequest', {
  name: 'dialogs',
  rows: AT_DIALOG,
  hooks: { one: {} },
  call: (_, word) => ({ name: 'Write', input: { file_path: `${word}.txt`, content: 'written' }, id: `toolu_${word}` }),
  look: (_, word, seen) => `${ran(seen, word)}; the model reads: ${resultOf(seen, `toolu_${word}`)}`,
  session: { allowed: 'Read' },
})

for (const { id, asks, event, says } of ENDING) {
  const session = `ending: ${id}`
  const subject = event === 'PreToolUse' || event === 'PostToolUse' ? 'row-end' : null
  const nth = subject === null ? Array.from({ length: 12 }, (_, at) => String(at + 1)) : [subject]
  SESSIONS[session] = {
    files: {
      ...programs(Object.fromEntries(nth.map((key) => [`${event} ${key} one`, says]))),
      '.claude/settings.json': { hooks: { [event]: group(answering('one')) } },
    },
    steps: inTurn([bash('echo done > row-end.txt', 'row-end')]),
  }
  QUESTIONS.push({
    id: `${event}/${id}`,
    asks: `${event}: ${asks}`,
    docs: EVENTS_PAGE,
    session,
    look: (seen) => {
      const times = runs(seen, 'one', event).length
      return `the call ${ran(seen, 'row-end')}; the hook ran ${times} times; the model was asked ${asked(seen)} times; printed: ${seen.output.trim()}`
    },
  })
}

/** @param {Seen} seen */
function asked({ requests }) {
  return requests.filter(({ tools }) => tools.length > 0).length
}

SESSIONS.stop = {
  files: {
    ...programs(Object.fromEntries(AT_STOP.map(({ says }, at) => [`Stop ${at + 1} one`, says]))),
    '.claude/settings.json': { hooks: { Stop: group(answering('one')) } },
  },
  steps: [{ text: 'All done.' }],
}
for (const [at, { id, asks }] of AT_STOP.entries())
  QUESTIONS.push({
    id: `Stop/${id}`,
    asks: `Stop: ${asks}`,
    docs: EVENTS_PAGE,
    session: 'stop',
    look: (seen) => {
      const given = runs(seen, 'one', 'Stop')[at]?.input
      const isLast = runs(seen, 'one', 'Stop').length === at + 1
      const read = id === 'block-mute' ? textsWith(seen, 'Blocked by hook') : textsWith(seen, `stop-${at + 1}`)
      return `stop_hook_active ${given?.stop_hook_active}; ${isLast ? 'it stops' : 'it goes on'}; the model reads:${read}`
    },
  })

for (const { id, asks, start, prompt } of AT_PROMPT) {
  const session = `prompt: ${id}`
  SESSIONS[session] = {
    files: {
      ...programs({ 'SessionStart 1 one': start, 'UserPromptSubmit 1 one': prompt }),
      '.claude/settings.json': {
        hooks: { SessionStart: group(answering('one')), UserPromptSubmit: group(answering('one')) },
      },
    },
    steps: [{ text: 'All done.' }],
  }
  QUESTIONS.push({
    id: `SessionStart/${id}`,
    asks: `SessionStart: ${asks[0]}`,
    docs: EVENTS_PAGE,
    session,
    look: (seen) => `the model reads:${textsWith(seen, 'of start')}`,
  })
  QUESTIONS.push({
    id: `UserPromptSubmit/${id}`,
    asks: `UserPromptSubmit: ${asks[1]}`,
    docs: EVENTS_PAGE,
    session,
    look: (seen) =>
      `the model was asked ${asked(seen)} times, and reads:${textsWith(seen, 'of prompt')}; printed: ${seen.output.trim()}`,
  })
}

/** Calls on which all matchers are tried. */
const MATCHED = {
  Bash: bash('echo a', 'Bash'),
  Write: { name: 'Write', input: { file_path: 'a.txt', content: 'a' }, id: 'toolu_Write' },
  Agent: {
    name: 'Agent',
    input: {
      description: 'as scripted',
      prompt: 'Say done.',
      subagent_type: 'general-purpose',
      run_in_background: false,
    },
    id: 'toolu_Agent',
  },
  mcp__files__look: { name: 'mcp__files__look', input: {}, id: 'toolu_mcp' },
}

SESSIONS.matchers = {
  files: {
    ...programs(),
    '.claude/settings.json': {
      hooks: {
        PreToolUse: MATCHERS.map((matcher, at) => ({
          ...(matcher === null ? {} : { matcher }),
          hooks: [noting(`m${at}`)],
        })),
      },
    },
  },
  steps: inTurn(Object.values(MATCHED)),
  ...withServer,
}
for (const [at, matcher] of MATCHERS.entries())
  QUESTIONS.push({
    id: `matcher/${matcher ?? 'none'}`,
    asks: `matcher ${matcher === null ? 'left out' : JSON.stringify(matcher)}: which of ${Object.keys(MATCHED).join(', ')}`,
    docs: CONFIGURATION_PAGE,
    session: 'matchers',
    look: (seen) => {
      const ids = noteOf(seen, `m${at}`)
      return (
        Object.keys(MATCHED)
          .filter((name) => ids.includes(`toolu_${name.replace(/^mcp.*/, 'mcp')}`))
          .join(', ') || 'none'
      )
    },
  })

const CONDITION_CALLS = {
  ...Object.fromEntries(
    Object.entries(CONDITION_COMMANDS).map(([name, command], at) => [name, bash(command, `c${at}`)]),
  ),
  'Write src/deep/a.ts': { name: 'Write', input: { file_path: 'src/deep/a.ts', content: 'a' }, id: 'toolu_w' },
}
SESSIONS.conditions = {
  files: {
    ...programs(),
    '.claude/settings.json': {
      hooks: { PreToolUse: group(...CONDITIONS.map((rule, at) => ({ ...noting(`i${at}`), if: rule }))) },
    },
  },
  steps: inTurn(Object.values(CONDITION_CALLS)),
}
for (const [at, rule] of CONDITIONS.entries())
  QUESTIONS.push({
    id: `if/${rule || 'empty'}`,
    asks: `if ${JSON.stringify(rule)}: on which calls`,
    docs: 'docs/permission-rules.md',
    session: 'conditions',
    look: (seen) => {
      const ids = noteOf(seen, `i${at}`)
      const on = Object.entries(CONDITION_CALLS).filter(([, { id }]) => ids.includes(String(id)))
      return on.map(([name]) => name).join('; ') || 'none'
    },
  })

const RECORDING = Object.fromEntries(
  [...Object.keys(EVENTS), 'PermissionDenied', 'PostCompact', 'ConfigChange'].map((event) => [
    event,
    group({ ...answering('record'), timeout: 60 }),
  ]),
)
const recording = { ...programs(), '.claude/settings.json': { hooks: RECORDING } }
const SKILL = `---
name: tidy
description: As scripted.
hooks:
  PreToolUse:
    - hooks:
        - { type: command, command: 'node "$CLAUDE_PROJECT_DIR/.claude/hook.mjs" skill' }
        - { type: command, command: 'sh "$CLAUDE_PROJECT_DIR/.claude/note.sh" "skill-root:$CLAUDE_PLUGIN_ROOT"' }
    - matcher: Bash
      hooks:
        - { type: command, once: true, command: 'sh "$CLAUDE_PROJECT_DIR/.claude/note.sh" skill-once' }
    - hooks:
        - { type: command, once: true, command: 'sh "$CLAUDE_PROJECT_DIR/.claude/note.sh" skill-once-any' }
---
Tidy.
`

SESSIONS.events = {
  files: { ...recording, 'CLAUDE.md': 'Be brief.\n', 'sub/a.txt': 'a\n', '.claude/skills/tidy/SKILL.md': SKILL },
  allowed: 'Bash,Write,Edit,Read,Agent,Skill,TaskCreate,TaskUpdate,mcp__files',
  steps: inTurn([
    bash('echo a', 'e1'),
    bash('cd sub', 'e5'),
    bash('cd ..', 'e6'),
    bash('exit 3', 'e2'),
    { name: 'Write', input: { file_path: 'new.txt', content: 'one\n' } },
    { name: 'Read', input: { file_path: 'new.txt' } },
    { name: 'Edit', input: { file_path: 'new.txt', old_string: 'one', new_string: 'two' } },
    MATCHED.Agent,
    MATCHED.mcp__files__look,
    { name: 'TaskCreate', input: { subject: 'tidy', description: 'Tidy up.' } },
    { name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } },
    { name: 'Skill', input: { skill: 'tidy' } },
    bash('echo b', 'e3'),
    bash('echo c', 'e4'),
  ]),
  ...withServer,
}
SESSIONS.expansion = {
  files: { ...recording, '.claude/commands/hello.md': 'Say hello to $ARGUMENTS.\n' },
  prompt: '/hello you',
  steps: [{ text: 'Hello.' }],
}
SESSIONS.compaction = { files: recording, prompt: '/compact be brief', steps: [{ text: 'Brief.' }] }
SESSIONS.setup = { files: recording, args: ['--init'], steps: [{ text: 'All done.' }] }
const dialogs = SESSIONS.dialogs
if (dialogs)
  dialogs.files = {
    ...dialogs.files,
    '.claude/settings.local.json': { hooks: { PermissionRequest: group(answering('record')) } },
  }

for (const [event, session] of Object.entries(EVENTS))
  QUESTIONS.push({
    id: `fields/${event}`,
    asks: `fields of ${event}`,
    docs: EVENTS_PAGE,
    session,
    look: (seen) => {
      const given = runs(seen, 'record', event).map(({ input }) => typesOf(input))
      return given.length === 0 ? 'it does not fire' : [...new Set(given)].sort().join('\nor ')
    },
  })
for (const event of VARIABLE_EVENTS)
  QUESTIONS.push({
    id: `variables/${event}`,
    asks: `variables of a hook on ${event}`,
    docs: HOOKS_PAGE,
    session: 'events',
    look: (seen) => [...(runs(seen, 'record', event)[0]?.env ?? [])].sort().join(', '),
  })
for (const name of TOOLS)
  QUESTIONS.push({
    id: `tool/${name}`,
    asks: `input and answer of ${name}`,
    docs: EVENTS_PAGE,
    session: 'events',
    look: (seen) => {
      const call = runs(seen, 'record', 'PostToolUse').find(({ input }) => input.tool_name === name)?.input
      return call === undefined ? 'no call' : `${shapeOf(call.tool_input)} answers ${shapeOf(call.tool_response)}`
    },
  })
QUESTIONS.push(
  {
    id: 'tools',
    asks: 'tools that are offered to the model',
    docs: 'docs/rules.md',
    session: 'events',
    look: ({ requests }) => [...new Set(requests.flatMap(({ tools }) => tools))].sort().join(', '),
  },
  {
    id: 'skill/event',
    asks: "hook of a skill's frontmatter: on how many of the calls that follow",
    docs: 'docs/mcp-and-skills.md',
    session: 'events',
    look: (seen) => String(runs(seen, 'skill', 'PreToolUse').length),
  },
  {
    id: 'skill/root',
    asks: 'CLAUDE_PLUGIN_ROOT of a skill',
    docs: 'docs/mcp-and-skills.md',
    session: 'events',
    look: ({ read }) => [...new Set(/skill-root:\S*/.exec(read('ran.txt') ?? '') ?? ['not set'])].join(', '),
  },
  {
    id: 'skill/once',
    asks: 'once in a skill: how many runs',
    docs: 'docs/mcp-and-skills.md',
    session: 'events',
    look: (seen) => String(noteOf(seen, 'skill-once').length),
  },
  {
    id: 'skill/once-any',
    asks: 'once in a skill, without a matcher: how many runs',
    docs: 'docs/mcp-and-skills.md',
    session: 'events',
    look: (seen) => String(noteOf(seen, 'skill-once-any').length),
  },
)

/** Files with one misfit each: three can be asked in one run, as there are three files of settings. */
const PLACES = ['.claude/settings.json', '.claude/settings.local.json', '../home/.claude/settings.json']
for (let first = 0; first < MISFITS.length; first += PLACES.length) {
  const rows = MISFITS.slice(first, first + PLACES.length)
  const session = `misfits ${first / PLACES.length + 1}`
  SESSIONS[session] = {
    files: { ...programs(), ...Object.fromEntries(rows.map((row, at) => [PLACES[at], misfitFile(row)])) },
    steps: inTurn(rows.flatMap(({ id }) => [bash(`echo ${id}`, id), bash(`touch denied-${id}.txt`, `denied-${id}`)])),
  }
  for (const { id, asks } of rows)
    QUESTIONS.push({
      id: `misfit/${id}`,
      asks: `what is lost by ${asks}`,
      docs: CONFIGURATION_PAGE,
      session,
      look: (seen) => {
        const own = noteOf(seen, id).length > 0 ? 'the hook runs' : 'the hook does not run'
        const others = noteOf(seen, `${id}-beside`).length > 0 ? 'its neighbours run' : 'its neighbours do not run'
        const denied = seen.read(`denied-${id}.txt`) === null ? 'deny rules hold' : 'deny rules do not hold'
        return `${own}, ${others}, ${denied}`
      },
    })
}

/**
 * A settings file with a hook that the row is about, another one beside it, and a deny rule.
 * @param {MisfitRow} row
 */
function misfitFile({ id, event = 'PreToolUse', hook = {}, group: over = {}, settings = {}, text }) {
  const own = { matcher: 'Bash', hooks: [{ ...noting(id), ...hook }], ...over }
  /** @type {Record<string, any>} */
  const file = {
    permissions: { deny: [`Bash(touch denied-${id}.txt)`] },
    hooks: { [event]: [own], UserPromptSubmit: group(noting(`${id}-beside`)) },
  }
  for (const [path, value] of Object.entries(settings)) {
    const [outer = '', inner] = path.split('.')
    if (inner === undefined) file[outer] = value
    else file[outer][inner] = value
  }
  return text === undefined ? file : text(JSON.stringify(file, null, 2))
}

SESSIONS.files = {
  files: {
    ...programs(),
    ...Object.fromEntries(FILES.map(({ id, path }) => [path, { hooks: { UserPromptSubmit: group(noting(id)) } }])),
    '../plugin/.claude-plugin/plugin.json': { name: 'drift', version: '1.0.0' },
    '../plugin/agents/helper.md': '---\nname: helper\ndescription: As scripted.\n---\nHelp.\n',
  },
  args: ['--plugin-dir', '../plugin'],
  steps: [{ text: 'All done.' }],
}
for (const { id, path } of FILES)
  QUESTIONS.push({
    id: `file/${id}`,
    asks: `hooks in ${path.replace('../home', '~').replace('../plugin', 'a plugin: ')}`,
    docs: SILENCE_PAGE,
    session: 'files',
    look: (seen) => (noteOf(seen, id).length > 0 ? 'run' : 'are not read'),
  })

for (const { id, asks, over = {}, args = [] } of SWITCHES) {
  const session = `switch: ${id}`
  const scopes = ['user', 'project', 'local']
  /** @param {string} scope */
  const settings = (scope) => ({ hooks: { UserPromptSubmit: group(noting(scope)) }, ...over[scope] })
  SESSIONS[session] = {
    files: {
      ...programs(),
      '../home/.claude/settings.json': settings('user'),
      '.claude/settings.json': settings('project'),
      '.claude/settings.local.json': settings('local'),
    },
    args,
    steps: [{ text: 'All done.' }],
  }
  QUESTIONS.push({
    id: `switch/${id}`,
    asks: `${asks}: whose hooks run`,
    docs: SILENCE_PAGE,
    session,
    look: (seen) => scopes.filter((scope) => noteOf(seen, scope).length > 0).join(', ') || 'none',
  })
}

/** Copies of one hook: how many of them run. */
const COPY = noting('copy')
const plugin = (/** @type {string} */ name) => ({
  [`../${name}/.claude-plugin/plugin.json`]: { name, version: '1.0.0' },
  [`../${name}/hooks/hooks.json`]: {
    hooks: {
      PostToolUse: group(
        { type: 'command', command: `sh "$CLAUDE_PROJECT_DIR/.claude/note.sh" plugin-copy` },
        { type: 'command', command: `sh "$CLAUDE_PROJECT_DIR/.claude/note.sh" plugin-copy` },
        { type: 'command', command: `sh "$CLAUDE_PROJECT_DIR/.claude/note.sh" "${name}-root:\${CLAUDE_PLUGIN_ROOT}"` },
      ),
    },
  },
})
SESSIONS.copies = {
  files: {
    ...programs(),
    ...plugin('first'),
    ...plugin('second'),
    '.claude/settings.json': {
      hooks: {
        PreToolUse: [
          ...group(COPY, COPY),
          { matcher: 'Bash', hooks: [{ ...COPY, timeout: 9 }] },
          ...group(noting('spaced'), { type: 'command', command: `${noting('spaced').command} ` }),
          ...group({ ...noting('ruled'), if: 'Bash' }, { ...noting('ruled'), if: 'Bash(echo *)' }),
          ...group(noting('unmatched')),
        ],
        Stop: [{ matcher: 'Bash', hooks: [noting('stop-matcher')] }],
      },
    },
    '.claude/settings.local.json': { hooks: { PreToolUse: group(COPY) } },
    '../home/.claude/settings.json': { hooks: { PreToolUse: group(COPY) } },
  },
  args: ['--plugin-dir', '../first', '--plugin-dir', '../second'],
  steps: inTurn([bash('echo a', 'copy')]),
}
for (const [id, asks, name] of /** @type {const} */ ([
  ['settings', 'the same command in user, project and local settings', 'copy'],
  ['spaced', 'two commands that differ in a space at the end', 'spaced'],
  ['ruled', 'two hooks that differ in their if', 'ruled'],
  ['plugins', 'the same command twice in each of two plugins', 'plugin-copy'],
  ['stop-matcher', 'a matcher on Stop', 'stop-matcher'],
]))
  QUESTIONS.push({
    id: `copies/${id}`,
    asks: `${asks}: how many run`,
    docs: CONFIGURATION_PAGE,
    session: 'copies',
    look: (seen) => String(noteOf(seen, name).length),
  })
QUESTIONS.push({
  id: 'plugin/root',
  asks: 'CLAUDE_PLUGIN_ROOT in braces in a command of a plugin',
  docs: HOOKS_PAGE,
  session: 'copies',
  look: ({ project, read }) => paths(/first-root:\S*/.exec(read('ran.txt') ?? '')?.[0] ?? 'not replaced', project),
})
