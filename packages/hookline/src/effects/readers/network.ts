import { SHELLS } from '../../programs/command-table.ts'
import {
  type Context,
  fetchFrom,
  isLoopback,
  isOwnHost,
  note,
  noteChange,
  noteFlows,
  noteUnseen,
  readHost,
  readPath,
  sendTo,
  writePath,
} from '../context.ts'
import {
  type Content,
  carry,
  dropStart,
  EMPTY_CONTENT,
  join,
  leaveOut,
  mergeCarried,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import type { Carried } from '../view.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'

/** Readers of programs that talk to other machines. */
const NETWORK_READERS: Readonly<Record<string, Reader>> = {
  curl: readCurl,
  wget: readWget,
  httpie: readHttpie,
  netcat: readNetcat,
  ssh: readSsh,
  'network-question': readQuestion,
  tunnel: readTunnel,
  mail: readMail,
  sender: readSender,
  ansible: readAnsible,
  'fleet-command': readFleetCommand,
}

/** Reads a call by the one of them that its row names. */
export const readNetworkCall: Reader = (call) => readByRow(NETWORK_READERS, call)

const CURL_VALUED =
  '-o -O-x -d -F -T -X -H -A -e -u -U -x -b -c -D -E -K -m -w -Y -y -z -C -r -Q -t -P -h-x --output --data --data-raw --data-binary --data-urlencode --data-ascii --json --form --form-string --upload-file --request --header --user-agent --referer --user --proxy-user --proxy --cookie --cookie-jar --dump-header --cert --key --cacert --config --max-time --connect-timeout --write-out --retry --retry-delay --retry-max-time --resolve --connect-to --interface --range --url --output-dir --limit-rate --max-redirs --oauth2-bearer --unix-socket --create-file-mode --trace --trace-ascii --stderr --hsts --netrc-file --url-query --variable --proto --proto-redir --proto-default --tls-max --ciphers'

/** Headers by which callers say who they are: what a variable of a token is for. */
const LOGIN_HEADER =
  /^(?:(?:proxy-)?authorization:\s*(?:bearer|token|basic|apikey|key)\b|(?:x-)?api-?key:|private-token:|x-auth-token:|x-access-token:)/i

function readCurl(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, CURL_VALUED)
  if (parsed.has('--help', '--version', '-V', '-h')) return UNKNOWN_CONTENT
  const socket = parsed.value('--unix-socket')
  if (socket && /docker\.sock$/.test(showValue(socket)))
    noteChange(call.context, 'machine', 'privilege', `curl ${showValue(socket)}`)
  const addresses = [...parsed.operands, ...parsed.values('--url')]
  const sent: ReadonlySet<Carried>[] = []
  let isSending = false
  for (const each of parsed.values('-d', '--data', '--data-binary', '--data-urlencode', '--data-ascii', '--json')) {
    isSending = true
    sent.push(readDataValue(context, each, input))
  }
  for (const each of parsed.values('--data-raw', '--form-string', '--url-query')) {
    isSending = true
    sent.push(each.carries)
  }
  for (const each of parsed.values('-F', '--form')) {
    isSending = true
    sent.push(readFormValue(context, each, input))
  }
  for (const each of parsed.values('-T', '--upload-file')) {
    isSending = true
    sent.push(
      readWord(each) === '-' || readWord(each) === '.' ? input.carries : readPath(context, each, 'tree').carries,
    )
  }
  for (const each of parsed.values('-A', '-e', '-b', '--cookie', '--referer', '--user-agent')) sent.push(each.carries)
  for (const each of parsed.values('-H', '--header', '-u', '--user', '--oauth2-bearer'))
    sent.push(LOGIN_HEADER.test(readKnownStart(each)) ? leaveOut(each.carries, 'secret-variable') : each.carries)
  for (const each of parsed.values('-K', '--config')) {
    readPath(context, each)
    noteUnseen(context, 'code', showValue(each))
  }
  for (const each of parsed.values('--netrc-file', '-E', '--cert', '--key')) readPath(context, each, 'name')
  for (const each of parsed.values('-c', '--cookie-jar', '-D', '--dump-header', '--trace', '--trace-ascii', '--stderr'))
    if (readWord(each) !== '-') writePath(context, each, 'replace')
  const method = parsed.value('-X', '--request')
  if (method !== null && readWord(method) === 'DELETE')
    for (const address of addresses) noteRemoteDelete(context, showValue(address))
  if (method !== null)
    for (const address of addresses) noteRemoteChange(context, readWord(method) ?? '', showValue(address))
  if (
    /\/_(?:delete_by_query|all|cluster\/reroute)\b/.test(showValue(parsed.operands[0] ?? toKnownWord(''))) &&
    /^post$/i.test(showValue(method ?? toKnownWord('')))
  )
    noteChange(context, 'database', 'delete-all', showValue(parsed.operands[0] ?? toKnownWord('')))
  const isChanging = method !== null && /^(?:POST|PUT|PATCH|DELETE)$/i.test(readWord(method) ?? '')
  const contents = addresses.map((address) =>
    reachAddress(context, address, { carries: mergeCarried(sent), isSending: isSending || isChanging }),
  )
  const content: Content = {
    ...UNKNOWN_CONTENT,
    carries: mergeCarried([
      ...contents.map(({ carries }) => carries),
      parsed.has('-K', '--config') ? carry('fetch') : new Set(),
    ]),
    text: contents.length === 1 ? (contents[0]?.text ?? null) : null,
    source: contents[0]?.source ?? null,
  }
  const folder = parsed.value('--output-dir')
  const outputs = parsed.values('-o', '--output')
  for (const each of outputs)
    if (readWord(each) !== '-')
      writePath(context, folder ? join([folder, toKnownWord('/'), each]) : each, 'replace', content)
  if (parsed.has('-O', '--remote-name', '-J'))
    for (const address of addresses) {
      const file = toKnownWord(chooseFileName(address))
      writePath(context, folder ? join([folder, toKnownWord('/'), file]) : file, 'replace', content)
    }
  const isKept = outputs.some((each) => readWord(each) !== '-') || parsed.has('-O', '--remote-name')
  return isKept ? EMPTY_CONTENT : content
}

/** Notes a request that deletes what another machine keeps, or an index of a database on this one. */
export function noteRemoteDelete(context: Context, address: string): void {
  if (!isLoopback(readHost(address) ?? '')) noteChange(context, 'cloud', 'delete', `DELETE ${address}`)
  else if (
    /:(?:9200|5984|8529|7474|6333|8108|7700|8086|8983)\/(?:(?:indexes|collections|index|v1\/schema)\/)?[^/?]+\/?$/.test(
      address,
    )
  )
    noteChange(context, 'database', 'drop', `DELETE ${address}`)
}

/** Ends of addresses by which a service does something that nothing takes back. */
const FINAL_ADDRESS =
  /\/(?:shutdown|delete|destroy|terminate|purge|wipe|reset|refunds?|cancel|disable|revoke|reboot|stop|rollback|deploy(?:ments?)?|publish|transfers?|payouts?|drop|uninstall|suspend|prune)(?:$|[/?#])/i

/** Notes a request that changes what another machine keeps for good. */
function noteRemoteChange(context: Context, method: string, address: string): void {
  if (isLoopback(readHost(address) ?? '')) return
  const isFinal = /^post$/i.test(method) && FINAL_ADDRESS.test(address)
  if (isFinal || /^(?:put|patch)$/i.test(method)) noteChange(context, 'cloud', 'change', `${method} ${address}`)
}

function chooseFileName(address: Value): string {
  const path = showValue(address)
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z]+:\/\/[^/]*/, '')
  return (
    path
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? 'index.html'
  )
}

/** Data of curl: `@file` is read, anything else is itself. */
function readDataValue(context: Context, value: Value, input: Content): ReadonlySet<Carried> {
  const start = readKnownStart(value)
  const isFile = start.startsWith('@') || (/^[\w.-]*@/.test(start) && !start.includes('='))
  const at = isFile ? start.indexOf('@') : -1
  if (at === -1) return value.carries
  const file = dropStart(value, at + 1)
  return readWord(file) === '-' ? input.carries : readPath(context, file).carries
}

function readFormValue(context: Context, value: Value, input: Content): ReadonlySet<Carried> {
  const start = readKnownStart(value)
  const match = /^[^=]*=[@<]/.exec(start)
  if (!match) return value.carries
  const text = readWord(value)
  const file =
    text === null
      ? dropStart(value, match[0].length)
      : toKnownWord(text.slice(match[0].length).split(';')[0] ?? '', value.carries)
  return readWord(file) === '-' ? input.carries : readPath(context, file).carries
}

const METADATA =
  /^(?:169\.254\.169\.254|169\.254\.170\.2|metadata\.google\.internal|metadata|\[?fd00:ec2::254\]?|100\.100\.100\.200|2852039166|0xa9fea9fe|0251\.0376\.0251\.0376|\[?::ffff:(?:169\.254\.169\.254|a9fe:a9fe)\]?)$/i

/** Notes a request; a `file:` address is a file, and a metadata service gives out secrets. */
export function reachAddress(
  context: Context,
  address: Value,
  { carries, isSending }: { carries: ReadonlySet<Carried>; isSending: boolean },
): Content {
  const start = readKnownStart(address)
  if (/^file:/i.test(start))
    return readPath(context, dropStart(address, /^file:(?:\/\/(?:localhost)?(?=\/))?/i.exec(start)?.[0].length ?? 5))
  const host = readHost(start) ?? ''
  if (METADATA.test(host)) {
    note(context, { does: 'read', path: { text: start, place: 'secret', exists: true }, what: 'content' })
    return { ...UNKNOWN_CONTENT, carries: carry('secret') }
  }
  const all = mergeCarried([carries, address.carries])
  if (isSending) {
    sendTo(context, address, { carries: all })
    return { ...UNKNOWN_CONTENT, carries: isLoopback(host) ? new Set() : carry('fetch') }
  }
  if (all.size > 0 && !isLoopback(host)) {
    const kinds = [...all].filter((kind) => kind === 'secret' || kind === 'environment' || kind === 'secret-variable')
    if (kinds.length > 0)
      sendTo(context, toKnownWord(host === '' ? showValue(address) : host), { carries: new Set(kinds) })
  }
  return fetchFrom(context, { pieces: address.pieces, carries: new Set() })
}

function readWget(call: Call): Content {
  const { context, input, name } = call
  const parsed = parseCall(
    call,
    '-O -o -P -d -x-x -i -U -e -t -T -w -Q -A -R -D -I -X -B --output-document --output-file --directory-prefix --input-file --user-agent --post-data --post-file --body-data --body-file --method --header --user --password --load-cookies --tries --timeout --out --dir --certificate --private-key',
  )
  if (parsed.has('--help', '--version', '-V', '--spider')) {
    for (const each of parsed.operands) fetchFrom(context, each)
    return UNKNOWN_CONTENT
  }
  const files = parsed.values('--post-file', '--body-file').map((each) => readPath(context, each).carries)
  const data = [...parsed.values('--post-data', '--body-data', '--header', '--user', '--password')].map(
    ({ carries }) => carries,
  )
  const isSending = parsed.has('--post-file', '--body-file', '--post-data', '--body-data')
  for (const each of parsed.values('-i', '--input-file')) readPath(context, each)
  const contents = parsed.operands.map((each) =>
    reachAddress(context, each, {
      carries: mergeCarried([...files, ...data, ...(files.length > 0 ? [input.carries] : [])]),
      isSending,
    }),
  )
  const content: Content = { ...UNKNOWN_CONTENT, carries: mergeCarried(contents.map(({ carries }) => carries)) }
  const isAria = name === 'aria2c' || name === 'axel'
  if (/^delete$/i.test(showValue(parsed.value('--method') ?? toKnownWord(''))))
    for (const each of parsed.operands)
      if (!isLoopback(readHost(showValue(each)) ?? ''))
        noteChange(context, 'cloud', 'delete', `DELETE ${showValue(each)}`)
  const output = isAria ? parsed.value('-o', '--out') : parsed.value('-O', '--output-document')
  if (output && readWord(output) === '-') return content
  const folder = isAria ? parsed.value('-d', '--dir') : parsed.value('-P', '--directory-prefix')
  for (const each of parsed.operands) {
    const file = output ?? toKnownWord(chooseFileName(each))
    writePath(context, folder ? join([folder, toKnownWord('/'), file]) : file, 'replace', content)
  }
  return EMPTY_CONTENT
}

function readHttpie(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, '-o -a -A --output --auth --auth-type --session --proxy --timeout -p --print')
  const operands = [...parsed.operands]
  const method = /^(?:get|post|put|patch|delete|head|options)$/i.test(readWord(operands[0] ?? toKnownWord('')) ?? '')
    ? operands.shift()
    : undefined
  const given = operands.shift()
  if (!given) return UNKNOWN_CONTENT
  // `:3000/users` is short for this machine.
  const address = readKnownStart(given).startsWith(':') ? join([toKnownWord('localhost'), given]) : given
  const sent = operands.map((each) => {
    const start = readKnownStart(each)
    const file = /^[^@=:]*[=:]?=?@/.exec(start)
    return file ? readPath(context, dropStart(each, file[0].length)).carries : each.carries
  })
  const isSending =
    operands.some((each) => !/^[^=]*:[^=]|==/.test(readKnownStart(each))) ||
    /^(?:post|put|patch|delete)$/i.test(method ? (readWord(method) ?? '') : '')
  const content = reachAddress(context, address, { carries: mergeCarried([...sent, input.carries]), isSending })
  if (/^delete$/i.test(method ? (readWord(method) ?? '') : '')) noteRemoteDelete(context, showValue(address))
  const isKept = parsed.has('-d', '--download')
  const output = parsed.value('-o', '--output') ?? (isKept ? toKnownWord(chooseFileName(address)) : null)
  if (output) writePath(context, output, 'replace', content)
  return output ? EMPTY_CONTENT : content
}

function readNetcat(call: Call): Content {
  const { context, input, name, words } = call
  if (name === 'socat') return readSocat(call)
  const parsed = parseCall(
    call,
    '-e -c -p -w -s -i -x -X -q -g -G -o --exec --sh-exec --lua-exec --source-port --wait --proxy -m -k-x',
  )
  const command = parsed.value('-e', '-c', '--exec', '--sh-exec')
  const isListening = parsed.has('-l', '--listen')
  const host = parsed.operands.find((each) => !/^\d+$/.test(readWord(each) ?? ''))
  const target = host ? (readHost(readKnownStart(host)) ?? '') : ''
  if (isListening) {
    const isLocal = host !== undefined && isLoopback(target) && target !== '0.0.0.0'
    if (!isLocal) note(context, { does: 'listen', on: readCallWords(words).join(' ') })
  }
  if (command) {
    noteFlows(context, ['shell'], 'send', target || 'anyone who connects')
    const text = readWord(command)
    if (text !== null && !/(?:^|\/)(?:ba|z|da)?sh$/.test(text)) context.reading.runScript(context, text)
  }
  if (isListening || parsed.has('-z') || !host)
    return { ...UNKNOWN_CONTENT, carries: isListening ? carry('fetch') : new Set() }
  if (/^\s*(?:\*\d+\s+\$\d+\s+)?(?:flush_?all|flushdb|shutdown)\b/im.test(input.text ?? ''))
    noteChange(context, 'database', 'truncate', `${name} ${readCallWords(words).join(' ')}`)
  if (input.carries.size > 0 || input.text === null) sendTo(context, host, input)
  else if (!isLoopback(target)) note(context, { does: 'send', host: target })
  return { ...UNKNOWN_CONTENT, carries: isLoopback(target) ? new Set() : carry('fetch') }
}

function readSocat({ context, words, input }: Call): Content {
  const texts = readCallWords(words)
  for (const text of texts) {
    const run = /^(?:exec|system):"?([^,"]+)/i.exec(text)
    const isShell = run?.[1] ? /(?:^|\/)(?:ba|z|da)?sh\b/.test(run[1]) : false
    const host = texts
      .map((each) => /^(?:tcp|udp|openssl|ssl)\d?(?:-connect)?:([^:,]+)/i.exec(each)?.[1])
      .find((each) => each !== undefined)
    const isListening = texts.some((each) => /-listen:|-l:/i.test(each))
    if (run?.[1] && isShell) noteFlows(context, ['shell'], 'send', host ?? 'anyone who connects')
    else if (run?.[1]) context.reading.runScript(context, run[1])
    if (isListening && !texts.some((each) => /bind=(?:127\.|localhost)/.test(each)))
      note(context, { does: 'listen', on: text })
    const file = /^(?:open|file|gopen|create):([^,]+)/i.exec(text)?.[1]
    if (file && /,(?:creat|trunc|append|wronly)|^create:/i.test(text)) writePath(context, toKnownWord(file), 'replace')
    const content = file ? readPath(context, toKnownWord(file)) : input
    if (host && !isListening) sendTo(context, toKnownWord(host), content)
  }
  return UNKNOWN_CONTENT
}

const SSH_VALUED = '-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w'

function readSsh(call: Call): Content {
  const { context } = call
  const parsed = parseCall(call, SSH_VALUED, { stopAtOperand: true })
  for (const each of parsed.values('-o')) {
    const command = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)=?\s*(.+)$/i.exec(showValue(each))?.[1]
    if (command) context.reading.runScript(context, command)
  }
  const [target, ...rest] = parsed.operands
  if (!target) return UNKNOWN_CONTENT
  const after = parseCall({ ...call, words: rest }, SSH_VALUED, { stopAtOperand: true })
  const host = showValue(target).split('@').at(-1) ?? ''
  if (isLoopback(host) && /^root@/.test(showValue(target)))
    noteChange(context, 'machine', 'root-shell', `ssh ${showValue(target)}`)
  for (const each of [parsed, after].flatMap((side) => side.values('-D', '-L')))
    if (/^(?:0\.0\.0\.0|\*|\[?::\]?):/.test(showValue(each)) || parsed.has('-g'))
      note(context, { does: 'listen', on: `ssh ${showValue(each)}` })
  if (parsed.has('-R') || after.has('-R')) noteFlows(context, ['shell'], 'send', host)
  // Files of the project go to machines of one's own every day.
  const isOwn = call.input !== EMPTY_CONTENT && isOwnHost(host, target)
  const input = isOwn ? { ...call.input, carries: leaveOut(call.input.carries, 'project') } : call.input
  if (call.input.carries.size > 0) sendTo(context, toKnownWord(host), input)
  if (parsed.has('-V', '-G', '-Q')) return UNKNOWN_CONTENT
  const words = after.operands
  if (words.length === 0) {
    if (input.text) context.reading.runScript(onHost(context, host), input.text)
    else if (!isLoopback(host) && !parsed.has('-N', '-f')) noteUnseen(context, 'remote', host)
    return UNKNOWN_CONTENT
  }
  const script = join(words, ' ')
  const text = readWord(script)
  if (text === null) noteUnseen(context, 'value', showValue(script), 'run')
  const inner = isLoopback(host) ? enterHome(context) : onHost(context, host)
  const entered = { ...inner, depth: context.depth + 1 }
  const [program] = words
  // A shell over there reads what comes in by the pipe.
  const takesInput = words.length < 3 && SHELLS.has(readWord(program ?? script) ?? '') && input !== EMPTY_CONTENT
  const output = takesInput
    ? context.reading.runWords(entered, words, input)
    : context.reading.runScript(entered, text ?? showValue(script), input)
  return { ...UNKNOWN_CONTENT, carries: mergeCarried([output.carries, carry('remote')]) }
}

/** The context of a command that logs in to this machine: it begins in the home. */
function enterHome(context: Context): Context {
  return {
    ...context,
    shell: { ...context.shell, folders: [{ path: context.reading.world.home, certainty: 'certain' }] },
  }
}

/** The context of a command on another machine. */
function onHost(context: Context, host: string): Context {
  const shell = {
    ...context.shell,
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    references: new Map(),
    folders: [{ path: '~', certainty: 'certain' as const }],
    before: [],
  }
  return { ...context, shell, where: { host }, mounts: null }
}

function readQuestion(call: Call): Content {
  const { context } = call
  const { operands } = parseCall(call, '-c -i -W -w -s -t -p -I -n -T -S -m -l -oN -oX -oG')
  const carried = mergeCarried(call.words.map(({ carries }) => carries))
  const secret = [...carried].filter(
    (kind) => kind === 'secret' || kind === 'environment' || kind === 'project' || kind === 'secret-variable',
  )
  if (secret.length > 0)
    sendTo(
      context,
      toKnownWord(readHost(showValue(operands.at(-1) ?? toKnownWord('')))?.replaceAll('$(…)', '') || 'a name server'),
      { carries: new Set(secret) },
    )
  return UNKNOWN_CONTENT
}

function readTunnel({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  const isAsking =
    /^(?:version|help|config|status|update|diagnose|login|logout|ip|ping|netcheck|list|--version|--help|whois|ls|-[tTGV]|completion|verify|ps)$/.test(
      texts[0] ?? '',
    ) ||
    texts.length === 0 ||
    texts.includes('--version')
  const isTailscale = name === 'tailscale' && !/^(?:funnel|serve|up|file|ssh)$/.test(texts[0] ?? '')
  if (!isAsking && !isTailscale) note(context, { does: 'listen', on: `${name} ${texts.join(' ')}` })
  return UNKNOWN_CONTENT
}

function readMail(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, '-s -a -A -c -b -r -S -t-x --attach --to --from --server --body --header')
  const files = parsed.values('-a', '-A', '--attach').map((each) => readPath(context, each).carries)
  const to = parsed.operands.at(-1) ?? parsed.value('--to')
  if (to)
    sendTo(context, toKnownWord(showValue(to).split('@').at(-1) ?? ''), {
      carries: mergeCarried([input.carries, ...files]),
    })
  return EMPTY_CONTENT
}

/** Modules of ansible that only look. */
const LOOKING_MODULES =
  /^(?:ansible\.builtin\.)?(?:ping|win_ping|setup|gather_facts|debug|stat|find|slurp|getent|assert|\w+_(?:info|facts))$/

/** Reads ad-hoc commands of ansible: a script on the machines of a group. */
function readAnsible(call: Call): Content {
  const { context } = call
  const parsed = parseCall(call, '-i -m -a -u -l -e -f --module-name --args --limit --extra-vars --user --inventory')
  const name = readWord(parsed.value('-m', '--module-name') ?? toKnownWord('command')) ?? ''
  const script = parsed.value('-a', '--args')
  if (parsed.has('--check', '-C', '--list-hosts') || !script) return UNKNOWN_CONTENT
  const inner = onHost(context, showValue(parsed.operands[0] ?? toKnownWord('all')))
  if (/^(?:shell|command|raw|script|win_shell|(?:ansible\.builtin\.)(?:shell|command|raw))$/.test(name))
    context.reading.runScript({ ...inner, depth: context.depth + 1 }, readWord(script) ?? showValue(script))
  else {
    noteUnseen(context, 'remote', `ansible ${name}`)
    if (!LOOKING_MODULES.test(name))
      noteChange(context, 'cloud', 'change', `ansible ${readCallWords(call.words).join(' ')}`)
  }
  return UNKNOWN_CONTENT
}

/** Programs that hand files to anybody who knows a word. */
function readSender(call: Call): Content {
  const { operands } = parseCall(call, '--code --relay --pass -c')
  const [verb, ...rest] = operands
  if (!verb || /^(?:receive|recv|download|help|config)$/.test(readWord(verb) ?? '')) return UNKNOWN_CONTENT
  const files = /^(?:send|up|upload)$/.test(readWord(verb) ?? '') ? rest : operands
  const contents = files.map((each) => readPath(call.context, each, 'tree').carries)
  sendTo(call.context, toKnownWord(`anyone who has the code of ${call.name}`), {
    carries: mergeCarried([call.input.carries, ...contents]),
  })
  return UNKNOWN_CONTENT
}

/** Reads programs that run a command on many machines: salt, pdsh and relatives. */
function readFleetCommand(call: Call): Content {
  const { context, name } = call
  const parsed = parseCall(
    call,
    '-w -x -g -l -h -H -N -E -G -L -f -t -R -P -p -A-x -o -e --hosts --host --user --group',
    { stopAtOperand: !name.startsWith('salt') },
  )
  const texts = readCallWords(parsed.operands)
  const runs = texts.findIndex((text) => /^(?:cmd\.\w+|ssh\.\w+)$/.test(text))
  const isSalt = name.startsWith('salt')
  if (isSalt && runs === -1) {
    const verb = texts[isSalt && name !== 'salt-call' ? 1 : 0] ?? ''
    if (
      /^(?:file\.(?:remove|absent|write|append)|system\.(?:halt|poweroff|reboot|shutdown)|pkg\.(?:remove|purge)|service\.stop|state\.\w+)$/.test(
        verb,
      )
    )
      noteChange(context, 'cloud', /state/.test(verb) ? 'change' : 'delete', [name, ...texts].join(' '), 'likely')
    return UNKNOWN_CONTENT
  }
  const words = parsed.operands.slice(isSalt ? runs + 1 : 0)
  const target = showValue(
    parsed.value('-w', '-g', '-h', '-H', '--hosts', '--host') ?? parsed.operands[0] ?? toKnownWord('all'),
  )
  const script = join(words, ' ')
  if (words.length > 0)
    context.reading.runScript(
      { ...onHost(context, isSalt ? target : target.slice(0, 40)), depth: context.depth + 1 },
      readWord(script) ?? showValue(script),
    )
  return UNKNOWN_CONTENT
}
