/**
 * Makes the runner of the conformance cases one for Windows: the same file, with the lines changed that speak of a shell, of
 * process groups and of /proc. A line that is no longer there is an error, so that both stay one.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is replaced by what. @type {readonly (readonly [string, string])[]} */
const CHANGES = [
  [
    `import { spawn } from 'node:child_process'`,
    `import { spawn } from 'node:child_process'
import { adapted, jobFor, skipReason, slashed, windowsEnvironment, withSlashes } from 'HELPERS'`,
  ],
  [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what the runner has
    "spawn('sh', ['-c', `exec ${driver} \"$@\"`, 'driver', ...args], { detached: true, env: { ...clean, ...env } })",
    'spawn(process.execPath, [driver, ...args], { env: windowsEnvironment({ ...clean, ...env }) })',
  ],
  ['const driven = { child, ended,', 'const driven = { child, ended, job: jobFor(child.pid),'],
  ['const record = parseJson(line)', 'const record = withSlashes(parseJson(line))'],
  ['const printed = parseJson(text)', 'const printed = withSlashes(parseJson(text))'],
  ["process.kill(-driven.child.pid, 'SIGKILL')", 'driven.job.end()'],
  [
    'const alive = await survivorsOf(token, spec.survivors ?? 0, before)',
    'const allowed = 3 * (spec.survivors ?? 0) // bash has a process that starts it, and some a console\n  const alive = await survivorsOf(driven.job, allowed)',
  ],
  [
    'async function survivorsOf(token, allowed, before) {\n  let found = processesOf(token, before)\n  for (const end = Date.now() + SETTLE_MS; found.length > allowed && Date.now() < end; found = processesOf(token, before)) await sleep(50)\n  return found',
    'async function survivorsOf(job, allowed) {\n  for (const end = Date.now() + 5 * SETTLE_MS; job.members().length > allowed && Date.now() < end;) await sleep(50)\n  return job.members()',
  ],
  [
    "for (const pid of alive) try { process.kill(pid, 'SIGKILL') } catch {} // it may have ended by itself",
    'driven.job.end()',
  ],
  ['  const before = new Set(processIds())\n', ''],
  ['if (alive.length > (spec.survivors ?? 0))', 'if (alive.length > allowed)'],
  [
    "const values = { root, project: join(root, 'project'), home: join(root, 'home'), token, http }",
    "const values = { root: slashed(root), project: slashed(join(root, 'project')), home: slashed(join(root, 'home')), token, http }",
  ],
  ['const spec = instantiate(', 'const spec = adapted(instantiate('],
  ['http: server?.address })\n', 'http: server?.address }))\n'],
  [
    'rmSync(root, { recursive: true, force: true, maxRetries: 3 })',
    'rmSync(root, { recursive: true, force: true, maxRetries: 30 })',
  ],
  ['const limit = spec.maxMs ?? DEFAULT_LIMIT_MS', 'const limit = DEFAULT_LIMIT_MS'],
  [
    'const waiting = readCases(files).filter(({ id }) => wanted.test(id))',
    `const waiting = readCases(files).filter(({ id, line }) => wanted.test(id) && skipReason(id, line) === null)
  const skipped = readCases(files).filter(({ id, line }) => wanted.test(id) && skipReason(id, line) !== null).length`,
  ],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what it gets
  ['failed`)\n', 'failed, ${skipped} skipped`)\n'],
]

/**
 * Writes the runner into a folder, and says where.
 * @param {{ root: string, folder: string, helpers: string }} places
 */
export function writeRunner({ root, folder, helpers }) {
  let text = readFileSync(join(root, 'conformance', 'run.mjs'), 'utf8')
  for (const [before, after] of CHANGES) {
    if (!text.includes(before)) throw new Error(`run.mjs has changed; this is not in it any more: ${before}`)
    text = text.replace(before, () => after.replace('HELPERS', helpers))
  }
  const path = join(folder, 'run-on-windows.mjs')
  writeFileSync(path, text)
  return path
}
