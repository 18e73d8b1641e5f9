import { isAbsolute, resolve } from 'node:path'
import { isObject } from '../text/json.ts'
import { findOwn } from '../text/table.ts'
import { SPECIFIERS } from './tool-families.ts'

/** Subject of a call, as rules see it. */
export type Subject =
  | { readonly kind: 'command'; readonly command: string }
  /** Absolute. A search is about its folder and its pattern together. */
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'domain'; readonly url: URL }
  | { readonly kind: 'agent'; readonly agentType: string }
  /** Rules can only name the tool. */
  | { readonly kind: 'none' }
  /** The input does not say: rules with a specifier cannot be held against it. */
  | { readonly kind: 'unclear' }

const UNCLEAR: Subject = { kind: 'unclear' }

/** Reads what a call of a tool is about; relative paths count from the project. */
export function readSubject(toolName: string, input: unknown, project: string): Subject {
  const reader = findOwn(SUBJECT_READERS, toolName)
  if (reader) return reader(input, project)
  const path = readField(input, 'file_path') ?? readField(input, 'notebook_path')
  if (typeof path === 'string') return { kind: 'path', path: resolve(project, path) }
  return findOwn(SPECIFIERS, toolName) === 'path' ? UNCLEAR : { kind: 'none' }
}

function readCommand(input: unknown): Subject {
  const command = readField(input, 'command')
  return typeof command === 'string' ? { kind: 'command', command } : UNCLEAR
}

const SUBJECT_READERS: Readonly<Record<string, (input: unknown, project: string) => Subject>> = {
  Bash: readCommand,
  Monitor: readCommand,
  Glob: (input, project) => {
    const pattern = readField(input, 'pattern')
    return typeof pattern === 'string' ? makeSearchSubject(project, readField(input, 'path'), pattern) : UNCLEAR
  },
  Grep: (input, project) => {
    const glob = readField(input, 'glob')
    if (!isObject(input) || (glob !== undefined && typeof glob !== 'string')) return UNCLEAR
    return makeSearchSubject(project, readField(input, 'path'), glob ?? '**')
  },
  WebFetch: (input) => {
    const url = readField(input, 'url')
    return typeof url === 'string' && URL.canParse(url) ? { kind: 'domain', url: new URL(url) } : UNCLEAR
  },
  Task: (input) => {
    const agentType = readField(input, 'subagent_type')
    return typeof agentType === 'string' ? { kind: 'agent', agentType } : UNCLEAR
  },
}

function makeSearchSubject(project: string, folder: unknown, pattern: string): Subject {
  if (folder !== undefined && typeof folder !== 'string') return UNCLEAR
  const from = resolve(project, folder ?? '.')
  return { kind: 'path', path: isAbsolute(pattern) ? resolve(pattern) : resolve(from, pattern) }
}

function readField(input: unknown, name: string): unknown {
  return isObject(input) && Object.hasOwn(input, name) ? input[name] : undefined
}
