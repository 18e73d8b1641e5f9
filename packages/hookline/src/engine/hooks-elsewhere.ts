import type { Component } from '../config/component.ts'
import { readConfiguration } from '../config/configuration.ts'
import { loadProfiles } from '../config/profile-choice.ts'
import { type OtherProject, projectAbove, projectsBelow, type StrayFile, strayFiles } from '../config/stray-files.ts'
import { type EngineOptions, settle } from './options.ts'

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
}

/** Looks for hooks upwards, below and under near names. Reads files, and runs nothing. */
export async function hooksElsewhere(options: EngineOptions): Promise<HooksElsewhere> {
  const { places, profiles: source } = await settle(options)
  const { files, components, profiles } = await readConfiguration(places, source)
  const { project: profile } = await loadProfiles(profiles, source)
  const read = files.map(({ path }) => path)
  return {
    project: places.project,
    strays: await strayFiles({ ...places, profile, read }),
    above: await projectAbove(places),
    below: await projectsBelow(places),
    components: components.filter(({ hooks }) => hooks.length > 0),
  }
}
