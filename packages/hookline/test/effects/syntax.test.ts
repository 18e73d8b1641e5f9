import { readdirSync, readFileSync } from 'node:fs'
import { parser as javascript } from '@lezer/javascript'
import { parser as python } from '@lezer/python'
import { describe, expect, it } from 'vitest'
import { tokenize } from '../../src/effects/code/tokens.ts'

interface Snippet {
  readonly language: 'python' | 'javascript'
  readonly code: string
}

/** Snippets of the list of effects, and code behind `-c` and `-e` in the lists of calls. Nothing of them is ever run. */
function listSnippets(): readonly Snippet[] {
  const cases = new URL('../guards/cases/', import.meta.url)
  const files = readdirSync(cases, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.txt'))
  const lists = files.map((name) => readFileSync(new URL(name, cases), 'utf8'))
  const own = readFileSync(new URL('code.txt', import.meta.url), 'utf8')
  const written = [...own.matchAll(/^(py|js)\|[^|]*\|(.*)$/gm)].map(([, language, code = '']) => ({ language, code }))
  const given = [
    ...lists.join('\n').matchAll(/(?<=^(?:[!?] )?)(python3?|node) (?:-c|-e|-p) (?:'([^'\n]*)'|"([^"\n]*)")$/gm),
  ].map(([, language, single, double]) => ({
    language: language === 'node' ? 'js' : 'py',
    code: single ?? double ?? '',
  }))
  const found = new Map(
    [...written, ...given].map(({ language, code }): [string, Snippet] => [
      `${language} ${code}`,
      { language: language === 'py' ? 'python' : 'javascript', code: code.replaceAll('⏎', '\n') },
    ]),
  )
  return [...found.values()]
}

/** Names that a snippet calls and strings that it holds, as a real parser has them. */
function parseSnippet({ language, code }: Snippet): readonly string[] {
  const found = new Set<string>()
  const tree = (language === 'python' ? python : javascript).parse(code)
  tree.iterate({
    enter: ({ name, node, from, to }) => {
      const callee = node.firstChild?.name === 'MemberExpression' ? node.firstChild.lastChild : node.firstChild
      if (name === 'CallExpression' && callee && /Name|Variable|Property/.test(callee.name))
        found.add(`${code.slice(callee.from, callee.to)}()`)
      const text = code.slice(from, to).replace(/^[rbu]*("""|'''|"|'|`)([\s\S]*)\1$/i, '$2')
      if (name === 'String' && !/[\\{$]/.test(text)) found.add(text)
    },
  })
  return [...found]
}

/** The same as our reader has them. */
function readSnippet({ language, code }: Snippet): ReadonlySet<string> {
  const tokens = tokenize(code, language)
  return new Set(
    tokens.flatMap(({ is, text }, at) => {
      const next = tokens[at + 1]
      if (is === 'name') return next?.is === 'sign' && /^(?:\(|\?)/.test(next.text) ? [`${text}()`] : []
      return is === 'text' ? [text] : []
    }),
  )
}

// Why our own reader stays: docs/guards.md.
describe('the reader of Python and JavaScript beside a real parser', () => {
  it('has all but two of the calls and strings of 300 snippets', () => {
    const snippets = listSnippets()
    const missing = snippets.flatMap((each) => {
      const ours = readSnippet(each)
      return parseSnippet(each).filter((one) => !ours.has(one))
    })
    expect(snippets.length).toBeGreaterThan(300)
    expect(missing.length, missing.join('\n')).toBeLessThanOrEqual(2)
  })
})
