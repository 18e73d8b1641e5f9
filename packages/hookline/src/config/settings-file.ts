import { basename } from 'node:path'
import { shownPath } from '../files/paths.ts'
import { type FileText, inPlugin, inProject, readText } from '../files/read.ts'
import { parseJsonSource } from './json-source.ts'
import type { Problem } from './problem.ts'
import { RULES } from './rules.ts'
import type { FileScope } from './scopes.ts'
import type { SourceNode } from './source.ts'

/** A settings file to read. */
export interface SettingsPlace {
  readonly scope: FileScope
  readonly path: string
  readonly plugin: { readonly name: string; readonly root: string } | null
  readonly needsTrust: boolean
}

/** A settings file as it was read. */
export interface SettingsFile extends SettingsPlace {
  /** For showing: relative to the project inside it. */
  readonly file: string
  readonly content: FileText
  /** Its root object; null when there is none to be had. */
  readonly root: SourceNode | null
  readonly problems: readonly Problem[]
}

/** Reads a settings file; whatever is wrong with it becomes a problem. */
export async function readSettingsFile(place: SettingsPlace, project: string): Promise<SettingsFile> {
  const ofProject = place.needsTrust ? inProject(project) : null
  const inside = place.plugin ? inPlugin(place.plugin.root) : ofProject
  return parseSettings(place, await readText(place.path, { inside }), project)
}

/** What a settings file's text says. */
export function parseSettings(place: SettingsPlace, content: FileText, project: string): SettingsFile {
  const file = shownPath(place.path, project)
  const unusable = (message: string, { line = 1, column = 1 } = {}): SettingsFile => {
    const problem: Problem = { rule: 'V-HK-01', severity: 'error', file, line, column, message }
    return { ...place, file, content, root: null, problems: [problem] }
  }
  if (content.read === 'missing') return { ...place, file, content, root: null, problems: [] }
  if (content.read === 'unreadable') return unusable(`${basename(file)} ${content.reason}; it contributes nothing.`)
  const source = parseJsonSource(content.text)
  if ('fault' in source)
    return unusable(`${basename(file)} ${source.fault.message}; it contributes nothing.`, source.fault)
  if (!source.root.fields)
    return unusable(`${basename(file)} is JSON, but no object; it contributes nothing.`, source.root)
  const problems = source.remarks.map((remark): Problem => ({ ...remark, severity: RULES[remark.rule], file }))
  return { ...place, file, content, root: source.root, problems }
}
