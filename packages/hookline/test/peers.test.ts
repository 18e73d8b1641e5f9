import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { makeWorld, put } from './support/project.ts'

const { name, version, peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)
const peers = Object.keys(peerDependencies)

/** Asks npm, without a network, whether it would install the package beside all its peers in a version. */
async function installsBeside(is: string): Promise<string> {
  const world = await makeWorld()
  await put(world, 'hookline/package.json', { name, version, peerDependencies, peerDependenciesMeta })
  for (const peer of peers) await put(world, `project/node_modules/${peer}/package.json`, { name: peer, version: is })
  const dependencies = Object.fromEntries(peers.map((peer) => [peer, is]))
  await put(world, 'project/package.json', { private: true, dependencies })
  const args = ['install', '../hookline', '--install-links', '--dry-run', '--offline', '--no-audit', '--no-fund']
  return promisify(execFile)('npm', args, {
    cwd: world.project,
    env: { ...process.env, HOME: world.home },
    timeout: 50_000,
  }).then(
    () => 'installed',
    ({ stderr }: { stderr: string }) => /ERESOLVE/.exec(stderr)?.[0] ?? stderr,
  )
}

describe('npm i hookline', () => {
  it.each(['0.0.1', '99.0.0-beta.1'])('is not stopped by a peer of version %s: who uses it is told', async (is) => {
    expect(peers.length).toBeGreaterThan(8)
    expect(peers.filter((peer) => peerDependenciesMeta[peer]?.optional !== true)).toEqual([])
    expect(await installsBeside(is)).toBe('installed')
  })
})
