/** A change that a statement makes. */
export interface SqlChange {
  readonly operation: 'drop' | 'truncate' | 'delete-all' | 'delete-some' | 'update-all' | 'grant' | 'reset' | 'run'
  readonly target: string
}

/** The changes that a text of SQL makes; words in strings and comments are none. */
export function readSql(text: string): SqlChange[] {
  return [...listRunTexts(text).flatMap(readPlainSql), ...readPlainSql(text)]
}

function readPlainSql(text: string): SqlChange[] {
  return stripText(text)
    .plain.split(';')
    .flatMap((statement) => readStatement(statement.trim().replaceAll(/\s+/g, ' ')))
}

/** Texts of one script that are run as statements. */
const MAX_RUN_TEXTS = 40

/** Texts that a statement runs: the body of `DO $$ … $$`, the string behind `EXECUTE`, `PREPARE … FROM` and `exec(…)`. */
function listRunTexts(text: string): readonly string[] {
  if (!/\b(?:do|execute|exec|prepare|query|dblink_exec|sp_msforeach\w+)\b/i.test(text)) return []
  const bodies = [...text.matchAll(/\bdo\s+(?:language\s+\w+\s+)?(\$\w*\$)([\s\S]*?)\1/gi)].map(
    (match) => match[2] ?? '',
  )
  const strings = [
    ...text.matchAll(
      /\b(?:execute(?:\s+immediate)?|prepare\s+\w+\s+from|exec(?:ute)?\s*\(|sp_executesql|sp_msforeach\w+|exec\s+sp_executesql|set\s+@\w+\s*:?=|dblink_exec\s*\([^)]*?,)\s*(?:format\s*\(\s*)?[nNeE]?'((?:[^']|'')*)'/gi,
    ),
  ].map((match) => (match[1] ?? '').replaceAll("''", "'"))
  return [...bodies.map((body) => body.replaceAll(/\b(?:begin|then|else|loop|declare)\b/gi, ';')), ...strings].slice(
    0,
    MAX_RUN_TEXTS,
  )
}

/** Signs that begin a comment or a string of SQL. */
const BEGINS = /--|(?<=^|\n)[ \t]*#|\/\*|'|\$\w*\$/g

/** Strings between signs of their own that are looked for in vain before the others are taken for text. */
const MAX_OPEN_STRINGS = 20

/** Takes strings and comments out; what a comment that nothing closes leaves is left as it is. */
function stripText(text: string): { readonly plain: string; readonly isOpen: boolean } {
  let plain = ''
  let at = 0
  let openStrings = 0
  while (at < text.length) {
    BEGINS.lastIndex = at
    const begin = BEGINS.exec(text)
    if (!begin) break
    const [sign] = begin
    plain += text.slice(at, begin.index)
    at = begin.index + sign.length
    // MySQL runs what stands in a comment that begins with `!`.
    const run = sign === '/*' ? /^M?!\d*/.exec(text.slice(at, at + 12)) : null
    if (run) {
      at += run[0].length
      continue
    }
    const end = openStrings > MAX_OPEN_STRINGS ? -1 : findEnd(text, sign, at)
    if (end === -1 && sign === '/*') return { plain: plain + text.slice(begin.index), isOpen: true }
    if (end === -1) openStrings += sign === "'" ? MAX_OPEN_STRINGS + 1 : 1
    plain += sign === "'" ? "''" : ' '
    at = end === -1 ? at : end
  }
  return { plain: plain + text.slice(at), isOpen: false }
}

/** The end of what begins with a sign; -1 where nothing closes it. */
function findEnd(text: string, sign: string, from: number): number {
  if (sign === '/*') return addLength(text.indexOf('*/', from), 2)
  if (sign.startsWith('$')) return addLength(text.indexOf(sign, from), sign.length)
  if (sign !== "'") {
    const line = text.indexOf('\n', from)
    return line === -1 ? text.length : line
  }
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === "'" && text[at + 1] === "'") at += 1
    else if (text[at] === "'") return at + 1
  }
  return -1
}

function addLength(at: number, length: number): number {
  return at === -1 ? -1 : at + length
}

/** True for a text with a comment that nothing closes: each database reads what follows in its own way. */
export function hasOpenComment(text: string): boolean {
  return text.includes('/*') && stripText(text).isOpen
}

const KINDS: readonly (readonly [RegExp, SqlChange['operation']])[] = [
  [
    /^drop (?:database|schema|table|view|materialized view|index|type|function|role|user|owned|sequence|extension|tablespace|collection|keyspace|column family|trigger|policy)\b ?(?:concurrently )?(?:if exists )?(\S*)/i,
    'drop',
  ],
  [/^alter table (?:only )?(?:if exists )?(\S+).*\bdrop (?:column|constraint|primary|partition)\b/i, 'drop'],
  [/^alter table (\S+) drop \w+/i, 'drop'],
  [/^truncate(?: table)?(?: only)? (\S+)/i, 'truncate'],
  [/^flush(?:all|db)\b()/i, 'truncate'],
  [/^(?:reset (?:master|binary logs)|purge (?:binary|master) logs)\b()/i, 'reset'],
  [/^remove (?:database|namespace|table) (\S+)/i, 'drop'],
  [/^merge into (\S+)\b.* on (?:true|1 ?= ?1)\b.*\bthen delete\b/i, 'delete-all'],
  [/^(?:match\b.*\b)?detach delete\b()/i, 'delete-all'],
  [/^grant all\b.* to (\S+)|^alter (?:role|user) (\S+) (?:with )?superuser/i, 'grant'],
  [/^select\b.*\bpg_(?:terminate_backend|drop_replication_slot|reset\w*)\b()/i, 'reset'],
  [/^copy .* (?:to|from) program\b()|^\\!()/i, 'run'],
]

function readStatement(statement: string): SqlChange[] {
  const plain = statement
    .replace(/^(?:begin|start transaction|commit|set [^;]*)$/i, '')
    .replace(/^(?:with .*?\) )(?=delete|update)/i, '')
  if (/^explain\b(?! (?:\([^)]*)?analy[sz]e)/i.test(plain)) return []
  const body = plain.replace(/^explain (?:\([^)]*\) |analy[sz]e |verbose )+/i, '')
  const inner = /^with\b/i.test(body) ? [...body.matchAll(/\(\s?((?:delete from|update|truncate) [^()]*)\)/gi)] : []
  if (inner.length > 0)
    return inner.flatMap((match) => readStatement((match[1] ?? '').replace(/ returning\b.*$/i, '').trim()))
  for (const [shape, operation] of KINDS) {
    const match = shape.exec(body)
    if (match) return [{ operation, target: cleanName(match[1] ?? match[2] ?? '') }]
  }
  const remade = /^alter table (\S+) (?:on cluster \S+ )?(?:delete|update\b.*?)( where .*)$/i.exec(body)
  if (remade && isAll(remade[2] ?? '')) return [{ operation: 'delete-all', target: cleanName(remade[1] ?? '') }]
  const prepared = /^prepare \w+(?: ?\([^)]*\))? as (.*)$/i.exec(body)?.[1]
  if (prepared) return readStatement(prepared)
  const joined = /^delete (\w+(?:\.\*)?(?: ?, ?\w+(?:\.\*)?)*) from (\S+)(.*)$/i.exec(body)
  if (joined && joined[1]?.toLowerCase() !== 'from')
    return [{ operation: isAll(joined[3] ?? '') ? 'delete-all' : 'delete-some', target: cleanName(joined[2] ?? '') }]
  const removal = /^delete from (?:only )?(\S+)(.*)$/i.exec(body)
  if (removal)
    return [{ operation: isAll(removal[2] ?? '') ? 'delete-all' : 'delete-some', target: cleanName(removal[1] ?? '') }]
  const update = /^update (?:only )?(\S+) (?:as \w+ )?set\b(.*)$/i.exec(body)
  return update && isAll(update[2] ?? '') ? [{ operation: 'update-all', target: cleanName(update[1] ?? '') }] : []
}

function isAll(rest: string): boolean {
  const where = /\bwhere\b(.*)$/i.exec(rest)?.[1]
  return where === undefined
    ? !/\b(?:limit|using|join)\b/i.test(rest)
    : /^\s*(?:\d+|(\w+)\s*=\s*\1|true|not false|''\s*=\s*''|\S+ is not null|\w*id\s*>=?\s*[01]|\w*id\s*(?:<>|!=)\s*(?:0|''))\s*$/i.test(
        where,
      )
}

function cleanName(name: string): string {
  return name.replaceAll(/["`[\],()]/g, '')
}
