import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/check.ts'
import { findSubjectsInPlay } from '../../src/check/find-subjects.ts'
import { makeFix } from '../../src/check/fix.ts'
import { splitWords } from '../../src/check/shell-words.ts'
import { makeProfileSource } from '../../src/engine/profiles.ts'
import { makeWorld } from '../support/project.ts'

const seed = process.env.HOOKLINE_SEED === undefined ? {} : { seed: Number(process.env.HOOKLINE_SEED) }

const name = fc.constantFrom(
  'type',
  'command',
  'prompt',
  'matcher',
  'hooks',
  'timeout',
  'once',
  'async',
  'if',
  'timeuot',
)
const word = fc.constantFrom(
  'command',
  'prompt',
  'http',
  'Bash',
  'bash',
  'Edit(',
  '$HOME/x',
  'sh ./x.sh',
  '"a',
  'tool == 1',
  '*',
  '',
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    word,
    fc.constantFrom(0, 1, 30000, null, true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}))
const hooks = fc.dictionary(fc.constantFrom('PreToolUse', 'Stop', 'SessionEnd', 'stop', 'Nope'), value, { maxKeys: 3 })

describe('any settings file', () => {
  it('can be checked, and every finding lies in it', async () => {
    const world = await makeWorld()
    const path = join(world.project, '.claude', 'settings.json')
    await mkdir(join(world.project, '.claude'))
    await fc.assert(
      fc.asyncProperty(hooks, fc.nat(3), async (written, spaces) => {
        const text = JSON.stringify({ hooks: written }, null, spaces)
        await writeFile(path, text)
        const subjects = await findSubjectsInPlay({ ...world, plugins: [] }, makeProfileSource(undefined))
        const lines = text.split('\n')
        for (const finding of await check(subjects)) {
          expect(finding.column).toBeLessThanOrEqual(lines[finding.line - 1]?.length ?? 0)
          const edit = subjects[0] && makeFix(finding, subjects[0])
          if (edit) JSON.parse(text.slice(0, edit.from) + edit.text + text.slice(edit.to))
        }
      }),
      { ...seed, numRuns: 300 },
    )
  })
})

describe('any shell text', () => {
  it('has words that stand where they say', () => {
    const piece = fc.constantFrom(
      ...`a ; & | > < ' " $ ( ) { } [ ] \\ # ~ / \n $HOME \${X} $( \` = * !`.split(' '),
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        for (const { raw, offset, variables } of splitWords(text)) {
          expect(raw).not.toBe('')
          expect(text.slice(offset, offset + raw.length)).toBe(raw)
          for (const each of variables)
            expect(text.slice(each.offset, each.offset + each.written.length)).toBe(each.written)
        }
      }),
      { ...seed, numRuns: 2000 },
    )
  })
})
