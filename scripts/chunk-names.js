/** Chunks are named after the largest file in them: a stack then says where it leads, and a hash does not compress. */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** What esbuild calls a chunk. */
const HASHED = /\b[\w-]+-[A-Z0-9]{8}(?=\.js\b)/g

/**
 * Gives the chunks of a bundle their names, in their files and in whatever imports them.
 * @param {string} dist
 * @param {import('esbuild').Metafile['outputs']} outputs
 */
export function nameChunks(dist, outputs) {
  /** @type {Map<string, string>} */
  const names = new Map()
  const taken = new Set()
  for (const path of Object.keys(outputs).sort()) {
    const [hashed] = basename(path, '.map').match(HASHED) ?? []
    if (!path.includes('/chunks/') || hashed === undefined || names.has(hashed)) continue
    const own = ownName(outputs[path]?.inputs ?? {}, hashed)
    let name = own
    for (let more = 2; taken.has(name); more++) name = `${own}-${more}`
    taken.add(name)
    names.set(hashed, name)
  }
  const named = (/** @type {string} */ hashed) => names.get(hashed) ?? hashed
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.js(?:\.map)?$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace(HASHED, named))
    renameSync(path, join(entry.parentPath, entry.name.replace(HASHED, named)))
  }
}

/**
 * @param {import('esbuild').Metafile['outputs'][string]['inputs']} inputs
 * @param {string} hashed
 */
function ownName(inputs, hashed) {
  const [largest] = Object.entries(inputs).sort(([, one], [, other]) => other.bytesInOutput - one.bytesInOutput)
  const file = largest?.[0] ?? hashed.slice(0, hashed.lastIndexOf('-')) // nothing is in one that only passes on
  const foreign = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]
  return foreign?.replace(/\W+/g, '-') ?? basename(file).replace(/\.\w+$/, '')
}
