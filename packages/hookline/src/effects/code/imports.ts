import { resolveOne } from '../context.ts'
import { runFile } from '../run-file.ts'
import { toKnownWord } from '../value.ts'
import { loadFromNetwork } from './actions.ts'
import { type Code, isInline, NOTHING, peek, type Thing } from './code.ts'
import type { Token } from './tokens.ts'

/** Reads a statement that imports, and binds the names of it. */
export function readImport(code: Code): Thing {
  const words: Token[] = []
  while (code.at < code.tokens.length && peek(code)?.is !== 'line' && peek(code)?.text !== ';') {
    const token = peek(code)
    if (token) words.push(token)
    code.at += 1
  }
  const texts = words.map(({ text }) => text)
  const bind = (name: string, full: string) => code.names.set(name, { ...NOTHING, name: full })
  if (code.language === 'python' && texts[0] === 'from') {
    const at = texts.indexOf('import')
    const module = texts.slice(1, at).join('')
    const list = texts
      .slice(at + 1)
      .filter((text) => text !== '(' && text !== ')')
      .join(' ')
      .split(',')
    for (const each of list) {
      const [name = '', , alias = name] = each.trim().split(' ')
      if (name === '*') code.stars.push(module)
      else bind(alias, `${module}.${name}`)
    }
    return NOTHING
  }
  if (code.language === 'python') {
    for (const each of texts.slice(1).join(' ').replaceAll(' . ', '.').split(',')) {
      const [name = '', , alias] = each.trim().split(' ')
      bind(alias ?? name.split('.')[0] ?? '', alias ? name : (name.split('.')[0] ?? ''))
      runLocalModule(code, name)
    }
    return NOTHING
  }
  const module = words.findLast(({ is }) => is === 'text')?.text.replace(/^node:/, '') ?? ''
  if (/^https?:\/\//.test(module)) loadFromNetwork(code, module)
  const from = texts.indexOf('from')
  const names = texts.slice(1, from === -1 ? 1 : from)
  const braces = names.indexOf('{')
  if (braces === -1) bind(names.at(-1) ?? '', module)
  else {
    if (braces > 0) bind(names[0] ?? '', module)
    const list = names
      .slice(braces + 1)
      .filter((text) => text !== '}')
      .join(' ')
      .split(',')
    for (const each of list) {
      const [name = '', , alias = name] = each.trim().split(' ')
      bind(alias, `${module}.${name}`)
    }
  }
  return NOTHING
}

/** A module of Python that lies beside inline code, or in a folder that the code itself names. */
function runLocalModule({ context, tokens }: Code, name: string): void {
  if (!isInline(context) || !/^\w+$/.test(name)) return
  const folders = [
    '.',
    ...tokens.filter(({ is, text }) => is === 'text' && /^[\w./-]{1,80}$/.test(text)).map(({ text }) => text),
  ]
  for (const folder of folders.slice(0, 6)) {
    const file = toKnownWord(`${folder}/${name}.py`)
    if (resolveOne(context, file)?.exists) {
      runFile(context, file, [], { language: 'python' })
      return
    }
  }
}
