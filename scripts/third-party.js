/** What a bundle holds of others, and their licences. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './tools.js'

/**
 * A page with the licence of every package that a bundle was made of.
 * @param {import('esbuild').Metafile} metafile
 */
export function thirdPartyLicences(metafile) {
  const parts = packagesIn(metafile).map(
    ({ name, version, license }) => `## ${name} ${version} (${license})\n\n${licenceIn(folderOf(name))}\n`,
  )
  return `# What this package holds of others\n\n${parts.join('\n')}`
}

/**
 * A bill of materials in CycloneDX: what was bundled, and what npm installs beside it. `npm sbom` would take what is bundled for
 * tools of the build, and leave it out.
 * @param {import('esbuild').Metafile} metafile
 * @param {{ name: string, version: string, license: string, dependencies?: Record<string, string> }} manifest
 */
export function billOfMaterials(metafile, { name, version, license, dependencies = {} }) {
  const parts = [...packagesIn(metafile), ...Object.keys(dependencies).map(packageOf)].map(componentOf)
  const whole = componentOf({ name, version, license })
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { ...whole, type: 'library' } },
    components: parts,
    dependencies: [{ ref: whole['bom-ref'], dependsOn: parts.map((part) => part['bom-ref']) }],
  }
}

/** @param {{ name: string, version: string, license: string }} manifest */
function componentOf({ name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { type: 'library', name, version, purl, 'bom-ref': purl, licenses: [{ license: { id: license } }] }
}

/**
 * The packages of others that a bundle was made of, by name.
 * @param {import('esbuild').Metafile} metafile
 */
function packagesIn({ inputs }) {
  const names = Object.keys(inputs).flatMap((path) => {
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
    return name === undefined ? [] : [name]
  })
  return [...new Set(names)].sort().map(packageOf)
}

/**
 * @param {string} name
 * @returns {{ name: string, version: string, license: string }}
 */
function packageOf(name) {
  return JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'))
}

/** @param {string} name */
function folderOf(name) {
  return join(ROOT, 'node_modules', name)
}

/** @param {string} folder */
function licenceIn(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(?:\.\w+)?$/i.test(name))
  if (file === undefined || !existsSync(join(folder, file))) throw new Error(`${folder} has no licence to pass on.`)
  return readFileSync(join(folder, file), 'utf8').trim()
}
