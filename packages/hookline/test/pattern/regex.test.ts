import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { buildAutomaton } from '../../src/pattern/automaton.ts'
import { readProgram } from '../../src/pattern/program.ts'
import { compileRegex, type Regex } from '../../src/pattern/regex.ts'
import { cpuMs } from '../support/cpu-time.ts'

const KIBIBYTE = 1024
/** Ten times what a match may take. */
const LONGEST_MATCH_MS = 50

async function compiled(pattern: string): Promise<Regex> {
  const regex = await compileRegex(pattern)
  if (typeof regex !== 'function') throw new TypeError(`${pattern.slice(0, 50)} ${regex.problem}`)
  return regex
}

function some(letters: string): string {
  const choice = [...letters]
  let state = 1
  let text = '!'
  while (text.length < KIBIBYTE) {
    state = (state * 16807) % 2147483647
    text += choice[state % choice.length]
  }
  return text
}

const ideographs = String.fromCodePoint(...Array.from({ length: 900 }, (_, index) => 0x4e00 + index))
const names = Array.from({ length: 900 }, (_, index) => (index * 7919 + 46656).toString(36))
const commands = Array.from({ length: 200 }, (_, index) => `cmd${(index * 7919).toString(36)}\\s+-[rf]+\\b`)

describe('a regular expression', () => {
  const hard: Record<string, string> = {
    'a thousand of any character': `a${'.'.repeat(1000)}!$`,
    'as many characters as fit': `a${'.'.repeat(4090)}!$`,
    'a thousand letters': `a${'\\pL'.repeat(1000)}!$`,
    'hundreds of letters': '\\pL{1,700}!$',
    'a way back': '(a|b)*a(a|b){250}c',
    'optional letters': '(?:a?){200}!$',
    'optional groups with assertions': '(?:(?:a|b)?\\B){110}!$',
    'hundreds of characters to choose from': `(?:${[...ideographs].slice(0, 800).join('.|')})!$`,
    'classes of every kind': `(?:${['L', 'N', 'P', 'S', 'Z', 'Greek', 'Han', 'Thai'].map((name) => `\\p{${name}}a`).join('|')})!$`,
    'letters of any case': '(?i)(?:а|б|в|г|д|е|ж|з|и|й|к|л|м|н|о|п|р|с|т|у|ф|х|ц|ч|ш|щ){9}!$',
    'hundreds of words': `(?i)\\b(?:${names.join('|').slice(0, 4000)})\\b`,
    'parts that may be missing at its end': `${'ab?'.repeat(60)}${'(?:c|d*)*'.repeat(300)}`,
    'hundreds of commands': `\\b(?:${commands.join('|')})`,
  }
  for (const [what, pattern] of Object.entries(hard)) {
    it(`with ${what} is taken, and matched within milliseconds`, async () => {
      for (const letters of ['a', 'ab', 'ab\n', 'я', 'абвгд', ideographs, 'cmd0 -rf', '😀a']) {
        const text = some(letters)
        let best = Number.POSITIVE_INFINITY
        for (let left = 5; left > 0 && best >= LONGEST_MATCH_MS; left--) {
          const isIn = await compiled(pattern)
          const started = cpuMs()
          isIn(text)
          best = Math.min(best, cpuMs() - started)
        }
        expect(best, letters.slice(0, 10)).toBeLessThan(LONGEST_MATCH_MS)
      }
    })
  }

  it.each([
    ['optional letters', '(?:a?){1000}!$', 'could take too long to match'],
    ['loops in a row', `${'(?:[ab]c|d)*'.repeat(340)}x`, 'could take too long to match'],
    ['a long group, repeated', `(?:${'ab'.repeat(2000)}){250}`, 'is too large once its repeats are written out'],
    ['repeats in a row', 'a{1000}'.repeat(400), 'is too large once its repeats are written out'],
    ['repeats of repeats', '(?:(?:x{9}){9}){9}'.repeat(20), 'is too large once its repeats are written out'],
  ])('with too many %s is refused, and why is said', async (_what, pattern, problem) => {
    expect(await compileRegex(pattern)).toMatchObject({ problem: expect.stringContaining(problem) })
  })

  it.each([
    ['a short part', `(?:${'word\\.|'.repeat(500)}[0-9a-f]{40})$`, 'deadbeef'.repeat(5)],
    ['quoted text', `^\\Q${'{900}'.repeat(9)}\\E${'\\p{L}'.repeat(20)}$`, `${'{900}'.repeat(9)}${'é'.repeat(20)}`],
    ['a class', `^[[:alpha:]{900}(]{50}${'\\x{1F600}'.repeat(20)}$`, `${'{a}9('.repeat(10)}${'😀'.repeat(20)}`],
  ])('is not called large for what looks like many repeats: of %s', async (_what, pattern, text) => {
    const isIn = await compiled(pattern)

    expect(isIn(text)).toBe(true)
    expect(isIn(text.slice(1))).toBe(false)
  })

  it('finds a command at the end of a long list in a long text', async () => {
    const isIn = await compiled(`\\b(?:${commands.join('|')}|last\\s+one)\\b`)
    const text = 'git commit -m "nothing of interest"\n'.repeat(3000)

    expect(isIn(text)).toBe(false)
    expect(isIn(`${text}last \t one`)).toBe(true)
    expect(isIn(`${text}last \t ones`)).toBe(false)
  })

  it('that can start only where the text does is given up early', async () => {
    const isIn = await compiled(`^(?:${commands.join('|')})`)
    const text = Buffer.alloc(10_000_000, 'x').toString('latin1')
    const started = cpuMs()

    expect(isIn(text)).toBe(false)
    expect(cpuMs() - started).toBeLessThan(100)
  })

  it('is run while another one is kept, and both keep what they found out', async () => {
    const one = await compiled(`${'a?'.repeat(50)}!$`)
    const other = await compiled(`${'[ab]c?'.repeat(40)}\\b$`)

    for (let times = 0; times < 3; times++) {
      expect([one('aa!'), other('ab'.repeat(20)), one('aa'), other('ab')]).toEqual([true, true, false, false])
    }
  })
})

describe('what is known of re2js', () => {
  it('holds: two characters past ASCII are another case of a letter in it', () => {
    const letter = RE2JS.compile('(?i)[a-z]')
    const found: number[] = []
    for (let rune = 128; rune <= 0x10ffff; rune++) if (letter.test(String.fromCodePoint(rune))) found.push(rune)

    expect(found).toEqual([0x17f, 0x212a])
  })

  it('is looked for: another program is not read', () => {
    const program = readProgram(RE2JS.compile('a+b'))
    if (program === null) throw new TypeError('The program of re2js is not as expected.')

    const strange = { ...program, inst: program.inst.map((one) => ({ ...one, op: 12 })) }
    expect(buildAutomaton(program)).not.toBe(null)
    expect(buildAutomaton(strange as typeof program)).toBe(null)
  })
})
