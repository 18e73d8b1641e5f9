import { effectsOf } from '../effects/effects-of.ts'
import { type Effect, listEffects, type Unseen, type View } from '../effects/view.ts'
import { openWorld } from '../effects/world.ts'
import { isObject } from '../text/json.ts'
import { matchesCommandText } from './command-pattern.ts'
import type { EffectPattern } from './effect-pattern.ts'
import { isHostTouched } from './host-pattern.ts'
import { type Folders, findFixedFolder, isPathTouched } from './path-pattern.ts'
import type { Certainty } from './rule.ts'

/** A call whose effects are asked for. */
export interface EffectCall {
  readonly toolName: string
  readonly input: unknown
}

/** Views of calls by their input, so that many rules look at a call once. */
const views = new WeakMap<object, { readonly project: string; readonly toolName: string; readonly view: View }>()

/** True if a call has an effect that a pattern means; `unsure` where it may have, or where too much of the call cannot be read. */
export function matchEffects(pattern: EffectPattern, call: EffectCall, folders: Folders): Certainty {
  const view = readView(call, folders)
  let found: Certainty = view.unseen.some((each) => isHiding(pattern, each)) ? 'unsure' : 'no'
  for (const effect of listEffects(view)) {
    const match = matchEffect(pattern, effect, folders)
    if (match === 'yes' && effect.certainty === 'certain') return 'yes'
    if (match !== 'no') found = 'unsure'
  }
  return found
}

/** True if a call has parts that nobody can see before it is made. */
export function hasUnseen(call: EffectCall, folders: Folders): boolean {
  return readView(call, folders).unseen.length > 0
}

function readView({ toolName, input }: EffectCall, { project, home }: Folders): View {
  const key = isObject(input) ? input : {}
  const known = views.get(key)
  if (known && known.project === project && known.toolName === toolName) return known.view
  const view = effectsOf({ tool: toolName, input: key }, openWorld({ folder: project, home }))
  views.set(key, { project, toolName, view })
  return view
}

/** True for what is unseen in a place where such an effect may be: a text that cannot be read, or an unknown value in that role. */
function isHiding({ does }: EffectPattern, { reason, role }: Unseen): boolean {
  return (
    /^(?:not-parsed|too-much|too-deep)$/.test(reason) ||
    (reason === 'value' && (role === does || (role === undefined && /^(?:read|write|delete)$/.test(does))))
  )
}

function matchEffect(pattern: EffectPattern, effect: Effect, folders: Folders): Certainty {
  if (pattern.does === 'run')
    return effect.does === 'run' && isMeantRun(pattern.command, [effect.program, ...effect.words]) ? 'yes' : 'no'
  if (pattern.does === 'send') return effect.does === 'send' ? matchHost(pattern.host, effect.host) : 'no'
  if (pattern.does === 'change') {
    if (effect.does !== 'change') return 'no'
    const isSystem = pattern.system === null || pattern.system === effect.system
    return isSystem && (pattern.operation === null || pattern.operation === effect.operation) ? 'yes' : 'no'
  }
  if (effect.does !== pattern.does || !('path' in effect)) return 'no'
  if (effect.does === 'read' && effect.what === 'name') return 'no'
  return pattern.path === null ? 'yes' : matchEffectPath(pattern.path, effect, folders)
}

function isMeantRun(command: Extract<EffectPattern, { does: 'run' }>['command'], words: readonly string[]): boolean {
  return command === null || matchesCommandText(command, words.join(' '))
}

function matchHost(host: Extract<EffectPattern, { does: 'send' }>['host'], text: string): Certainty {
  if (host === null) return 'yes'
  if (!URL.canParse(`http://${text}`)) return 'unsure'
  return isHostTouched(host, new URL(`http://${text}`)) ? 'yes' : 'no'
}

type PathEffect = Extract<Effect, { does: 'read' | 'write' | 'delete' }>

/** Compares a path with a pattern: what is done to a folder is done to all in it, and a pattern in the path may mean more than it says. */
function matchEffectPath(
  pattern: Parameters<typeof isPathTouched>[0],
  { does, path, ...effect }: PathEffect,
  folders: Folders,
): Certainty {
  if (isPathTouched(pattern, path.text, folders)) return 'yes'
  const wild = path.text.search(/[*?[]/)
  const known = wild === -1 ? path.text : path.text.slice(0, path.text.lastIndexOf('/', wild))
  const isWhole = wild !== -1 || (does === 'read' ? 'below' in effect : 'how' in effect && effect.how === 'tree')
  const fixed = findFixedFolder(pattern, folders)
  const isAbove = `${fixed}/`.startsWith(`${known}/`)
  if (!isWhole || !isAbove) return 'no'
  return wild === -1 && !pattern.anyDepth ? 'yes' : 'unsure'
}
