import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

const MAX_DICTIONARY_BYTES = 3000
/** Window and state as small as records are: they are set up for each one. */
const SMALL = { windowBits: 13, memLevel: 5 }
const MAX_SMALL_CHARS = 8192
const LEVEL = 5
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024

/** Words that records have in common. Texts that are packed with a dictionary can be unpacked with the same one alone. */
export interface Dictionary {
  readonly id: number
  readonly bytes: Buffer
}

/** Dictionary of every tenant before it has one of its own, and of all bodies. */
export const FIRST_DICTIONARY: Dictionary = {
  id: 0,
  bytes: Buffer.from(
    '{"record":{"version":2,"id":"","at":"20","durationMs":,"sessionId":"","event":"PostToolUse","profile":"classic","engine":"0.1.0","host":{"client":"claude-code","version":"2.1."},"project":{"name":"","pathHash":""},"snapshot":"","decision":{"halt":false,"stopReason":null,"blocked":true,"permission":"deny","reason":"","interrupt":false,"updatedInput":null,"updatedPermissions":null,"updatedToolOutput":null,"context":[],"contextFrom":[],"instructions":null,"messages":[{"to":"model","text":"[exit 2]: ","hook":"user:PreToolUse:0:1"}]},"hooks":[{"id":"managed:PreToolUse:0:0","verdict":"matcher-miss","because":"","scope":"managed","file":"/managed-settings.json","line":1,"matcher":"Edit|Write","type":"command","command":""},{"id":"project:PreToolUse:0:0","verdict":"ran","scope":"project","profile":"current","file":".claude/settings.json","line":12,"matcher":"Bash","type":"command","command":".claude/hooks/","outcome":"non_blocking_error","exitCode":0,"signal":null,"timedOut":false,"startMs":1.,"durationMs":1,"stdoutBytes":0,"stderrBytes":0,"truncated":false,"launcher":"direct","answer":null,"warnings":[]},{"id":"user:PreToolUse:0:1","verdict":"ran","scope":"user","profile":"classic","file":"/.claude/settings.json","line":1,"matcher":"Bash","type":"command","command":"","outcome":"success","exitCode":0,"signal":null,"timedOut":false,"startMs":,"durationMs":,"stdoutBytes":0,"stderrBytes":0,"truncated":false,"launcher":"pool","answer":null,"warnings":[]}]},"input":{"session_id":"","cwd":"/home/","permission_mode":"default","hook_event_name":"PreToolUse","tool_use_id":"toolu_","tool_name":"Bash","tool_input":{"file_path":"","command":"npm run ","description":""},"transcript_path":".jsonl"}}' +
      '{"id":"","at":"20","event":"PreToolUse","session":"","tool":"Bash","client":"claude-code","engine":"0.1.0","profile":"current","ms":0.,"outcome":"passed","project":"","projectName":"","snapshot":"","hooks":[{"key":"","scope":"user","type":"command","verdict":"ran","outcome":"success","ms":1}]}',
  ),
}

/** Facts that name someone or something: a dictionary has them not. */
const NAMING = /"(id|lateOf|session|agent|project|projectName|at)":"[^"]*"/g

/** Learns the words of a tenant from facts of its records. */
export function learnDictionary(facts: readonly string[]): Buffer {
  const texts: string[] = []
  let bytes = 0
  for (const text of facts) {
    const words = text.replaceAll(NAMING, '"$1":""')
    if (bytes + words.length > MAX_DICTIONARY_BYTES) break
    texts.push(words)
    bytes += words.length
  }
  return Buffer.from(texts.join(''))
}

/** Records of a block of bodies at most. */
export const MAX_BLOCK_RECORDS = 64

/** Text of the bodies of one block, each of which is JSON: one is a line. */
export function joinBodies(bodies: readonly string[]): string {
  return bodies.join('\n')
}

/** Takes the text of a block apart. */
export function splitBodies(text: string): string[] {
  return text.split('\n')
}

/** Dictionary of a block of bodies: what is said in the facts of the first is not said again. A body is a person's, and teaches no dictionary of a tenant. */
export function makeBodyDictionary(facts: string): Pick<Dictionary, 'bytes'> {
  return { bytes: Buffer.concat([FIRST_DICTIONARY.bytes, Buffer.from(facts)]) }
}

/** Compresses a text. */
export function pack(text: string, { bytes }: Pick<Dictionary, 'bytes'>): Buffer {
  return deflateRawSync(text, {
    ...{ level: LEVEL, dictionary: bytes },
    ...(text.length > MAX_SMALL_CHARS ? {} : SMALL),
  })
}

/** Gives back a text that was packed with the same dictionary. */
export function unpack(packed: Buffer, { bytes }: Pick<Dictionary, 'bytes'>): string {
  return inflateRawSync(packed, { dictionary: bytes, maxOutputLength: MAX_UNPACKED_BYTES }).toString('utf8')
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/** Makes the key that the bodies of a person are sealed with. */
export function makeSealingKey(): Buffer {
  return randomBytes(KEY_BYTES)
}

/** Seals bytes: without the key they are nothing. */
export function seal(bytes: Buffer, key: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** Opens what was sealed. Throws where key or bytes are not the same. */
export function unseal(sealed: Buffer, key: Buffer): Buffer {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)), decipher.final()])
}
