/** Questions that are drawn, as a person of one tenant who tries to see another one. */
import { drawNumbers } from './simulated-machine.js'

const LISTS = [
  'events',
  'sessions',
  'machines',
  'heads',
  'hooks',
  'hours',
  'refusals',
  'alarms',
  'export',
  'body',
  'size',
  'keys',
]
const INJECTED = [
  "' OR 1=1 --",
  '%',
  '_',
  '"; DROP TABLE events; --',
  "x' UNION SELECT * FROM heads --",
  '\0',
  '..',
  '*',
]

/** @typedef {{ machine: string, epoch: string, seq: number, day: number, session: string, person: string | null, facts: Record<string, unknown> }} SeenEvent */

/**
 * Asks with words of the own and of the other tenant, and looks for what only the other one has in each answer.
 * @param {{ url: string, key: string, count: number, seed: number, tenant: string, own: SeenEvent, foreign: SeenEvent }} options
 */
export async function askRandomly({ url, key, count, seed, tenant, own, foreign }) {
  const draw = drawNumbers(seed)
  const pick = (/** @type {readonly string[]} */ words) => words[Math.floor(draw() * words.length)] ?? ''
  const secrets = [foreign.machine, foreign.session, foreign.person, foreign.facts.projectName].map(String)
  const words = [
    ...secrets,
    ...[own.machine, own.session, own.person, own.facts.projectName, own.epoch, foreign.epoch].map(String),
    ...[...INJECTED, 'Bash', 'PreToolUse', 'denied', String(foreign.seq), String(foreign.day), '1', '0', '1.1.1.1'],
  ]
  const names = [
    'machine',
    'session',
    'person',
    'project',
    'agent',
    'event',
    'tool',
    'outcome',
    'q',
    'cursor',
    'epoch',
    'seq',
    'day',
    'limit',
    'since',
  ]
  const leaks = []
  let answered = 0
  for (let at = 0; at < count; at++) {
    const list = pick(LISTS)
    const address = new URL(`v1/${list}`, url)
    for (let left = Math.floor(draw() * 4); left > 0; left--) address.searchParams.set(pick(names), pick(words))
    if (list === 'heads') address.searchParams.set('machine', pick([foreign.machine, own.machine]))
    if (list === 'body')
      for (const name of ['machine', 'epoch', 'seq', 'day'])
        address.searchParams.set(name, String(Object(foreign)[name]))
    if (draw() < 0.1) address.searchParams.set('tenant', tenant)
    const asked = [...address.searchParams.values()]
    const response = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
    const text = await response.text()
    if (response.ok) answered++
    const isRow = response.ok && !(list === 'body' && text === '{"body":null}\n')
    if (isRow && secrets.some((secret) => text.includes(secret))) leaks.push(`${list} ${asked.join(' ')}`)
  }
  return { count, answered, leaks }
}
