import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeRedactor } from '../../src/record/redact.ts'

const redacted = makeRedactor({})
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

/** What tokens of well-known issuers begin with, and a body of the kind that follows. */
const BODY = 'CANARY0123456789abcdef0123456789abcdefCANARY'
const HEX = '0123456789abcdef0123456789abcdef'
const TOKENS: Readonly<Record<string, string>> = {
  'OpenAI, project': `sk-proj-${BODY}`,
  OpenRouter: `sk-or-v1-${BODY}`,
  'Stripe, restricted': `rk_live_${BODY}`,
  'Stripe, webhook': `whsec_${BODY}`,
  'GitHub, server': `ghs_${BODY}`,
  'GitHub, refresh': `ghr_${BODY}`,
  'GitLab, runner': `glrt-${BODY}`,
  'Slack, app': `xapp-1-A0-${BODY}`,
  'Slack, webhook': `https://hooks.slack.com/services/T0/B0/${BODY}`,
  'Discord, webhook': `https://discord.com/api/webhooks/123456789/${BODY}`,
  'AWS, session': 'ASIACANARY0123456789',
  'Google, access': `ya29.${BODY}`,
  'Google, client': `GOCSPX-${BODY}`,
  DigitalOcean: `dop_v1_${BODY}`,
  npm: `npm_${BODY}`,
  'Hugging Face': `hf_${BODY}`,
  PyPI: `pypi-${BODY}`,
  'Docker Hub': `dckr_pat_${BODY}`,
  'Vault, service': `hvs.${BODY}`,
  'Vault, batch': `hvb.${BODY}`,
  'Vault, old': 's.CANARY0123456789abcdefAB',
  Terraform: `CANARY01234567.atlasv1.${BODY}`,
  Supabase: `sbp_${BODY}`,
  Linear: `lin_api_${BODY}`,
  Notion: `ntn_${BODY}`,
  Doppler: `dp.pt.${BODY}`,
  Sentry: `sntrys_${BODY}`,
  SendGrid: `SG.CANARY0123456789abcd.${BODY}`,
  Telegram: `123456789:AA${BODY}`,
  Discord: `MTIzNDU2Nzg5MDEyMzQ1Njc4.CANARY.${BODY}`,
  Atlassian: `ATATT${BODY}`,
  Grafana: `glsa_${BODY}`,
  PlanetScale: `pscale_tkn_${BODY}`,
  Groq: `gsk_${BODY}`,
  xAI: `xai-${BODY}`,
  Replicate: `r8_${BODY}`,
  Shopify: `shpat_${BODY}`,
  Figma: `figd_${BODY}`,
  'New Relic': `NRAK-${BODY}`,
  age: `AGE-SECRET-KEY-1${BODY}`,
}
/** Tokens that are hexadecimal, in which no mark fits. */
const HEX_TOKENS: Readonly<Record<string, string>> = {
  Databricks: `dapi${HEX}`,
  Twilio: `SK${HEX}`,
  Mailgun: `key-${HEX}`,
  RubyGems: `rubygems_${HEX}`,
  Pulumi: `pul-${HEX}`,
}

/** Logins in every place that commands and files have for them; each holds the mark. */
const LOGINS = [
  // addresses, of any scheme
  'git clone https://CANARY@github.com/me/it.git',
  'git remote set-url origin https://oauth2:CANARY@gitlab.com/me/it.git',
  'redis://:CANARY@cache:6379/0',
  'postgres://me:CANARY@db/app',
  'postgres://me:first@CANARY@db/app',
  'postgres://me:first/CANARY@db/app',
  'mongodb+srv://me:CANARY@cluster.example.net/?retryWrites=true',
  'amqps://me:CANARY@mq:5671/%2f',
  'https:\\/\\/me:CANARY@example.com',
  'https://CANARY0123456789@o1.ingest.sentry.io/2',
  'dial("root:CANARY@tcp(127.0.0.1:3306)/app")',
  'proxy me:CANARY@proxy.example.com:8080',
  'https://store.blob.core.windows.net/c/b?sv=2024&sig=CANARY%2Babcdef%3D',
  'https://bucket.s3.amazonaws.com/x?X-Amz-Signature=CANARY0123456789',
  // variables
  'PASS=CANARY ./deploy',
  'DB_PASS=CANARY',
  'export MYSQL_PWD=CANARY',
  'PWD=CANARY;UID=sa',
  'ADMIN_PW=CANARY ./x',
  'SSHPASS=CANARY sshpass -e ssh host',
  'REDISCLI_AUTH=CANARY redis-cli ping',
  'GITHUB_PAT=CANARY gh repo list',
  'DATABASE_URL=CANARY-of-a-pool',
  'DATABASE_URL=postgres://me:CANARY@db/app npm start',
  'DATABASE_URL="mysql://db/app?user=me&password=CANARY"',
  'SENTRY_DSN=https://CANARY@sentry.example.com/1',
  'STRIPE_KEY=CANARY012345',
  'RAILS_MASTER_KEY=CANARY',
  'PASSWORD=\'first\'"CANARY"last ./x',
  "PASSWORD=$'CANARY' ./x",
  'PASSWORD=first\\ CANARY ./x',
  'env -i API_TOKEN=CANARY ./x',
  'docker run -e DB_PASSWORD=CANARY image',
  '$env:API_KEY = "CANARY"',
  'setx API_TOKEN CANARY',
  'set -gx API_TOKEN CANARY',
  // flags
  'mysql -u root -pCANARY app',
  "mysqldump -uroot -p'CANARY;more' app",
  'mysql -u root -p CANARY app',
  'mysql --user=root --password=CANARY app',
  'redis-cli -h cache -a CANARY ping',
  'redis-cli AUTH CANARY',
  'redis-cli AUTH me CANARY',
  'mongosh -u me -p CANARY --authenticationDatabase admin',
  "sshpass -p 'CANARY' ssh me@host",
  'sshpass -pCANARY ssh me@host',
  'docker exec db mysql -u root -pCANARY app',
  'mysql \\\n  -u root \\\n  -pCANARY',
  'docker login -u me -p CANARY registry.example.com',
  'docker login registry.example.com -u me -p "CANARY with spaces"',
  'echo CANARY | docker login --password-stdin -u me',
  'echo "CANARY" | sudo -S apt install x',
  "printf 'CANARY' | gh auth login --with-token",
  'sudo -S ls <<< CANARY',
  'echo "me:CANARY" | chpasswd',
  'az login -u me -p CANARY',
  'ldapsearch -D cn=me -w CANARY -b dc=x',
  'sqlcmd -S db -U sa -P CANARY',
  'unzip -P CANARY x.zip',
  '7z x -pCANARY x.7z',
  "ssh-keygen -t ed25519 -N 'CANARY' -f key",
  'openssl rsa -in key -passin pass:CANARY',
  'keytool -list -storepass CANARY',
  'smbclient //host/share -U me%CANARY',
  'lftp -u me,CANARY sftp://host',
  'htpasswd -b .htpasswd me CANARY',
  'curl -u me:CANARY https://example.com',
  'curl -ume:CANARY https://example.com',
  'curl --user "me:first CANARY" https://example.com',
  'curl --proxy-user me:CANARY https://example.com',
  'curl -b "sid=CANARY" https://example.com',
  'curl --oauth2-bearer CANARY https://example.com',
  'http -a me:CANARY GET example.com',
  'vault login CANARY',
  'vault kv put secret/app user=CANARY',
  'gh secret set NPM --body CANARY',
  'kubectl create secret generic x --from-literal=user=CANARY',
  'aws configure set aws_secret_access_key CANARY',
  'npm config set //registry.example.com/:_authToken CANARY',
  'git config --global github.token CANARY',
  'rabbitmqctl add_user me CANARY',
  'deploy -token CANARY',
  'deploy --auth-token "CANARY with spaces"',
  '["mysql", "--password", "CANARY"]',
  // headers
  'curl -H "X-Api-Key: CANARY"',
  'curl -H "Authorization: CANARY"',
  'curl -H "Authorization: token CANARY"',
  'curl -H "Private-Token: CANARY"',
  'Proxy-Authorization: Basic CANARY',
  'basic Q0FOQVJZOkNBTkFSWQCANARY==',
  // files
  'password: |\n  CANARY\n  CANARY\nuser: me',
  'password = CANARY',
  'password := "CANARY"',
  ":password => 'CANARY',",
  'if (password == "CANARY") {',
  'password = b"CANARY"',
  'password = """CANARY"""',
  'password: p(CANARY)x',
  'password={CANARY',
  'auth = "CANARY"',
  '//registry.example.com/:_auth=CANARY',
  '"auths": {"x": {"auth": "CANARY"}}',
  '<password>CANARY</password>',
  '<db:Password>CANARY</db:Password>',
  '<add key="DbPassword" value="CANARY" />',
  '- name: DB_PASSWORD\n  value: CANARY',
  '{"name": "API_TOKEN", "value": "CANARY"}',
  'Server=db;User Id=sa;Password=CANARY;Encrypt=true',
  'Server=db;UID=sa;PWD=CANARY;',
  'AccountName=me;AccountKey=CANARY==;EndpointSuffix=core.windows.net',
  'Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey=CANARY=',
  'machine example.com login me password CANARY',
  'machine example.com\n  login me\n  password CANARY',
  'db.example.com:5432:app:me:CANARY',
  'kind: Secret\ndata:\n  user: CANARY\n  other: CANARY',
  "CREATE USER me IDENTIFIED BY 'CANARY'",
  "ALTER USER me WITH PASSWORD 'CANARY'",
  '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nCANARY\n---- END SSH2 ENCRYPTED PRIVATE KEY ----',
  'PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\nCANARY+/=\n',
  'client-key-data: CANARY',
]

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

  it.each(LOGINS)('leaves out the secret of %j', (text) => {
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
