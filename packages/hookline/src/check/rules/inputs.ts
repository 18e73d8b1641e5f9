import type { ParsedScript } from 'unbash'
import type { Code } from '../code.ts'
import { locateWords } from '../command.ts'
import type { ExaminedHook, Remark, Rule } from '../rule.ts'
import { walk } from '../shell-words.ts'
import { group, makeSettingsExample, on } from './example.ts'

/** Rules about how hooks read the event. */
export const inputRules: readonly Rule[] = [
  {
    id: 'V-HK-39',
    name: 'unset-variable',
    severity: 'warning',
    page: {
      title: 'The event is read from stdin, not from variables',
      why: 'No client sets CLAUDE_TOOL_INPUT, CLAUDE_FILE_PATH, TOOL_INPUT and the like: they are empty, so a formatter gets no file and a guard finds nothing to object to. The event is JSON on stdin. What is set: CLAUDE_PROJECT_DIR, in plugins CLAUDE_PLUGIN_ROOT, and CLAUDE_ENV_FILE on some events.',
      bad: on('PostToolUse', 'npx eslint "$CLAUDE_FILE_PATH"'),
      good: on('PostToolUse', 'jq -r .tool_input.file_path | xargs npx eslint'),
    },
    find: (one) => findUnsetVariables(one),
  },
  {
    id: 'V-HK-42',
    name: 'unknown-input-field',
    severity: 'warning',
    page: {
      title: 'The result of a tool is tool_response',
      why: 'Other clients call it tool_output or tool_result. Here that field is not there, so what is looked for in it is never found.',
      bad: makeSettingsExample({
        PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: "jq -e '.tool_output.stderr'" }] }],
      }),
      good: makeSettingsExample({
        PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: "jq -e '.tool_response.stderr'" }] }],
      }),
    },
    find: ({ entry: { row }, command }) => {
      const isWrong = row.inputFields.includes('tool_response') && !command?.says.includes('tool_response')
      const [field] = OTHER_RESULT.exec(command?.says ?? '') ?? []
      if (command === null || !isWrong || field === undefined) return []
      const message = `${row.name} has no ${field}: the result of the tool is tool_response.`
      return [{ ...locateWords(command, field), message }]
    },
  },
  {
    id: 'V-HK-46',
    name: 'stdin-by-name',
    severity: 'note',
    page: {
      title: 'stdin is read without its name',
      why: 'Hookline gives hooks a pipe, which can be opened as /dev/stdin. Clients that give them a socket, as programs written in Node.js do on Linux, fail such a hook with "No such device or address". cat without a name reads the same.',
      bad: group({ type: 'command', command: 'cat /dev/stdin > last.json' }),
      good: group({ type: 'command', command: 'cat > last.json' }),
    },
    find: ({ command }) => {
      const code = command?.code.find(({ text }) => text.includes(STDIN))
      if (command === null || code === undefined) return []
      const message =
        'It opens /dev/stdin by name, which fails in clients that give hooks a socket. Read stdin without a name: cat, or file descriptor 0.'
      return [{ ...locateWords(command, STDIN, code), message }]
    },
  },
]

const STDIN = '/dev/stdin'

/** A field that is read for the result of a tool; `tool_result` alone may be a word of the transcript. */
const OTHER_RESULT = /(?<=[.'"[])tool_output\b|(?<=\.|\.get\(["'])tool_result\b/

/** Variables that authors expect the event in, and that no client sets. */
const EXPECTED =
  /^(?:CLAUDE_(?:HOOK_)?(?:TOOL_\w+|FILE_PATHS?|FILES?|CHANGED_FILES?|EDITED_FILES?|MODIFIED_FILES?|EVENT(?:_NAME|_TYPE|_DATA)?|INPUT|PROMPT|USER_PROMPT|MESSAGE|NOTIFICATION\w*|TRANSCRIPT(?:_PATH)?|SESSION_ID|COMMAND|BASH_COMMAND|OUTPUT|RESPONSE|RESULT|DATA|PAYLOAD)|TOOL_(?:INPUT\w*|NAME|OUTPUT|RESULT|RESPONSE|ARGS|PARAMS)|HOOK_(?:INPUT|EVENT|EVENT_NAME|DATA|PAYLOAD)|FILE_PATH)$/

/** Fields of the event for what a variable was expected to hold. */
const FIELDS: readonly (readonly [variable: RegExp, field: string])[] = [
  [/FILE/, '.tool_input.file_path'],
  [/COMMAND/, '.tool_input.command'],
  [/TOOL_NAME/, '.tool_name'],
  [/OUTPUT|RESULT|RESPONSE/, '.tool_response'],
  [/TOOL_|INPUT/, '.tool_input'],
  [/PROMPT/, '.prompt'],
  [/MESSAGE|NOTIFICATION/, '.message'],
  [/TRANSCRIPT/, '.transcript_path'],
  [/SESSION/, '.session_id'],
  [/EVENT/, '.hook_event_name'],
]

function findUnsetVariables({ command, subject }: ExaminedHook): Remark[] {
  if (command === null) return []
  const { code } = command
  const set = new Set([
    ...code.flatMap(listVariablesSet),
    ...Object.keys(process.env),
    ...listSettingsVariables(subject.root),
  ])
  for (const one of code) {
    const name = listVariablesRead(one).find(
      (variable) => EXPECTED.test(variable) && !set.has(variable) && !code.some(hasFieldBeside(variable)),
    )
    if (name === undefined) continue
    const message = `$${name} is never set: the event is JSON on stdin. Read it there: jq -r '${findField(name)}'.`
    return [{ ...locateWords(command, name, one), message }]
  }
  return []
}

/** Field of the event that a variable was expected to hold. */
function findField(variable: string): string {
  return FIELDS.find(([names]) => names.test(variable))?.[1] ?? '.'
}

/** True for code that reads the event's own field too, elsewhere than from the variable: one of them is the other's fallback. */
function hasFieldBeside(variable: string): (code: Code) => boolean {
  const field = findField(variable).split('.').at(-1) ?? ''
  return ({ text }) =>
    field !== '' && text.split(/[\n;]|&&|\|\|/).some((part) => part.includes(field) && !part.includes(variable))
}

/** The variables that settings give to hooks. */
function listSettingsVariables(root: ExaminedHook['subject']['root']): string[] {
  return [...(root?.fields?.get('env')?.node.fields?.keys() ?? [])]
}

/** The variables that a text reads and has no other value for. */
function listVariablesRead({ text, syntax, shell }: Code): string[] {
  if (shell === null) return [...text.matchAll(VARIABLE_ACCESS)].flatMap(({ groups }) => groups?.name ?? [])
  const names: string[] = []
  if (syntax === null) return names
  const fallbacks: string[] = []
  walk(syntax, (node) => {
    if (node.type === 'SimpleExpansion') names.push(node.text.slice(1))
    if (node.type !== 'ParameterExpansion') return
    if (hasOtherValue(node.operation)) fallbacks.push(...(node.operation.operand.text.match(/[A-Z_]{4,}/g) ?? []))
    else names.push(node.parameter)
  })
  return names.filter((name) => !fallbacks.includes(name))
}

/** `process.env.NAME`, `os.environ["NAME"]`, `os.getenv("NAME")`, without something before or behind it that provides for its absence. */
const VARIABLE_ACCESS =
  /(?=env|getenv)(?<!(?:\|\||\?\?|\bor)\s*(?:[\w.]+\.)?)\b(?:env\.|env(?:iron)?\[["']|(?:getenv|environ\.get)\(["'])(?<name>[A-Z_]+)\b(?!["'\])]*\s*(?:\|\||\?\?|,|\bor\b))/g

type Operation = Extract<Parameters<Parameters<typeof walk>[1]>[0], { type: 'ParameterExpansion' }>['operation']

function hasOtherValue(operation: Operation): operation is Extract<Operation, { type: 'Default' }> {
  return operation?.type === 'Default' && operation.operand.text !== ''
}

/** The variables that a text sets; all that it may read when another text sets some. */
function listVariablesSet(code: Code): string[] {
  if (code.shell === null) return [...code.text.matchAll(/\b[A-Z_]{4,}(?=["'\]]*\s*=[^=])/g)].map(([name]) => name)
  return code.syntax === null ? [] : listSetVariables(code.syntax, code)
}

function listSetVariables(syntax: ParsedScript, code: Code): string[] {
  const names: string[] = []
  walk(syntax, (node) => {
    if (node.type === 'Assignment') names.push(node.name)
    if (node.type === 'For' || node.type === 'Select') names.push(node.name.text)
    if (node.type !== 'Command') return
    const program = node.name?.text ?? ''
    if (/^(?:read|mapfile|readarray|getopts)$/.test(program)) names.push(...node.args.map(({ text }) => text))
    if (/^(?:\.|source|eval)$/.test(program)) names.push(...listVariablesRead(code))
  })
  return names
}
