/**
 * Of re2js the bundle holds what compiles a pattern. The programs that come of it are run by `src/pattern/run-automaton.ts`,
 * so what re2js has to run them, to replace and to split, which is a third of it, stays out. So do its tables of Unicode,
 * another third: which characters have a property, Node knows too, and clients in JavaScript ask it.
 */
import { readFileSync } from 'node:fs'

/** A class at the top level, as its build prints them: nothing happens when it is made, which esbuild cannot tell. */
const CLASS = /^var (\w+) = class([\s\S]*?)^\};$/gm
const EXPORTS = /^export \{.*$/m

/** A table of the characters that have a property, by its name. The smaller tables for other cases of letters stay. */
const NAMED_TABLE = /^\t\t(\w+): \(\) => new UnicodeRangeTable\(decodeRanges\("[^"]*", \w+\)\)/gm

/** Makes such a table from what Node knows: all characters, one plane after the other, with no surrogates side by side. */
const TABLE_OF_NODE = `
function charactersWith(property) {
  let expression
  try {
    expression = new RegExp(property, 'gu')
  } catch {
    return new UnicodeRangeTable([]) // a script that this Node does not know yet
  }
  const ranges = []
  const add = (from, to) => {
    if (ranges.at(-2) === from - 1) ranges[ranges.length - 2] = to
    else ranges.push(from, to, 1)
  }
  for (let from = 0; from <= 0x10ffff; from = from === 0 ? 0xdc00 : (from | 0xffff) + 1) {
    if (from === 0x40000) {
      if (expression.test('\\u{40000}')) add(from, 0xdffff) // ten planes that are all alike: nothing is in them
      expression.lastIndex = 0
      from = 0xe0000
    }
    const to = from === 0 ? 0xdbff : from | 0xffff
    const units = from < 0x10000 ? 1 : 2
    const all = new Uint16Array((to - from + 1) * units)
    for (let at = 0; at < all.length; at++) {
      if (units === 1) all[at] = from + at
      else all[at] = at % 2 === 0 ? 0xd800 + ((from - 0x10000 + at / 2) >> 10) : 0xdc00 + ((at >> 1) & 0x3ff)
    }
    const text = Buffer.from(all.buffer).toString('utf16le')
    for (let found = expression.exec(text); found; found = expression.exec(text)) {
      add(from + found.index / units, from + expression.lastIndex / units - 1)
    }
  }
  return new UnicodeRangeTable(ranges)
}
`

/** `RE2JS.compile`, as far as it is used; without the parts that run a program. */
const COMPILE = `
const withoutMachine = {
  compile(pattern) {
    const prog = Compiler.compileRegexp(Simplify.simplify(Parser.parse(pattern, RE2Flags.PERL)))
    const [prefixComplete, prefix] = prog.prefix()
    return { re2: () => ({ prog, prefixComplete, prefix }) }
  },
}
export { withoutMachine as RE2JS }
`

/** @param {string} source */
function tablesOfNode(source) {
  const [start, scripts, end] = ['CATEGORIES', 'SCRIPTS', 'FOLD_CATEGORIES'].map((name) =>
    source.indexOf(`\tstatic ${name} = new LazyMap`),
  )
  if (
    start === undefined ||
    scripts === undefined ||
    start < 0 ||
    scripts < start ||
    end === undefined ||
    end < scripts
  )
    throw new Error('the tables of re2js are not where they were')
  /** @type {(part: string, kind: string) => string} */
  const named = (part, kind) => part.replace(NAMED_TABLE, `\t\t$1: () => charactersWith("\\\\p{${kind}$1}+")`)
  const before = source
    .slice(0, start)
    .replace(
      /(_Print = )new UnicodeRangeTable\(decodeRanges\("[^"]*", \w+\)\)/,
      '$1charactersWith("[\\\\p{L}\\\\p{M}\\\\p{N}\\\\p{P}\\\\p{S}]+")',
    )
  return (
    before + named(source.slice(start, scripts), '') + named(source.slice(scripts, end), 'Script=') + source.slice(end)
  )
}

/** @type {import('esbuild').Plugin} */
export const compilerOfRe2js = {
  name: 'compiler-of-re2js',
  setup({ onLoad }) {
    onLoad({ filter: /re2js.build.index\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      for (const name of ['Compiler', 'Simplify', 'Parser', 'RE2Flags']) {
        if (!source.includes(`var ${name} = class`)) throw new Error(`re2js has no class ${name} any more`)
      }
      const pure = tablesOfNode(source).replace(CLASS, 'var $1 = /* @__PURE__ */ (() => class$2})();')
      return { contents: pure.replace(EXPORTS, '') + TABLE_OF_NODE + COMPILE }
    })
  },
}
