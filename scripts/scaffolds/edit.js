/** Edits of files that scaffolds add a row to. */

/** A mistake in the call, or a file that has changed its form: told as a sentence. */
export class ScaffoldError extends Error {}

/**
 * @typedef {object} Scaffold
 * @property {Record<string, string>} files new texts of files, by their paths from the root
 * @property {readonly string[]} next what is left for a person to do
 *
 * @typedef {object} ScaffoldKind
 * @property {string} says what it adds
 * @property {RegExp} name
 * @property {string} names how a name looks, in words
 * @property {(name: string, tree: Tree) => Scaffold} make
 */

/** Texts of the repository, some of which a scaffold has changed. */
export class Tree {
  #read
  #list
  /** @type {Record<string, string>} */
  files = {}

  /** @param {{ read: (path: string) => string | null, list: (folder: string) => string[] }} disk */
  constructor({ read, list }) {
    this.#read = read
    this.#list = list
  }

  /** @param {string} folder */
  list(folder) {
    return this.#list(folder)
  }

  /** @param {string} path */
  get(path) {
    const text = this.files[path] ?? this.#read(path)
    if (text === null) throw new ScaffoldError(`${path} is not there, and a row belongs into it.`)
    return text
  }

  /**
   * @param {string} path
   * @param {string} text
   */
  add(path, text) {
    if ((this.files[path] ?? this.#read(path)) !== null) throw new ScaffoldError(`${path} exists already.`)
    this.files[path] = text
  }

  /**
   * Writes lines at the end of a file, which is made if it is not there.
   * @param {string} path
   * @param {string} lines
   */
  append(path, lines) {
    this.files[path] = (this.files[path] ?? this.#read(path) ?? '') + lines
  }

  /**
   * Writes lines before the first place that looks so, behind `after` if that is given.
   * @param {string} path
   * @param {string} before
   * @param {string} lines
   * @param {{ after?: string }} [where]
   */
  insert(path, before, lines, { after = '' } = {}) {
    const text = this.get(path)
    const from = text.indexOf(after)
    const at = from === -1 ? -1 : text.indexOf(before, from + after.length)
    if (at === -1)
      throw new ScaffoldError(
        `${path} has no "${(from === -1 ? after : before).trim()}" to write beside. Add the row by hand.`,
      )
    this.files[path] = text.slice(0, at) + lines + text.slice(at)
  }

  /**
   * Writes an import where the sorted list of them has its place.
   * @param {string} path
   * @param {string} line
   */
  import(path, line) {
    const from = /'(.*)'/.exec(line)?.[1] ?? ''
    const lines = this.get(path).split('\n')
    const imports = lines.map((text, at) => ({ at, from: /^import .* from '(\.[^']*)'$/.exec(text)?.[1] }))
    const after = imports.filter((one) => one.from !== undefined && compareImports(one.from, from) < 0).at(-1)
    lines.splice((after?.at ?? -1) + 1, 0, line)
    this.files[path] = lines.join('\n')
  }

  /**
   * @param {string} path
   * @param {RegExp} pattern
   * @param {string} sentence
   */
  refuse(path, pattern, sentence) {
    if (pattern.test(this.get(path))) throw new ScaffoldError(sentence)
  }
}

/**
 * The order of biome: folders above first, then by letters.
 * @param {string} one
 * @param {string} other
 */
function compareImports(one, other) {
  const [a, b] = [one, other].map((path) => (path.match(/\.\.\//g) ?? []).length)
  if (a !== b) return Number(b) - Number(a)
  return one < other ? -1 : 1
}

/**
 * `long-status-message` as `longStatusMessage`.
 * @param {string} name
 */
export function toCamelCase(name) {
  return name.replaceAll(/[-_](\w)/g, (_, letter) => letter.toUpperCase())
}

/**
 * `long-status-message` as `LongStatusMessage`.
 * @param {string} name
 */
export function toPascalCase(name) {
  const camel = toCamelCase(name)
  return camel.charAt(0).toUpperCase() + camel.slice(1)
}

/**
 * `long-status-message` as `long status message`.
 * @param {string} name
 */
export const toWords = (name) => name.replaceAll(/[-_]/g, ' ')
