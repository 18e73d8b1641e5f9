import { isAbsolute, resolve } from 'node:path'
import * as z from 'zod'
import { SPECIFIERS } from './tool-families.ts'

/** What a call is about, as rules see it. */
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

const inputs = {
  Bash: z.object({ command: z.string() }),
  file: z.object({ file_path: z.string() }),
  Glob: z.object({ pattern: z.string(), path: z.string().optional() }),
  Grep: z.object({ glob: z.string().optional(), path: z.string().optional() }),
  WebFetch: z.object({ url: z.string() }),
  Task: z.object({ subagent_type: z.string().optional() }),
}

/** What a call of a tool is about; relative paths count from the project. */
export function subjectOf(toolName: string, input: unknown, project: string): Subject {
  const reader = Object.hasOwn(READERS, toolName) ? READERS[toolName] : undefined
  if (reader) return reader(input, project)
  const { data } = inputs.file.safeParse(input)
  if (data) return { kind: 'path', path: resolve(project, data.file_path) }
  return SPECIFIERS[toolName] === 'path' ? UNCLEAR : { kind: 'none' }
}

const READERS: Readonly<Record<string, (input: unknown, project: string) => Subject>> = {
  Bash: (input) => {
    const { data } = inputs.Bash.safeParse(input)
    return data ? { kind: 'command', command: data.command } : UNCLEAR
  },
  Glob: (input, project) => {
    const { data } = inputs.Glob.safeParse(input)
    return data ? searchSubject(project, data.path, data.pattern) : UNCLEAR
  },
  Grep: (input, project) => {
    const { data } = inputs.Grep.safeParse(input)
    return data ? searchSubject(project, data.path, data.glob ?? '**') : UNCLEAR
  },
  WebFetch: (input) => {
    const { data } = inputs.WebFetch.safeParse(input)
    return data && URL.canParse(data.url) ? { kind: 'domain', url: new URL(data.url) } : UNCLEAR
  },
  Task: (input) => {
    const { data } = inputs.Task.safeParse(input)
    return data?.subagent_type === undefined ? UNCLEAR : { kind: 'agent', agentType: data.subagent_type }
  },
}

function searchSubject(project: string, folder: string | undefined, pattern: string): Subject {
  const from = resolve(project, folder ?? '.')
  return { kind: 'path', path: isAbsolute(pattern) ? resolve(pattern) : resolve(from, pattern) }
}
