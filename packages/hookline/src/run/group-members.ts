import { readdirSync, readFileSync } from 'node:fs'

/** A living process of a group. */
export interface Member {
  readonly pid: number
  readonly parent: number
  /** When it was started, in the system's ticks since it runs. */
  readonly startedAt: number
}

/** The living processes of a group, as far as the system shows them. Linux only. */
export function membersOf(group: number): Member[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const [state, parent, ofGroup, ...rest] = statFields(name)
    if (Number(ofGroup) !== group || state === 'Z' || state === 'X') return []
    return [{ pid: Number(name), parent: Number(parent), startedAt: Number(rest[16]) }]
  })
}

/** Whether one process is older than another; of two that began in the same tick, the lower number was given first. */
export function isOlder(one: Member, other: Member): boolean {
  return one.startedAt < other.startedAt || (one.startedAt === other.startedAt && one.pid < other.pid)
}

/** What follows the name in the status of a process: its state, parent, group and so on. */
function statFields(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return [] // gone
  }
}
