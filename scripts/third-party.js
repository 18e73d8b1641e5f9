/** The licences of what a bundle holds of others. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './tools.js'

/**
 * A page with the licence of every package that a bundle was made of.
 * @param {import('esbuild').Metafile} metafile
 */
export function thirdPartyLicences(metafile) {
  const names = Object.keys(metafile.inputs).flatMap((path) => {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
    return name === undefined ? [] : [name]
  })
  const parts = [...new Set(names)].sort().map((name) => {
    const folder = join(ROOT, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return `## ${name} ${version} (${license})\n\n${licenceIn(folder)}\n`
  })
  return `# What this package holds of others\n\n${parts.join('\n')}`
}

/** @param {string} folder */
function licenceIn(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(?:\.\w+)?$/i.test(name))
  if (file === undefined || !existsSync(join(folder, file))) throw new Error(`${folder} has no licence to pass on.`)
  return readFileSync(join(folder, file), 'utf8').trim()
}
