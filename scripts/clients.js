// Runs real coding agents, as black boxes, against a scripted model, with hooks that were written for Claude Code and without:
//   npm run clients -- [--only codex,gemini] [--controls | --census] [--runs borders,moved] [--no-resident] [--json] [--write]
// Needs the registry for the first run (1.8 GB in ~/.cache/hookline-clients, or HOOKLINE_CLIENTS_CACHE), and user namespaces:
// the clients reach loopback and nothing else. HOOKLINE_CLIENTS_PATIENCE=5 gives each run five times as long. --controls runs them without hooks alone, and
// --census only reads the tools that they offer. Hooks go by the resident engine, or by a Node for each event with --no-resident; which way
// they took is looked at. --write keeps the table for README.md and docs/bridges.md, which `npm run generate` makes of it, and the tools
// in packages/hookline/generate/census; of clients and runs that are left out, what was seen last stays.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { CAPABILITIES } from './clients/capabilities.js'
import { findUnnamed } from './clients/census.js'
import { install } from './clients/install.js'
import { CLIENTS } from './clients/list.js'
import { readCall } from './read-options.js'

/**
 * @import { Census } from './clients/census.js'
 * @import { Client } from './clients/client.js'
 * @import { Measured } from './clients/measure.js'
 */

const MEASURE = fileURLToPath(new URL('clients/measure.js', import.meta.url))
/** What was seen last: the pages are made of it. */
const KEPT = new URL('../packages/hookline/generate/clients.json', import.meta.url)
/** The tools of the clients, a file each. */
const CENSUSES = new URL('../packages/hookline/generate/census/', import.meta.url)
/** The tables of the bridges, as they are shipped. */
const BRIDGES = new URL('../packages/hookline/bridges/', import.meta.url)
/** Runs what follows where there is loopback and no other network. */
const ALONE = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

const { values } = readCall(import.meta.url, {
  options: {
    only: { type: 'string' },
    controls: { type: 'boolean' },
    census: { type: 'boolean' },
    runs: { type: 'string', default: '' },
    'no-resident': { type: 'boolean' },
    json: { type: 'boolean' },
    write: { type: 'boolean' },
  },
})
const names = values.only?.split(',') ?? CLIENTS.map(({ name }) => name)
const unknown = names.filter((name) => !CLIENTS.some((client) => client.name === name))
if (unknown.length > 0) {
  console.error(`No client is called ${unknown.join(', ')}. Clients: ${CLIENTS.map(({ name }) => name).join(', ')}.`)
  process.exitCode = 1
} else if (values.write && values['no-resident']) {
  console.error('The table that is kept is of runs with the resident engine: leave --write or --no-resident out.')
  process.exitCode = 1
} else process.exitCode = await main(CLIENTS.filter(({ name }) => names.includes(name)))

/**
 * @param {Client[]} clients
 * @returns {Promise<number>}
 */
async function main(clients) {
  const canBeAlone = spawnSync('unshare', [...ALONE, 'true']).status === 0
  const skipped = clients.flatMap((client) => {
    const why = canBeAlone ? install(client) : 'no network namespace can be made here (unshare -rn)'
    return why === null ? [] : [{ name: client.name, why }]
  })
  const installed = clients.filter(({ name }) => !skipped.some((one) => one.name === name))
  const measured = await measureAlone(installed.map(({ name }) => name))
  const unseen = installed.filter(({ name }) => !measured.some((one) => one.name === name))
  const wrong = [...measured.flatMap(mistakesOf), ...unseen.map(({ name }) => `${name}, the runs broke off`)]
  if (values.json)
    console.log(JSON.stringify({ date: today(), clients: measured.map(withVersion), wrong, skipped }, null, 2))
  else {
    if (measured.length > 0 && !values.census) console.log([table(measured), ...waysOf(measured)].join('\n'))
    for (const { name, why } of skipped) console.log(`${name} is skipped: ${why}`)
    for (const line of wrong) console.log(line)
  }
  return wrong.length > 0 ? 1 : 0
}

/**
 * @param {string[]} names
 * @returns {Promise<Measured[]>}
 */
async function measureAlone(names) {
  if (names.length === 0) return []
  const way = values['no-resident'] ? 'cold' : 'resident'
  const args = [...ALONE, process.execPath, MEASURE, howToRun(), way, values.runs, ...names]
  const child = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  /** @type {Map<string, Measured>} */
  const measured = new Map()
  for await (const line of createInterface({ input: child.stdout })) {
    /** @type {Measured} */
    const one = JSON.parse(line)
    measured.set(one.name, one)
    if (values.write) keep([one]) // the rest may be cut off
  }
  return [...measured.values()]
}

function howToRun() {
  if (values.census) return 'census'
  return values.controls ? 'controls' : 'hooks'
}

/** @param {Measured[]} measured */
function keep(measured) {
  for (const { census } of measured) if (census !== null) writeFileSync(censusFile(census.client), formatCensus(census))
  if (!values.census) writeFileSync(KEPT, `${JSON.stringify(kept(measured), null, 2)}\n`)
}

/**
 * Tools that no row of the bridge names, and what is otherwise than in the census that is kept.
 * @param {Census | null} census
 */
function toolMistakes(census) {
  if (census === null) return []
  const { tools: rows } = JSON.parse(readFileSync(new URL(`${census.client}.json`, BRIDGES), 'utf8'))
  const file = censusFile(census.client)
  const kept = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const lines = formatCensus(census).split('\n')
  const changed = [...lines.filter((line) => !kept.includes(line)), ...kept.filter((line) => !lines.includes(line))]
  return [
    ...findUnnamed(census, rows).map((what) => `tools: ${what}`),
    ...changed.map((line) => `tools: ${line.trim()} is not the same in the census that is kept (--write keeps it)`),
  ]
}

/** @param {string} client */
function censusFile(client) {
  return new URL(`${client}.json`, CENSUSES)
}

/**
 * A census as it is kept: a line a tool, so that a release of a client reads well as a diff.
 * @param {Census} census
 */
function formatCensus({ tools, unseen, ...head }) {
  const lines = tools.map((tool) => `    ${JSON.stringify(tool)}`)
  const beginning = JSON.stringify(head, null, 2).slice(0, -2)
  return `${beginning},\n  "tools": [\n${lines.join(',\n')}\n  ],\n  "unseen": ${JSON.stringify(unseen)}\n}\n`
}

/**
 * What is otherwise than the table of the client says, better things too.
 * @param {Measured} measured
 */
function mistakesOf({ name, controls, outcomes, ways, census, failed }) {
  const client = clientCalled(name)
  const known = { ...client.known, ...(values['no-resident'] ? client.knownCold : {}) }
  const mistakes = CAPABILITIES.flatMap(({ name: capability }) => {
    const outcome = outcomes[capability]
    const expected = known[capability] ?? 'yes'
    if (controls[capability] === false)
      return [`${capability}: without hooks the client did not do what the script says`]
    const found = typeof outcome === 'object' ? 'wrong' : outcome
    if (found === undefined || found === (expected === 'queued' ? 'lost' : expected)) return []
    return [
      `${capability}: ${typeof outcome === 'object' ? outcome.wrong : `it is ${outcome}, and ${expected} was known`}`,
    ]
  })
  const strays = Object.keys(outcomes).length === 0 ? [] : wayMistakes(name, ways)
  return [...(failed === null ? [] : [failed]), ...mistakes, ...strays, ...toolMistakes(census)].map(
    (mistake) => `${name}, ${mistake}`,
  )
}

/**
 * Hooks that went another way than they were to go.
 * @param {string} name
 * @param {Measured['ways']} ways
 */
function wayMistakes(name, ways) {
  const { isBridged, isWrapped } = clientCalled(name)
  if (values['no-resident'] && Object.keys(ways).length > 0)
    return ['hooks came to the resident engine in spite of --no-resident']
  const isWhole = values.runs === '' // the first call of a run starts the resident: a few runs may have no other
  if (!values['no-resident'] && isWhole && !ways.answered && (isBridged || isWrapped))
    return ['no hook went by the resident engine']
  return []
}

/**
 * The ways of hooks that came to the resident engine.
 * @param {Measured[]} measured
 */
function waysOf(measured) {
  return measured.flatMap(({ name, ways }) => {
    const counts = Object.entries(ways).map(([way, count]) => `${way} ${count}`)
    return counts.length === 0 ? [] : [`${name}, calls that came to the resident engine: ${counts.join(', ')}`]
  })
}

/**
 * A line for each capability, a column for each client.
 * @param {Measured[]} measured
 */
function table(measured) {
  const rows = [
    ['', ...measured.map(({ name }) => name)],
    ['', ...measured.map(({ name }) => clientCalled(name).version)],
    ...CAPABILITIES.map(({ name }) => [name, ...measured.map((one) => cell(one, name))]),
  ]
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * @param {Measured} measured
 * @param {string} name of the capability
 */
function cell({ name: client, controls, outcomes }, name) {
  if (controls[name] === undefined) return '-'
  const outcome = outcomes[name]
  if (!controls[name] || typeof outcome === 'object') return 'WRONG'
  if (outcome === 'lost') return clientCalled(client).known[name] ?? outcome // queued for a turn that does not come here
  return outcome ?? 'ran'
}

/**
 * What is shown of a run: the cells that a client has, by capability. Of clients and runs that were left out, what was seen last stays.
 * @param {Measured[]} measured
 */
function kept(measured) {
  const before = existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')).clients : []
  const now = measured.map((one) => ({
    name: one.name,
    version: clientCalled(one.name).version,
    date: today(),
    cells: { ...cellsBefore(before, one.name), ...cellsOf(one) },
  }))
  const all = [
    ...before.filter((/** @type {{ name: string }} */ { name }) => !now.some((one) => one.name === name)),
    ...now,
  ]
  const place = (/** @type {{ name: string }} */ { name }) => CLIENTS.findIndex((client) => client.name === name)
  return { clients: all.sort((a, b) => place(a) - place(b)) }
}

/**
 * The cells of the runs that were made, and of what the client has nothing of.
 * @param {Measured} measured
 */
function cellsOf(measured) {
  const client = clientCalled(measured.name)
  const known = CAPABILITIES.filter(({ name, has }) => measured.controls[name] !== undefined || has?.(client) === false)
  return Object.fromEntries(known.map(({ name }) => [name, cell(measured, name)]))
}

/**
 * The cells that this version of a client had, of the rows that there are still, in their order.
 * @param {{ name: string, version: string, cells: Record<string, string> }[]} before
 * @param {string} client
 */
function cellsBefore(before, client) {
  const { version: now } = clientCalled(client)
  const cells = before.find(({ name, version }) => name === client && version === now)?.cells ?? {}
  return Object.fromEntries(CAPABILITIES.map(({ name }) => [name, cells[name] ?? '-']))
}

/** @param {Measured} measured */
function withVersion(measured) {
  return { ...measured, version: clientCalled(measured.name).version }
}

/** @param {string} name */
function clientCalled(name) {
  const client = CLIENTS.find((one) => one.name === name)
  if (client === undefined) throw new TypeError(`No client is called ${name}`)
  return client
}

function today() {
  return new Date().toISOString().slice(0, 10)
}
