import { createRequire } from 'node:module'

/** A set of processes that Windows ends together: all that a process starts belongs to its job. */
export interface Job {
  /** Ends everything in it, at once. */
  end(): void
  /** Lets go of it: what is still in it lives on. */
  leave(): void
}

/** Part of the package `koffi` that is used, which calls functions of the system. */
interface Koffi {
  load(library: string): { func(prototype: string): (...args: unknown[]) => unknown }
}

interface JobFunctions {
  readonly create: (security: null, name: null) => unknown
  readonly set: (job: unknown, kind: number, information: Buffer, size: number) => unknown
  readonly assign: (job: unknown, process: unknown) => unknown
  readonly terminate: (job: unknown, code: number) => unknown
  readonly openProcess: (access: number, inherits: boolean, pid: number) => unknown
  readonly close: (handle: unknown) => unknown
}

/** PROCESS_TERMINATE and PROCESS_SET_QUOTA: what a process must allow to be put into a job. */
const ACCESS = 0x0101
/** JobObjectExtendedLimitInformation, its size, and where its flags are. */
const EXTENDED_LIMITS = 9
const LIMITS_SIZE = 144
const FLAGS_AT = 16
/** The system ends the job when its last handle is closed, even if that is because this process was killed. */
const KILL_ON_CLOSE = 0x2000

let functions: JobFunctions | null | undefined

/** True if processes can be put into jobs: only where the host has installed `koffi`. */
export function hasJobs(): boolean {
  if (functions === undefined) functions = loadFunctions()
  return functions !== null
}

/** Loads what jobs need. The answer puts a process that was just started into a job of its own; null where that cannot be done. */
export function loadJobMaker(): (pid: number) => Job | null {
  const loaded = hasJobs() ? functions : null
  return (pid) => (loaded ? makeJob(pid, loaded) : null)
}

function makeJob(pid: number, { create, assign, openProcess, terminate, close, set }: JobFunctions): Job | null {
  const job = create(null, null)
  if (!job) return null
  const setFlags = (flags: number): boolean => {
    const limits = Buffer.alloc(LIMITS_SIZE)
    limits.writeUInt32LE(flags, FLAGS_AT)
    return Boolean(set(job, EXTENDED_LIMITS, limits, LIMITS_SIZE))
  }
  const process = openProcess(ACCESS, false, pid)
  const isIn = Boolean(process) && setFlags(KILL_ON_CLOSE) && Boolean(assign(job, process))
  if (process) close(process)
  if (!isIn) {
    close(job)
    return null
  }
  return {
    end: () => void terminate(job, 1),
    leave: () => {
      setFlags(0)
      close(job)
    },
  }
}

/** Null where the package is not installed, or does not fit the system. */
function loadFunctions(): JobFunctions | null {
  try {
    const koffi: Koffi = createRequire(import.meta.url)('koffi')
    const kernel = koffi.load('kernel32.dll')
    return {
      create: kernel.func('void *CreateJobObjectW(void *security, void *name)'),
      set: kernel.func('bool SetInformationJobObject(void *job, int kind, void *information, uint32_t size)'),
      assign: kernel.func('bool AssignProcessToJobObject(void *job, void *process)'),
      terminate: kernel.func('bool TerminateJobObject(void *job, uint32_t code)'),
      openProcess: kernel.func('void *OpenProcess(uint32_t access, bool inherits, uint32_t pid)'),
      close: kernel.func('bool CloseHandle(void *handle)'),
    }
  } catch {
    return null
  }
}
