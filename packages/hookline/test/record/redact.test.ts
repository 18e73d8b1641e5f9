import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactorFor } from '../../src/record/redact.ts'

const redacted = redactorFor({})
const textOf = (text: string): string => JSON.parse(redacted(text))

/** Texts with a secret in them, which is marked so that a search finds it. */
const SECRETS: Readonly<Record<string, [text: string, secret: string]>> = {
  'a key of a model provider': ['use sk-ant-api03-CANARYcanary0123456789 now', 'CANARY'],
  'a key that pays': ['sk_live_CANARYcanary0123456789', 'CANARY'],
  'a token of GitHub': ['git push https://x ghp_CANARYcanary0123456789', 'CANARY'],
  'a fine token of GitHub': ['github_pat_CANARYcanary_0123456789', 'CANARY'],
  'a token of GitLab': ['glpat-CANARYcanary0123456789', 'CANARY'],
  'a token of Slack': ['xoxb-1234567890-CANARY', 'CANARY'],
  'a key of AWS': ['AKIACANARY0123456789', 'CANARY'],
  'a key of Google': ['AIzaCANARYcanary0123456789canary0123456', 'CANARY'],
  'a web token': ['eyJhbGciOiJI.eyJzdWIiOiCANARY.c2lnbmF0dXJl', 'CANARY'],
  'a private key': ['-----BEGIN RSA PRIVATE KEY-----\nCANARY\n-----END RSA PRIVATE KEY-----', 'CANARY'],
  'a private key that was cut': ['-----BEGIN OPENSSH PRIVATE KEY-----\nCANARY\nCANARY', 'CANARY'],
  'a bearer': ['Bearer CANARY.0123/45', 'CANARY'],
  'a header of curl': ['curl -H "Authorization: Basic CANARY=" https://example.com', 'CANARY'],
  'a cookie': ['Cookie: a=b; sid=CANARY', 'CANARY'],
  'a user of curl': ['curl -u me:CANARY https://example.com', 'CANARY'],
  'an address with a password': ['git clone https://me:CANARY@example.com/x.git', 'CANARY'],
  'an address with a token': ['git clone https://CANARYcanary0123@example.com/x.git', 'CANARY'],
  'a part of an address': ['https://example.com/?a=1&access_token=CANARY&b=2', 'CANARY'],
  'a variable': ['FOO_TOKEN=CANARY npm publish', 'CANARY'],
  'a quoted variable': ['export DB_PASSWORD="CANARY with spaces" && ls', 'spaces'],
  'a quote in quotes': ['password = "CANARY \\" CANARY"', 'CANARY'],
  'quotes that never close': ['password="CANARY and more', 'more'],
  'JSON in a text': ['{"password": "CANARY", "a": 1}', 'CANARY'],
  'JSON in JSON in a text': ['{\\"api_key\\":\\"CANARY\\"}', 'CANARY'],
  'a line of YAML': ['db:\n  password: CANARY\n', 'CANARY'],
  'a value that begins like a type': ['password: none-CANARY', 'CANARY'],
  'a value that begins like a variable': ['password=$CANARY!x', 'CANARY'],
  'a flag': ['mysql --password CANARY -h db', 'CANARY'],
  'a flag with an equals sign': ['deploy --api-key=CANARY', 'CANARY'],
  'a long value drawn by lot': ['BUILD_SEED=aZ09CANARYaZ09aZ09aZ09aZ09', 'CANARY'],
}

/** Texts that only look a little like secrets. */
const HARMLESS = [
  'rm -rf build && git commit -m "sketch of the task-list"',
  'const token = lexer.next()',
  'function login(password: string): boolean',
  'max_tokens=4096',
  'IDENTITY_TOKEN_FILE=/var/run/identity deploy',
  'echo $GITHUB_TOKEN password=$PASSWORD',
  'docker run -u 1000:1000 node',
  'see https://example.com/a@b and me@example.com',
  'COMMIT=0123456789abcdef0123456789abcdef01234567',
]

describe('what is written down without secrets', () => {
  it.each(Object.entries(SECRETS))('leaves out %s', (_what, [text, secret]) => {
    expect(textOf(text)).not.toContain(secret)
    expect(textOf(`before ${text}`)).toMatch(/^before /)
    expect(redacted({ deep: [{ er: text }] })).not.toContain(secret)
  })

  it.each(HARMLESS)('keeps %s', (text) => {
    expect(textOf(text)).toBe(text)
  })

  it('hides what stands under a name that says secret, whatever it is', () => {
    const secrets = {
      password: 'x',
      client_secret: { a: 'x' },
      apiKey: ['x'],
      'X-Api-Key': 'x',
      Authorization: 'x',
      'set-cookie': ['x'],
      GITHUB_TOKEN: 'x',
      pin: 1234,
    }
    expect(new Set(Object.values(JSON.parse(redacted(secrets))))).toEqual(new Set(['[redacted]']))
  })

  it('keeps amounts of tokens, and what tells nothing', () => {
    const kept = { max_tokens: 5, usage: { input_tokens: 1, tokens: 2 }, password: null, secret: true, token: '' }
    expect(JSON.parse(redacted(kept))).toEqual(kept)
  })

  it('hides secrets that are keys', () => {
    expect(redacted({ owners: { ghp_CANARYcanary0123456789: 'me' } })).toBe('{"owners":{"[redacted]":"me"}}')
  })

  it('hides the values of variables whose name says secret, wherever they stand', () => {
    const own = redactorFor({
      MY_API_KEY: 'blue elephant 7',
      COOKIE_DIR: '/home/you',
      HOME: '/home/you',
      SHORT_TOKEN: 'no',
    })
    expect(own('a blue elephant 7 in /home/you, no?')).toBe('"a [redacted] in /home/you, no?"')
  })

  it('is written the same when it is read and written again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.values(SECRETS)), (value, [text]) => {
        const once = redacted({ value, text })
        expect(redacted(JSON.parse(once))).toBe(once)
      }),
    )
  })

  const HOSTILE = [
    'a',
    'a.',
    'eyJ-',
    'password',
    'password=',
    'password="',
    '://a:',
    '--',
    '-u ',
    'A=',
    '\\',
    'sk-',
    ' ',
  ]

  it.each(HOSTILE)('takes no longer for a megabyte of %j than for other texts', (part) => {
    const text = part.repeat(1_000_000 / part.length)
    const started = performance.now()
    redacted(text)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
