import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const SOURCE = fileURLToPath(new URL('../packages/hookline/src/', import.meta.url))

/** What is left out of the plain engine, by the file that has it. */
const LEFT_OUT = {
  'process/session-members.ts':
    'LeftBehind.prototype.countFromNow = () => ({ first: null, at: 0, ended: 0 }); LeftBehind.prototype.listInhabited = () => new Set()',
  'process/pipe-stock.ts': 'PipeStock.prototype.take = () => undefined; PipeStock.prototype.wait = async () => null',
}

/**
 * Builds the engine twice, as it is and plain: sockets for the hooks that the host starts, and nobody looks for what a
 * hook left behind. So each can be the bound of the other.
 * @param {string} folder
 * @returns {Promise<{ whole: string, plain: string }>} The files to import.
 */
export async function buildEngines(folder) {
  const whole = join(folder, 'whole.mjs')
  const plain = join(folder, 'plain.mjs')
  await Promise.all([bundle(whole, {}), bundle(plain, LEFT_OUT)])
  return { whole, plain }
}

/**
 * @param {string} outfile
 * @param {Readonly<Record<string, string>>} added
 */
function bundle(outfile, added) {
  return build({
    entryPoints: [join(SOURCE, 'index.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    logLevel: 'error',
    outfile,
    plugins: Object.entries(added).map(([file, text]) => ({
      name: file,
      setup: ({ onLoad }) =>
        onLoad({ filter: new RegExp(`${file.replace('.', '\\.')}$`) }, async ({ path }) => {
          return { contents: `${await readFile(path, 'utf8')}\n${text}`, loader: 'ts' }
        }),
    })),
  })
}
