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
  guard: '(?:redact-verdict|log-file)(?:-\\d+)?',
}

/**
 * Returns the script: an expression whose value is a function of something that imports what `bin` names, and of an object
 * with the URL of the script and a set of the parts that were asked for. Modules are functions in it that do something
 * once. What they export are variables around them: objects with properties would take V8 longer than all the modules.
 * @param {string} entry
 * @param {string} command
 */
exports.link = function link(entry, command) {
  const inside = new RegExp(`/(?:${LATER[command] ?? 'none'}|protocol/(current)/profile)\\.js$`)
  /** @type {Map<string, { run: string, exported: Map<string, string> }>} by path; what is exported: the variables, by its names */
  const modules = new Map()
  /** @type {string[]} */
  const texts = []
  const { run } = add(entry)
  const variables = [...modules.values()].flatMap(({ exported }) => [...exported.values()])
  const body = [`var done=()=>{},${variables.join()};`, ...texts, `${run}()`].join('\n')
  return `(function(importFromBin,bundle){"use strict";${body}})`

  /**
   * Adds a module, and what it imports, and returns how the script calls it.
   * @param {string} path
   * @returns {{ run: string, exported: Map<string, string> }}
   */
  function add(path) {
    const known = modules.get(path)
    if (known !== undefined) return known
    const text = fs.readFileSync(path, 'latin1') // the build escapes every other character
    const number = modules.size
    const names = readNames(EXPORT.exec(text)?.[1] ?? '')
    const exported = new Map(names.map(([, there]) => [there, `_${number}_${there}`]))
    const module = { run: `run${number}`, exported }
    modules.set(path, module)
    const { imports, start } = readImports(text)
    const needed = imports.map(({ names, from }) => ({ names, ...add(join(dirname(path), from)) }))
    const runs = needed.map(({ run }) => `${run}();`)
    const takes = needed.flatMap(({ names, exported }) =>
      names.map(([there, here]) => `const ${here}=${exported.get(there)};`),
    )
    const gives = names.map(([here, there]) => `${exported.get(there)}=${here};`)
    const code = text.slice(start).replace(EXPORT, '').replaceAll('import.meta.url', 'bundle.url')
    const linked = code.replace(ON_DEMAND, (_, name) => writeImport(name, dirname(path)))
    const before = [`${module.run}=done;`, ...runs, ...takes].join('')
    texts.push(`var ${module.run}=()=>{${before}${linked}\n${gives.join('')}};`)
    return module
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
    if (found === null) return `importFromBin("${relative(__dirname, path).replaceAll('\\', '/')}")`
    const { run, exported } = add(path)
    const properties = [...exported].map(([there, variable]) => `${there}:${variable}`)
    const asked = found[1] === undefined ? '' : `bundle.parts.add("${found[1]}");`
    return `Promise.resolve().then(()=>{${asked}${run}();return{${properties.join()}}})`
  }
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
