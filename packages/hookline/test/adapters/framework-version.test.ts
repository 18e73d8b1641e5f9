import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { assertFramework, FRAMEWORKS } from '../../src/adapters/framework-version.ts'

const doors = Object.keys(FRAMEWORKS) as (keyof typeof FRAMEWORKS)[]

const { exports, peerDependencies } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { exports: Record<string, unknown>; peerDependencies: Record<string, string> }

describe.each(doors)('the version of the framework behind hookline/%s', (door) => {
  const { name, from, below } = FRAMEWORKS[door]
  const major = Number(below.split('.')[0])

  it('is not asked of npm, which would install nothing beside another', () => {
    expect(exports).toHaveProperty([`./${door}`])
    expect(peerDependencies[name]).toBe('*')
  })

  it.each([from, `${from}-beta.1`, `${major - 1}.999.9`])('may be %s', (version) => {
    expect(() => assertFramework(door, () => version)).not.toThrow()
  })

  it.each(['0.0.1', below, `${major}.0.0-beta.1`, '99.1.2'])('is refused with a sentence when it is %s', (version) => {
    const refusal = `hookline/${door} works with ${name} from ${from} to below ${below}; ${version} is installed.`
    expect(() => assertFramework(door, () => version)).toThrow(refusal)
  })

  it('is not known in a bundle, which is no reason to refuse', () => {
    expect(() => assertFramework(door, () => null)).not.toThrow()
  })
})

it('is read from the package beside this one', () => {
  expect(() => assertFramework('ai-sdk')).not.toThrow()
})
