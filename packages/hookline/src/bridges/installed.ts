import { join } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { readText } from '../files/read.ts'
import { shippedBridge } from '../files/shipped.ts'
import type { Bridge, HostScope } from './bridge.ts'

/** Where an agent's own configuration is. */
export interface HostPlace {
  readonly bridge: Bridge
  readonly scope: HostScope
  readonly project: string
  readonly home: string
}

/** The file of a scope, or the folder of its files; null when the agent has none there. */
export function hostFile({ bridge, scope, project, home }: HostPlace): string | null {
  const path = bridge.install.files[scope]
  return path === undefined ? null : join(scope === 'user' ? home : project, path)
}

/** Events that the agent's file calls us for. */
export async function installedEvents(place: HostPlace): Promise<string[]> {
  const { bridge } = place
  if (hostFile(place) === null) return []
  const texts = await Promise.all(filesOf(place).map(({ file }) => textAt(file).catch(() => null))) // unreadable: then nothing is known
  const text = texts.join('\n')
  if (bridge.install.shape === 'opencode-plugin') return isOurPlugin(text) ? mappedEvents(bridge) : []
  return mappedEvents(bridge).filter((event) =>
    new RegExp(`["\n]${isProgram(place) ? 'exec ' : ''}hookline bridge run ${bridge.name} ${event}[ "]`).test(text),
  )
}

/** Events that the agent is to call us for. */
export function mappedEvents({ events }: Bridge): string[] {
  return Object.keys(events).filter((event) => events[event]?.as !== null)
}

/** A file with our entries. */
export interface EventFile {
  readonly file: string
  /** The one event that it is for; null: it is for all. */
  readonly event: string | null
}

/** The files with our entries. Throws a HooklineError where the agent has none. */
export function filesOf(place: HostPlace): EventFile[] {
  const { bridge, scope } = place
  const path = hostFile(place)
  if (path === null) throw new HooklineError(`${bridge.title} has no file for hooks in the scope "${scope}".`)
  if (bridge.install.shape !== 'file-per-event') return [{ file: path, event: null }]
  return mappedEvents(bridge).map((event) => ({ file: join(path, event), event }))
}

/** Whether the agent's files are programs that it runs. */
export const isProgram = ({ bridge }: HostPlace): boolean => bridge.install.shape === 'file-per-event'

/** The text of an agent's file; null where there is none. Throws a HooklineError for one that cannot be read. */
export async function textAt(file: string): Promise<string | null> {
  const content = await readText(file)
  if (content.read === 'unreadable') throw new HooklineError(`${file} ${content.reason}. Nothing was written.`)
  return content.read === 'missing' ? null : content.text
}

/** The plugin that makes opencode ask us: it carries payloads and answers, and decides nothing. */
export const plugin = (): string => shippedBridge('opencode-plugin.js')

/** Whether a file is that plugin: its first line says so. */
export const isOurPlugin = (text: string): boolean => text.startsWith(plugin().split('\n', 1)[0] ?? '')
