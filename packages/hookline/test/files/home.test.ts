import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readPlaces } from '../../src/engine/options.ts'
import { findHome } from '../../src/files/home.ts'

afterEach(() => vi.unstubAllEnvs())

describe('the home of the user', () => {
  it.each(['', '.', './', 'home'])(
    "is not the current folder when HOME is %j: its hooks are not the user's own",
    (HOME) => {
      vi.stubEnv('HOME', HOME)
      expect(homedir()).toBe(HOME) // what Node says, and what would be resolved from the current folder
      expect(isAbsolute(findHome())).toBe(true)
      for (const home of [undefined, '']) {
        const places = readPlaces({ home })
        expect(places.home).toBe(findHome())
        expect(places.home).not.toBe(resolve(HOME))
      }
    },
  )

  it('is what HOME says where that is a path from the root, and what a host says', () => {
    vi.stubEnv('HOME', '/elsewhere')
    expect(findHome()).toBe('/elsewhere')
    expect(readPlaces({ home: '/given' }).home).toBe('/given')
  })
})
