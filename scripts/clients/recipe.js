/** How a client is led to the scripted model: as `hookline bridge status --probe` does it, by the table of its bridge. */
import { readFileSync } from 'node:fs'

/** @import { Client } from './client.js' */

/**
 * The part of a client that its bridge knows.
 * @param {string} agent
 * @returns {Pick<Client, 'name' | 'version' | 'model' | 'seconds' | 'files' | 'env' | 'args' | 'shell'>}
 */
export function followRecipe(agent) {
  const file = new URL(`../../packages/hookline/bridges/${agent}.json`, import.meta.url)
  const { seen, recipe } = JSON.parse(readFileSync(file, 'utf8'))
  return {
    name: agent,
    version: seen.version,
    model: recipe.model,
    seconds: recipe.seconds,
    files: (place) => fill(recipe.files, { ...place }),
    env: (place) => fill(recipe.env, { ...place }),
    args: (prompt, place) => fill(recipe.args, { ...place, prompt }),
    shell: (command) => fill(recipe.shell, { command }),
  }
}

/**
 * A recipe with its values, wherever it names them.
 * @template Value
 * @param {Value} recipe
 * @param {Record<string, string>} values
 * @returns {Value}
 */
function fill(recipe, values) {
  const text = JSON.stringify(recipe).replaceAll(/\{(url|project|model|prompt|command)\}/g, (word, name) =>
    JSON.stringify(values[name] ?? word).slice(1, -1),
  )
  return JSON.parse(text)
}
