/** `npm run new -- KIND NAME` writes a new part of the house: its file, its row in each table, its cases and its test. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { adapter } from './scaffolds/adapter.js'
import { bridge } from './scaffolds/bridge.js'
import { command } from './scaffolds/command.js'
import { ScaffoldError, Tree } from './scaffolds/edit.js'
import { event } from './scaffolds/event.js'
import { guard } from './scaffolds/guard.js'
import { hookType } from './scaffolds/hook-type.js'
import { profile } from './scaffolds/profile.js'
import { program } from './scaffolds/program.js'
import { rule } from './scaffolds/rule.js'
import { view } from './scaffolds/view.js'
import { ROOT } from './tools.js'

/** @type {Readonly<Record<string, import('./scaffolds/edit.js').ScaffoldKind>>} */
const KINDS = { event, 'hook-type': hookType, profile, bridge, rule, guard, program, view, command, adapter }

const USAGE = `npm run new -- KIND NAME [--dry-run] [--root FOLDER]

Writes a new part of the house that works, for you to change: its file, its row
in each table, its cases and its test.

${Object.entries(KINDS)
  .map(([kind, { says }]) => `  ${kind.padEnd(10)} ${says}`)
  .join('\n')}

  --dry-run      only say what would be written
  --root FOLDER  the repository; this one if left out

Exit codes: 0; 1 a mistake in the call, or a file is not as it should be.
`

process.exitCode = main()

function main() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, 'dry-run': { type: 'boolean' }, root: { type: 'string' } },
    })
    if (values.help) {
      console.log(USAGE)
      return 0
    }
    write(positionals, { root: values.root ?? ROOT, isDry: values['dry-run'] === true })
    return 0
  } catch (error) {
    const isMistake = error instanceof ScaffoldError || (error instanceof TypeError && 'code' in error)
    if (!isMistake) throw error
    console.error(`${error.message}\n"npm run new -- --help" says how it is called.`)
    return 1
  }
}

/**
 * @param {readonly string[]} words
 * @param {{ root: string, isDry: boolean }} options
 */
function write([kind, name, ...rest], { root, isDry }) {
  if (kind === undefined) throw new ScaffoldError(`Say what is new: ${Object.keys(KINDS).join(', ')}.`)
  const scaffold = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (scaffold === undefined)
    throw new ScaffoldError(`"${kind}" is not a kind. Known: ${Object.keys(KINDS).join(', ')}.`)
  if (name === undefined) throw new ScaffoldError(`Say what the new ${kind} is called: ${scaffold.names}.`)
  if (rest.length > 0) throw new ScaffoldError(`"${rest[0]}" is one word too many: one name is enough.`)
  if (!scaffold.name.test(name)) throw new ScaffoldError(`"${name}" is not a valid name: ${scaffold.names}.`)
  const tree = new Tree({
    read: (path) => readOrNull(join(root, path)),
    list: (folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`),
  })
  const { files, next } = scaffold.make(name, tree)
  for (const [path, text] of Object.entries(files)) {
    const isNew = readOrNull(join(root, path)) === null
    console.log(`${isDry ? 'would ' : ''}${isNew ? 'write' : 'edit '} ${path}`)
    if (isDry) continue
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  if (!isDry)
    console.log(['', 'Next:', ...['npm run format', ...next].map((step, at) => `  ${at + 1}. ${step}`)].join('\n'))
}

/** @param {string} path */
function readOrNull(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // not there
  }
}
