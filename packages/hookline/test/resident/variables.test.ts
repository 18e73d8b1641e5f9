import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { OWN_VARIABLES } from '../../src/resident/caller.ts'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

/** Rooms that a call of an agent goes through in the resident's own process. */
const SERVING = [
  'bridges',
  'config',
  'dispatch',
  'engine',
  'files',
  'hook-types',
  'log',
  'process',
  'read',
  'record',
  'run',
]

/** Reads a file without its comments, which may name any variable. */
const readCode = (path: string): string => readFileSync(path, 'utf8').replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '')

it('compares every variable that the engine reads of its own process, whatever its caller has', () => {
  const read = SERVING.flatMap((room) =>
    readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [...readCode(join(source, room, name)).matchAll(/\bprocess\.env\.([A-Z_]+)/g)])
      .map(([, name]) => name ?? ''),
  )
  const known: readonly string[] = OWN_VARIABLES
  expect(read.length).toBeGreaterThan(2)
  expect([...new Set(read)].filter((name) => !known.includes(name))).toEqual([])
})
