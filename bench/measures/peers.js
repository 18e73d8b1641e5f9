import { fileURLToPath } from 'node:url'
import { fetchPeer } from '../fetch-peer.js'
import { BASH_CALL } from '../project.js'
import { inRounds, ratioRow } from '../rounds.js'
import { hooksCalled } from '../table.js'
import { TimedProgram } from '../timed-program.js'

const HOST = fileURLToPath(new URL('../dispatch-host.js', import.meta.url))
const PEER_HOST = fileURLToPath(new URL('../peer-host.js', import.meta.url))
/** The hook system that ours is compared with. */
export const PEER_PACKAGE = { name: '@google/gemini-cli-core', version: '0.61.0' }

export const PEER = `${PEER_PACKAGE.name} ${PEER_PACKAGE.version}`

/** Each size of the hosts, with what is measured in it. */
const SIZES = [
  {
    mebibytes: 0,
    suffix: '',
    headline: `times faster than \`${PEER_PACKAGE.name}\` ${PEER_PACKAGE.version}`,
    rounds: [
      { count: 1, rounds: 200, quickly: 30, target: 3.5 },
      { count: 10, rounds: 50, quickly: 10, target: 5 },
      { count: 100, rounds: 15, quickly: 3, target: 5 },
    ],
  },
  {
    mebibytes: 2048,
    suffix: ', both 2 GiB',
    headline: 'times faster than it, both in a host of 2 GiB',
    rounds: [
      { count: 1, rounds: 30, quickly: 5, target: 50 },
      { count: 10, rounds: 10, quickly: 2, target: 50 },
    ],
  },
]

/**
 * Events with 1, 10 and 100 command hooks in the hook system of another agent, over the same in ours.
 * @param {{ quick: boolean, remark: (sentence: string) => void }} options
 */
export async function measurePeers({ quick, remark }) {
  const folder = fetchPeer(PEER_PACKAGE, { onlyIfCached: quick })
  if (folder === undefined) {
    remark(quick ? 'Not measured: --quick does not install it.' : 'Not measured: it could not be installed here.')
    return []
  }
  /** @type {import('../table.js').Row[]} */
  const rows = []
  for (const size of SIZES) {
    const measured = await measureSize(size, { folder, quick })
    if (measured === undefined) {
      remark(`Not measured${size.suffix}: it does not run here.`)
      break
    }
    rows.push(...measured)
  }
  return rows
}

/**
 * Undefined where the peer does not run.
 * @param {typeof SIZES[number]} size
 * @param {{ folder: string, quick: boolean }} options
 */
async function measureSize({ mebibytes, suffix, headline, rounds }, { folder, quick }) {
  const peer = new TimedProgram(process.execPath, [
    PEER_HOST,
    folder,
    String(mebibytes),
    JSON.stringify(BASH_CALL.tool_input),
  ])
  const ours = new TimedProgram(process.execPath, [HOST, String(mebibytes)])
  try {
    if (!(await answers(peer))) return undefined
    /** @type {import('../table.js').Row[]} */
    const rows = []
    for (const { count, rounds: usually, quickly, target } of rounds) {
      const times = await inRounds(
        { rounds: quick ? quickly : usually },
        { ours: { run: () => ours.ask(String(count)) }, peer: { run: () => peer.ask(String(count)) } },
      )
      const row = ratioRow(`${hooksCalled(count)}${suffix}`, { ours: times.peer, bound: times.ours, target })
      rows.push({ ...row, moreIsBetter: true, headline: { line: headline, hooks: count } })
    }
    return rows
  } finally {
    peer.close()
    ours.close()
  }
}

/** @param {TimedProgram} peer */
async function answers(peer) {
  try {
    await peer.ask('1')
    return true
  } catch {
    return false // it was not written for this Node, or it needs what is missing here
  }
}
