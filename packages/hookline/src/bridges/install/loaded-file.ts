import { SETTINGS_FILES } from '../../config/scopes.ts'
import { listWrittenEntries } from '../../config/wrapped-hooks.ts'
import { isBelow } from '../../files/paths.ts'
import { makeProjectEnclosure, readText } from '../../files/read.ts'
import type { Bridge } from '../bridge.ts'

/** A hook in a file of Claude Code, as far as agents that load the file look at it. */
export interface LoadedHook {
  readonly type: string
  readonly matcher: unknown
  readonly url: unknown
}

/** A file of Claude Code, and what serves hooks of it that the agent does not call. */
interface LoadedFile {
  readonly text: string
  /** Name of the file in a sentence. */
  readonly file: string
  readonly isBridged: boolean
}

/** Says which hooks of the files that an agent loads by itself it does not call, and why. Never rejects. */
export async function findUncalled(
  bridge: Bridge,
  { isBridged, ...places }: { readonly project: string; readonly home: string; readonly isBridged: boolean },
): Promise<string[]> {
  const scopes = (['user', 'project', 'local'] as const).filter((scope) =>
    bridge.install.loadsClaude?.scopes.includes(scope),
  )
  const files = [...new Set(scopes.map((scope) => SETTINGS_FILES[scope](places)))]
  const found = await Promise.all(
    files.map(async (file) => {
      const inside = isBelow(file, places.project) ? makeProjectEnclosure(places.project) : null
      const content = await readText(file, { inside })
      return content.read === 'text' ? describeUncalled(bridge, { text: content.text, file, isBridged }) : []
    }),
  )
  return found.flat()
}

/** Says the same of one file. */
export function describeUncalled(bridge: Bridge, { text, file, isBridged }: LoadedFile): string[] {
  const { name, title } = bridge
  const hooks = listWrittenEntries(text, 'wrap').map(({ type, field, groupField }) => ({
    type,
    matcher: groupField('matcher'),
    url: field('url'),
  }))
  const serve = isBridged
    ? 'the bridge serves them, as long as it is installed'
    : `run "hookline bridge install ${name}", which serves them`
  const refusals = listRefusals(bridge, hooks)
  const unmatched = listUnmatchedServers(bridge, hooks)
  return [
    ...(refusals.length === 0
      ? []
      : [`${title} ignores all hooks of ${file}, since it has ${refusals.join(' and ')}: ${serve}.`]),
    ...(unmatched.length === 0
      ? []
      : [
          `${title} has other names for tools of MCP servers, and calls no hook of ${file} whose matcher is ${unmatched.map((matcher) => `"${matcher}"`).join(', ')}: ${serve}.`,
        ]),
  ]
}

/** True for a hook that an agent calls by itself, of one file that it loads. */
export function isCalled(bridge: Bridge, hook: LoadedHook, file: readonly LoadedHook[]): boolean {
  return listRefusals(bridge, file).length === 0 && listUnmatchedServers(bridge, [hook]).length === 0
}

/** Reasons why an agent ignores a whole file of Claude Code that it loads by itself; none: it does not. */
function listRefusals({ install: { loadsClaude } }: Bridge, hooks: readonly LoadedHook[]): string[] {
  if (loadsClaude === null) return []
  const types = [...new Set(hooks.map(({ type }) => type))].filter((type) => loadsClaude.refusesTypes?.includes(type))
  const isPlain = ({ type, url }: LoadedHook): boolean => type === 'http' && String(url).startsWith('http:')
  return [
    ...(types.length > 0 ? [`one of type ${types.join(' and ')}`] : []),
    ...(loadsClaude.refusesEmptyMatchers && hooks.some(({ matcher }) => matcher === '') ? ['an empty "matcher"'] : []),
    ...(loadsClaude.refusesPlainHttp && hooks.some(isPlain) ? ['an http hook without https'] : []),
  ]
}

/** Matchers for MCP tools that an agent compares with names of its own, so that it calls the hook for none of them. */
function listUnmatchedServers({ install: { loadsClaude } }: Bridge, hooks: readonly LoadedHook[]): string[] {
  if (!loadsClaude?.matchesOwnMcpNames) return []
  const matchers = hooks.flatMap(({ matcher }) => (typeof matcher === 'string' ? [matcher] : []))
  return [...new Set(matchers)].filter((matcher) => matcher.split('|').every((name) => name.includes('mcp__')))
}
