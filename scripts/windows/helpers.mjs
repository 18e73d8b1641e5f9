/** What the runner of the conformance cases needs on Windows; run by node.exe. */
import { createRequire } from 'node:module'
import { caseInCmd, NOT_ON_WINDOWS, withDrives } from './cases.mjs'

/** `bash`, `cmd`: who reads the commands of the cases. */
const SHELL = process.env.HOOKLINE_TEST_SHELL ?? 'bash'

const koffi = createRequire(process.env.HOOKLINE_TEST_KOFFI ?? import.meta.url)('koffi')
const kernel = koffi.load('kernel32.dll')
const create = kernel.func('void *CreateJobObjectW(void *security, void *name)')
const assign = kernel.func('bool AssignProcessToJobObject(void *job, void *process)')
const terminate = kernel.func('bool TerminateJobObject(void *job, uint32_t code)')
const openProcess = kernel.func('void *OpenProcess(uint32_t access, bool inherits, uint32_t pid)')
const query = kernel.func(
  'bool QueryInformationJobObject(void *job, int kind, void *information, uint32_t size, void *length)',
)

/** Puts a driver into a job, whose members are all that it has started, whether it lives or not. */
export function jobFor(pid) {
  const job = create(null, null)
  assign(job, openProcess(0x1fffff, false, pid))
  return {
    members: () => {
      const list = Buffer.alloc(8 + 8 * 200)
      if (!query(job, 3, list, list.length, null)) return []
      return Array.from({ length: list.readUInt32LE(4) }, (_, at) => Number(list.readBigUInt64LE(8 + 8 * at)))
    },
    end: () => terminate(job, 1),
  }
}

/** The environment of a driver: on Windows the search path is called `Path`, and a variable says where Git Bash is. */
export function windowsEnvironment(env) {
  const entries = Object.entries(env).map(([name, value]) => [name.toUpperCase() === 'PATH' ? 'Path' : name, value])
  const bash = SHELL === 'cmd' ? 'none' : process.env.HOOKLINE_TEST_BASH
  return { ...Object.fromEntries(entries), ...(bash === undefined ? {} : { CLAUDE_CODE_GIT_BASH_PATH: bash }) }
}

/** A path as the cases write it. */
export function slashed(path) {
  return path.replaceAll('\\', '/')
}

/** A record with paths as the cases write them. */
export function withSlashes(value) {
  if (typeof value === 'string') return textWithSlashes(value)
  if (Array.isArray(value)) return value.map(withSlashes)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [textWithSlashes(key), withSlashes(inner)]))
}

function textWithSlashes(text) {
  return text.replace(/[A-Za-z]:\\[^"'<>|\n]*hookline case-[^"'<>|\n]*/g, slashed)
}

/** Why a case is not run here; null when it is. */
export function skipReason(id, line) {
  if (NOT_ON_WINDOWS[id] !== undefined) return NOT_ON_WINDOWS[id]
  return SHELL === 'cmd' && caseInCmd(JSON.parse(line)) === null ? 'its commands are for a POSIX shell' : null
}

/** A case with commands that the shell reads, which expects absolute paths to begin as they do here. */
export function adapted(spec) {
  return SHELL === 'cmd' ? caseInCmd(spec) : withDrives(spec)
}
