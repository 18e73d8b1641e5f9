import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeRedactor } from '../../src/record/redact.ts'
import { HEX_TOKENS, LINE_LOGINS, LOGINS, SECRETS, TOKENS } from '../support/secrets.ts'

const redacted = makeRedactor({})
const textOf = (text: string): string => JSON.parse(redacted(text))

/** Secrets that only the form of JSON tells. */
const FORMS: readonly unknown[] = [
  ['mysql', '-u', 'root', '-pCANARY'],
  ['redis-cli', '-a', 'CANARY', 'ping'],
  ['docker', 'login', '-u', 'me', '-p', 'CANARY'],
  ['deploy', '--password', 'CANARY'],
  { command: 'redis-cli', args: ['-a', 'CANARY'] },
  { command: '/usr/bin/mysql', args: ['-pCANARY'] },
  { env: [{ name: 'DB_PASSWORD', value: 'CANARY' }] },
  { env: { DATABASE_URL: 'postgres://me:CANARY@db', DB_PASS: 'CANARY', PGPASSWORD: 'CANARY' } },
  { headers: { 'X-Api-Key': 'CANARY', Cookie: 'CANARY' } },
]

/** Texts that only look a little like secrets. */
const HARMLESS = [
  'mkdir -p build && cp -p a b && ssh -p 2222 me@host && git add -p',
  'docker run -p 8080:80 -u node:node image && docker run -p 3306:3306 mysql:8',
  'claude -p "look at the tests"',
  'psql -U me -p 5432 app',
  'tsc -p tsconfig.json && redis-cli -h cache ping',
  'git clone ssh://git@github.com/me/it.git',
  'getPassword("form") && isSecret("name") && expect(token).toBe("abc")',
  'const token: string = await get("/token")',
  "env('APP_NAME', 'shop') && os.getenv('HOME', '/root')",
  "INSERT INTO users (name, mail) VALUES ('me', 'me@example.com')",
  'echo done > out.txt && echo 1 | tee log.txt',
  'password reset\ntoken expired',
  'git clone https://git@github.com/me/it.git && git clone git@github.com:me/it.git',
  'postgres://postgres@localhost/app',
  'DATABASE_URL=postgres://localhost:5432/app npm test',
  'DATABASE_URL=sqlite:///app.db npm test',
  'http://localhost:3000/@me and http://[::1]:80/a@b',
  'http://localhost:8080/search?mail=me@example.com',
  'PWD=/home/me OLDPWD=/tmp ls',
  'PASS: test/a.sh\n# PASS:  12\n# FAIL:  0',
  '{"pass": 12, "fail": 0}',
  'curl -H "Authorization: Bearer $TOKEN" -u "$NAME:$WORD" https://example.com',
  'mysql -p$MYSQL_PASSWORD && sshpass -p "$PW" ssh host',
  'echo done | sudo tee /etc/motd',
  'docker login --username me --password-stdin < file',
  'const token = req.headers.authorization',
  'password: (value) => check(value)',
  'token: the word that a lexer gives out',
  'headers: { Authorization: string }',
  'the basic building blocks of a basic implementation',
  'The password is required, and the token is invalid. The password is wrong',
  'a password for user 1: required, API key: see the docs, access token: none',
  'enable password hashing, username and password, bindpw',
  'the root password is kept in the vault since 2024',
  'variable "region" {\n  default = "eu-west-1"\n}',
  "jwt.sign(claims, key) and createHmac('sha256', key)",
  '<entry key="name">value</entry>',
  'echo $1$2 and $6',
  'token   kind of word\nsecret  of the forest',
  'foreign_key: user_id, primary_key=id, CACHE_KEY=v1-abcdef012345',
  'sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  'src/a.ts:120:14: error TS2322: Type is not assignable',
  'me@example.com, mailto:me@example.com, npm i left-pad@1.3.0 @scope/it@2.0.0',
  'auth: none, author: me, bypass=1, compass=north',
  '{"output_tokens": 10, "output_tokens_details": {"thinking_tokens": 3}} <subagent_tokens>10</subagent_tokens>',
  "{ apiKey: 'OPENAI_API_KEY' } and date -u '+%H:%M:%S'",
  'HOOKLINE_MODEL=openai/meta-llama/Llama-3-8B-Instruct',
  'Set ANTHROPIC_API_KEY or OPENAI_API_KEY',
  'sk-toggleable__label risk-of-a-long-kebab-case-name',
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

  it.each(Object.entries(TOKENS))('leaves out a token of %s', (_issuer, token) => {
    expect(textOf(`x "${token}" y`)).not.toContain('CANARY')
    expect(textOf(`x "${token}" y`)).toMatch(/^x ".*" y$/)
  })

  it.each(Object.entries(HEX_TOKENS))('leaves out a token of %s', (_issuer, token) => {
    expect(textOf(`x ${token} y`)).toBe('x [redacted] y')
  })

  it.each([...LOGINS, ...LINE_LOGINS])('leaves out the secret of %j', (text) => {
    expect(textOf(text)).not.toContain('CANARY')
    expect(textOf(`before\n${text}`)).toMatch(/^before\n/)
    expect(textOf(`before\n${text}`)).not.toContain('CANARY')
    expect(textOf(textOf(text))).toBe(textOf(text))
  })

  it.each(FORMS.map((form) => [form]))('leaves out the secret in %j', (form) => {
    expect(redacted({ form })).not.toContain('CANARY')
  })

  it('hides the password of an address in the environment, wherever it stands', () => {
    const own = makeRedactor({ ANY: 'postgres://me:blue-elephant@db/app', PWD: '/home/you/app' })
    expect(own('blue-elephant in /home/you/app')).toBe('"[redacted] in /home/you/app"')
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
    const kept = {
      max_tokens: 5,
      usage: { input_tokens: 1, tokens: 2, output_tokens_details: { thinking_tokens: 1 } },
      password: null,
      secret: true,
      token: '',
    }
    expect(JSON.parse(redacted(kept))).toEqual(kept)
  })

  it('hides secrets that are keys', () => {
    expect(redacted({ owners: { ghp_CANARYcanary0123456789: 'me' } })).toBe('{"owners":{"[redacted]":"me"}}')
  })

  it('hides the values of variables whose name says secret, wherever they stand', () => {
    const own = makeRedactor({
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
    'mysql ',
    'docker login ',
    'echo a|',
    '-u a:',
    'curl -b ',
    'name=password',
    'password: |\n ',
    "PASSWORD=''",
    'AKIA',
    'a:1000:a:a:',
    'data:\n  a: b\n',
    'a:b@',
    'set token ',
    '<password>',
    'M.',
    "password '",
    '-----BEGIN PRIVATE KEY-----',
    'expect "a"; send "',
    'kind: Secret\ndata:\n a: b\n',
    'kind: Secret data: a: b ',
    'wrangler secret put <<E\n',
    'bw unlock ',
    'rclone config a pass ',
    'cargo login -a ',
    "printf '%s' a | tr b | ",
    '(echo a; ',
    'sudo env npx ',
    'define("password", ',
    'jwt.sign({',
    'variable "password" {',
    '<entry key="password">',
    'password for a ',
    '\nusername a password ',
    '\nset a password ',
    '\ntoken  a',
    '\nENV TOKEN ',
    'login("a", ',
  ]

  it.each(HOSTILE)('takes no longer for a megabyte of %j than for other texts', (part) => {
    const text = part.repeat(1_000_000 / part.length)
    const before = process.cpuUsage()
    redacted(text)
    const { user, system } = process.cpuUsage(before) // of this process: others may be at work
    expect((user + system) / 1000).toBeLessThan(5000)
  })
})
