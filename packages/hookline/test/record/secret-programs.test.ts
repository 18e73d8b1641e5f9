import { describe, expect, it } from 'vitest'
import { makeRedactor } from '../../src/record/redact.ts'
import { SECRET_PROGRAMS, STDIN_READERS } from '../../src/record/secret-programs.ts'

const redacted = makeRedactor({})
const textOf = (text: string): string => JSON.parse(redacted(text))

const examples = SECRET_PROGRAMS.flatMap((row) => row.examples)
const readers = STDIN_READERS.flatMap((row) => row.examples)

/** Ways in which a command stands in a text. */
const PLACES = [
  'COMMAND',
  'cd x && COMMAND; ls',
  'sudo COMMAND',
  'docker exec db COMMAND',
  'bash -c "COMMAND"',
  '$ COMMAND\nok\n',
]

/** Ways in which a secret comes into a command. */
const INPUTS = [
  'echo CANARY | COMMAND',
  'echo -n "CANARY and more" | COMMAND',
  "printf '%s' 'CANARY;more|more' | COMMAND",
  "echo CANARY | tr -d '\\n' | COMMAND",
  'echo CANARY | npx COMMAND',
  'COMMAND <<< CANARY',
  'COMMAND <<< "CANARY and more"',
  'COMMAND < <(echo CANARY)',
  "COMMAND <<'END'\nCANARY\nEND",
  'COMMAND <<END\nCANARY\nCANARY\nEND\nls',
]

const SECRET_YAML = [
  'apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  user: CANARY\n  other: CANARY\ntype: Opaque',
  'apiVersion: v1\ndata:\n  user: CANARY\nkind: Secret',
  'kind: Secret\nstringData:\n  user: CANARY\n  file: |\n    CANARY\n    CANARY\n',
  'kind: "Secret"\nstringData: {user: CANARY}\n',
  'items:\n- apiVersion: v1\n  kind: Secret\n  data:\n    user: CANARY\n',
  '> kind: Secret\n> data:\n>   user: CANARY\n',
  'refused: kind: Secret data: user: CANARY other: CANARY',
  'kind: Secret\\ndata:\\n  user: CANARY\\n',
  '{"kind":"Secret","data":{"user":"CANARY"}}',
  '{\n  "data": {\n    "user": "CANARY"\n  },\n  "kind": "Secret"\n}',
  '{\\"stringData\\":{\\"user\\":\\"CANARY\\"},\\"kind\\":\\"Secret\\"}',
]

const OTHER_PLACES = [
  'restic key add --new-password-file <(echo CANARY)',
  'cryptsetup luksAddKey d <(echo -n CANARY)',
  'nats --creds <(printf CANARY) pub s m',
  "php -r \"new PDO('mysql:host=h', 'me', 'CANARY');\"",
  `perl -e 'DBI->connect("dbi:x", "me", "CANARY")'`,
  "User.objects.create_superuser('me', 'a@b', 'CANARY')",
  'jdbc:oracle:thin:me/CANARY@h:1521:x',
  'url = "jdbc:oracle:thin:me/CANARY@//h:1521/x"',
  "CREATE SECRET s (TYPE s3, KEY_ID 'x', SECRET 'CANARY');",
  `duckdb -c "CREATE OR REPLACE PERSISTENT SECRET (TYPE GCS, KEY_ID 'x', SECRET 'CANARY')"`,
  'Authorization: Digest username="u", realm="r", nonce="n", uri="/", response="CANARYa1b2c3d4e5f60718"',
  'hdfs dfs -Dfs.s3a.secret.key=CANARY0123 -ls /',
  'spark.hadoop.fs.azure.account.key.x.blob.core.windows.net=CANARY0123',
  'curl https://api.telegram.org/bot123456:CANARY_0123/getMe',
  `expect -c 'spawn ssh me@h; expect "assword:"; send "CANARY\\r"; interact'`,
  `expect -c "spawn ssh me@h; expect word; send \\"CANARY\\r\\""`,
  'spawn su\nexpect "Password:"\nsend -- "CANARY\\r"\n',
  "import pexpect\nc = pexpect.spawn('ssh h')\nc.sendline('CANARY')",
  "define('DB_PASSWORD', 'CANARY');",
  'process.env.set("API_TOKEN", "CANARY")',
  '[Environment]::SetEnvironmentVariable("API_KEY","CANARY","User")',
  "keyring.set_password('x', 'me', 'CANARY')",
  'port 6379\nrequirepass CANARY\n',
  'echo "h:5432:db:me:CANARY" > ~/.pgpass',
  'BW_SESSION=CANARY bw list items',
  'x-functions-key: CANARY',
]

const HARMLESS = [
  'rclone copy a r:b && rclone ls r: && rclone config show',
  'cargo login && cargo publish',
  'twine upload dist/* && twine check dist/*',
  'composer config --list && composer install',
  'wrangler secret list && wrangler deploy',
  'pass show site && pass ls && bw sync && bw list items',
  'mc ls store && mc cp a store/b && mc alias list',
  'cqlsh -e "describe keyspaces" host',
  'echo done | tee log && echo hello | cat',
  'echo $TOKEN | docker login --password-stdin -u me',
  'docker login --password-stdin -u me <<< "$TOKEN"',
  'kubectl get secret x -o yaml && kubectl describe secret x',
  'kind: ConfigMap\ndata:\n  user: me\n  mode: fast',
  'kind: SecretStore\nspec:\n  data: x',
  'expect(result).toBe(1); spawn("ls"); channel.send("hello")'.replace('spawn("ls"); ', ''),
  'npm set script test "vitest run" && npm config set registry https://registry.example.com',
  'helm upgrade x y --set image.tag=v1 --set replicas=2',
  'openssl rand -hex 16 && openssl x509 -in a.pem -noout',
  'gh pr create --body "x" && gh issue list -l bug',
  'psql -p 5432 && ssh -p 2222 h && mkdir -p a && cp -p a b',
  'vault status && vault kv get secret/app',
  'az account show && aws s3 ls && gcloud projects list',
  'nmcli dev wifi list && nmcli con show home',
  'sqlplus -v && security list-keychains',
  'net use && net start x',
  'jwt decode x.y && htpasswd -c f me',
  'doctl compute droplet list && fly status && vercel ls',
  'echo hello | grep password',
  'cat notes | grep -i passphrase | wc -l',
  'nc h 80 <<< "GET /"',
  'conda config --add channels https://h/x',
  'read -r X <<< value',
  'docker run -u 1000 -p 8080:80 x',
]

describe('secrets that programs are given', () => {
  it.each(examples)('are left out of %s', (command) => {
    const shown = PLACES.map((place) => place.replace('COMMAND', () => command)).map(textOf)
    expect(shown.filter((text) => text.includes('CANARY'))).toEqual([])
    expect(textOf(textOf(command))).toBe(textOf(command))
    expect(textOf(command).split(' ')[0]).toBe(command.split(' ')[0])
  })

  it.each(readers)('are left out of what %s reads', (command) => {
    const shown = INPUTS.map((input) => input.replace('COMMAND', () => command)).map(textOf)
    expect(shown.filter((text) => text.includes('CANARY'))).toEqual([])
    expect(shown.every((text) => text.includes(command.split(' ')[0] ?? ''))).toBe(true)
  })

  it.each(SECRET_YAML)('are left out of a Secret of Kubernetes: %j', (text) => {
    expect(textOf(text)).not.toContain('CANARY')
    expect(textOf(`before\n${text}`)).toMatch(/^before\n/)
    expect(textOf(textOf(text))).toBe(textOf(text))
  })

  it('are left out of a Secret of Kubernetes that is an object, and of what quotes one of its values', () => {
    const secret = {
      kind: 'Secret',
      metadata: { name: 'x' },
      data: { user: 'CANARY0123' },
      stringData: { a: 'CANARY0123' },
    }
    expect(redacted({ secret, items: [secret] })).not.toContain('CANARY')
    expect(redacted({ secret, reason: 'it holds CANARY0123' })).not.toContain('CANARY')
    expect(
      redacted({ content: 'kind: Secret\ndata:\n  user: CANARY0123\n', reason: 'it holds CANARY0123' }),
    ).not.toContain('CANARY')
    expect(redacted({ command: 'bw unlock CANARY0123', reason: 'do not show CANARY0123' })).not.toContain('CANARY')
  })

  it.each(OTHER_PLACES)('are left out of %j', (text) => {
    expect(textOf(text)).not.toContain('CANARY')
    expect(textOf(textOf(text))).toBe(textOf(text))
  })

  it.each(HARMLESS)('do not hide %s', (text) => {
    expect(textOf(text)).toBe(text)
  })
})
