const TOKEN = /<\?xml [^?<]*\?>|<(\/?)([\w-]+)((?: \w+="[^"<]*")*)(\/?)>|[^<]+/y
const REFERENCE = /&(?!(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|apos);)/i

/** What keeps a text from being well-formed XML 1.0, of the kind that reports are written in; null: nothing. */
export function faultInXml(xml: string): string | null {
  const illegal = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(xml)
  if (illegal) return `an illegal character at ${illegal.index}`
  const open: string[] = []
  let at = 0
  while (at < xml.length) {
    TOKEN.lastIndex = at
    const [token, closes, name, , empty] = TOKEN.exec(xml) ?? []
    if (token === undefined) return `no markup at ${at}: ${xml.slice(at, at + 40)}`
    if (REFERENCE.test(token)) return `a bare & in ${token}`
    if (closes === '/' && open.pop() !== name) return `${token} closes something else`
    if (name !== undefined && closes === '' && empty === '') open.push(name)
    at += token.length
  }
  return open.length === 0 ? null : `never closed: ${open.join(', ')}`
}
