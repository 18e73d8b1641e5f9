import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve, sep } from 'node:path'
import { componentKind, componentsOf } from '../config/component.ts'
import { readPlugins, settingsPlaces } from '../config/configuration.ts'
import { pluginPlace, readPlugin } from '../config/plugins.ts'
import { DROP_IN_FOLDER, type FileScope, type Places } from '../config/scopes.ts'
import { HooklineError } from '../files/error.ts'
import type { Profile } from '../protocol/event-row.ts'
import { kindAt } from './kind-at.ts'
import { componentSubject, type Subject, settingsSubject } from './subject.ts'

/** Every file in play: all scopes, the plugins, the project's components; missing ones are left out. */
export async function subjectsInPlay(places: Places, profile: Profile): Promise<Subject[]> {
  const { project, plugins } = places
  const reading = { project, plugins, shownFrom: project, profile }
  const subjects: Subject[] = []
  for (const place of settingsPlaces(places, await readPlugins(places))) {
    const subject = await settingsSubject(place, reading)
    if (subject) subjects.push(subject)
  }
  for (const path of componentsOf(project)) subjects.push(await componentSubject(path, reading))
  return subjects
}

/** The files that are named, and those below the folders that are. Rejects with a HooklineError for what is neither. */
export async function namedSubjects(named: readonly string[], places: Places, profile: Profile): Promise<Subject[]> {
  const subjects = new Map<string, Subject>()
  for (const path of named.map((name) => resolve(name))) {
    for (const file of await filesAt(path)) subjects.set(file, await namedSubject(file, places, profile))
  }
  return [...subjects.values()]
}

async function filesAt(path: string): Promise<string[]> {
  const kind = await kindAt(path)
  if (kind === 'missing') throw new HooklineError(`${path} does not exist.`)
  if (kind !== 'folder') return [path]
  const files = await filesBelow(path)
  if (files.length > 0) return files
  throw new HooklineError(
    `There is nothing to check below ${path}: no settings*.json, no hooks/hooks.json, and no markdown below skills/, agents/ or commands/.`,
  )
}

/** Files with hooks below a folder, by their names. Hidden folders but `.claude` belong to other tools. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const found = await Promise.all(entries.map((entry) => filesOf(entry, join(folder, entry.name))))
  return found.flat()
}

function filesOf(entry: Dirent, path: string): Promise<string[]> | string[] {
  if (entry.isDirectory()) {
    const foreign = entry.name === 'node_modules' || (entry.name.startsWith('.') && entry.name !== '.claude')
    return foreign ? [] : filesBelow(path)
  }
  if (/^(?:managed-)?settings.*\.json$/.test(entry.name) || isPluginFile(path)) return [path]
  return extname(path) === '.md' && componentKind(path) !== null ? [path] : []
}

async function namedSubject(path: string, places: Places, profile: Profile): Promise<Subject> {
  const reading = { ...places, project: projectOf(path, places), shownFrom: places.project, profile }
  if (extname(path) === '.md') {
    if (componentKind(path) !== null) return componentSubject(path, reading)
    throw new HooklineError(`${path} is no component: it lies below none of skills/, agents/, commands/.`)
  }
  if (extname(path) !== '.json') {
    throw new HooklineError(`${path} is neither a settings file (.json) nor a component (.md).`)
  }
  const place = isPluginFile(path)
    ? pluginPlace(await readPlugin(dirname(dirname(path)), places.project))
    : { scope: scopeOf(path, places), path, plugin: null, needsTrust: isOf(reading.project, path) }
  const subject = await settingsSubject(place, reading)
  if (!subject) throw new HooklineError(`${path} does not exist.`)
  return subject
}

/** Whether a file is one of a project's own, which must not lead out of it. */
function isOf(project: string, path: string): boolean {
  return path.startsWith(join(project, '.claude', sep))
}

function isPluginFile(path: string): boolean {
  return path.endsWith(join(sep, 'hooks', 'hooks.json'))
}

/** The folder whose `.claude` a file lies in, unless that is the person's home. */
function projectOf(path: string, { project, home }: Places): string {
  const at = path.lastIndexOf(join(sep, '.claude', sep))
  const owner = path.slice(0, Math.max(0, at))
  return at <= 0 || owner === home || isPluginFile(path) ? project : owner
}

function scopeOf(path: string, { home, managed }: Places): FileScope {
  if (path === managed || basename(path).startsWith('managed-') || basename(dirname(path)) === DROP_IN_FOLDER) {
    return 'managed'
  }
  if (basename(path) === 'settings.local.json') return 'local'
  return dirname(path) === join(home, '.claude') ? 'user' : 'project'
}
