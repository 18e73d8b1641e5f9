import { type Context, lowerCertainty, readPath, resolveOne, takeFirst, writePath } from './context.ts'
import { isDisk } from './places.ts'
import { toKnownWord } from './value.ts'
import type { Path } from './view.ts'

/** Paths of one text that are looked at. */
const MAX_PATHS = 400

/** Paths of the home and of the system in a text of any form. */
const NAMED_PATH = /(?<![\w.~/])(?:~|\$HOME|\$\{HOME\})?\/[\w.@+-][\w.@+/-]{2,200}/g

/** Words beside which a text writes what it names. */
const WRITES =
  /\b(?:write|append|create|save|copy|rename|move|puts|spit|put|download|delete|remove|unlink|rm)|dump|redir|content|["'][aw]["']/i

/** Notes secrets that a text in an unknown form names, and settings that run by themselves beside a word that writes. */
export function noteNamedPlaces(context: Context, text: string, since = 0): void {
  const likely = lowerCertainty(context, 'likely')
  const writes = WRITES.test(text)
  for (const [written] of takeFirst(context, [...text.matchAll(NAMED_PATH)], MAX_PATHS, 'paths')) {
    const name = written.replace(/^(?:~|\$HOME|\$\{HOME\})/, context.reading.world.home)
    const word = toKnownWord(name.replace(/[.:,;]+$/, ''))
    const path = resolveOne(context, word)
    if (!path || isTold(context, path, since)) continue
    if (path.place === 'secret' && isLookedFor(context, path)) readPath(likely, word)
    else if (writes && /^(?:startup|agent)$/.test(path.place)) writePath(likely, word, 'edit')
  }
}

/** True for a path that something is at, and for devices and secrets of the home, which are looked for where they usually are. */
export function isLookedFor({ reading }: Context, { exists, place, text }: Path): boolean {
  return exists || isDisk(text) || (place === 'secret' && text.startsWith(`${reading.world.home}/.`))
}

/** True for a path that an effect of the program names, or one above or below it. */
export function isTold({ reading }: Context, { text }: Path, since: number): boolean {
  return reading.effects
    .slice(since)
    .some(
      (effect) =>
        'path' in effect &&
        (effect.path.text === text ||
          effect.path.text.startsWith(`${text}/`) ||
          text.startsWith(`${effect.path.text}/`)),
    )
}
