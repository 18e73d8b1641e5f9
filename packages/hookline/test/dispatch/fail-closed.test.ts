import { describe, expect, it } from 'vitest'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { type Content, makeWorld, openOn } from '../support/project.ts'

interface Failure {
  readonly command: string
  readonly outcome: string
  readonly failed: RegExp
}

/** The ways in which a guard fails to decide. */
const FAILURES: Readonly<Record<string, Failure>> = {
  'not found': { command: './gone.sh', outcome: 'non_blocking_error', failed: /exit code 127/ },
  'not executable': { command: './plain.txt', outcome: 'non_blocking_error', failed: /exit code 126/ },
  'a silent crash': { command: 'exit 1', outcome: 'non_blocking_error', failed: /exit code 1$/ },
  'a crash with stderr': { command: 'echo oops >&2; exit 70', outcome: 'non_blocking_error', failed: /exit code 70/ },
  'a timeout': { command: 'sleep 20', outcome: 'cancelled', failed: /timed out/ },
  'an unreadable answer': { command: 'printf "{broken"', outcome: 'success', failed: /cannot be read/ },
  'an answer that does not fit': { command: `printf '{"continue":"no"}'`, outcome: 'success', failed: /does not fit/ },
  'a signal': { command: 'kill -9 $$', outcome: 'non_blocking_error', failed: /killed by SIGKILL/ },
}

const rows = [...DEFAULT_PROFILE.events.values()]
const cases = Object.entries(FAILURES).flatMap(([what, failure]) => rows.map((row) => ({ what, failure, row })))

async function failing({ command, outcome }: Failure, event: string, failClosed: boolean) {
  const timeout = outcome === 'cancelled' ? 0.2 : 20
  const hooks = { [event]: [{ hooks: [{ type: 'command', command, timeout }] }] }
  const files: Record<string, Content> = {
    'project/.claude/settings.json': { hooks },
    'project/plain.txt': 'echo hi\n',
  }
  return openOn(await makeWorld(files), failClosed ? { failClosed: ['project'] } : {})
}

describe('a guard that fails', () => {
  it.each(cases)('on $row.name by $what decides nothing unless its scope fails closed', async ({ failure, row }) => {
    const event = {
      hook_event_name: row.name,
      ...row.example,
    }
    const open = await (await failing(failure, row.name, false)).dispatch(event)
    expect(open.decision).toMatchObject({ blocked: false, permission: null, halt: false })
    expect(open.hooks).toMatchObject([{ outcome: failure.outcome }])
    expect(open.hooks[0]).not.toHaveProperty('failed')

    const closed = await (await failing(failure, row.name, true)).dispatch(event)
    expect(closed.decision.blocked).toBe(row.canBlock)
    expect(closed.hooks).toMatchObject([{ outcome: failure.outcome }])
    if (row.canBlock) expect(closed.hooks[0]?.failed).toMatch(failure.failed)
    else expect(closed.hooks[0]).not.toHaveProperty('failed')
    expect(`${closed.decision.reason} ${closed.hooks[0]?.failed}`).not.toContain('denied')
  })
})
