import { Buffer } from './buffer.ts'

/** The few facts about a process that reading settings asks for. */
const process = {
  platform: 'linux',
  env: {},
  pid: 1,
  argv: [],
  versions: { node: '20.19.0' },
  cwd: (): string => '/project',
  uptime: (): number => 0,
  on: (): void => {},
  off: (): void => {},
  once: (): void => {},
}

/** A timer as Node has it: nothing waits for a page. */
class Timer {
  readonly id: number

  constructor(id: number) {
    this.id = id
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}

const setTimeout = (act: () => void, ms?: number): Timer => new Timer(Number(globalThis.setTimeout(act, ms)))
const setInterval = (act: () => void, ms?: number): Timer => new Timer(Number(globalThis.setInterval(act, ms)))
const setImmediate = (act: () => void): Timer => new Timer(Number(globalThis.setTimeout(act, 0)))
const clearTimeout = (timer?: Timer): void => globalThis.clearTimeout(timer?.id)
const clearInterval = (timer?: Timer): void => globalThis.clearInterval(timer?.id)

export { Buffer, clearInterval, clearTimeout, process, setImmediate, setInterval, setTimeout }
