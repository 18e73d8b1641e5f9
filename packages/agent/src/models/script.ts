import { readText } from 'hookline/internal'
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import * as z from 'zod'
import { ModelError } from './model.ts'

const Call = z.strictObject({
  name: z.string().min(1),
  input: z.unknown().optional(),
  id: z.string().min(1).optional(),
})

const Turn = z.strictObject({
  thinking: z.string().optional(),
  text: z.string().optional(),
  tools: z.array(Call).optional(),
  /** Cost; what is left out is estimated. */
  usage: z.strictObject({ inputTokens: z.int().min(0).optional(), outputTokens: z.int().min(0).optional() }).optional(),
  /** The provider's words for a failure, after what the turn says before. */
  error: z.string().optional(),
  /** The answer ends at the model's limit. */
  cutShort: z.boolean().optional(),
})

const Turns = z.array(Turn)

const Script = z.strictObject({
  $schema: z.string().optional(),
  contextWindow: z.int().min(1).optional(),
  /** Effort of its thinking, as hooks are told. */
  effort: z.string().min(1).optional(),
  turns: Turns.optional(),
  /** Turns of subagents, by their type. */
  agents: z.record(z.string(), z.strictObject({ turns: Turns })).optional(),
})

/** Words of a scripted model at one request. */
export type ScriptedTurn = z.infer<typeof Turn>

/** Words of a scripted model. */
export type ScriptSource = z.infer<typeof Script>

/** Reads a script; a ModelError says where in the file what is wrong. */
export async function readScript(path: string, shown = path): Promise<ScriptSource> {
  const content = await readText(path)
  if (content.read !== 'text')
    throw new ModelError(`The script ${shown} ${content.read === 'missing' ? 'does not exist' : content.reason}.`)
  const { text } = content
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { disallowComments: true })
  const [fault] = errors
  if (fault)
    throw new ModelError(`${shown}:${formatPlace(text, fault.offset)}  is not JSON: ${formatParseFault(fault)}.`)
  if (!root) throw new ModelError(`${shown}:1:1  is empty; a script is {"turns": [{"text": "…"}]}.`)
  const script = Script.safeParse(getNodeValue(root))
  if (script.success) return script.data
  const lines = script.error.issues.map(
    ({ path: at, message }) =>
      `${shown}:${formatPlace(text, findNearestNode(root, at).offset)}  ${formatPath(at)}${message}`,
  )
  throw new ModelError(lines.join('\n'))
}

/** The node at a path, or the innermost one around it. */
function findNearestNode(root: Node, path: readonly PropertyKey[]): Node {
  const steps = path.map((step) => (typeof step === 'number' ? step : String(step)))
  for (let length = steps.length; length > 0; length--) {
    const node = findNodeAtLocation(root, steps.slice(0, length))
    if (node) return node
  }
  return root
}

function formatPlace(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}

function formatPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return ''
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
  return `${text.replace(/^\./, '')}: `
}

function formatParseFault({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
}
