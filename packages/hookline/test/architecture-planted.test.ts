import { describe, expect, it } from 'vitest'
import { LAWS } from './support/laws.ts'
import { plantFiles, readSourceTree } from './support/source-tree.ts'

const tree = readSourceTree('hookline')

/** A line in a room that is not its own, and the law that has to find it. */
interface Plant {
  readonly what: string
  /** A file that is there, at whose end it is written, or a new one. */
  readonly file: string
  readonly line: string
  readonly law: string
}

const PLANTS: readonly Plant[] = [
  {
    what: 'the name of an event in match',
    file: 'match/plan.ts',
    line: "export const isFirst = (row: EventRow): boolean => row.name === 'PreToolUse'",
    law: 'know no event by name',
  },
  {
    what: 'the name of an event in a room that comes tomorrow',
    file: 'guards/tomorrow.ts',
    line: "export const AT = 'SessionStart'",
    law: 'know no event by name',
  },
  {
    what: 'the name of a profile in the engine',
    file: 'engine/options.ts',
    line: "export const isOld = (profile: Profile): boolean => profile.name === 'classic'",
    law: 'name a profile in its own folder',
  },
  {
    what: 'the name of the newest hook type in dispatch',
    file: 'dispatch/run-hook.ts',
    line: "export const isCalled = (hook: ConfiguredHook): boolean => hook.handler.type === 'mcp_tool'",
    law: 'name a hook type in its own file',
  },
  {
    what: 'a choice between hook types in read',
    file: 'read/exit-codes.ts',
    line: "const SECONDS = (type: string) => { switch (type) { case 'http': return 30 } }",
    law: 'name a hook type in its own file',
  },
  {
    what: 'the code of a hook type in run',
    file: 'run/execute.ts',
    line: "import { http } from '../hook-types/http.ts'",
    law: 'import only from the rooms they may',
  },
  {
    what: 'the name of an agent outside of its table',
    file: 'bridges/call/payload.ts',
    line: "export const isShort = ({ name }: Bridge): boolean => name === 'antigravity'",
    law: 'name an agent in its own table',
  },
  {
    what: 'the schema library on the fast path',
    file: 'config/snapshot.ts',
    line: "import * as z from 'zod'",
    law: 'load no schema library behind index.ts',
  },
  {
    what: 'the schema library among the tables of the protocol',
    file: 'protocol/rules.ts',
    line: "import * as z from 'zod'",
    law: 'keep the schema library in one room',
  },
  {
    what: 'the environment in a pure room',
    file: 'decide/merge.ts',
    line: 'const isStrict = process.env.HOOKLINE_STRICT === "1"',
    law: 'reach for the environment',
  },
  {
    what: 'the environment by another spelling',
    file: 'rule/match.ts',
    line: 'const { env } = process',
    law: 'reach for the environment',
  },
  {
    what: 'the home of the user outside of its file',
    file: 'bridges/install/install.ts',
    line: "import { homedir } from 'node:os'",
    law: 'reach for the home of the user',
  },
  {
    what: 'a colour outside of the view',
    file: 'cli/commands/list/list.ts',
    line: "const RED = '\\u001b[31m'",
    law: 'reach for colours',
  },
  {
    what: 'a process outside of its file',
    file: 'check/programs.ts',
    line: "import { execFileSync } from 'node:child_process'",
    law: 'reach for processes',
  },
  {
    what: 'a line of a log taken apart in a command',
    file: 'cli/commands/list/list.ts',
    line: 'export const readOne = (line: string): unknown => { const parsed = JSON.parse(line); return parsed.record }',
    law: 'read what was recorded in one room',
  },
  {
    what: 'a line of a log taken apart by a helper, under another name',
    file: 'races/races.ts',
    line: 'const { record } = parseJsonOrNull(text)',
    law: 'read what was recorded in one room',
  },
  {
    what: 'a line of a log taken apart in two steps',
    file: 'check/programs.ts',
    line: "const whole = JSON.parse(text)\nconst own = whole['record']",
    law: 'read what was recorded in one room',
  },
  {
    what: 'a copy of a helper of texts, with other words',
    file: 'match/plan.ts',
    line: "function isRecord(given: unknown): given is Record<string, unknown> {\n  return typeof given === 'object' && given !== null && !Array.isArray(given)\n}",
    law: 'have each helper once',
  },
  {
    what: 'a second helper by the name of one',
    file: 'replay/stage.ts',
    line: 'function readText(path: string): string {\n  return String(path)\n}',
    law: 'have each helper once',
  },
  {
    what: 'a request to the network outside of its file',
    file: 'engine/diagnosis.ts',
    line: "export const isUp = async (): Promise<boolean> => (await fetch('http://127.0.0.1')).ok",
    law: 'reach for the network',
  },
  {
    what: 'the disk in a pure room',
    file: 'match/plan.ts',
    line: "import { existsSync } from 'node:fs'",
    law: 'reach for the disk',
  },
  {
    what: 'the disk in a room that comes tomorrow, when it is needed',
    file: 'read/tomorrow.ts',
    line: "export const load = async () => import('node:fs/promises')",
    law: 'reach for the disk',
  },
  {
    what: 'the clock in a pure room',
    file: 'decide/merge.ts',
    line: 'export const decidedAt = Date.now()',
    law: 'reach for the clock and chance',
  },
  {
    what: 'chance in a pure room',
    file: 'log/query.ts',
    line: 'export const sample = Math.random()',
    law: 'reach for the clock and chance',
  },
  {
    what: 'an import against the direction of the pipe',
    file: 'config/snapshot.ts',
    line: "import { dispatch } from '../dispatch/dispatch.ts'",
    law: 'import only from the rooms they may',
  },
  {
    what: 'an import of one command by another',
    file: 'cli/commands/list/list.ts',
    line: "import { run as fire } from '../fire/fire.ts'",
    law: 'of the command line draw, start',
  },
  {
    what: 'a circle of two files of one room',
    file: 'text/json.ts',
    line: "import { toProgramText } from './program-text.ts'\nimport type { Circle } from './circle.ts'",
    law: 'have no file that imports itself',
  },
  {
    what: 'a package that is not of the room',
    file: 'log/query.ts',
    line: "import { parse } from 'yaml'",
    law: 'use only the packages that are theirs',
  },
  {
    what: 'a folder that is no room',
    file: 'utils/misc.ts',
    line: 'export const one = 1',
    law: 'have a row each in the table',
  },
  {
    what: 'a slice of a file beside its importer',
    file: 'match/plan.ts',
    line: "import { smallPart } from './small-part.ts'",
    law: 'have no file of less than',
  },
  {
    what: 'a door that package.json does not have',
    file: 'races/index.ts',
    line: "export { openRaces } from './races.ts'",
    law: 'have the same doors',
  },
  {
    what: 'words for the user past the one that prints',
    file: 'bridges/run.ts',
    line: "process.stderr.write('refused')",
    law: 'reach for the screen',
  },
  {
    what: 'a file replaced outside of files',
    file: 'record/log-file.ts',
    line: 'export const swap = (a: string, b: string): void => renameSync(a, b)',
    law: 'reach for replacing and locking files',
  },
  {
    what: 'the configuration in a call of a guard',
    file: 'cli/input/guard-call.ts',
    line: "import { readSettings } from '../../config/settings-file.ts'",
    law: 'judge a call without the engine',
  },
  {
    what: 'all exports of a file at once',
    file: 'log/index.ts',
    line: "export * from './query.ts'",
    law: 'are open to the world through named exports',
  },
]

/** Files that a plant needs beside its own. */
const HELPING: Readonly<Record<string, string>> = {
  'text/circle.ts': "import { isObject } from './json.ts'\nexport type Circle = typeof isObject\n",
  'match/small-part.ts': 'export const smallPart = 1\n',
}

/** Doors of `package.json` that one of the lists does not have. */
const LISTS = ['tsconfig.json', 'knip.json'] as const

describe('a line in the wrong room', () => {
  it.each(PLANTS)('is found by a law: $what', ({ file, line, law }) => {
    const own = tree.texts.get(file) ?? ''
    const helping = Object.fromEntries(
      Object.entries(HELPING).filter(([path]) => line.includes(path.replace(/^.*\//, './'))),
    )
    const planted = plantFiles(tree, { [file]: `${own}\n${line}\n`, ...helping })
    const [held, ...others] = LAWS.filter(({ says }) => says.startsWith(law))
    expect(others).toEqual([])
    expect(held?.findBreaches(planted).join('\n')).toContain(Object.keys(helping)[0] ?? file)
  })

  it.each(LISTS)('is found by a law: a door that %s does not have', (list) => {
    const text = tree.beside.get(list) ?? ''
    const without = text.replace(/^.*"hookline\/log".*\n/m, '').replace('log/,', '')
    expect(without).not.toBe(text)
    const broken = LAWS.filter(({ findBreaches }) => findBreaches(plantFiles(tree, { [list]: without })).length > 0)
    expect(broken.map(({ says }) => says)).toEqual([expect.stringContaining('the same doors')])
  })

  it('is found by no law where the room may have it', () => {
    const own = "import { existsSync } from 'node:fs'\nexport const now = (): number => Date.now()\n// PreToolUse\n"
    const planted = plantFiles(tree, { 'files/tomorrow.ts': own })
    expect(LAWS.flatMap(({ findBreaches }) => findBreaches(planted))).toEqual([])
  })
})
