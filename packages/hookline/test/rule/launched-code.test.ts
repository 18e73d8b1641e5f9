import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { INTERPRETERS, type Interpreter, OPAQUE } from '../../src/programs/code-programs.ts'
import { LAUNCHERS, SHELLS, WRAPPERS, type Wrapper } from '../../src/programs/command-table.ts'
import { ofCommand } from './support.ts'

// The commands here are text. None of them is run.

/** Code that shows no command of the shell. */
const CODE = `'f("r" + "m")'`

/** Options that rows with a pattern of their own may mean. */
const SPELLINGS =
  '-c -e -E -r -x -n -s -g -eval --eval -Command -enc /c -code --code -batch --batch-string -run --expr -expression'.split(
    ' ',
  )

/** Calls that bring code to an interpreter, one for each option and subcommand that its row names. */
function writeCalls([name, row]: [string, Interpreter]): string[] {
  const options = (row.code ?? '')
    .split(' ')
    .filter((option) => option !== '' && !/^-(?:i|a)$|interactive/.test(option))
  const alike = SPELLINGS.filter((option) => row.codeLike?.test(option))
  const verbs = (row.verbs ?? '').split(' ').filter((verb) => verb !== '')
  return [...new Set([...options, ...alike, ...verbs])].map((how) => `${name} ${how} ${CODE}`)
}

const byLanguage = Object.entries(INTERPRETERS).map((row) => ({ name: row[0], calls: writeCalls(row) }))
const shells = [...SHELLS].map((name) => `${name} -c "$X"`)
const others = [
  `awk 'BEGIN { system("r" "m") }'`,
  "sed '1e x'",
  "vim -c '!x'",
  "emacs --batch --eval '(x)'",
  "gdb -batch -ex 'shell x'",
  "sqlite3 db '.shell x'",
  String.raw`psql -c '\! x'`,
  "git -c alias.x='!x' x",
]
const calls = [...byLanguage.flatMap((each) => each.calls), ...shells, ...others]

/** The words before a command, as a row says how many of them there are. */
function fillOperands({ operands = [0] }: Wrapper): string {
  return 'word '.repeat(operands[0] ?? 0)
}

const wrappers = Object.entries(WRAPPERS).map(([name, row]) => `${name} ${fillOperands(row)}`)
const launchers = Object.entries(LAUNCHERS).flatMap(([name, verbs]) =>
  Object.entries(verbs).map(([verb, row]) => `${name} ${verb} ${fillOperands(row)}`),
)
/** Launchers that no table knows, or with options that none does. */
const unknown = [
  ...[
    'tool-nobody-knows ',
    'tool run --flag value -- ',
    './with-env.sh ',
    'scripts/wrap ',
    'heroku run ',
    'srun -N 2 ',
  ],
  ...['uv run --with x --python 3.12 ', 'uv --directory d run ', 'docker --context c exec -it -u root web '],
  ...[
    'kubectl -n ns exec pod -c app -- ',
    'pnpm --filter x exec ',
    'npm --prefix d exec -- ',
    'conda run --prefix /p ',
  ],
  ...[
    'nix shell nixpkgs#foo -c ',
    'vagrant ssh -- ',
    'sudo -u x uv run ',
    'timeout 5 poetry run ',
    'A=1 mise exec -- ',
  ],
]
const starts = [...wrappers, ...launchers, ...unknown]

async function findQuiet(commands: readonly string[]): Promise<string[]> {
  const behaviors = await Promise.all(commands.map((command) => ofCommand(command, { deny: ['Bash(rm:*)'] })))
  return commands.filter((_, at) => behaviors[at] === 'allow')
}

function readLines(name: string): string[] {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
}

describe('code that a program is given', () => {
  it('is asked about in every language that has a row', async () => {
    expect(byLanguage.filter((each) => each.calls.length === 0).map(({ name }) => name)).toEqual([])
    expect(await findQuiet(calls)).toEqual([])
  })

  it('is asked about behind every launcher', async () => {
    const some = [`python3 -c ${CODE}`, `node --eval ${CODE}`, `perl -I lib -e ${CODE}`, 'sh -c "$X"']
    expect(await findQuiet(starts.flatMap((start) => some.map((call) => start + call)))).toEqual([])
  })

  it('is asked about by every way to bring it, behind launchers of each kind', async () => {
    const some = ['uv run ', 'bundle exec ', 'docker exec web ', 'npx ', 'mise exec -- ', 'tool-nobody-knows ']
    expect(await findQuiet(some.flatMap((start) => calls.map((call) => start + call)))).toEqual([])
  })

  it('is asked about behind launchers of launchers', async () => {
    const chains = fc.array(fc.constantFrom(...starts), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(chains, fc.constantFrom(...calls), async (chain, call) => {
        expect(await findQuiet([chain.join('') + call])).toEqual([])
      }),
      { numRuns: 300, seed: 12 },
    )
  })

  it('is asked about where it comes from stdin', async () => {
    const feeding = ['echo x | CALL', 'CALL < f', "CALL <<< 'x'", 'cat f | CALL -']
    const some = ['uv run python', 'docker exec -i web sh', 'kubectl exec -i pod -- bash', 'tool-nobody-knows node']
    const commands = feeding.flatMap((feed) => some.map((call) => feed.replace('CALL', call)))
    expect(await findQuiet(commands)).toEqual([])
  })

  it('is asked about where an option, a variable or a file hands it over', async () => {
    expect(await findQuiet(readLines('handed-code.txt'))).toEqual([])
  })

  it('is asked about in lines that a client of a database is given, and not where the script shows that they run nothing', async () => {
    const feed = (call: string, line: string): string[] => [
      `${call} <<'E'\nselect 1;\n${line}\nE`,
      `${call} <<< '${line}'`,
      `echo '${line}' | ${call}`,
    ]
    const harmful: Readonly<Record<string, string>> = {
      'psql db': String.raw`\! rm x`,
      'docker exec -i web mysql db': 'system rm x',
      'sudo -u me sqlite3 db': '.shell rm x',
    }
    for (const [call, line] of Object.entries(harmful)) {
      expect(await findQuiet(feed(call, line))).toEqual([])
      const harmless = feed(call, 'select 2;')
      expect(await findQuiet(harmless)).toEqual(harmless)
    }
    expect(
      await findQuiet(['psql db <<E\n$X\nE', 'psql db < q.sql', 'cat q.sql | psql db', 'exec < <(curl u); psql db']),
    ).toEqual([])
  })

  it('is asked about where a shell reads a file of commands, behind every launcher', async () => {
    const shells = [...SHELLS].filter((name) => !/busybox|toybox/.test(name))
    expect(await findQuiet(shells.flatMap((name) => [`${name} f`, `${name} ./f.sh a`]))).toEqual([])
    expect(await findQuiet(['source f', '. ./f', 'bash -x ./f', 'sh -eu f', 'bash < f', 'busybox sh f'])).toEqual([])
    const known = [...wrappers, ...launchers, ...unknown.filter((start) => start.endsWith('-- '))]
    expect(await findQuiet(known.map((start) => `${start}bash f`))).toEqual([])
  })

  it('is not asked about where it is a program in a file that is there, in every language', async () => {
    const calls = Object.entries(INTERPRETERS).map(([name, { runs = '' }]) => `${name} ${runs} file.x`)
    const quiet = await findQuiet(calls)
    expect(calls.filter((call) => !quiet.includes(call))).toEqual([])
  })

  it('is the program that it is, also by its interpreter', async () => {
    const denying = { deny: ['Bash(./deploy:*)'] }
    for (const call of ['./deploy x', 'python3 ./deploy x', 'node deploy x', 'uv run python ./deploy x', 'ruby deploy'])
      expect(await ofCommand(call, denying), call).not.toBe('allow')
    expect(await ofCommand('python3 ./build x', denying)).toBe('allow')
  })

  it('has rows that are told apart', () => {
    const tables = [
      SHELLS,
      new Set(Object.keys(WRAPPERS)),
      new Set(Object.keys(INTERPRETERS)),
      new Set(Object.keys(OPAQUE)),
    ]
    const names = tables.flatMap((table) => [...table])
    const twice = names.filter((name, at) => names.indexOf(name) !== at)
    expect(twice.filter((name) => SHELLS.has(name) || Object.hasOwn(WRAPPERS, name))).toEqual([])
  })
})

describe('commands of every day', () => {
  it('are not asked about because of a rule on another command', async () => {
    const lines = readLines('everyday-commands.txt')
    expect(lines.length).toBeGreaterThan(400)
    const behaviors = await Promise.all(lines.map((command) => ofCommand(command, { deny: ['Bash(rm:*)'] })))
    expect(lines.filter((_, at) => behaviors[at] !== 'allow')).toEqual([])
  })

  it.each([
    'git push -u origin main',
    'git push',
    'git push --follow-tags',
    'git push --no-verify',
    'git pull --force',
  ])('are not asked about because of a rule on another option: %s', async (command) => {
    expect(await ofCommand(command, { ask: ['Bash(git push --force:*)'] })).toBe('allow')
  })

  it.each([
    'git push --force',
    'git push -f',
    'git push origin x --force',
    'git push -uf',
    'git push --forc',
    'git push -u $X',
  ])('are asked about where an option says the same: %s', async (command) => {
    expect(await ofCommand(command, { ask: ['Bash(git push --force:*)'] })).toBe('ask')
  })

  it('may ask a well-known program for help, by its own name alone', async () => {
    expect(await ofCommand('rm --help', { deny: ['Bash(rm:*)'] })).toBe('allow')
    expect(await ofCommand('git push --help', { deny: ['Bash(git push:*)'] })).toBe('allow')
    for (const command of ['rm x --help', './rm --help', 'PATH=. rm --help', 'deploy --help'])
      expect(await ofCommand(command, { deny: ['Bash(rm:*)', 'Bash(deploy:*)'] })).toBe('deny')
    expect(await ofCommand('rm --help', { deny: ['Bash(rm --help)'] })).toBe('deny')
  })
})
