/** How bundles reach the modules of Node: without import statements, which have Node load every lazy part of a module. */
import { builtinModules } from 'node:module'

/** Modules that are, or have parts that are, loaded only when they are asked for, and that few calls need. */
const LATE = /^node:(child_process|crypto|fs\/promises|net|readline|stream\/consumers|timers\/promises|util)$/

/**
 * Takes what is imported out of the module itself. An import statement would read every property of the module, and some
 * of those load whole parts of Node; in CommonJS it would be a `require` for each file of ours.
 * @param {(importer: string) => string} chunkOf files of one chunk share what they take; what two chunks shared would be a third
 * @returns {import('esbuild').Plugin}
 */
export function builtins(chunkOf) {
  return {
    name: 'builtins',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:/ }, ({ path, kind, importer }) => {
        if (kind !== 'import-statement') return { path, external: true }
        return { path, suffix: `?${chunkOf(importer)}`, namespace: 'builtin', sideEffects: false }
      })
      onLoad({ filter: /./, namespace: 'builtin' }, async ({ path }) => ({
        contents: await (LATE.test(path) ? loadedWhenUsed(path) : namesOf(path)),
      }))
    },
  }
}

/**
 * A module that takes from a module of Node what is used of it: a call that is marked as pure is left out where nothing
 * needs its value, and esbuild puts what it returns in its place where something does.
 * @param {string} path
 */
async function namesOf(path) {
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule('${path}')`,
    ...(await namesIn(path)).map(([name]) => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})()`),
  ].join('\n')
}

/**
 * A module of which nothing is loaded until something in it is called; what cannot be called is not in it. A class is also
 * compared with, so it stands in for the real one in every way.
 * @param {string} path
 */
async function loadedWhenUsed(path) {
  const functions = (await namesIn(path)).filter(([, value]) => typeof value === 'function')
  return functions
    .map(([name]) => {
      const real = `process.getBuiltinModule('${path}').${name}`
      if (!/^[A-Z]/.test(name)) return `export const ${name} = (...args) => ${real}(...args)`
      return `export const ${name} = /* @__PURE__ */ new Proxy(function () {}, {
        construct: (_, args) => new ${real}(...args),
        get: (_, key) => ${real}[key],
      })`
    })
    .join('\n')
}

/** @param {string} path */
async function namesIn(path) {
  if (!builtinModules.includes(path.replace('node:', ''))) throw new Error(`${path} is not a module of Node`)
  return Object.entries(await import(path)).filter(([name]) => /^[a-z]\w*$/i.test(name) && name !== 'default')
}
