import { EventEmitter } from 'node:events'

/** A system whose nth call fails, as SQLite tests itself. Calls are counted while a fault is armed. */
export const faulty = {
  /** Which call fails, counted from 1; 0: none. */
  nth: 0,
  code: 'EIO',
  calls: 0,
  /** What failed, when something did. */
  failed: null as string | null,
  /** Arms a fault. */
  arm(nth: number, code: string): void {
    Object.assign(faulty, { nth, code, calls: 0, failed: null })
  },
  disarm(): void {
    faulty.nth = 0
  },
  /** Does something in which nothing fails or counts. */
  async spare<T>(act: () => Promise<T>): Promise<T> {
    const { nth, calls } = faulty
    faulty.disarm()
    try {
      return await act()
    } finally {
      Object.assign(faulty, { nth, calls })
    }
  },
}

type AnyFunction = (...args: unknown[]) => unknown

/** Whether this call is the one that fails. */
function strikes(what: string): boolean {
  if (faulty.nth === 0 || ++faulty.calls !== faulty.nth) return false
  faulty.failed = what
  return true
}

function systemError(what: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${faulty.code}: made up, ${what}`), { code: faulty.code })
}

/** `node:fs/promises` whose calls, and those of the file handles it gives, may fail. */
export function faultyFiles<Module extends object>(real: Module): Module {
  return Object.fromEntries(Object.entries(real).map(([name, value]) => [name, mayFail(name, value)])) as Module // the same names
}

function mayFail(name: string, value: unknown): unknown {
  if (typeof value !== 'function') return value
  const call = value as AnyFunction // a function, whatever it takes
  return async (...args: unknown[]) => {
    if (strikes(name)) throw systemError(name)
    const result = await call(...args)
    return name === 'open' ? faultyHandle(result as object) : result // open gives a handle
  }
}

/** `node:fs` whose calls may fail that give their answer at once, and the one that waits for the disk. */
export function faultySyncFiles<Module extends object>(real: Module): Module {
  return Object.fromEntries(Object.entries(real).map(([name, value]) => [name, mayThrow(name, value)])) as Module // the same names
}

function mayThrow(name: string, value: unknown): unknown {
  if (name === 'fsync') return mayFailLater(name, value as AnyFunction) // a function, with a callback
  if (typeof value !== 'function' || !name.endsWith('Sync')) return value
  const call = value as AnyFunction // a function, whatever it takes
  const faultyCall = (...args: unknown[]): unknown => {
    if (!strikes(name)) return call(...args)
    if (name === 'closeSync') call(...args) // a failed close closes all the same
    if (name === 'existsSync') return false // it never throws: what cannot be looked at is not there
    throw systemError(name)
  }
  return 'native' in value ? Object.assign(faultyCall, { native: mayThrow(name, value.native) }) : faultyCall
}

function mayFailLater(name: string, call: AnyFunction): AnyFunction {
  return (file, callback) => (strikes(name) ? (callback as AnyFunction)(systemError(name)) : call(file, callback)) // its only two
}

function faultyHandle<Handle extends object>(handle: Handle): Handle {
  return new Proxy(handle, {
    get(target, name) {
      const member = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        if (!strikes(`handle.${String(name)}`)) return member.apply(target, args)
        if (name === 'writeFile') await member.call(target, String(args[0]).slice(0, 5)) // a partial write
        if (name === 'write') await member.call(target, args[0], args[1], 5)
        if (name === 'close') await member.call(target) // a failed close closes all the same
        throw systemError(`handle.${String(name)}`)
      }
    },
  })
}

/** `node:child_process` whose spawn may fail as it does when the system is out of something. */
export function faultySpawn<Module extends { spawn: unknown }>(real: Module): Module {
  const spawn = real.spawn as AnyFunction // it is passed through
  return {
    ...real,
    spawn: (...args: unknown[]) => {
      if (!strikes('spawn')) return spawn(...args)
      const child = Object.assign(new EventEmitter(), { pid: undefined, stdio: [], unref: () => {} })
      process.nextTick(() => child.emit('error', systemError('spawn')))
      return child
    },
  }
}
