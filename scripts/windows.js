// Installs the packed package where Windows programs run, and tries it there: the conformance cases through Git Bash as they
// are, those that cmd can say in its own language, and the process battery with and without koffi.
//   npm run test:windows                 under Wine; skips with a sentence where there is none
//   npm run test:windows -- battery      only the battery; also: bash, cmd
// On Windows itself the same is run without Wine.

import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './tools.js'
import { writeRunner } from './windows/runner.js'
import { missingWine, openWindows } from './windows/wine.js'

const PARTS = ['battery', 'cmd', 'bash']
const wanted = process.argv.slice(2)
const parts = PARTS.filter((part) => wanted.length === 0 || wanted.includes(part))
const missing = missingWine()
if (missing !== null) console.log(`skipped: ${missing}`)
else process.exitCode = await runAll()

async function runAll() {
  const windows = openWindows()
  const packed = mkdtempSync(join(tmpdir(), 'hookline-windows-'))
  try {
    install(packed, windows)
    let failed = false
    for (const version of windows.versions) {
      for (const { name, file, args, env } of callsOf(parts, windows)) {
        const isWhole = version === windows.versions[0] || name.startsWith('battery')
        if (!isWhole) continue // one version of Node runs all of it
        const { code, output } = await windows.run(version, [file, ...args], env)
        for (const line of output.trim().split('\n').slice(0, -1)) console.log(`  ${line}`)
        console.log(`Node ${version}, ${name}: ${output.trim().split('\n').at(-1)}`)
        failed ||= code !== 0
      }
    }
    return failed ? 1 : 0
  } finally {
    windows.close()
    rmSync(packed, { recursive: true, force: true })
  }
}

/**
 * Puts the package into two folders, one of which has koffi, and the suite beside them.
 * @param {string} packed
 * @param {ReturnType<typeof openWindows>} windows
 */
function install(packed, { drive, koffi }) {
  const packing = ['pack', '--ignore-scripts', '--silent', '--pack-destination', packed]
  execFileSync('npm', packing, {
    cwd: join(ROOT, 'packages/hookline'),
    stdio: 'pipe',
    shell: process.platform === 'win32',
  })
  const tarball = readdirSync(packed).find((name) => name.endsWith('.tgz')) ?? ''
  const plain = join(drive, 'plain')
  mkdirSync(plain)
  writeFileSync(join(plain, 'package.json'), '{ "private": true, "type": "module" }')
  const args = ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', join(packed, tarball)]
  execFileSync('npm', args, { cwd: plain, stdio: 'inherit', shell: process.platform === 'win32' })
  copyFileSync(join(ROOT, 'scripts/platforms/battery.mjs'), join(plain, 'battery.mjs'))
  cpSync(plain, join(drive, 'jobs'), { recursive: true })
  cpSync(koffi, join(drive, 'jobs', 'node_modules'), { recursive: true })

  const suite = join(drive, 'suite')
  mkdirSync(suite)
  for (const name of ['helpers.mjs', 'cases.mjs']) copyFileSync(join(ROOT, 'scripts/windows', name), join(suite, name))
  for (const folder of ['conformance', 'conformance-current'])
    cpSync(join(ROOT, folder), join(suite, folder), { recursive: true })
  writeRunner({ root: ROOT, folder: suite, helpers: './helpers.mjs' })
}

/**
 * What node.exe is called with.
 * @param {string[]} chosen
 * @param {ReturnType<typeof openWindows>} windows
 */
function callsOf(chosen, { named, gitBash }) {
  const batteries = ['jobs', 'plain'].flatMap((folder) =>
    [gitBash, 'none'].map((bash) => ({
      part: 'battery',
      name: `battery, ${folder === 'jobs' ? 'with' : 'without'} koffi, ${bash === 'none' ? 'cmd' : 'Git Bash'}`,
      file: named(folder, 'battery.mjs'),
      args: [],
      env: { CLAUDE_CODE_GIT_BASH_PATH: bash },
    })),
  )
  const files = ['conformance', 'conformance-current'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => named('suite', folder, name)),
  )
  const cases = ['cmd', 'bash'].map((shell) => ({
    part: shell,
    name: `conformance through ${shell === 'cmd' ? 'cmd' : 'Git Bash'}`,
    file: named('suite', 'run-on-windows.mjs'),
    args: ['--driver', named('jobs', 'node_modules', 'hookline', 'bin', 'hookline.js'), ...files],
    env: {
      HOOKLINE_TEST_SHELL: shell,
      HOOKLINE_TEST_BASH: gitBash,
      HOOKLINE_TEST_KOFFI: named('jobs', 'package.json'),
    },
  }))
  return [...batteries, ...cases].filter(({ part }) => chosen.includes(part))
}
