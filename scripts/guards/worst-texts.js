/**
 * The time that guards take for texts which are hard to read: each named text in a process of its own, as a hook meets it, then
 * thousands of random and nested ones in one process. Nothing of them is run.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildVirtualWorld } from './virtual-world.js'

/** CPU time that the reading of any text may take. */
const MAX_READING_MS = 50

/** @type {Readonly<Record<string, string>>} */
const TEXTS = {
  'an everyday command': 'npm test',
  substitutions: `echo ${'$('.repeat(3000)}ls${')'.repeat(3000)}`,
  'brackets of Python': `python3 -c "${'('.repeat(5000)}"`,
  'brackets of JavaScript': `node -e "${'['.repeat(5000)}"`,
  groups: `${'{ '.repeat(4000)}ls${'; }'.repeat(4000)}`,
  'shells in shells': `${'bash -c '.repeat(500)}ls`,
  wrappers: `${'env '.repeat(5000)}ls`,
  'a mebibyte of words': `echo ${'word '.repeat(200_000)}`,
  'a mebibyte of pipes': 'a|'.repeat(500_000),
  'a mebibyte of one word': 'z'.repeat(1 << 20),
  '64 KiB of words': `rm -rf ${'word '.repeat(13_000)}`,
  '64 KiB of pipes': 'a|'.repeat(32_000),
  '64 KiB of lists': 'cd a && '.repeat(8000),
  '64 KiB of assignments': 'a=b '.repeat(16_000),
  '60 KiB of code': `python3 -c '${'a = b + 1\n'.repeat(6000)}'`,
  '60 KiB of calls': `node -e '${'f(a, "b"); '.repeat(5500)}'`,
  '1,900 lines of code': `python3 -c '${'a = b + 1\n'.repeat(1900)}'`,
  '1,900 calls of code': `node -e '${'f(a, "b", [c, d], (e) => e)\n'.repeat(1900)}'`,
  '60 KiB of one expression': `node -e 'f(${'a + b(c) + '.repeat(5500)}1)'`,
  braces: `echo ${'{a,b}'.repeat(40)}`,
  'loops in loops': `${'for i in 1 2 3 4 5 6 7 8 9; do '.repeat(12)}ls${'; done'.repeat(12)}`,
  'functions that call each other': `${Array.from({ length: 30 }, (_, at) => `f${at}() { f${at + 1}; f${at + 1}; };`).join(' ')} f0`,
  wildcards: `rm ${'*'.repeat(3000)}x`,
  'here-documents': `${'cat <<A\n'.repeat(2000)}${'A\n'.repeat(2000)}`,
  arithmetic: `echo ${'$(('.repeat(2000)}1${'))'.repeat(2000)}`,
  'cases in cases': `${'case x in y) '.repeat(2000)}ls${';; esac'.repeat(2000)}`,
  'a long list of files': `rm -rf ${Array.from({ length: 5000 }, (_, at) => `dist/${at}.js`).join(' ')}`,
  'a long list of programs': Array.from({ length: 3000 }, (_, at) => `tool${at} --do it`).join('; '),
  'statements of SQL': `psql -c '${'select 1; '.repeat(6000)}'`,
  'a script of sed': `sed '${'s/a/b/;'.repeat(8000)}' a`,
  'a script of awk': `awk '${'{ print $1 } '.repeat(4000)}' a`,
  'commands of find': `find . ${'-name a -o '.repeat(5000)} -print`,
  'options of git': `git ${'-c a.b=c '.repeat(6000)} status`,
}

const PIECES = [
  ...'rm -rf |~|/|"|`|{|}|;|&&|&|\n|$X|eval |bash -c |python3 -c |node -e |(|[|]|*|\\|))|f() |=|git |xargs |\0|é'.split(
    '|',
  ),
  ...[
    "'",
    '$(',
    '$((',
    ')',
    '|',
    '||',
    '$' + '{X:-',
    '<<EOF\n',
    'EOF\n',
    '> ',
    'for i in ',
    'do ',
    'done',
    'if ',
    'fi',
    'case ',
    'esac',
  ],
]

/** Reads one text in this process; the CPU time of the judgement. @param {string} command */
async function readText(command) {
  const { judge } = await import('../../packages/hookline/dist/guards/index.js')
  const world = buildVirtualWorld({ git: { at: 'shop' } })
  const began = process.cpuUsage()
  const { answer } = judge({ tool: 'Bash', input: { command } }, world)
  const { user, system } = process.cpuUsage(began)
  return { ms: (user + system) / 1000, answer }
}

/** Measures all named texts, each the calmest of three processes. Returns the slowest. */
export function measureNamedTexts() {
  const rows = Object.keys(TEXTS).map((name) => {
    const runs = Array.from({ length: 3 }, () => {
      const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), name], { encoding: 'utf8' })
      return /** @type {{ ms: number, answer: string }} */ (JSON.parse(stdout))
    })
    const ms = runs.map((run) => run.ms).sort((one, other) => one - other)
    return { name, ms: ms[0] ?? 0, middle: ms[1] ?? 0, answer: runs[0]?.answer ?? '' }
  })
  return rows.sort((one, other) => other.ms - one.ms)
}

/**
 * Reads random and nested texts in this process; the slowest, and how many were slower than the limit.
 * @param {number} count
 */
export async function measureRandomTexts(count) {
  const { judge } = await import('../../packages/hookline/dist/guards/index.js')
  const world = buildVirtualWorld({ git: { at: 'shop' } })
  let seed = 20_261_119
  const next = (/** @type {number} */ below) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed % below
  }
  let slowest = { ms: 0, text: '' }
  let slow = 0
  for (let at = 0; at < count; at++) {
    const text = Array.from({ length: next(60) }, () => PIECES[next(PIECES.length)] ?? '').join('')
    const began = performance.now()
    const { answer } = judge({ tool: 'Bash', input: { command: text } }, world)
    const ms = performance.now() - began
    if (!['deny', 'ask', 'pass'].includes(answer)) throw new Error(`No answer for ${JSON.stringify(text)}`)
    if (at > 0 && ms > MAX_READING_MS) slow += 1
    if (at > 0 && ms > slowest.ms) slowest = { ms, text }
  }
  return { ...slowest, slow }
}

const [, started, name] = process.argv
if (started === fileURLToPath(import.meta.url)) {
  if (name !== undefined) console.log(JSON.stringify(await readText(TEXTS[name] ?? '')))
  else {
    const rows = measureNamedTexts()
    for (const { name: text, ms, middle, answer } of rows)
      console.log(`${ms.toFixed(1).padStart(7)} ms (middle ${middle.toFixed(1)})  ${answer.padEnd(4)} ${text}`)
    const { ms, slow } = await measureRandomTexts(20_000)
    console.log(`20,000 random texts: the slowest ${ms.toFixed(1)} ms, ${slow} slower than ${MAX_READING_MS} ms`)
    process.exitCode = slow > 0 || (rows[0]?.ms ?? 0) > MAX_READING_MS ? 1 : 0
  }
}
