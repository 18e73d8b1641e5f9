import { expect, it } from 'vitest'
import { toTypedPieces } from '../../src/terminal/state/play-model.ts'
import { makeBuiltinTools } from '../../src/tools/builtin.ts'
import { toToolSpec } from '../../src/turn/ask-model.ts'

const tools = makeBuiltinTools({ env: {} }).map(toToolSpec)
const said = (words: string) =>
  toTypedPieces(words, tools).map((piece) => ('input' in piece ? [piece.name, piece.input] : piece))

it.each([
  ['Bash git status', ['Bash', { command: 'git status' }]],
  ['Read notes.txt', ['Read', { file_path: 'notes.txt' }]],
  ['Write notes.txt hello  world', ['Write', { file_path: 'notes.txt', content: 'hello  world' }]],
  [
    'Edit notes.txt old words => new words',
    ['Edit', { file_path: 'notes.txt', old_string: 'old words', new_string: 'new words' }],
  ],
  ['Read {"file_path": "a", "limit": 2}', ['Read', { file_path: 'a', limit: 2 }]],
  ['Bash', ['Bash', {}]],
  ['Bash {oops', ['Bash', '{oops']],
])('reads %j as a call', (words, call) => {
  expect(said(words)).toEqual([call])
})

it('makes a call of every line that begins with a tool; other lines belong to the call before them', () => {
  expect(said('Write a.txt one\ntwo\nBash ls')).toEqual([
    ['Write', { file_path: 'a.txt', content: 'one\ntwo' }],
    ['Bash', { command: 'ls' }],
  ])
})

it('takes everything else as text, and nothing as nothing', () => {
  expect(said('Bashful is no tool')).toEqual([{ type: 'text', text: 'Bashful is no tool' }])
  expect(said('First this.\nBash ls')).toEqual([{ type: 'text', text: 'First this.' }, ['Bash', { command: 'ls' }]])
  expect(said('')).toEqual([])
  expect(said('done')).toEqual([])
})
