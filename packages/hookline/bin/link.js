// Makes one script of a module of `dist` and of all that it imports: Node starts one script sooner than forty modules, and
// a package that shipped both would hold the engine twice. The build and the first call of a new version load this.
const fs = require('node:fs')
const { dirname, join, relative } = require('node:path')

/** Form in which the build prints the imports at the start of a file, which may be signed, and the exports at its end. */
const IMPORT = /(?:\/\*.*\*\/)?\s*import\s*(?:\{([^}]*)\}\s*from\s*)?"([^"]+)";?/y
const EXPORT = /export\s*\{([^}]*)\};?\s*(?:\/\/# sourceMappingURL=.*)?\s*$/
const ON_DEMAND = /\bimport\("([^"]+)"\)/g

/**
 * Parts of a script that run when they are asked for: the command that is called, tables, and what writes down that a
 * guard refused. `explain` goes with `fire`, since it is a look and keeps no script of its own.
 * @type {Readonly<Record<string, string>>}
 */
const LATER = {
  fire: 'commands/(?:fire/fire|explain/explain)',
  bridge: 'commands/bridge/run',
  wrap: 'commands/wrap/run',
  guard: '(?:redact-verdict|log-file)-\\d+',
}

/**
 * Modules that are a script of their own, by the command that is called: it is read, linked and compiled at the first call of
 * something in it, since a call needs few of them. Functions and constant texts are all that may be imported from one.
 * @type {Readonly<Record<string, string>>}
 */
const APART = {
  guard:
    'redact-verdict|secret-programs|log-file|unbash|statements|powershell|self-running|archives|git|npm|package-managers|interpreters|make|network|task-files|containers|cloud|databases|machine|systems|work|tools|languages',
}

/**
 * @typedef {object} Module
 * @property {number} number
 * @property {string} run what runs it, where it is a part of the script
 * @property {string | null} apart the name of its own script
 * @property {Map<string, string>} exported the variables, by the names of what is exported
 * @property {(name: string) => string | null} writeAhead what stands for an export as long as the script was not read; null: nothing can
 */

/**
 * Returns the script: an expression whose value is a function of something that imports what `bin` names, and of an object
 * with the URL of the script, a set of the parts that were asked for, and something that returns the function of a script
 * that is apart. Modules are functions in it that do something once. What they export are variables around them: objects
 * with properties would take V8 longer than all the modules.
 * @param {string} entry
 * @param {string} command
 * @param {string | null} [part] name of a module that is apart: its own script is returned
 */
exports.link = function link(entry, command, part = null) {
  const { script, parts } = linkScripts(entry, command)
  return part === null ? script : (parts.get(part) ?? '')
}

/**
 * Lists the modules that are apart.
 * @param {string} entry
 * @param {string} command
 */
exports.listParts = function listParts(entry, command) {
  return [...linkScripts(entry, command).parts.keys()]
}

/** Scripts that this process linked: a call whose home keeps none asks for each of its parts. */
const linkedScripts = new Map()

/**
 * @param {string} entry
 * @param {string} command
 * @returns {{ script: string, parts: Map<string, string> }}
 */
function linkScripts(entry, command) {
  const key = `${command} ${entry}`
  if (!linkedScripts.has(key)) linkedScripts.set(key, makeScripts(entry, command))
  return linkedScripts.get(key)
}

/**
 * @param {string} entry
 * @param {string} command
 */
function makeScripts(entry, command) {
  const inside = new RegExp(`/(?:${LATER[command] ?? 'none'}|protocol/(current)/profile)\\.js$`)
  const apart = new RegExp(`/(${APART[command] ?? 'none'})\\.js$`)
  /** @type {Map<string, Module>} */
  const modules = new Map()
  /** @type {string[]} */
  const texts = []
  /** @type {Map<string, string>} */
  const parts = new Map()
  const { run } = add(entry)
  const variables = [...modules.values()].flatMap(({ exported }) => [...exported.values()])
  const body = [`var done=()=>{},${variables.join()};`, ...texts, `${run}()`].join('\n')
  return { script: `(function(importFromBin,bundle){"use strict";${body}})`, parts }

  /**
   * Adds a module, and what it imports.
   * @param {string} path
   * @returns {Module}
   */
  function add(path) {
    const known = modules.get(path)
    if (known !== undefined) return known
    const text = fs.readFileSync(path, 'latin1') // the build escapes every other character
    const number = modules.size
    const names = readNames(EXPORT.exec(text)?.[1] ?? '')
    const exported = new Map(names.map(([, there]) => [there, `_${number}_${there}`]))
    const run = `run${number}`
    const writeAhead = (/** @type {string} */ wanted) => {
      const [here = ''] = names.find(([, there]) => there === wanted) ?? []
      return hasFunction(text, here) ? `(...args)=>${run}().${wanted}(...args)` : findLiteral(text, here)
    }
    const module = { number, run, apart: apart.exec(path)?.[1] ?? null, exported, writeAhead }
    modules.set(path, module)
    const { imports, start } = readImports(text)
    const needed = imports.map(({ names, from }) => ({ names, ...add(join(dirname(path), from)) }))
    for (const { names, apart, writeAhead } of needed)
      for (const [there] of names)
        if (apart !== null && writeAhead(there) === null) throw new Error(`${there} of ${apart} is no function or text`)
    const code = text.slice(start).replace(EXPORT, '').replaceAll('import.meta.url', 'bundle.url')
    const linked = code.replace(ON_DEMAND, (_, name) => writeImport(name, dirname(path)))
    if (module.apart === null) texts.push(writeModule(module, { names, needed, linked }))
    else {
      const taken = needed.flatMap(({ names, exported }) => names.map(([there, here]) => [exported.get(there), here]))
      const gives = names.map(([here, there]) => `${there}:${here}`)
      parts.set(
        module.apart,
        `(function(importFromBin,bundle,${taken.map(([, here]) => here).join()}){"use strict";${linked}\nreturn{${gives.join()}}})`,
      )
      texts.push(writeStubs(module, { needed, taken: taken.map(([variable]) => variable) }))
    }
    return module
  }

  /**
   * Writes a module as a function that does something once.
   * @param {Module} module
   * @param {{ names: [string, string][], needed: (Module & { names: [string, string][] })[], linked: string }} parts
   */
  function writeModule({ run, exported }, { names, needed, linked }) {
    const runs = needed.map(({ run, apart }) => (apart === null ? `${run}();` : ''))
    const takes = needed.flatMap(({ names, exported }) =>
      names.map(([there, here]) => `const ${here}=${exported.get(there)};`),
    )
    const gives = names.map(([here, there]) => `${exported.get(there)}=${here};`)
    const before = [`${run}=done;`, ...runs, ...takes].join('')
    return `var ${run}=()=>{${before}${linked}\n${gives.join('')}};`
  }

  /**
   * Writes what stands for a module that is apart: functions that run it when the first of them is called.
   * @param {Module} module
   * @param {{ needed: Module[], taken: (string | undefined)[] }} parts
   */
  function writeStubs({ number, run, apart, exported, writeAhead }, { needed, taken }) {
    const runs = needed.map(({ run, apart }) => (apart === null ? `${run}();` : ''))
    const loaded = `bundle.load("${apart}")(${['importFromBin', 'bundle', ...taken].join()})`
    const ahead = [...exported].map(([there, variable]) => `${variable}=${writeAhead(there)};`)
    return `var part${number},${run}=()=>{if(part${number})return part${number};${runs.join('')}return part${number}=${loaded}};${ahead.join('')}`
  }

  /**
   * Writes what a module has in the place of `import()`.
   * @param {string} name
   * @param {string} folder
   */
  function writeImport(name, folder) {
    if (!name.startsWith('.')) return `importFromBin("${name}")`
    const path = join(folder, name)
    const found = inside.exec(name)
    if (found === null && !apart.test(name))
      return `importFromBin("${relative(__dirname, path).replaceAll('\\', '/')}")`
    const { run, apart: isApart, exported } = add(path)
    if (isApart !== null) return `Promise.resolve().then(()=>${run}())`
    const properties = [...exported].map(([there, variable]) => `${there}:${variable}`)
    const asked = found?.[1] === undefined ? '' : `bundle.parts.add("${found[1]}");`
    return `Promise.resolve().then(()=>{${asked}${run}();return{${properties.join()}}})`
  }
}

/**
 * The text of a name that stands for one and nothing else; null for any other.
 * @param {string} text
 * @param {string} name
 */
function findLiteral(text, name) {
  return new RegExp(`[\\s,;]${name.replaceAll('$', '\\$')}=("(?:[^"\\\\]|\\\\.)*")[,;]`).exec(text)?.[1] ?? null
}

/**
 * True if a text declares a function of that name, or an arrow.
 * @param {string} text
 * @param {string} name
 */
function hasFunction(text, name) {
  const own = name.replaceAll('$', '\\$')
  return new RegExp(`\\bfunction ${own}\\(|[\\s,;]${own}=(?:async ?)?(?:\\([^()]*\\)|\\w+)=>`).test(text)
}

/** @param {string} text */
function readImports(text) {
  const imports = []
  let start = 0
  for (IMPORT.lastIndex = 0; ; start = IMPORT.lastIndex) {
    const [statement, names = '', from = ''] = IMPORT.exec(text) ?? []
    if (statement === undefined) return { imports, start }
    imports.push({ names: readNames(names), from })
  }
}

/**
 * The names in a list of imports or exports, each with the one behind its `as`.
 * @param {string} list
 * @returns {[string, string][]}
 */
function readNames(list) {
  const names = list.split(',').map((name) => name.trim())
  return names.filter(Boolean).map((name) => {
    const [first = '', second = first] = name.split(/\s+as\s+/)
    return [first, second]
  })
}
