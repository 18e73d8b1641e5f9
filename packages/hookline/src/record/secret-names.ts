/** What in a name says that its value is a secret; parts of longer names count. */
export const SECRET_NAME_SOURCE = [
  'passw(?:or)?d',
  'passphrase',
  'secret',
  'token',
  'api[-_]?key',
  'access[-_]?key',
  'account[-_]?key',
  'private[-_]?key',
  'signing[-_]?key',
  'encryption[-_]?key',
  'credential',
  'authorization',
  'cookie',
  'bearer',
  'connection[-_]?string',
  '[-_]pwd',
].join('|')

const SECRET_NAME = new RegExp(SECRET_NAME_SOURCE, 'i')
/** Too short or too common to count as a part of longer names. */
const WHOLE_NAME = /^(?:auth|jwt|otp|pass|pin|sig|signature|dsn)$/i
/** Names of where a secret is, or of whose it is: `token_file`, `cookie_domain`. */
const PLACE = /(?:file|dir|path|sock|socket|helper|name|domain)$/i
/** Names of amounts: `max_tokens`, `token_count`. */
const AMOUNT_OF_TOKENS = /tokens$|tokens?[-_]?(?:count|limit|budget|usage|used|type)|tokeniz/i

/** Whether the values under a key of this name are secrets. */
export function isSecretName(name: string): boolean {
  return WHOLE_NAME.test(name) || (SECRET_NAME.test(name) && !PLACE.test(name))
}

/** Whether a text has a name in it that says secret. */
export function mentionsSecret(text: string): boolean {
  return SECRET_NAME.test(text)
}

/** Whether a name speaks of how many tokens: a number under it is no secret. */
export function isAmountOfTokens(name: string): boolean {
  return AMOUNT_OF_TOKENS.test(name)
}
