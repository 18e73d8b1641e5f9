// Makes one script of a module of `dist` and of all that it imports: Node starts one script sooner than forty modules, and
// a package that shipped both would hold the engine twice. The build and the first call of a new version load this.
const fs = require('node:fs')
const { dirname, join, relative } = require('node:path')

/** How the build prints the imports at the start of a file, which may be signed, and the exports at its end. */
const IMPORT = /(?:\/\*.*\*\/)?\s*import\s*(?:\{([^}]*)\}\s*from\s*)?"([^"]+)";?/y
const EXPORT = /export\s*\{([^}]*)\};?\s*(?:\/\/# sourceMappingURL=.*)?\s*$/
const ON_DEMAND = /\bimport\("([^"]+)"\)/g

/** Tables that many calls ask for: a part of the script that is skipped costs less than a module that is loaded. */
const INSIDE = /\/protocol\/current\/profile\.js$/

/**
 * Returns the script: an expression whose value is a function of something that imports what `bin` names, and of an object
 * with the URL of the script. Modules are functions in it, called in their order. What they export are variables around
 * them: objects with properties would take V8 longer than all the modules.
 * @param {string} entry
 */
exports.link = function link(entry) {
  /** @type {Map<string, Map<string, string>>} of each module: the variables for what it exports, by the names of that */
  const modules = new Map()
  /** @type {string[]} */
  const onDemand = []
  /** @type {string[]} */
  const calls = []
  add(entry, calls)
  const variables = [...modules.values()].flatMap((exported) => [...exported.values()])
  const body = [`var ${variables.join()};`, ...onDemand, ...calls].join('\n')
  return `(function(importFromBin,bundle){"use strict";${body}\n})`

  /**
   * Adds the call of a module behind those of what it imports, and returns its variables.
   * @param {string} path
   * @param {string[]} calls
   * @returns {Map<string, string>}
   */
  function add(path, calls) {
    const known = modules.get(path)
    if (known !== undefined) return known
    const text = fs.readFileSync(path, 'latin1') // the build escapes every other character
    const { imports, start } = importsOf(text)
    const takes = imports.flatMap(({ names, from }) => {
      const exported = add(join(dirname(path), from), calls)
      return names.map(([there, here]) => `const ${here}=${exported.get(there)};`)
    })
    const names = namesIn(EXPORT.exec(text)?.[1] ?? '')
    const exported = new Map(names.map(([, there]) => [there, `_${modules.size}_${there}`]))
    modules.set(path, exported)
    const code = text.slice(start).replace(EXPORT, '').replaceAll('import.meta.url', 'bundle.url')
    const gives = names.map(([here, there]) => `${exported.get(there)}=${here};`)
    const linked = code.replace(ON_DEMAND, (_, name) => importing(name, dirname(path)))
    calls.push(`(()=>{${takes.join('')}${linked}\n${gives.join('')}})();`)
    return exported
  }

  /**
   * What a module has in the place of `import()`.
   * @param {string} name
   * @param {string} folder
   */
  function importing(name, folder) {
    if (!name.startsWith('.')) return `importFromBin("${name}")`
    const path = join(folder, name)
    if (!INSIDE.test(name)) return `importFromBin("${relative(__dirname, path).replaceAll('\\', '/')}")`
    /** @type {string[]} */
    const calls = []
    const exported = [...add(path, calls)].map(([there, variable]) => `${there}:${variable}`)
    const run = `run${onDemand.length}`
    onDemand.push(`var ${run}=()=>{${calls.join('\n')}\n${run}=()=>({${exported.join()}});return ${run}()};`)
    return `Promise.resolve().then(()=>${run}())`
  }
}

/** @param {string} text */
function importsOf(text) {
  const imports = []
  let start = 0
  for (IMPORT.lastIndex = 0; ; start = IMPORT.lastIndex) {
    const [statement, names = '', from = ''] = IMPORT.exec(text) ?? []
    if (statement === undefined) return { imports, start }
    imports.push({ names: namesIn(names), from })
  }
}

/**
 * The names in a list of imports or exports, each with the one behind its `as`.
 * @param {string} list
 * @returns {[string, string][]}
 */
function namesIn(list) {
  const names = list.split(',').map((name) => name.trim())
  return names.filter(Boolean).map((name) => {
    const [first = '', second = first] = name.split(/\s+as\s+/)
    return [first, second]
  })
}
