/**
 * Of re2js the bundle holds what compiles a pattern. The programs that come of it are run by `src/pattern/run-automaton.ts`,
 * so what re2js has to run them, to replace and to split, which is a third of it, stays out.
 */
import { readFileSync } from 'node:fs'

/** A class at the top level, as its build prints them: nothing happens when it is made, which esbuild cannot tell. */
const CLASS = /^var (\w+) = class([\s\S]*?)^\};$/gm
const EXPORTS = /^export \{.*$/m

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

/** @type {import('esbuild').Plugin} */
export const compilerOfRe2js = {
  name: 'compiler-of-re2js',
  setup({ onLoad }) {
    onLoad({ filter: /re2js.build.index\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      for (const name of ['Compiler', 'Simplify', 'Parser', 'RE2Flags']) {
        if (!source.includes(`var ${name} = class`)) throw new Error(`re2js has no class ${name} any more`)
      }
      const pure = source.replace(CLASS, 'var $1 = /* @__PURE__ */ (() => class$2})();')
      return { contents: pure.replace(EXPORTS, '') + COMPILE }
    })
  },
}
