import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { type Component, listPluginComponents, readComponent } from '../config/component.ts'
import { readConfiguration } from '../config/configuration.ts'
import { loadProfiles, type Profiles } from '../config/profile-choice.ts'
import type { ConfigPlaces } from '../config/scopes.ts'
import {
  findProjectAbove,
  findProjectsBelow,
  findStrayFiles,
  listEventsInFile,
  type OtherProject,
  type StrayFile,
} from '../config/stray-files.ts'
import { NO_FILE, readStamp } from '../files/read.ts'
import { findIdlePlugins, type IdlePlugin } from './enabled-plugins.ts'
import { type EngineOptions, settle } from './options.ts'
import { listWaitingHooks, type WaitingHook } from './waiting-hooks.ts'

/** Hooks that an engine does not read, where their author may think that it does. */
export interface HooksElsewhere {
  /** The project that was looked at. */
  readonly project: string
  /** Files near the right names. */
  readonly strays: readonly StrayFile[]
  /** The nearest folder above that has settings; null when none has. */
  readonly above: OtherProject | null
  /** Folders below that have hooks. */
  readonly below: readonly OtherProject[]
  /** Skills, agents and slash commands with hooks, which run only while one of them is active. */
  readonly components: readonly Component[]
  /** Agents and slash commands of plugins with hooks, which Claude Code does not run. */
  readonly pluginComponents: readonly Component[]
  /** Plugins with hooks that are installed and not enabled. */
  readonly idlePlugins: readonly (IdlePlugin & { readonly events: readonly string[] })[]
  /** Hooks of plugins that the project enables, and that wait for its trust. */
  readonly waitingHooks: readonly WaitingHook[]
  /** Settings files that are links to nothing. */
  readonly brokenLinks: readonly string[]
}

/** Looks for hooks upwards, below and under near names. Reads files, and runs nothing. */
export async function findHooksElsewhere(options: EngineOptions): Promise<HooksElsewhere> {
  const { places, profiles: source } = await settle(options)
  const { files, components, profiles } = await readConfiguration(places, source)
  const loaded = await loadProfiles(profiles, source)
  const read = files.map(({ path }) => path)
  const withHooks = ({ hooks }: Component): boolean => hooks.length > 0
  const ofPlugins = await readPluginComponents(places, loaded)
  return {
    project: places.project,
    strays: await findStrayFiles({ ...places, profile: loaded.project, read }),
    above: await findProjectAbove(places),
    below: await findProjectsBelow(places),
    components: components.filter((one) => withHooks(one) && !ofPlugins.some(({ path }) => path === one.path)),
    pluginComponents: ofPlugins.filter((one) => withHooks(one) && one.kind !== 'skill'),
    idlePlugins: await listIdlePlugins(options),
    waitingHooks: await listWaitingHooks(options).catch(() => []), // a list that cannot be read is told where it matters
    brokenLinks: files.map(({ path }) => path).filter(isBrokenLink),
  }
}

async function readPluginComponents(places: ConfigPlaces, profiles: Profiles): Promise<Component[]> {
  const paths = new Set(places.plugins.flatMap(listPluginComponents))
  const read = [...paths].map((path) => readComponent(path, { ...places, profiles }).catch(() => null)) // cannot be opened
  return (await Promise.all(read)).filter((one) => one !== null)
}

async function listIdlePlugins(options: EngineOptions): Promise<HooksElsewhere['idlePlugins']> {
  const idle = await findIdlePlugins(options).catch(() => []) // a list that cannot be read is told where it matters
  const withEvents = idle.map(async (one) => ({
    ...one,
    events: await listEventsInFile(join(one.root, 'hooks', 'hooks.json')),
  }))
  return (await Promise.all(withEvents)).filter(({ events }) => events.length > 0)
}

function isBrokenLink(path: string): boolean {
  return readStamp(path) === NO_FILE && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}
