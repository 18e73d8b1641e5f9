import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { makeWorld, put } from './support/project.ts'

/** Asks npm, without a network, whether it would install the package beside packages of these versions. */
async function installs(versions: Readonly<Record<string, string>>): Promise<string> {
  const { name, version, peerDependencies, peerDependenciesMeta } = JSON.parse(
    await readFile(new URL('../package.json', import.meta.url), 'utf8'),
  )
  const world = await makeWorld()
  await put(world, 'hookline/package.json', { name, version, peerDependencies, peerDependenciesMeta })
  for (const [of, is] of Object.entries(versions))
    await put(world, `project/node_modules/${of}/package.json`, { name: of, version: is })
  await put(world, 'project/package.json', { private: true, dependencies: versions })
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
  it.each([
    ['ai 6', { ai: '6.0.326', '@ai-sdk/anthropic': '3.0.138', '@ai-sdk/openai-compatible': '2.0.87' }, 'installed'],
    ['ai 7', { ai: '7.0.169', '@ai-sdk/anthropic': '4.0.102', '@ai-sdk/openai-compatible': '3.0.90' }, 'installed'],
    ['ai 5, which it does not know', { ai: '5.0.0' }, 'ERESOLVE'],
  ])('beside %s', async (_beside, versions, expected) => {
    expect(await installs(versions)).toBe(expected)
  })
})
