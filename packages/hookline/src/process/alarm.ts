interface Alarm {
  readonly at: number
  readonly ring: () => void
}

const MAX_TIMER_MS = 2 ** 31 - 1

const alarms = new Set<Alarm>()
let timer: NodeJS.Timeout | undefined
/** Time at which the timer fires; perhaps for an alarm that has been called off since. */
let due = Number.POSITIVE_INFINITY

/**
 * Rings after so many milliseconds, unless it is called off by the answer. Every hook has a deadline, and hardly any
 * meets it: one timer serves them all, and holds the process as long as there is an alarm.
 */
export function setAlarm(milliseconds: number, ring: () => void): () => void {
  const alarm = { at: performance.now() + milliseconds, ring }
  if (alarms.size === 0) timer?.ref()
  alarms.add(alarm)
  if (alarm.at < due) setNextTimer(alarm.at)
  return () => {
    if (alarms.delete(alarm) && alarms.size === 0) timer?.unref()
  }
}

function setNextTimer(at: number): void {
  clearTimeout(timer)
  due = at
  timer = setTimeout(fireDueAlarms, Math.min(Math.max(at - performance.now(), 0), MAX_TIMER_MS))
}

function fireDueAlarms(): void {
  const now = performance.now()
  timer = undefined
  due = Number.POSITIVE_INFINITY
  let next = due
  const late: Alarm[] = []
  for (const alarm of alarms) {
    if (alarm.at > now) next = Math.min(next, alarm.at)
    else late.push(alarm)
  }
  // Several may be late in a process that was busy; one may call off another.
  for (const alarm of late.sort((one, other) => one.at - other.at)) if (alarms.delete(alarm)) alarm.ring()
  if (next < due) setNextTimer(next)
}
