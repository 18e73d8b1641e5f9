import { isAbsolute } from 'node:path'
import { type DataFormat, parseData } from '../../files/parse-data.ts'
import { readText } from '../../files/read.ts'
import { isObject } from '../../text/json.ts'
import type { JsonObject, SettingKey } from '../bridge.ts'
import { type HostPlace, locateFile } from './installed.ts'

/** A settings file of an agent, as the agent reads it. */
export type HostSettings =
  | { readonly state: 'missing'; readonly file: string }
  | { readonly state: 'read'; readonly file: string; readonly value: JsonObject }
  | { readonly state: 'unreadable'; readonly file: string; readonly why: string }

/** Finds a file by its path as tables write it: one of the user begins with `~/`, one of the project with a name. */
export function locateSettings(place: HostPlace, path: string): string {
  if (isAbsolute(path)) return path
  const isOfUser = path.startsWith('~/')
  return locateFile({ ...place, scope: isOfUser ? 'user' : 'project' }, isOfUser ? path.slice(2) : path).file
}

/** Reads a settings file of an agent. Never rejects. */
export async function readSettings(file: string, format: DataFormat): Promise<HostSettings> {
  const content = await readText(file, { onlyUtf8: true })
  if (content.read === 'missing') return { state: 'missing', file }
  if (content.read === 'unreadable') return { state: 'unreadable', file, why: content.reason }
  const parsed = parseData(content.text, format)
  if ('fault' in parsed) return { state: 'unreadable', file, why: parsed.fault }
  if (!isObject(parsed.value)) return { state: 'unreadable', file, why: 'is not an object' }
  return { state: 'read', file, value: parsed.value }
}

/** Looks up `a.b.c` in settings, which some agents write as one key and others as objects in each other. */
export function lookUp(settings: JsonObject, key: SettingKey): unknown {
  if (typeof key === 'string' && Object.hasOwn(settings, key)) return settings[key]
  const [first = '', ...rest] = typeof key === 'string' ? key.split('.') : key
  const inner = Object.hasOwn(settings, first) ? settings[first] : undefined
  if (rest.length === 0) return inner
  return isObject(inner) ? lookUp(inner, rest) : undefined
}
