import { readFileSync } from 'node:fs'

/** What was seen of one client, by capability. */
interface SeenClient {
  readonly name: string
  readonly version: string
  readonly date: string
  readonly cells: Readonly<Record<string, string>>
}

const KEPT = new URL('clients.json', import.meta.url)
const BEGIN = '<!-- clients, by npm run clients -- --write and npm run generate -->'
const END = '<!-- end of clients -->'

/** How a cell is called on the pages. */
const WORDS: Readonly<Record<string, string>> = {
  queued: 'later',
  unexplained: 'refused without a reason',
  '-': '',
  WRONG: '**wrong**',
}

const clients = (): readonly SeenClient[] => JSON.parse(readFileSync(KEPT, 'utf8')).clients

/** What real clients did, a line for each capability. */
export function clientsTable(): string[] {
  const all = clients()
  const names = Object.keys(all[0]?.cells ?? {})
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    line(['', ...all.map(({ name }) => name)]),
    `|---|${all.map(() => '---|').join('')}`,
    line(['version', ...all.map(({ version }) => version)]),
    line(['seen on', ...all.map(({ date }) => date)]),
    ...names.map((name) => line([name, ...all.map(({ cells }) => wordFor(cells[name] ?? '-'))])),
  ]
}

/** The README with a line for each client. */
export function readmeWithClients(readme: string): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)]
  if (begin < 0 || end < begin) throw new TypeError(`README.md has no place for clients: ${BEGIN} … ${END}`)
  return `${readme.slice(0, begin)}${[BEGIN, ...shortTable(), END].join('\n')}${readme.slice(end + END.length)}`
}

/** What shows why something else is advised is in the long table alone. */
const NOT_ADVISED = 'copilot-bridge'

function shortTable(): string[] {
  const advised = clients().filter(({ name }) => name !== NOT_ADVISED)
  const rows = advised.map(({ name, version, date, cells }) => {
    const asked = Object.entries(cells).filter(([, cell]) => cell !== '-')
    const others = asked
      .filter(([, cell]) => cell !== 'yes')
      .map(([capability, cell]) => `${capability}: ${wordFor(cell)}`)
    return `| ${name} ${version} | ${asked.length - others.length} of ${asked.length} | ${others.join('; ')} | ${date} |`
  })
  return ['| client | as wanted | otherwise | seen on |', '|---|---|---|---|', ...rows]
}

const wordFor = (cell: string): string => WORDS[cell] ?? cell
