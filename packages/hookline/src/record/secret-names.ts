/** Words that say secret wherever they stand in a name: `DB_PASSWORD`, `npmAuthToken`, `x-api-key`. */
const ANYWHERE = [
  'passw(?:or)?d',
  'passphrase',
  'passcode',
  'secret',
  'token',
  'credential',
  'authorization',
  'cookie',
  'bearer',
  'mnemonic',
  'seed[-_]?phrase',
  'recovery[-_]?code',
  '(?<![a-z])(?:requirepass|masterauth|bw[-_]session)',
  'connection[-_]?string',
  '(?:api|access|account|private|signing|encryption|subscription|functions?|service[-_]?role)[-_]?key',
  'pre-?shared[-_]?key',
  'client[-_]?key[-_]?data',
  'dockerconfigjson',
  '(?<![a-z])(?:app|auth|anon|deploy|hmac|license|master|shared|ssh)[-_]?key(?![a-z])',
  '(?<![a-z])(?:kaggle|openai|anthropic|gemini|mistral|groq|cohere|replicate|pinecone|wandb|stripe|sentry|datadog|algolia|mapbox|resend|sendgrid|mailgun|postmark|twilio|supabase|azure)[-_]?key(?![a-z])',
]

/** Words that are too short or too common to count but as the end of a name: `DB_PASS`, `MYSQL_PWD`, `_auth`. */
const AT_THE_END = [
  '(?<![a-z])(?:pass|passwd|pwd|pw|psk|pat|pin|otp|totp|jwt|auth|dsn|creds?)',
  '(?:admin|bind|cli|db|ftp|ldap|mail|my|mysql|pg|proxy|redis|root|smtp|ssh|user|key|store)(?:pass|pwd|pw)',
  '[-_](?:salt|sas)',
]

/** Names of addresses that a login stands in: `DATABASE_URL`, `mongo_uri`. */
const ADDRESS =
  '(?<![a-z])(?:amqp|broker|cache|celery(?:[-_]broker)?|clickhouse|cloudamqp|database|db|elastic(?:search)?|jdbc|kafka|mail(?:er)?|mongo(?:db)?|mysql|nats|pg|postgres(?:ql)?|proxy|rabbitmq|redis(?:cloud)?|sentry|smtp|sqlalchemy[-_]database)[-_]?(?:dsn|ur[il])'

/** Parts of a name that mark its value as a secret; parts of longer names count. */
export const SECRET_NAME_SOURCE = [
  ...ANYWHERE,
  `(?:${AT_THE_END.join('|')})\\d{0,2}(?![\\w-])`,
  `${ADDRESS}(?![a-z])`,
].join('|')

const SECRET_NAME = new RegExp(SECRET_NAME_SOURCE, 'i')
const ADDRESS_NAME = new RegExp(`${ADDRESS}(?![a-z])`, 'i')
/** Too short or too common to count as a part of longer names. */
const WHOLE_NAME = /^(?:sig|signature)$/i
/** Names of where a secret is, whose it is, or how it is asked for: `token_file`, `cookie_domain`, `password-stdin`. */
const SECRET_PLACE_NAME =
  /(?:file|dir|path|sock|socket|helper|name|domain|url|uri|endpoint|stdin|field|label|placeholder|policy|length|expiry|ttl|expires(?:[-_]?(?:in|at|on))?)$/i
/** Names of amounts: `max_tokens`, `token_count`. */
const AMOUNT_OF_TOKENS = /tokens$|tokens?[-_]?(?:count|limit|budget|usage|used|type|details)|tokeniz/i
/** `PWD` is also the folder that a shell is in. */
const FOLDER_NAME = /^(?:old)?pwd$/i
const FOLDER = /^(?:[~./]|[a-z]:[\\/])/i
/** An address with neither a login nor a question, or a file: `postgres://localhost:5432/app`. */
const PLAIN_ADDRESS =
  /^(?:(?:sqlite|file)[\w+]{0,16}:[^@?;]*|(?:jdbc:)?[\w+.-]{1,32}:\/\/[\w.:[\],-]{0,256}(?:\/[\w./-]{0,256})?)$/i

/** True if the values under a key of this name are secrets. */
export function isSecretName(name: string): boolean {
  return WHOLE_NAME.test(name) || ADDRESS_NAME.test(name) || (SECRET_NAME.test(name) && !SECRET_PLACE_NAME.test(name))
}

/** True if a text under a secret's name tells nothing all the same: a folder in `PWD`, an address without a login. */
export function isOpenValue(name: string, value: string): boolean {
  if (FOLDER_NAME.test(name)) return FOLDER.test(value)
  return ADDRESS_NAME.test(name) && PLAIN_ADDRESS.test(value)
}

/** True if a text has a name in it that says secret. */
export function hasSecretName(text: string): boolean {
  return SECRET_NAME.test(text)
}

/** True if a name speaks of how many tokens: a number under it is no secret. */
export function isAmountOfTokens(name: string): boolean {
  return AMOUNT_OF_TOKENS.test(name)
}
