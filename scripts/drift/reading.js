/** What is read of a session: the notes of its hooks, and what the model was sent. */
import { join } from 'node:path'

/** @import { Seen } from '../clients/run-client.js' */

/**
 * A run of the hook that notes everything.
 * @typedef {{ name: string, input: Record<string, unknown>, env: string[] }} HookRun
 */

/**
 * Runs of a hook on an event, in order.
 * @param {Seen} seen
 * @param {string} name
 * @param {string} event
 * @returns {HookRun[]}
 */
export function runs({ read }, name, event) {
  const lines = (read('hooks.jsonl') ?? '').split('\n').filter(Boolean)
  const all = lines.map((line) => /** @type {HookRun} */ (JSON.parse(line)))
  return all.filter((run) => run.name === name && run.input.hook_event_name === event)
}

/**
 * The calls for which a noting hook ran, by their ids.
 * @param {Seen} seen
 * @param {string} name
 */
export function noteOf({ read }, name) {
  const lines = (read('ran.txt') ?? '').split('\n').map((line) => line.split(' '))
  return lines.filter(([hook]) => hook === name).map(([, id = '']) => id)
}

/**
 * What the model was sent as the result of a call.
 * @param {Seen} seen
 * @param {string} id
 */
export function resultOf({ requests, project }, id) {
  const blocks = requests.flatMap(({ body }) => blocksIn(body))
  const result = blocks.find(({ type, tool_use_id }) => type === 'tool_result' && tool_use_id === id)
  if (result === undefined) return 'no result'
  const text = textIn(result.content)
  return `${result.is_error ? 'error: ' : ''}${paths(text, project)}`
}

/**
 * What else the model was sent that has a word in it, each text once.
 * @param {Seen} seen
 * @param {string} word
 */
export function textsWith({ requests, project }, word) {
  const texts = requests.flatMap(({ body }) => [
    ...blocksIn(body).flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])),
    ...messagesIn(body).flatMap(({ content }) => (typeof content === 'string' ? [content] : [])),
  ])
  const found = texts
    .flatMap((text) => piecesOf(text))
    .filter((text) => text.includes(word) && !text.includes('"hooks"'))
  return [...new Set(found)].map((text) => ` + ${shortened(paths(text, project))}`).join('')
}

/** Context of several hooks comes as one text; what belongs to one is a paragraph. @param {string} text */
const piecesOf = (text) => text.split('\n\n').map((piece) => piece.trim())

/** @param {string} text */
const shortened = (text) => (text.length <= 400 ? text : `${text.slice(0, 300)} … (${text.length} characters)`)

/** @param {object} body @returns {{ role?: string, content?: unknown }[]} */
const messagesIn = (body) => Object(body).messages ?? []

/** @param {object} body @returns {Record<string, any>[]} */
function blocksIn(body) {
  return messagesIn(body).flatMap(({ content }) => (Array.isArray(content) ? content : []))
}

/** @param {unknown} content @returns {string} */
function textIn(content) {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((part) => String(part.text ?? part.type)).join('\n') : ''
}

/**
 * Folders of a run, and ids that differ from run to run, written the same.
 * @param {string} text
 * @param {string} project
 */
export function paths(text, project) {
  const root = join(project, '..')
  return text
    .replaceAll(root, 'ROOT')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\b[0-9a-f]{32,64}\b/g, 'ID')
    .replaceAll(/hook-[\w-]*\d{6,}[\w-]*/g, 'hook-ID')
}

/**
 * The fields of an event with their types.
 * @param {Record<string, unknown>} input
 */
export function typesOf(input) {
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeOf(value)}`)
    .sort()
    .join(', ')
}

/**
 * The keys of an object, of objects in it too.
 * @param {unknown} value
 * @returns {string}
 */
export function shapeOf(value) {
  if (Array.isArray(value)) return `[${value.length === 0 ? '' : shapeOf(value[0])}]`
  if (typeof value !== 'object' || value === null) return typeOf(value)
  const keys = Object.entries(value).map(([key, inner]) => `${key}: ${shapeOf(inner)}`)
  return `{ ${keys.sort().join(', ')} }`
}

/** @param {unknown} value */
function typeOf(value) {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}
