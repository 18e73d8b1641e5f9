import { carry, join, readWord, toKnownWord, toUnknownWord, type Value } from '../value.ts'
import { type Action, type Code, mapText, NOTHING, type Thing, takeArgument } from './code.ts'

/** Elements of a list that are kept. */
const MAX_ITEMS = 200

/** Decodes Base64. */
export const decodeBase64: Action = (_, args) => decodeText(args, 'base64')

/** Decodes a text; what comes of it is marked as decoded. */
export function decodeText(args: readonly Thing[], encoding: 'base64' | 'hex'): Thing {
  const text = readWord(takeArgument(args))
  const carries = carry('decode', takeArgument(args).carries)
  return {
    ...NOTHING,
    value:
      text === null
        ? toUnknownWord('decoded', { carries })
        : toKnownWord(Buffer.from(text, encoding).toString('utf8'), carries),
  }
}

/** The text that a list of character codes means. */
export function decodeCharacters(list: Thing | undefined): Value {
  const codes = list?.items?.map(({ value }) => Number(readWord(value) ?? Number.NaN))
  if (!codes || codes.some((each) => !Number.isInteger(each) || each < 0 || each > 0x10ffff))
    return toUnknownWord('decoded', { carries: carry('decode') })
  return toKnownWord(codes.map((each) => String.fromCodePoint(each)).join(''), carry('decode'))
}

/** Adds to a list, under all names that it has. */
export function addItems(code: Code, thing: Thing, args: readonly Thing[]): Thing {
  const added = args.flatMap((each) => each.items ?? [each])
  const longer: Thing = { ...thing, items: [...(thing.items ?? []), ...added].slice(0, MAX_ITEMS) }
  for (const [name, each] of code.names) if (each === thing) code.names.set(name, longer)
  return longer
}

/** `["726d"].pack("H*")` of Ruby. */
export function unpackHex(thing: Thing, args: readonly Thing[]): Value {
  const text = readWord(thing.items?.[0]?.value ?? thing.value)
  const isHex = /^H/.test(readWord(takeArgument(args)) ?? '')
  if (text === null || !isHex) return toUnknownWord('decoded', { carries: carry('decode') })
  return toKnownWord(Buffer.from(text, 'hex').toString('utf8'), carry('decode'))
}

/** `','.join(list)` of Python, `list.join(',')` of the others. */
export function joinItems(thing: Thing, args: readonly Thing[]): Value {
  const given = args[0]?.items
  if (given)
    return join(
      given.map(({ value }) => value),
      readWord(thing.value) ?? '',
    )
  if (thing.items)
    return join(
      thing.items.map(({ value }) => value),
      readWord(takeArgument(args)) ?? ',',
    )
  return readWord(thing.value) === null ? thing.value : takeArgument(args)
}

/** Replaces a text in a text that is known. */
export function replaceText(thing: Thing, args: readonly Thing[]): Thing {
  const from = readWord(takeArgument(args))
  const to = readWord(takeArgument(args, 1))
  if (from === null || to === null || args.length < 2) return thing
  return { ...NOTHING, value: mapText(thing.value, (text) => text.replaceAll(from, to)) }
}

/** Splits a text into a list. */
export function splitText(thing: Thing, args: readonly Thing[]): Thing {
  const text = readWord(thing.value)
  if (text === null) return thing
  const by = readWord(takeArgument(args))
  const parts = args.length === 0 ? text.split(/\s+/) : text.split(by ?? ' ')
  return {
    ...thing,
    items: parts.slice(0, 200).map((part) => ({ ...NOTHING, value: toKnownWord(part, thing.value.carries) })),
  }
}

/** Puts values into the holes of a text. */
export function formatText(thing: Thing, args: readonly Thing[], holes = /\{[^}]*\}/): Thing {
  const text = readWord(thing.value)
  if (text === null) return thing
  let at = 0
  const parts = text.split(holes)
  const values = parts.flatMap((part, index) =>
    index === 0 ? [toKnownWord(part)] : [args[at++]?.value ?? toUnknownWord('value'), toKnownWord(part)],
  )
  return { ...NOTHING, value: join(values) }
}
