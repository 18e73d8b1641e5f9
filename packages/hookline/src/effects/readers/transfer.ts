import { nameInto } from '../brought-files.ts'
import { type Context, deletePath, enterStep, readPath, sendTo, takeFirst, writePath } from '../context.ts'
import { type Content, mergeCarried, readWord, showValue, toKnownWord, UNKNOWN_CONTENT, type Value } from '../value.ts'
import { type Call, parseCall, type Reader, readByRow } from './call.ts'

/** Readers of programs that move files over a connection, by commands of their own. */
const TRANSFER_READERS: Readonly<Record<string, Reader>> = { transfer: readTransfer, upload: readUpload }

/** Reads a call by the one of them that its row names. */
export const readTransferCall: Reader = (call) => readByRow(TRANSFER_READERS, call)

const VALUED =
  '-c -e -u -p -P -b -B -l -U -I -W -D -m -t -f --user --password --command -W --workgroup --authentication-file'

/** Reads lftp, ftp, smbclient and relatives: the commands behind an option, and those that come by stdin. */
function readTransfer(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, VALUED)
  const host = parsed.operands[0] ? showHost(parsed.operands[0]) : call.name
  const scripts = [...parsed.values('-c', '-e', '--command').map((each) => readWord(each)), input.text]
  // tftp takes its commands as words: `tftp host -c put file`.
  if (parsed.has('-c')) scripts.push([...parsed.values('-c'), ...parsed.operands.slice(1)].map(showValue).join(' '))
  for (const script of scripts) if (script) runTransferScript(context, host, script)
  for (const file of parsed.values('-f')) readPath(context, file)
  if (input.text === null && input.carries.size > 0) sendTo(context, toKnownWord(host), input)
  return UNKNOWN_CONTENT
}

function showHost(word: Value): string {
  const text = showValue(word)
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^[\\/]+/, '')
  return (text.split('@').at(-1) ?? text).split(/[\\/:]/, 1)[0] ?? text
}

/** Lines of one script that are read. */
const MAX_TRANSFER_LINES = 60

/** Runs the commands of a script for ftp, sftp and relatives. */
export function runTransferScript(context: Context, host: string, script: string): void {
  for (const line of takeFirst(context, script.split(/[;\n]|&&/), MAX_TRANSFER_LINES, 'lines of a transfer')) {
    const [verb = '', ...rest] = line.trim().split(/\s+/)
    const files = rest.filter((word) => !word.startsWith('-'))
    const shell = /^\s*(?:!|shell\s)\s*(.+)$/.exec(line)?.[1]
    if (shell) context.reading.runScript(enterStep(context), shell)
    else if (
      /^(?:m?put|reput|send|upload|append|recurse-put|tar)$/i.test(verb) ||
      (verb === 'mirror' && /\s-[a-zA-Z]*R|--reverse/.test(line))
    )
      sendFiles(context, host, takeSources(verb, files))
    else if (/^(?:m?get|reget|recv|pget)$/i.test(verb)) {
      const target = files[1] ?? /-o\s+(\S+)/.exec(line)?.[1] ?? '.'
      if (files[0]) writePath(context, nameInto(context, toKnownWord(files[0]), toKnownWord(target)), 'replace')
    } else if (/^(?:m?delete|del|m?rm|rmdir|rd|deltree|glob-rm|mrm)$/i.test(verb))
      for (const file of files) deletePath({ ...context, where: { host } }, toKnownWord(file), 'tree')
  }
}

/** The words of a command that name files of this machine: the second of most is what they are called there. */
function takeSources(verb: string, files: readonly string[]): readonly string[] {
  if (verb === 'tar') return files.slice(1)
  return verb === 'mput' ? files : files.slice(0, 1)
}

function sendFiles(context: Context, host: string, files: readonly string[]): void {
  const contents = (files.length > 0 ? files : ['.']).map(
    (file) => readPath(context, toKnownWord(file), 'tree').carries,
  )
  sendTo(context, toKnownWord(host), { carries: mergeCarried(contents) })
}

/** Reads programs that send the files they are given to a place of their own: pastes, boards, topics. */
function readUpload(call: Call): Content {
  const { context, input, name } = call
  const parsed = parseCall(call, '-h -t -p -u -P -q -b -X -l -a --host --topic --port --user --title')
  const files = [...parsed.values('-f', '--file', '-i', '-F', '-l'), ...parsed.operands]
  const contents = files.flatMap((each) => {
    const text = readWord(each)
    return text === null || !/^(?:[a-z]+:\/\/|-)/.test(text) ? [readPath(context, each).carries] : []
  })
  const host = parsed.value('-h', '--host', '-b')
  sendTo(context, host ?? toKnownWord(name), { carries: mergeCarried([input.carries, ...contents]) })
  return UNKNOWN_CONTENT
}
