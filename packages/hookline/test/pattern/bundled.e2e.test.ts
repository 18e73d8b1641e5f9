import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'

const CHUNKS = join(import.meta.dirname, '../../dist/chunks')
/** The chunk that has the compiler: which one depends on what shares it. */
const BUNDLED = readdirSync(CHUNKS)
  .map((name) => join(CHUNKS, name))
  .filter((path) => /\bexport ?\{[^}]*\bcompilePattern\b/.test(readFileSync(path, 'utf8')))
  .join('')

type Compile = (pattern: string) => ((text: string) => boolean) | { readonly problem: string }

const TEXTS = ['', 'a', 'Bash', 'bash -c', 'mcp__github__create', 'x\ny', 'αβΣ', '漢字', '😀', ' \t', 'ab12_', '\ud800']

describe('the part of re2js that the package holds', () => {
  it.each([
    ...['Bash', '', '^mcp__.*__create$', '(?i)bash|edit', '[^a-z]+', '\\bbash\\b', 'a{2,3}?', '(?s).\\n.', '(?m)^y$'],
    ...['\\p{Greek}+', '\\P{L}', '\\pN', '(?i)σ', '[[:alpha:]]\\d', '\\Qa.b\\E|\\x{1F600}', '(?P<name>x)|(?U)a+', '漢'],
  ])('compiles %s to what re2js makes of it', async (pattern) => {
    const { compilePattern }: { compilePattern: Compile } = await import(pathToFileURL(BUNDLED).href)
    const whole = RE2JS.compile(pattern)
    const isIn = compilePattern(pattern)
    if (typeof isIn !== 'function') throw new TypeError(isIn.problem)
    for (const text of TEXTS) expect(isIn(text), text).toBe(whole.test(text))
  })

  it.each(['(', 'a**', '[b-a]', '\\p{Klingon}', 'a{1001}', '(?<n>a)(?<n>b)', '(?x)a', '\\'])(
    'says of %s what re2js says',
    async (pattern) => {
      const { compilePattern }: { compilePattern: Compile } = await import(pathToFileURL(BUNDLED).href)
      const told = (compile: () => unknown): string => {
        try {
          compile()
        } catch (error) {
          return String(error)
        }
        return 'nothing'
      }
      expect(told(() => compilePattern(pattern))).toBe(told(() => RE2JS.compile(pattern)))
      expect(told(() => compilePattern(pattern))).toContain('error parsing regexp')
    },
  )
})
