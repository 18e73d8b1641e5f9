import { posix } from 'node:path'
import { deletePath, noteChange, readPath, resolveOne, sendTo, writePath } from '../context.ts'
import {
  type Content,
  carry,
  EMPTY_CONTENT,
  mergeCarried,
  readWord,
  showValue,
  toKnownWord,
  UNKNOWN_CONTENT,
} from '../value.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'
import { forgetText } from './printed.ts'
import { decode } from './text.ts'

/** Readers of programs that make, show and use keys. */
const KEY_READERS: Readonly<Record<string, Reader>> = {
  openssl: readOpenssl,
  gpg: readGpg,
  decrypt: readDecrypt,
  'ssh-keygen': readSshKeygen,
}

/** Reads a call by the one of them that its row names. */
export const readKeyCall: Reader = (call) => readByRow(KEY_READERS, call)

function readOpenssl(call: Call): Content {
  const { context, input, words } = call
  const [command = '', ...rest] = readCallWords(words)
  const parsed = parseCall(
    { ...call, words: words.slice(1) },
    '-in -out -inkey -key -keyout -CA -CAkey -pass -passin -passout -k -K -iv -connect -host -days -subj -config -name -certfile -signkey',
    { oneDash: true },
  )
  if (command === 's_client') {
    const address = parsed.value('-connect', '-host')
    if (address) sendTo(context, address, input)
    return { ...UNKNOWN_CONTENT, carries: carry('fetch') }
  }
  const file = parsed.value('-in')
  const isKeyShown =
    /^(?:rsa|ec|pkey|dsa|pkcs12|pkcs8)$/.test(command) &&
    (!parsed.has('-pubout', '-noout', '-check') || (parsed.has('-text') && !parsed.has('-pubin', '-text_pub')))
  const content = file
    ? readPath(context, file, isKeyShown || /^(?:enc|base64|aes)/.test(command) ? 'content' : 'name')
    : input
  const out = parsed.value('-out')
  for (const each of parsed.values('-keyout')) writePath(context, each, 'create')
  const isDecoding = (command === 'base64' || command === 'enc') && rest.includes('-d')
  const isBase64 = command === 'base64' || rest.includes('-base64') || rest.includes('-a')
  const decoded = isBase64
    ? decode(content, 'base64')
    : { ...forgetText(content), carries: carry('decode', content.carries) }
  const result = isDecoding ? decoded : forgetText(content)
  if (out) writePath(context, out, 'replace', result)
  return out ? EMPTY_CONTENT : result
}

function readGpg(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(
    call,
    '-o -r -u --output --recipient --local-user --homedir --keyserver --passphrase --passphrase-file',
  )
  const options = [...parsed.options.keys()]
  if (options.some((option) => /^--export-secret/.test(option))) {
    readPath(context, toKnownWord(posix.join(context.reading.world.home, '.gnupg/private-keys-v1.d')))
    return { ...UNKNOWN_CONTENT, carries: carry('secret') }
  }
  if (options.some((option) => /^--delete-(?:secret-)?(?:and-public-)?keys?/.test(option)))
    deletePath(context, toKnownWord(posix.join(context.reading.world.home, '.gnupg/private-keys-v1.d')), 'file')
  const files = parsed.operands.map((each) => readPath(context, each))
  const out = parsed.value('-o', '--output')
  const isEncrypting = parsed.has('-c', '-e', '--encrypt', '--symmetric')
  const carries = isEncrypting
    ? mergeCarried(files.map((each) => each.carries))
    : mergeCarried([input.carries, ...files.map((each) => each.carries)])
  if (out) writePath(context, out, 'replace', { ...UNKNOWN_CONTENT, carries })
  return { ...UNKNOWN_CONTENT, carries }
}

function readDecrypt(call: Call): Content {
  const { context, words } = call
  const texts = readCallWords(words)
  const parsed = parseCall(
    call,
    '-i -o -r -R --identity --output --recipient --input-type --output-type --vault-password-file',
  )
  const isOpening =
    parsed.has('-d', '--decrypt') ||
    /^(?:decrypt|view|edit|exec-env|exec-file)$/.test(texts.find((text) => !text.startsWith('-')) ?? '')
  if (!isOpening || parsed.has('--help')) return UNKNOWN_CONTENT
  const files = parsed.operands.filter(
    (each) => !/^(?:decrypt|view|edit|exec-env|exec-file)$/.test(readWord(each) ?? ''),
  )
  for (const each of files.slice(0, 1)) readPath(context, each)
  noteChange(context, 'cloud', 'secret', showValue(files[0] ?? toKnownWord(call.name)))
  return { ...UNKNOWN_CONTENT, carries: carry('secret') }
}

function readSshKeygen(call: Call): Content {
  const parsed = parseCall(call, '-t -b -C -N -P -m -f -O -I -n -R -F -Y -s -V')
  const isMaking = !parsed.has('-l', '-y', '-F', '-R', '-H', '-B', '-Y', '-e')
  const file = parsed.value('-f')
  // A key that is there is replaced by the new one.
  const isThere = file ? resolveOne(call.context, file)?.exists === true : false
  const made = isThere ? 'replace' : 'create'
  if (file && isMaking) writePath(call.context, file, parsed.has('-p', '-c') ? 'edit' : made)
  if (file && !isMaking) readPath(call.context, file, 'name')
  return UNKNOWN_CONTENT
}
