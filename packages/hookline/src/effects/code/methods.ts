import { findOwn } from '../../text/table.ts'
import { deletePath, lowerCertainty, noteChange, noteFlows, noteUnseen, writePath } from '../context.ts'
import {
  join,
  mergeCarried,
  readKnownStart,
  readWord,
  showValue,
  toPatternWord,
  toUnknownWord,
  UNKNOWN_CONTENT,
} from '../value.ts'
import { connect, fetchUrl, joinSegments, linkFile, moveFile, openFile, post, read, runSql } from './actions.ts'
import { type Code, mapText, NOTHING, type Thing, takeArgument, takeElement } from './code.ts'
import { callFunction, callSent, RISKY_MEMBERS } from './functions.ts'
import { addItems, formatText, joinItems, replaceText, splitText, unpackHex } from './texts.ts'
import { noteByVerb, noteUnknownCall } from './unknown-call.ts'

/** Methods of values: paths, texts, answers of servers. */
export function callMethod(code: Code, thing: Thing, member: string, args: readonly Thing[]): Thing {
  const { context } = code
  const { value } = thing
  const handed = args.find((each) => each.name !== null && /^(?:eval|exec|Function)$/.test(each.name))
  if (handed) {
    noteFlows(
      context,
      [...value.carries].filter((each) => each === 'fetch' || each === 'decode'),
      'run',
      code.language,
    )
    noteUnseen(context, 'code', member, 'run')
  }
  const risky = findOwn(RISKY_MEMBERS, member)
  if (risky && args.length > 0) return callFunction(code, risky, args)
  if (/^(?:map|forEach|each|filter)$/.test(member) && args[0]?.name) {
    callFunction(code, args[0].name, [takeElement(thing)])
    return { ...NOTHING, value: toUnknownWord(member, { carries: value.carries }) }
  }
  if (/^(?:append|extend|push|concat)$/.test(member) && thing.items) return addItems(code, thing, args)
  switch (member) {
    case 'run':
      return runSql(code, args, 'value.run')
    case 'send':
    case 'public_send':
      return callSent(code, args)
    case 'pack':
      return { ...NOTHING, value: unpackHex(thing, args) }
    case 'drop':
      if (args.length === 0)
        noteChange(lowerCertainty(context, 'likely'), 'database', 'drop', `${showValue(value)}.drop()`)
      return NOTHING
    case 'delete_all':
    case 'destroy_all':
      noteChange(context, 'database', 'delete-all', `${showValue(value)}.${member}`)
      return NOTHING
    case 'unlink':
    case 'rmdir':
    case 'rmtree':
    case 'delete':
      if (
        member === 'delete' &&
        args.length === 0 &&
        readWord(value) === null &&
        /^(?:all|objects|filter|query)$/.test(showValue(value).replace('$', ''))
      ) {
        noteChange(context, 'database', 'delete-all', 'rows of a model')
        return NOTHING
      }
      if (
        member === 'delete' &&
        args.length === 0 &&
        thing.name !== null &&
        /(?:^|\.)[A-Z]\w*$/.test(thing.name) &&
        !/File|Path|Dir/.test(thing.name)
      ) {
        noteChange(lowerCertainty(context, 'likely'), 'database', 'delete-all', `${thing.name}.delete()`)
        return NOTHING
      }
      if (args.length === 0 || member !== 'delete')
        deletePath(context, value, member === 'unlink' || member === 'delete' ? 'file' : 'tree')
      return NOTHING
    case 'write_text':
    case 'write_bytes':
      writePath(context, value, 'replace', {
        ...UNKNOWN_CONTENT,
        text: readWord(takeArgument(args)),
        carries: takeArgument(args).carries,
      })
      return NOTHING
    case 'touch':
    case 'mkdir':
      if (readWord(value) !== null) writePath(context, value, 'create')
      return NOTHING
    case 'read_text':
    case 'read_bytes':
      return read(code, [thing], member)
    case 'open':
      return openFile(code, [thing, ...args], 'open')
    case 'rename':
    case 'replace':
      if (args.length === 1 && readWord(value)?.includes('/')) return moveFile(code, [thing, ...args], member)
      return replaceText(thing, args)
    case 'chmod':
      writePath(context, value, 'mode')
      return NOTHING
    case 'symlink_to':
      return linkFile(code, [args[0] ?? NOTHING, thing], member)
    case 'expanduser':
      return { ...NOTHING, value: mapText(value, (text) => text.replace(/^~(?=\/|$)/, context.reading.world.home)) }
    case 'joinpath':
      return joinSegments(code, [thing, ...args], member)
    case 'glob':
    case 'rglob':
      return {
        ...NOTHING,
        value: join([
          value,
          toPatternWord(`/${member === 'rglob' ? '**/' : ''}${readWord(takeArgument(args)) ?? '*'}`),
        ]),
      }
    case 'iterdir':
      return { ...NOTHING, value: join([value, toPatternWord('/*')]) }
    case 'join':
      return { ...NOTHING, value: joinItems(thing, args) }
    case 'format':
      return formatText(thing, args)
    case 'reverse':
      return thing.items
        ? { ...thing, items: [...thing.items].reverse() }
        : { ...NOTHING, value: mapText(value, (text) => [...text].reverse().join('')) }
    case 'split':
      return splitText(thing, args)
    case 'execute':
    case 'executescript':
    case 'query':
    case 'exec':
    case 'executemany':
    case 'exec_query':
    case 'do':
    case 'raw':
    case '$executeRawUnsafe':
    case '$queryRawUnsafe':
    case 'executeRawUnsafe':
    case 'prepare':
      return { ...runSql(code, args), value }
    case 'connect':
      return connect(code, args, member)
    case 'post':
    case 'put':
      return /^https?:/.test(readKnownStart(takeArgument(args))) ? post(code, args, member) : NOTHING
    case 'get':
      return /^https?:/.test(readKnownStart(takeArgument(args)))
        ? fetchUrl(code, args, member)
        : { ...NOTHING, value: toUnknownWord('item', { carries: value.carries }) }
    case 'exists':
    case 'is_dir':
    case 'is_file':
      return NOTHING
    case 'decode':
    case 'toString':
    case 'strip':
    case 'trim':
    case 'encode':
    case 'resolve':
    case 'absolute':
    case 'read':
    case 'text':
    case 'json':
    case 'then':
    case 'to_s':
    case 'chomp':
    case 'as_posix':
    case 'map':
    case 'forEach':
    case 'each':
    case 'filter':
      return {
        ...thing,
        name: null,
        items: member === 'map' && takeArgument(args).carries.size > 0 ? null : thing.items,
        value:
          args[0] && (member === 'then' || (member === 'map' && takeArgument(args).carries.size > 0))
            ? { pieces: value.pieces, carries: mergeCarried([value.carries, takeArgument(args).carries]) }
            : value,
      }
    default:
      noteUnknownCall(code, `value.${member}`)
      noteByVerb(code, member, [...args, thing])
      return {
        ...NOTHING,
        value: toUnknownWord(member, {
          carries: mergeCarried([value.carries, ...args.map((each) => each.value.carries)]),
        }),
      }
  }
}
