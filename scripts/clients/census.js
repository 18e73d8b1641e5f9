/**
 * The tools that a client offers its model, as hooks of the client see them: read from the requests that the scripted model got.
 */

/**
 * @import { ModelRequest, ScriptedToolCall } from 'hookline/testing'
 * @import { Client } from './client.js'
 * @import { Task } from './run-client.js'
 */

/**
 * A field of a tool: its types by JSON Schema, joined by a bar, and whether a call needs it.
 * @typedef {{ type: string, required: boolean }} Field
 */

/**
 * A tool as the model is offered it. The input of a text tool is a text and no object.
 * @typedef {{ name: string, isText: boolean, fields: Record<string, Field> }} OfferedTool
 */

/**
 * A tool as hooks see it: under `offeredAs` the model's name for it, in `unseen` the fields that reach no hook. Without fields, `isText` says
 * that the whole input is a text.
 * @typedef {{ name: string, offeredAs?: string, isText?: true, fields: Record<string, Field>, unseen?: string[] }} CensusTool
 */

/**
 * The tools of one version of a client; `unseen` are those whose calls reach no hook.
 * @typedef {{ client: string, version: string, models: string[], tools: CensusTool[], unseen: string[] }} Census
 */

/**
 * How a client shows a tool of its model to hooks, where that is another name or another field. `fields` names all that hooks see;
 * `text` is the field that holds the input of a text tool.
 * @typedef {{ name?: string, fields?: Record<string, string>, text?: string }} Showing
 */

/**
 * What has to be known of a client to read its tools.
 * @typedef {object} CensusRecipe
 * @property {readonly string[]} models that together are offered all tools
 * @property {Record<string, Showing | null>} shown by the model's name; null: no hook is called
 * @property {(request: ModelRequest) => ScriptedToolCall | null} [load] the next call that shows tools which the first request only names; null: all are shown
 * @property {(request: ModelRequest) => OfferedTool[]} [described] tools that a request describes in its texts
 */

/**
 * A run in which the model loads what is deferred, and says no more.
 * @param {CensusRecipe} recipe
 * @param {string} model
 * @returns {Task}
 */
export function censusTask({ load }, model) {
  return {
    model,
    files: () => ({}),
    script: () => (request) => {
      const call = request.tools.length > 0 ? load?.(request) : null
      return call ? { tools: [call] } : { text: 'Done.' }
    },
    isResumed: false,
  }
}

/**
 * The census of a client from the requests of all its models.
 * @param {Client & { census: CensusRecipe }} client
 * @param {readonly ModelRequest[]} requests
 * @returns {Census}
 */
export function toCensus({ name, version, census }, requests) {
  const { models, shown, described } = census
  const offered = requests.flatMap((request) => [...readTools(request), ...(described?.(request) ?? [])])
  const names = [...new Set(offered.map((tool) => tool.name))]
  const tools = names.flatMap((one) => {
    const showing = shown[one]
    const all = offered.filter((tool) => tool.name === one)
    return showing === null ? [] : [showTool(mergeTools(all), showing ?? {})]
  })
  return {
    client: name,
    version,
    models: [...models],
    tools: tools.sort((a, b) => compare(a.name, b.name) || compare(a.offeredAs ?? '', b.offeredAs ?? '')),
    unseen: names.filter((one) => shown[one] === null).sort(),
  }
}

/**
 * The tools and fields of a census that no row of the bridge's table names, as sentences.
 * @param {Census} census
 * @param {readonly { host: string, parts?: string }[]} rows
 */
export function findUnnamed({ tools }, rows) {
  return tools.flatMap(({ name, fields }) => {
    const row = rows.find(({ host }) => host === name)
    if (row === undefined) return [`no row names the tool ${name}`]
    const named = JSON.stringify(row)
    const isNamed = (/** @type {string} */ field) =>
      named.includes(JSON.stringify(field)) || READ_BY_CODE.has(row.parts)
    return Object.keys(fields).flatMap((field) => (isNamed(field) ? [] : [`no row names the field ${name}.${field}`]))
  })
}

/** Ways to split a call that read fields which their row does not name. @type {ReadonlySet<string | undefined>} */
const READ_BY_CODE = new Set(['overwrite', 'patchOrEdit', 'deletion', 'inner'])

/**
 * The tools that a request offers, by the rules of its protocol.
 * @param {ModelRequest} request
 * @returns {OfferedTool[]}
 */
function readTools({ body }) {
  const late = list(body.input).flatMap(({ type, tools }) => (type === 'additional_tools' ? list(tools) : []))
  return [...list(body.tools), ...late].flatMap((tool) => readTool(tool, ''))
}

/**
 * @param {Record<string, any>} tool
 * @param {string} group that the names begin with
 * @returns {OfferedTool[]}
 */
function readTool(tool, group) {
  const inner = tool.functionDeclarations ?? tool.tools
  if (inner !== undefined) {
    const prefix = tool.name === undefined || tool.name === 'functions' ? group : `${group}${tool.name}`
    return list(inner).flatMap((one) => readTool(one, prefix))
  }
  const { name = tool.type, parameters, input_schema, parametersJsonSchema } = tool.function ?? tool.custom ?? tool
  const schema = parameters ?? input_schema ?? parametersJsonSchema
  return [{ name: `${group}${name}`, isText: tool.type === 'custom', fields: readFields(schema) }]
}

/**
 * The fields of a JSON Schema of an object.
 * @param {any} schema
 * @returns {Record<string, Field>}
 */
export function readFields(schema) {
  const required = new Set(schema?.required ?? [])
  const fields = Object.entries(schema?.properties ?? {})
  return Object.fromEntries(
    fields.map(([name, field]) => [name, { type: formatType(field), required: required.has(name) }]),
  )
}

/** @param {any} schema */
function formatType({ type, anyOf, oneOf, enum: values }) {
  const types = type ?? (anyOf ?? oneOf)?.map(formatType) ?? values?.map((/** @type {unknown} */ one) => typeof one)
  return [...new Set([types ?? 'any'].flat())].sort().join('|')
}

/**
 * One tool of what several requests say about it: a field that one of them lacks is not required.
 * @param {OfferedTool[]} tools
 * @returns {OfferedTool}
 */
function mergeTools(tools) {
  /** @type {Record<string, Field>} */
  const fields = {}
  for (const name of tools.flatMap((tool) => Object.keys(tool.fields))) {
    const found = tools.map((tool) => tool.fields[name])
    const types = found.flatMap((field) => field?.type.split('|') ?? [])
    fields[name] = { type: [...new Set(types)].sort().join('|'), required: found.every((field) => field?.required) }
  }
  return { name: tools[0]?.name ?? '', isText: tools.some(({ isText }) => isText), fields }
}

/**
 * @param {OfferedTool} tool
 * @param {Showing} showing
 * @returns {CensusTool}
 */
function showTool({ name, isText, fields }, { name: shownName = name, fields: renamed, text }) {
  const seen = Object.keys(fields).filter((field) => renamed === undefined || renamed[field] !== undefined)
  const unseen = Object.keys(fields).filter((field) => !seen.includes(field))
  const shownFields = Object.fromEntries(seen.map((field) => [renamed?.[field] ?? field, fields[field]]))
  return {
    name: shownName,
    ...(shownName === name ? {} : { offeredAs: name }),
    ...(isText && text === undefined ? { isText: true } : {}),
    fields: sortFields(text === undefined ? shownFields : { [text]: { type: 'string', required: true } }),
    ...(unseen.length === 0 ? {} : { unseen: unseen.sort() }),
  }
}

/** @param {Record<string, any>} fields */
function sortFields(fields) {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => compare(a, b)))
}

/**
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  return a < b ? -1 : Number(a > b)
}

/**
 * @param {unknown} value
 * @returns {Record<string, any>[]}
 */
function list(value) {
  return Array.isArray(value) ? value : []
}
