import { isAbsolute, relative, sep } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPath, isBelow, joinPath } from '../../src/files/paths.ts'

/** Paths of few names, so that many lie in one another, some of them written in odd ways. */
const path = fc
  .tuple(
    fc.constantFrom('/', '', '//', './'),
    fc.array(fc.constantFrom('a', 'ab', '.a', '..a', '.', '..', ''), { maxLength: 5 }),
  )
  .map(([start, names]) => start + names.join('/'))

describe('a path in a folder', () => {
  it.runIf(sep === '/')('is where Node says that the way to it leads, however both are written', () => {
    fc.assert(
      fc.property(path, path, (one, folder) => {
        const way = relative(folder, one)
        const isThere = way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
        expect(isBelow(one, folder)).toBe(isThere)
        expect(formatPath(one, folder)).toBe((isThere && way) || one)
      }),
      { numRuns: 2000 },
    )
  })

  it.runIf(sep === '/').each([
    [['/p', '.claude', 'settings.json'], '/p/.claude/settings.json'],
    [['/', '.mcp.json'], '/.mcp.json'],
  ])('is made of %j', ([folder = '', ...names], made) => {
    expect(joinPath(folder, ...names)).toBe(made)
  })
})
