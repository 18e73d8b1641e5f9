import {
  type Context,
  deletePath,
  isOwnHost,
  lowerCertainty,
  noteChange,
  noteFlows,
  noteUnseen,
  readPath,
  sendTo,
  writePath,
} from '../context.ts'
import { isSecretElsewhere } from '../places.ts'
import {
  type Content,
  carry,
  EMPTY_CONTENT,
  join,
  leaveOut,
  mergeCarried,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toPatternWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { type Call, parseCall, type Reader, readByRow } from './call.ts'
import { splitTarget, writeInto } from './files.ts'
import { runTransferScript } from './transfer.ts'

/** Readers of programs that copy files to other machines, and from them. */
const COPY_READERS: Readonly<Record<string, Reader>> = {
  rsync: readRsync,
  scp: readScp,
  rclone: readRclone,
}

/** Reads a call by the one of them that its row names. */
export const readCopyCall: Reader = (call) => readByRow(COPY_READERS, call)

const REMOTE = /^(?:rsync:\/\/)?(?:[\w.-]+@)?([\w.-]+|\[[^\]]+\]):(?!\\)/

function findRemoteHost(value: Value): string | null {
  const start = readKnownStart(value)
  return /^[./~]/.test(start) ? null : (REMOTE.exec(start)?.[1] ?? null)
}

/** Runs the program that a copy goes through; one that only the disk knows may do anything. */
function runTransport(context: Context, command: Value): void {
  const text = readWord(command) ?? showValue(command)
  if (/^(?:\S*\/)?ssh(?:\s|$)/.test(text)) return
  context.reading.runScript(context, text)
  if (/^(?:[.~/]|\$)\S*$/.test(text)) noteFlows(lowerCertainty(context, 'likely'), ['unknown'], 'run', text)
}

function readRsync(call: Call): Content {
  const { context } = call
  const parsed = parseCall(
    call,
    '-e -f -T -B -M --rsh --exclude --include --exclude-from --include-from --filter --files-from --bwlimit --port --timeout --log-file --out-format --chmod --chown --backup-dir --suffix --link-dest --compare-dest --copy-dest --partial-dir --password-file --rsync-path --max-size --min-size --info --debug',
  )
  const { operands, has } = parsed
  if (has('-n', '--dry-run', '--list-only')) return UNKNOWN_CONTENT
  const shell = parsed.value('-e', '--rsh')
  const shellText = shell ? readWord(shell) : null
  if (shellText !== null && !/^ssh\b/.test(shellText)) context.reading.runScript(context, shellText)
  const { sources, target } = splitTarget(operands, null)
  const remote = parsed.value('--rsync-path')
  const host = remote
    ? [target, ...sources].flatMap((each) => (each ? (findRemoteHost(each) ?? []) : []))[0]
    : undefined
  if (remote && !/^(?:sudo )?(?:\S*\/)?rsync$/.test(showValue(remote)))
    context.reading.runScript({ ...context, where: { host: host ?? 'a host' } }, showValue(remote))
  copyAway(context, sources, target, { isTree: true })
  if (has('--remove-source-files'))
    for (const each of sources) if (findRemoteHost(each) === null) deletePath(context, each, 'tree')
  const isDeleting = [...parsed.options.keys()].some((option) => /^--del(?:ete.*)?$/.test(option))
  if (isDeleting && target) {
    const host = findRemoteHost(target)
    if (host === null) deletePath(context, join([target, toPatternWord('/*')]), 'tree')
    else
      deletePath(
        { ...context, where: { host } },
        toKnownWord(readKnownStart(target).replace(REMOTE, '') || '.'),
        'tree',
      )
  }
  return EMPTY_CONTENT
}

/** Copies from and to other machines, or on this one. */
function copyAway(
  context: Context,
  sources: readonly Value[],
  target: Value | null,
  { isTree }: { isTree: boolean },
): void {
  const host = target ? findRemoteHost(target) : null
  for (const each of sources) {
    const from = findRemoteHost(each)
    if (from !== null) {
      noteFlows(context, [], 'send', from)
      const there = (readWord(each) ?? '').replace(/^[^:]*:/, '')
      if (isSecretElsewhere(context.reading.world, `${from}:${there}`))
        readPath({ ...context, where: { host: from } }, toKnownWord(there))
      if (target && host === null)
        writeInto(context, toKnownWord(readKnownStart(each).replace(/^[^:]*:+/, '') || 'file'), target, {
          content: { ...UNKNOWN_CONTENT, carries: carry('remote') },
        })
      continue
    }
    const content = readPath(context, each, isTree ? 'tree' : 'content')
    if (host !== null) {
      const carries = mergeCarried([content.carries, each.carries])
      sendTo(context, toKnownWord(host), { carries: isOwnHost(host, target) ? leaveOut(carries, 'project') : carries })
    } else if (target)
      writeInto(
        context,
        each,
        isTree && /\/$/.test(readWord(each) ?? '') ? join([target, toPatternWord('/*')]) : target,
        {
          content,
        },
      )
  }
}

function readScp(call: Call): Content {
  const { context, name } = call
  const parsed = parseCall(call, '-P -i -F -o -c -l -S -J -b -B -D -R -s -X')
  const command = parsed.value('-S')
  if (command) runTransport(context, command)
  const direct = name === 'sftp' ? parsed.value('-D') : null
  if (direct) context.reading.runScript(context, readWord(direct) ?? showValue(direct))
  const batch = parsed.value('-b')
  const lines = name === 'sftp' && batch ? readPath(context, batch).text : null
  if (batch && lines === null) noteUnseen(context, 'code', showValue(batch), 'run')
  if (name === 'sftp') {
    const host = parsed.operands[0]
      ? (findRemoteHost(parsed.operands[0]) ?? showValue(parsed.operands[0]).split('@').at(-1))
      : null
    const script = lines ?? call.input.text
    const [source, goal] = parsed.operands
    // `sftp host:file` brings one file.
    if (source && /:./.test(readKnownStart(source)))
      copyAway(context, [source], goal ?? toKnownWord('.'), { isTree: parsed.has('-r') })
    if (host) sendTo(context, toKnownWord(host), { carries: call.input.carries })
    if (script !== null) runTransferScript(context, host ?? 'a host', script)
    return UNKNOWN_CONTENT
  }
  const { sources, target } = splitTarget(parsed.operands, null)
  copyAway(context, sources, target, { isTree: parsed.has('-r') })
  return EMPTY_CONTENT
}

function readRclone(call: Call): Content {
  const { context } = call
  const { operands, has } = parseCall(call, '--config --include --exclude --filter --transfers --bwlimit')
  if (has('-n', '--dry-run')) return UNKNOWN_CONTENT
  const command = readWord(operands[0] ?? toKnownWord('')) ?? ''
  if (/^(?:delete|purge|rmdirs?|deletefile|cleanup)$/.test(command)) {
    for (const each of operands.slice(1))
      if (/^\w+:/.test(readKnownStart(each))) noteChange(context, 'cloud', 'delete', showValue(each))
      else deletePath(context, each, 'tree')
    return EMPTY_CONTENT
  }
  if (!/^(?:copy|sync|move|copyto|moveto|bisync|rcat)$/.test(command)) return UNKNOWN_CONTENT
  const [, source, target] = operands
  if (/^move/.test(command) && source && /^[\w-]+:/.test(readKnownStart(source)))
    noteChange(context, 'cloud', 'delete', showValue(source))
  const content =
    source && !/^[\w-]+:/.test(readKnownStart(source)) ? readPath(context, source, 'tree') : UNKNOWN_CONTENT
  if (target && /^[\w-]+:/.test(readKnownStart(target))) {
    sendTo(context, target, content)
    if (command === 'sync') noteChange(context, 'cloud', 'delete', showValue(target))
  } else if (target) {
    writePath(context, target, 'replace', content)
    if (command === 'sync') deletePath(context, join([target, toPatternWord('/*')]), 'tree')
  }
  if (command.startsWith('move') && source) deletePath(context, source, 'tree')
  return EMPTY_CONTENT
}
