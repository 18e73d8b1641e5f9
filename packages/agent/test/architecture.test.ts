import { describe, expect, it } from 'vitest'
import { findForeignCopies } from '../../hookline/test/support/laws.ts'
import { findRoom, isIn, plantFiles, readSourceTree } from '../../hookline/test/support/source-tree.ts'
import { AGENT_LAWS, AGENT_RESOURCES, findTerminalRoom, readRooms } from './support/laws.ts'

const tree = readSourceTree('agent')

describe('the agent', () => {
  it.each(AGENT_LAWS)('$says', ({ findBreaches }) => {
    expect(findBreaches(tree)).toEqual([])
  })

  it('has no helper of the engine a second time', () => {
    expect(findForeignCopies(tree, readSourceTree('hookline'))).toEqual([])
  })
})

describe('the laws of the agent', () => {
  it('look at all rooms', () => {
    expect(tree.files.length).toBeGreaterThan(150)
    expect(tree.imports.length).toBeGreaterThan(800)
    expect(new Set(tree.files.map(findRoom))).toEqual(new Set([...readRooms(tree, 'agent').keys(), 'door']))
    const terminal = tree.files.filter((file) => findRoom(file) === 'terminal')
    expect(new Set(terminal.map(findTerminalRoom))).toEqual(new Set([...readRooms(tree, 'terminal').keys(), 'way in']))
    expect(tree.imports.filter(({ target }) => /^hookline\b/.test(target)).length).toBeGreaterThan(50)
    expect(tree.texts.get('call/tool-call.ts')).toContain('tool.run(')
  })

  it('allow nothing that nobody does', () => {
    const unused = AGENT_RESOURCES.flatMap(({ name, code, places }) =>
      places
        .filter((place) => !tree.files.some((file) => isIn(file, [place]) && code.test(tree.code.get(file) ?? '')))
        .map((place) => `${place}: ${name}`),
    )
    expect(unused).toEqual([])
  })

  it.each([
    ['a colour in a tool', 'tools/read.ts', "const RED = '\\u001b[31m'", 'reach for sequences of a terminal'],
    ['the environment in a turn', 'turn/loop.ts', 'const isLong = process.env.LONG', 'reach for the environment'],
    [
      'a file of the engine past its doors',
      'call/permit.ts',
      "import { a } from 'hookline/src/rule/match.ts'",
      'comes to the engine',
    ],
    ['the door for tests', 'models/models.ts', "import { openScript } from 'hookline/testing'", 'comes to the engine'],
    ['a process', 'tools/bash.ts', "import { spawn } from 'node:child_process'", 'reach for processes'],
    [
      'a room that it may not import',
      'models/tomorrow.ts',
      "import { run } from '../cli/main.ts'",
      'imports between its rooms',
    ],
    [
      'a view in the keys of the terminal',
      'terminal/keys/press.ts',
      "import { View } from '../views/text.tsx'",
      'imports between the rooms of its terminal',
    ],
    ['a circle', 'tools/one.ts', "import '../tools/one.ts'", 'has no file that imports itself'],
    ['a call of a tool', 'turn/loop.ts', 'await tool.run(input)', 'makes every call of a tool'],
    ['a loose file', 'helpers.ts', 'export const one = 1', 'has one loose file'],
  ])('find %s where it does not belong', (_, file, line, law) => {
    const planted = plantFiles(tree, { [file]: `${tree.texts.get(file) ?? ''}\n${line}\n` })
    const [held, ...others] = AGENT_LAWS.filter(({ says }) => says.startsWith(law))
    expect(others).toEqual([])
    expect(held?.findBreaches(planted).join('\n')).toContain(file)
  })
})
