/** A change that a statement makes. */
export interface SqlChange {
  readonly operation: 'drop' | 'truncate' | 'delete-all' | 'delete-some' | 'update-all' | 'grant' | 'reset' | 'run'
  readonly target: string
}

/** The changes that a text of SQL makes; words in strings and comments are none. */
export function readSql(text: string): SqlChange[] {
  return stripText(text)
    .split(';')
    .flatMap((statement) => readStatement(statement.trim().replaceAll(/\s+/g, ' ')))
}

// MySQL runs what stands in a comment that begins with `!`.
const RUN_COMMENT = /\/\*M?!\d*([\s\S]*?)\*\//g

/** Takes strings and comments out; a comment that nothing closes is left as it is. */
function stripText(text: string): string {
  return text
    .replaceAll(RUN_COMMENT, ' $1 ')
    .replaceAll(
      /--[^\n]*|(?<=^|\n)\s*#[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|''|\\.)*'|\$(\w*)\$[\s\S]*?\$\1\$/g,
      (written) => (written.startsWith("'") ? "''" : ' '),
    )
}

/** True for a text with a comment that nothing closes: each database reads what follows in its own way. */
export function hasOpenComment(text: string): boolean {
  return text.includes('/*') && stripText(text).includes('/*')
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
  for (const [shape, operation] of KINDS) {
    const match = shape.exec(body)
    if (match) return [{ operation, target: cleanName(match[1] ?? match[2] ?? '') }]
  }
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
    : /^\s*(?:1\s*=\s*1|true|''\s*=\s*'')\s*$/i.test(where)
}

function cleanName(name: string): string {
  return name.replaceAll(/["`[\],()]/g, '')
}
