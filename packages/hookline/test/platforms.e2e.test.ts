import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const BUILT = join(import.meta.dirname, '../dist')

/** The texts of all files that importing a file loads at once. */
function loadedBy(file: string, seen = new Map<string, string>()): ReadonlyMap<string, string> {
  if (seen.has(file)) return seen
  const text = readFileSync(file, 'utf8')
  seen.set(file, text)
  for (const [, path = ''] of text.matchAll(/(?:from|import)\s*["'](\.[^"']+)["']/g))
    loadedBy(join(dirname(file), path), seen)
  return seen
}

it('the built package is the same wherever it was built: no file names a folder of that machine', () => {
  const root = join(import.meta.dirname, '../../..')
  const files = readdirSync(BUILT, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:js|map|md|json)$/.test(name),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((name) => readFileSync(join(BUILT, name), 'utf8').includes(root))).toEqual([])
})

describe('importing a door', () => {
  it.each([
    ['index.js', 16],
    ['hook/index.js', 32],
    ['process/index.js', 100],
    ['tools/index.js', 120],
  ])('costs little: %s loads less than %i KiB of ours', (door, most) => {
    const bytes = [...loadedBy(join(BUILT, door)).values()].reduce((total, text) => total + text.length, 0)
    expect(bytes).toBeGreaterThan(500)
    expect(bytes / 1024).toBeLessThan(most)
  })

  it.each(['index.js', 'process/index.js', 'cli/main.js', 'tools/index.js'])(
    'loads nothing that only Windows needs: %s',
    (door) => {
      const texts = [...loadedBy(join(BUILT, door)).values()]
      expect(texts.filter((text) => /CreateJobObjectW|taskkill\.exe|CLAUDE_CODE_GIT_BASH_PATH/.test(text))).toEqual([])
    },
  )
})
