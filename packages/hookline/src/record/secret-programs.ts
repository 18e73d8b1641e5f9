/** Words between the name of a program and a secret, as parts of patterns; every repetition has a limit. */
const OPTIONS = '(?:-{1,2}[\\w-]{1,32}(?:=[^\\s]{1,256})?\\s{1,4}){0,6}'
const ANY = '[^\\s;|&]{1,256}\\s{1,4}'
/** A gap between a flag and its value in a command line, or in a list of arguments. */
export const GAP = '(?:\\s{1,4}=?\\s{0,4}|=|\\\\?["\'],\\s{0,8}\\\\?["\'])'
/** A name that says secret where it stands alone before its value. */
const KEY = '[\\w.:/-]{0,64}(?:pass(?:word|wd|phrase)?|pw|secret|token|key|auth|psk)\\w{0,16}'

/** A program that is given a secret by a word of its command line. */
export interface SecretProgram {
  /** Names of programs, with words that belong to them, as a pattern. */
  readonly programs: string
  /** Pattern of the text right before the secret. */
  readonly before: string
  /** Commands with CANARY where the secret is: a test looks at each. */
  readonly examples: readonly string[]
}

/** Programs that are given a secret by a word: behind a flag, or at a place. */
export const SECRET_PROGRAMS: readonly SecretProgram[] = [
  {
    programs:
      '(?:mysql|mariadb)[\\w-]{0,16}|sshpass|mongo(?:sh|dump|restore|export|import|top|stat|files)?|rabbitmqadmin',
    before: `-p(?!ass)${GAP}?`,
    examples: ['mysql -u root -pCANARY app', 'sshpass -p CANARY ssh me@host', 'mongosh -u me -p CANARY'],
  },
  { programs: '(?:mysql|mariadb-)admin', before: `password\\s{1,4}`, examples: ['mysqladmin -u root password CANARY'] },
  {
    programs: 'redis-cli|valkey-cli|keydb-cli|redis-benchmark',
    before: `(?:(?:-a|--pass)${GAP}|(?:AUTH|auth)\\s{1,4}(?:[^\\s"']{1,128}\\s{1,4})?|(?:requirepass|masterauth)\\s{1,4}|["']?>)`,
    examples: [
      'redis-cli -a CANARY ping',
      'redis-cli CONFIG SET requirepass CANARY',
      "redis-cli ACL SETUSER me on '>CANARY'",
    ],
  },
  {
    programs:
      '(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|oc|az|cf|argocd|ibmcloud|snyk|pulumi)(?:["\'\\s,]{1,4}[^\\s;|&"\']{1,32}){0,3}?["\'\\s,]{1,4}login',
    before: `-p${GAP}`,
    examples: ['docker login -u me -p CANARY', 'az login --service-principal -u x -p CANARY'],
  },
  {
    programs: 'ldap(?:search|add|modify|delete|passwd|whoami|compare|modrdn)',
    before: `-[ws]${GAP}?`,
    examples: ['ldapsearch -D cn=me -w CANARY -b dc=x', 'ldappasswd -s CANARY uid=x'],
  },
  {
    programs: 'sqlcmd|bcp|osql|isql|tsql|zip|unzip|mosquitto_(?:pub|sub)|ipmitool|ssh-keygen|mssql-cli|impdp|security',
    before: `-P${GAP}?`,
    examples: [
      'sqlcmd -S db -U sa -P CANARY',
      'unzip -P CANARY x.zip',
      'zip -P CANARY a.zip b',
      'security import x.p12 -P CANARY',
    ],
  },
  { programs: 'ssh-keygen', before: `-N${GAP}?`, examples: ["ssh-keygen -t ed25519 -N 'CANARY' -f key"] },
  { programs: '7za?|7zz|rar|unrar', before: '-h?p', examples: ['7z x -pCANARY x.7z', 'rar a -hpCANARY x.rar f'] },
  { programs: 'schtasks', before: `/[rR][pP]\\s{1,4}`, examples: ['schtasks /create /ru me /rp CANARY /tn x'] },
  { programs: 'swift', before: `(?:-K|--key)${GAP}`, examples: ['swift -A u -U me -K CANARY list'] },
  {
    programs: 'virsh secret-set-value',
    before: `(?:--base64${GAP}|[\\w-]{1,64}\\s{1,4}(?!-))`,
    examples: ['virsh secret-set-value x --base64 CANARY'],
  },
  {
    programs: 'debconf-set-selections',
    before: `<<<\\s{0,4}["'][^\\s"']{1,64}\\s{1,4}[^\\s"']{1,64}\\s{1,4}password\\s{1,4}`,
    examples: [`debconf-set-selections <<< 'x x/root_password password CANARY'`],
  },
  {
    programs: 'snmp(?:get|walk|set|bulkwalk|getnext)',
    before: `-[AXc]${GAP}`,
    examples: ['snmpwalk -v3 -A CANARY host'],
  },
  {
    programs: 'openssl|apksigner|jarsigner',
    before: `(?:(?:-pass(?:in|out)?|--(?:ks|key)-pass)${GAP}pass:|-[kK]${GAP}|-hmac${GAP}|-macopt${GAP}(?:hex)?key:|passwd\\s{1,4}(?:-salt\\s{1,4}[^\\s]{1,64}\\s{1,4}|-[\\w-]{1,32}\\s{1,4}){0,6}(?!-))`,
    examples: [
      'openssl rsa -in key -passin pass:CANARY',
      'openssl passwd -6 CANARY',
      'openssl passwd -1 -salt x CANARY',
      'openssl dgst -sha256 -hmac CANARY f',
      'apksigner sign --ks x --ks-pass pass:CANARY a.apk',
    ],
  },
  {
    programs: 'curl|wget',
    before: `(?:-b|--cookie|--pass)${GAP}(?![\\w./-]{1,256}(?:\\s|$))`,
    examples: ['curl -b "sid=CANARY" https://example.com'],
  },
  { programs: 'user(?:add|mod)', before: `-p${GAP}`, examples: ['useradd -p CANARY me'] },
  {
    programs: 'smbclient|rpcclient|smbmap|winexe|smbget|net',
    before: `(?:-U${GAP}?|--user=)["']?[^\\s%"']{1,128}%`,
    examples: ['smbclient //host/share -U me%CANARY'],
  },
  { programs: 'smbclient', before: `//[^\\s]{1,128}\\s{1,4}(?!-)`, examples: ['smbclient //host/share CANARY -U me'] },
  {
    programs: 'net',
    before: `use\\s{1,4}(?:${ANY}){1,2}?(?=[^\\s]{1,128}\\s{1,4}/user)`,
    examples: ['net use Z: //host/share CANARY /user:me'],
  },
  { programs: 'lftp', before: `-u${GAP}[^\\s,"']{1,128},`, examples: ['lftp -u me,CANARY sftp://host'] },
  {
    programs: 'htpasswd|mosquitto_passwd',
    before:
      '(?:-\\w{0,4}b\\w{0,4}\\s{1,4}(?:-\\w{1,4}\\s{1,4}){0,3}[^\\s]{1,256}\\s{1,4}[^\\s]{1,128}\\s{1,4}|-\\w{0,4}n\\w{0,4}\\s{1,4}(?:-\\w{1,4}\\s{1,4}){0,3}[^\\s]{1,128}\\s{1,4})',
    examples: ['htpasswd -b .htpasswd me CANARY', 'htpasswd -nbB me CANARY', 'mosquitto_passwd -b file me CANARY'],
  },
  {
    programs: 'https?|xhs?',
    before: `(?:-a|--auth)${GAP}(?:[^\\s:"']{1,128}:)?`,
    examples: ['http -a me:CANARY GET example.com', 'xh -A bearer -a CANARY example.com'],
  },
  {
    programs: 'rabbitmqctl',
    before: '(?:add_user|change_password|authenticate_user)\\s{1,4}[^\\s]{1,128}\\s{1,4}',
    examples: ['rabbitmqctl add_user me CANARY'],
  },
  {
    programs: 'vault',
    before: '(?:(?:login|unseal)\\s{1,4}(?!-)|-id=)',
    examples: ['vault login CANARY', 'vault operator unseal CANARY'],
  },
  {
    programs:
      '(?:gh|heroku|fly|flyctl|wrangler|doppler|vercel|netlify|op|vault|supabase|railway|firebase|eas|infisical)\\s{1,4}(?:(?:secrets?|variables?)(?::|\\s{1,4})(?:set|create)|config:(?:set|add)|functions:config:set|kv put|write|env:set|variables)',
    before: '["\']?[\\w./-]{1,64}=',
    examples: [
      'heroku config:set A=CANARY',
      'fly secrets set A=CANARY',
      'vault kv put secret/app user=CANARY',
      'supabase secrets set A=CANARY',
      'firebase functions:config:set a.b=CANARY',
    ],
  },
  {
    programs: 'netlify',
    before: `env:set\\s{1,4}[\\w-]{1,64}\\s{1,4}(?!-)`,
    examples: ['netlify env:set NAME CANARY'],
  },
  {
    programs: 'doppler',
    before: `secrets\\s{1,4}set\\s{1,4}[\\w-]{1,64}\\s{1,4}(?!-)`,
    examples: ['doppler secrets set NAME CANARY'],
  },
  {
    programs: 'pulumi',
    before: `config\\s{1,4}set\\s{1,4}(?=[^;|&\\n]{0,256}--secret)(?:--[\\w-]{1,32}\\s{1,4}){0,3}[\\w:.-]{1,64}\\s{1,4}(?!-)`,
    examples: ['pulumi config set --secret name CANARY', 'pulumi config set name CANARY --secret'],
  },
  { programs: 'gh secret set', before: `(?:-b${GAP}?|--body${GAP})`, examples: ['gh secret set NPM --body CANARY'] },
  {
    programs: 'gh variable set',
    before: `(?:-b|--body)${GAP}(?=[^\\s]{20})`,
    examples: ['gh variable set KEY --body CANARY0123456789abcdef'],
  },
  {
    programs: '(?:kubectl|oc) create secret',
    before: `--from-literal${GAP}["']?[\\w.-]{1,128}=`,
    examples: [
      'kubectl create secret generic x --from-literal=user=CANARY',
      'kubectl create secret generic x --from-literal user=CANARY',
    ],
  },
  {
    programs: '(?:kubectl|oc) patch secrets?',
    before: `(?:-p|--patch)${GAP}`,
    examples: [`kubectl patch secret x -p '{"data":{"user":"CANARY"}}'`],
  },
  {
    programs: 'rclone',
    before: `(?:obscure\\s{1,4}|--[\\w-]{0,40}pass${GAP}|(?<=config\\s[^;|&\\n]{0,256}\\s)${KEY}\\s{1,4})(?!-)`,
    examples: [
      'rclone obscure CANARY',
      'rclone config create r sftp host h user me pass CANARY',
      'rclone config password r pass CANARY',
      'rclone lsd r: --sftp-pass CANARY',
      'rclone config update r secret_access_key CANARY',
    ],
  },
  {
    programs: 'twine|poetry publish|flit|uv publish|hatch publish|pdm publish',
    before: `(?:-[pPta]|--auth)${GAP}`,
    examples: [
      'twine upload -u me -p CANARY dist/a',
      'poetry publish -u me -p CANARY',
      'uv publish -t CANARY',
      'hatch publish -u me -a CANARY',
    ],
  },
  {
    programs: 'poetry config|composer config|composer global config',
    before: `(?:${OPTIONS})(?:http-basic\\.[^\\s]{1,128}\\s{1,4}[^\\s]{1,128}\\s{1,4}|(?:pypi-token|github-oauth|gitlab-token|gitlab-oauth|bearer)\\.[^\\s]{1,128}\\s{1,4})`,
    examples: [
      'composer config http-basic.example.com me CANARY',
      'composer config --global github-oauth.github.com CANARY',
      'poetry config pypi-token.pypi CANARY',
      'poetry config http-basic.x me CANARY',
    ],
  },
  {
    programs: 'cargo|wandb|sentry-cli|huggingface-cli|hf auth|snyk|ngrok|cloudflared|hcloud|buf registry',
    before: `(?:login|authtoken|auth|add-authtoken|service\\s{1,4}install)\\s{1,4}(?:--registry${GAP}[^\\s]{1,64}\\s{1,4})?${OPTIONS}(?![-<])`,
    examples: [
      'cargo login CANARY',
      'cargo login --registry x CANARY',
      'wandb login CANARY',
      'ngrok authtoken CANARY',
      'ngrok config add-authtoken CANARY',
      'cloudflared service install CANARY',
      'snyk auth CANARY',
    ],
  },
  {
    programs: 'bw',
    before: `(?:unlock\\s{1,4}${OPTIONS}(?!-)|login\\s{1,4}${OPTIONS}[^\\s-][^\\s]{0,128}\\s{1,4}(?!-)|--session${GAP})`,
    examples: ['bw unlock CANARY', 'bw unlock --raw CANARY', 'bw login me@example.com CANARY'],
  },
  {
    programs:
      'evil-winrm|crackmapexec|cme|nxc|netexec|hydra|medusa|ncrack|rdesktop|bloodhound-python|kerbrute|cqlsh|cypher-shell|steghide|veracrypt|altool|clickhouse|ksql|snowsql|influx|duplicacy|ncftp|ncftpput|nuxeo|couchbase-cli|cbq|cbbackupmgr',
    before: `-[pH](?!ass)${GAP}?`,
    examples: [
      'evil-winrm -i h -u me -p CANARY',
      'evil-winrm -i h -u me -H CANARY',
      'nxc smb h -u me -p CANARY',
      'cqlsh -u me -p CANARY host',
      'cypher-shell -u me -p CANARY',
      'hydra -l me -p CANARY ssh://h',
      'rdesktop -u me -p CANARY h',
      'couchbase-cli server-list -c h -u me -p CANARY',
    ],
  },
  {
    programs:
      'impacket-\\w{1,32}|(?:psexec|wmiexec|smbexec|atexec|dcomexec|secretsdump|mssqlclient|GetUserSPNs|GetNPUsers|lookupsid|smbclient|ntlmrelayx)\\.py',
    before: `(?:[^\\s:@"']{1,128}:|-hashes${GAP})`,
    examples: [
      'impacket-psexec dom/me:CANARY@host',
      'secretsdump.py dom/me:CANARY@host',
      'wmiexec.py me@host -hashes CANARY',
    ],
  },
  {
    programs: 'x?freerdp3?|wlfreerdp|mstsc|cmdkey|signtool|winrs',
    before: `[/-](?:p|pass|password|pth)(?::|\\s{1,4})`,
    examples: [
      'xfreerdp /u:me /p:CANARY /v:h',
      'cmdkey /add:h /user:me /pass:CANARY',
      'signtool sign /f x.pfx /p CANARY a.exe',
      'winrs -r:host -u:me -p:CANARY dir',
    ],
  },
  { programs: 'plink|pscp|psftp|putty|kitty|klink', before: `-pw${GAP}`, examples: ['plink -ssh me@h -pw CANARY ls'] },
  {
    programs: 'mc|mcli|minio-client',
    before: `(?:alias\\s{1,4}set|config\\s{1,4}host\\s{1,4}add)\\s{1,4}${OPTIONS}[^\\s]{1,128}\\s{1,4}[^\\s]{1,256}\\s{1,4}[^\\s]{1,256}\\s{1,4}`,
    examples: [
      'mc alias set store https://minio.example.com me CANARY',
      'mc config host add store https://x me CANARY',
    ],
  },
  {
    programs: 'sqlplus|expdp|impdp|sqlldr|rman',
    before: `(?:${OPTIONS})["']?[^\\s/@"']{1,64}/`,
    examples: ['sqlplus me/CANARY@db', 'expdp me/CANARY@db full=y'],
  },
  {
    programs: 'neo4j-admin',
    before: `set-initial-password\\s{1,4}(?!-)`,
    examples: ['neo4j-admin dbms set-initial-password CANARY'],
  },
  {
    programs: 'security',
    before: `(?:(?:add|find)-(?:generic|internet)-password\\s[^;|&\\n]{0,256}?-w${GAP}|(?:unlock-keychain|create-keychain|set-key-partition-list)\\s[^;|&\\n]{0,256}?-[pk]${GAP})`,
    examples: ['security add-generic-password -a me -s x -w CANARY', 'security unlock-keychain -p CANARY x.keychain'],
  },
  { programs: 'slappasswd', before: `-s${GAP}`, examples: ['slappasswd -s CANARY'] },
  {
    programs: 'samba-tool',
    before: `user\\s{1,4}(?:create|add)\\s{1,4}${ANY}(?!-)`,
    examples: ['samba-tool user create me CANARY'],
  },
  { programs: 'wpa_passphrase', before: '[^\\s]{1,64}\\s{1,4}', examples: ['wpa_passphrase home CANARY'] },
  {
    programs: 'mkpasswd',
    before: '(?:-m\\s{1,4}[^\\s]{1,32}\\s{1,4}|-{1,2}[\\w=-]{1,32}\\s{1,4}){0,4}(?!-)',
    examples: ['mkpasswd -m sha-512 CANARY'],
  },
  {
    programs: 'nmcli|iwctl|wpa_cli|netsh',
    before: `(?:password|psk|passphrase|wep-key\\d?|wifi-sec\\.psk)["']?\\s{1,4}`,
    examples: ['nmcli dev wifi connect home password CANARY', 'nmcli con modify home wifi-sec.psk CANARY'],
  },
  {
    programs: 'networksetup',
    before: `-setairportnetwork\\s{1,4}${ANY}${ANY}`,
    examples: ['networksetup -setairportnetwork en0 home CANARY'],
  },
  { programs: 'dscl', before: `-passwd\\s{1,4}${ANY}`, examples: ['dscl . -passwd /Users/me CANARY'] },
  {
    programs: 'pdftk',
    before: `(?:input|user|owner)_pw\\s{1,4}`,
    examples: ['pdftk a.pdf input_pw CANARY output b.pdf'],
  },
  {
    programs: 'qpdf',
    before: `--encrypt\\s{1,4}(?:[^\\s]{1,128}\\s{1,4}(?=[^\\s]{1,128}\\s{1,4}\\d))?`,
    examples: ['qpdf --encrypt "" CANARY 256 -- a.pdf b.pdf'],
  },
  {
    programs: 'swaks|sendemail|sendEmail',
    before: `-(?:ap|xp)${GAP}`,
    examples: ['swaks --to a@b -au me -ap CANARY', 'sendemail -xu me -xp CANARY'],
  },
  {
    programs: 'jwt',
    before: `(?:-S|--secret|--key)${GAP}`,
    examples: ['jwt encode -S CANARY x=1', 'jwt encode --secret CANARY x=1'],
  },
  { programs: 'pk12util|certutil', before: `-[WK]${GAP}`, examples: ['pk12util -i a.p12 -W CANARY'] },
  {
    programs: 'mvn',
    before: `(?:-ep|-emp|--encrypt-(?:master-)?password)${GAP}`,
    examples: ['mvn --encrypt-password CANARY'],
  },
  {
    programs: 'dotnet user-secrets set',
    before: `["']?[\\w:.-]{1,64}["']?\\s{1,4}(?!-)`,
    examples: ['dotnet user-secrets set "A:B" CANARY'],
  },
  {
    programs: 'dotnet nuget push|nuget push|choco apikey',
    before: `-k${GAP}`,
    examples: ['dotnet nuget push a.nupkg -k CANARY'],
  },
  {
    programs: 'mc|mcli|minio-client',
    before: `admin\\s{1,4}user\\s{1,4}add\\s{1,4}${ANY}${ANY}(?!-)`,
    examples: ['mc admin user add store me CANARY'],
  },
  { programs: 'kaggle', before: `-v${GAP}`, examples: ['kaggle config set -n key -v CANARY'] },
  {
    programs:
      'glab variable set|dotenvx set|chamber write\\s{1,4}[^\\s]{1,64}|credstash put|consul acl set-agent-token',
    before: `[\\w./-]{1,64}\\s{1,4}(?!-)`,
    examples: [
      'glab variable set NAME CANARY',
      'dotenvx set NAME CANARY',
      'chamber write app name CANARY',
      'credstash put name CANARY',
      'consul acl set-agent-token agent CANARY',
    ],
  },
  {
    programs: 'consul kv put',
    before: `(?=[^\\s]{0,128}(?:secret|pass|token|key))[^\\s]{1,128}\\s{1,4}(?!-)`,
    examples: ['consul kv put secret/app CANARY'],
  },
  {
    programs: 'bundle config(?: set)?',
    before: `(?:--(?:global|local)\\s{1,4})?(?:https?://)?[\\w-]{1,64}\\.[\\w./-]{1,128}\\s{1,4}(?:[^\\s:]{1,128}:)?(?![-/])`,
    examples: ['bundle config set --global gems.example.com me:CANARY', 'bundle config gems.example.com CANARY'],
  },
  {
    programs:
      'dotnet nuget (?:add|update) source|expo login|eas login|supabase (?:db|link)(?: \\w{1,16})?|kadmin|openai|codecov(?:cli)?|ps[Ee]xec(?:64)?',
    before: `-[pwkt]${GAP}`,
    examples: [
      'dotnet nuget add source u -n x -u me -p CANARY',
      'expo login -u me -p CANARY',
      'supabase db push -p CANARY',
      'kadmin -w CANARY -q x',
      'openai -k CANARY api x',
      'codecov -t CANARY',
      'codecovcli upload-process -t CANARY',
      'psexec host -u me -p CANARY cmd',
    ],
  },
  {
    programs: 'doctl|vercel',
    before: `(?:auth\\s{1,4}init\\s{1,4}|^|(?<=\\s))-t${GAP}`,
    examples: ['doctl auth init -t CANARY', 'vercel -t CANARY'],
  },
  {
    programs: 'cf auth|terraform login|fly(?:ctl)? auth token',
    before: `(?:[^\\s-][^\\s]{0,128}\\s{1,4}(?=[^\\s;|&-]))?(?!-)`,
    examples: ['cf auth me CANARY', 'flyctl auth token CANARY'],
  },
  {
    programs: 'curl',
    before: `(?:-E|--cert|--proxy-cert)${GAP}[^\\s:"']{1,256}:`,
    examples: ['curl --cert c.pem:CANARY https://x'],
  },
  {
    programs: 'ansible-vault|travis',
    before: `encrypt(?:_string)?\\s{1,4}(?:["']?[A-Z_]{1,64}=)?(?![-<])`,
    examples: ['ansible-vault encrypt_string CANARY --name x', 'travis encrypt NAME=CANARY'],
  },
  {
    programs: 'llm keys set|eas env:create|gh variable set|vercel env add',
    before: `--value${GAP}`,
    examples: ['llm keys set openai --value CANARY', 'eas env:create --name X --value CANARY'],
  },
  {
    programs: 'netsh',
    before: `[^;|&\\n]{0,256}keyMaterial=`,
    examples: ['netsh wlan set profileparameter keyMaterial=CANARY'],
  },
  {
    programs: 'sops',
    before: `(?:--set${GAP}|set\\s{1,4}[^\\s]{1,128}\\s{1,4})["']?(?:\\[[^\\]]{1,64}\\]){1,8}["']?\\s{1,4}`,
    examples: [`sops --set '["db"] "CANARY"' f`, `sops set f '["db"]' '"CANARY"'`],
  },
  {
    programs: 'ConvertTo-SecureString',
    before: `(?:-String\\s{1,4})?`,
    examples: [`ConvertTo-SecureString "CANARY" -AsPlainText -Force`],
  },
  {
    programs: 'sonar-scanner|mvn|gradle|gradlew',
    before: `[^;|&\\n]{0,256}-Dsonar\\.login=`,
    examples: ['sonar-scanner -Dsonar.login=CANARY'],
  },
  {
    programs: 'rsync|wg',
    before: `[^;|&\\n]{0,256}<\\((?:echo|printf)\\s{1,4}(?:-\\w\\s{1,4})?`,
    examples: ['rsync --password-file=<(echo CANARY) a rsync://h/b', 'wg set wg0 private-key <(echo CANARY)'],
  },
  { programs: 'nuget setapikey', before: '(?!-)', examples: ['nuget setapikey CANARY'] },
  {
    programs: 'az keyvault secret set|eas secret:create|aws ssm put-parameter',
    before: `--value${GAP}`,
    examples: [
      'az keyvault secret set --vault-name v --name n --value CANARY',
      'aws ssm put-parameter --name n --type SecureString --value CANARY',
      'eas secret:create --name n --value CANARY',
    ],
  },
  {
    programs: 'doctl|glab|vercel|gitlab-runner|drone|fly|flyctl',
    before: `-[tr]${GAP}(?=[\\w./+=-]{16})`,
    examples: ['doctl auth init -t CANARY0123456789abcdef', 'vercel deploy -t CANARY0123456789abcdef'],
  },
  {
    programs: 'jenkins-cli|jenkins-cli\\.jar',
    before: `-auth${GAP}[^\\s:"']{1,128}:`,
    examples: ['java -jar jenkins-cli.jar -s x -auth me:CANARY build'],
  },
  {
    programs: '(?:npm|pnpm|yarn)(?:\\s{1,4}config)?\\s{1,4}set',
    before: `(?:-{1,2}[\\w-]{1,32}\\s{1,4}){0,3}["']?[^\\s=]{0,128}(?:_auth|_password|authToken|AuthToken|AuthIdent)["']?(?:\\s{1,4}|=)`,
    examples: [
      'npm set //registry.example.com/:_authToken CANARY',
      'npm config set _auth CANARY',
      'pnpm set //r.example.com/:_password=CANARY',
    ],
  },
  { programs: 'gpg2?', before: `--passphrase${GAP}`, examples: ['gpg --batch --passphrase CANARY -c f'] },
  {
    programs: 'sqlite3|sqlcipher',
    before: `[^;|&\\n]{0,256}PRAGMA\\s{1,4}(?:re)?key\\s{0,4}=\\s{0,4}`,
    examples: [`sqlcipher db "PRAGMA key = 'CANARY'"`],
  },
  {
    programs: 'beeline|winrm|vsce|ovsx|youtube-dl|yt-dlp|gallery-dl|pgloader|weblogic|jcmd',
    before: `-p${GAP}`,
    examples: ['beeline -u jdbc:hive2://h -n me -p CANARY', 'vsce publish -p CANARY', 'yt-dlp -u me -p CANARY url'],
  },
  {
    programs: 'pdf(?:totext|toppm|info|images|tohtml|tops|tocairo|detach|fonts|unite)|evince|mutool|xpdf',
    before: `-[uo]pw${GAP}`,
    examples: ['pdftotext -upw CANARY a.pdf', 'pdfinfo -opw CANARY a.pdf'],
  },
  {
    programs: 'op|bw',
    before: `(?:${ANY}){1,4}--session${GAP}`,
    examples: ['op item list --session CANARY', 'op signin --session CANARY'],
  },
  { programs: 'net1?(?:\\.exe)? user', before: `${ANY}(?!/)`, examples: ['net user me CANARY /add'] },
  { programs: 'iwconfig', before: `(?:${ANY}){1,4}key\\s{1,4}`, examples: ['iwconfig wlan0 essid x key CANARY'] },
  {
    programs: 'influx|twurl|vlt|databricks|mix hex\\.(?:user|organization)',
    before: `(?:${ANY}){0,6}(?:-t|--key)${GAP}`,
    examples: ['influx config create -n x -t CANARY', 'mix hex.organization auth x --key CANARY'],
  },
  { programs: 'isql|iusql', before: `(?!-)${ANY}(?!-)${ANY}(?!-)`, examples: ['isql dsn me CANARY'] },
  {
    programs: 'db2(?:\\s{1,4}["\']?connect|\\s{1,4}["\']?attach)',
    before: `(?:${ANY}){1,6}using\\s{1,4}`,
    examples: ['db2 connect to x user me using CANARY'],
  },
  {
    programs: 'crontab|borg|restic|duplicity',
    before: `(?:PASSPHRASE|PASSWORD)=`,
    examples: ['restic RESTIC_PASSWORD=CANARY'],
  },
  {
    programs: 'gcloud auth activate-refresh-token',
    before: `(?!-)${ANY}`,
    examples: ['gcloud auth activate-refresh-token me CANARY'],
  },
  { programs: 'op signin', before: `(?!-)${ANY}(?!-)${ANY}(?!-)`, examples: ['op signin my me@example.org CANARY'] },
  {
    programs: 'l?ftp|ncftp|tnftp',
    before: `user\\s{1,4}[^\\s,;"']{1,64}[\\s,]{1,4}`,
    examples: ["lftp -e 'user me CANARY; ls' h", "ftp -n h <<< 'user me CANARY'"],
  },
  {
    programs: 'mutool|racadm|airflow users create|irssi|kerbrute|crowbar',
    before: `(?:${ANY}){0,12}?-[pw]${GAP}`,
    examples: [
      'mutool clean -p CANARY a',
      'racadm -r h -u me -p CANARY x',
      'airflow users create -u me -p CANARY',
      'irssi -c h -w CANARY',
    ],
  },
  { programs: 'nuget', before: `(?:${ANY}){0,2}[sS]etApiKey\\s{1,4}`, examples: ['nuget setApiKey CANARY'] },
  {
    programs: 'conda|mamba|micromamba|anaconda|pixi',
    before: `(?:${ANY}){0,8}https?://[^\\s/]{1,128}/t/`,
    examples: ['conda config --add channels https://h/t/CANARY/x'],
  },
  { programs: 'snyk config set', before: `api=`, examples: ['snyk config set api=CANARY'] },
  {
    programs: 'salt|drush|grafana(?:-cli| cli)|[\\w-]{2,32}-admin',
    before: `(?:${ANY}){0,4}[\\w.:-]{0,32}(?:set_password|user:password|upwd|reset-admin-password|reset-password)\\s{1,4}(?:(?!-)[^\\s-][^\\s]{0,64}\\s{1,4}(?=\\S))?`,
    examples: [
      "salt '*' shadow.set_password me CANARY",
      'drush user:password me CANARY',
      'grafana-cli admin reset-admin-password CANARY',
    ],
  },
  {
    programs: 'kerbrute passwordspray',
    before: `(?:${ANY}){1,8}`,
    examples: ['kerbrute passwordspray -d d users.txt CANARY'],
  },
  {
    programs: '[\\w-]{2,32}\\s{1,4}secrets?',
    before: `(?:${ANY}){0,8}(?:--string-value|--data|--value|--body|--bytes-value)${GAP}`,
    examples: ['drone secret add --name x --data CANARY r', 'databricks secrets put-secret s k --string-value CANARY'],
  },
  {
    programs: 'b2(?:\\s{1,4}account)?\\s{1,4}authorize(?:-account)?',
    before: `(?!-)${ANY}(?!-)`,
    examples: ['b2 account authorize ID CANARY', 'b2 authorize-account ID CANARY'],
  },
  {
    programs: 'offlineimap',
    before: `(?:${ANY}){0,4}[\\w:]{1,64}pass=`,
    examples: ['offlineimap -k Account_x:remotepass=CANARY'],
  },
  { programs: 'twilio', before: `login\\s{1,4}${OPTIONS}${ANY}(?!-)`, examples: ['twilio login AC01 CANARY'] },
  { programs: 'steamcmd', before: `\\+login\\s{1,4}${ANY}(?!\\+)`, examples: ['steamcmd +login me CANARY +quit'] },
  {
    programs: 'ttyd|gotty|wetty',
    before: `(?:-c|--credential)${GAP}[^\\s:]{1,64}:`,
    examples: ['ttyd -c me:CANARY bash', 'gotty -c me:CANARY bash'],
  },
  {
    programs: 'nc|ncat|telnet|openssl s_client|socat',
    before: `AUTH\\s{1,4}(?:PLAIN|LOGIN)\\s{1,4}`,
    examples: ["nc h 25 <<< 'AUTH PLAIN CANARY'"],
  },
  // A word of the command says that it logs in, or that it sets something whose name says secret.
  {
    programs: 'login|signin|change-password|conan user',
    before: `-[tpw]${GAP}(?!-)`,
    examples: [
      'glab auth login -t CANARY',
      'conan remote login r me -p CANARY',
      'gitea admin user change-password -u me -p CANARY',
    ],
  },
  {
    programs: 'set|set-env|setenv|env:set|config:set',
    before: `${OPTIONS}(?:[\\w.-]{1,64}\\s{1,4}){0,2}?(?:[A-Z][A-Z0-9_]{0,64})?(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_KEY|ACCESS_KEY|PRIVATE_KEY|_PASS|_PWD)[A-Z0-9_]{0,32}\\s{1,4}(?:(?:--body|--value|-v|-b)${GAP})?(?![-=<|])`,
    examples: [
      'travis env set API_KEY CANARY',
      'cf set-env app DB_PASSWORD CANARY',
      'gh variable set API_TOKEN --body CANARY',
      'dotenv set API_KEY CANARY',
    ],
  },
  {
    programs: 'curl',
    before: `-[a-zA-Z]{1,8}u${GAP}["']?[^\\s:"']{1,128}:`,
    examples: ['curl -su me:CANARY https://example.com'],
  },
  {
    programs: 'arango(?:sh|dump|import|restore|export)',
    before: `--server\\.password${GAP}`,
    examples: ['arangosh --server.password CANARY'],
  },
  {
    programs: 'ncftp(?:get|put|ls)?|aescrypt|doveadm pw',
    before: `-p${GAP}`,
    examples: ['ncftpget -u me -p CANARY host', 'doveadm pw -p CANARY'],
  },
  {
    programs: 'doveadm auth test|mattermost user password',
    before: `${ANY}`,
    examples: ['doveadm auth test me CANARY', 'mattermost user password me CANARY'],
  },
  {
    programs: 'mmctl user change-password',
    before: `(?:${ANY})?--password${GAP}`,
    examples: ['mmctl user change-password me --password CANARY'],
  },
  {
    programs: 'vault token|npm token',
    before: '(?:lookup|renew|revoke)\\s{1,4}(?!-)',
    examples: ['vault token lookup CANARY', 'npm token revoke CANARY'],
  },
  {
    programs: 'fly(?:ctl)?|anaconda',
    before: `-t${GAP}(?=[\\w-]{8,256}(?:\\s|$))`,
    examples: ['fly -t CANARY-1234 deploy', 'anaconda -t CANARY-1234 upload x'],
  },
  {
    programs: 'ktutil|ipa-client-install|odoo',
    before: `-w${GAP}`,
    examples: ['ipa-client-install -w CANARY', 'odoo -w CANARY -r me'],
  },
  { programs: 'ldappasswd', before: `-a${GAP}`, examples: ['ldappasswd -a CANARY -D cn=x'] },
  { programs: 'radtest', before: `${OPTIONS}${ANY}`, examples: ['radtest me CANARY host 0 other'] },
  { programs: 'radtest', before: `${OPTIONS}(?:${ANY}){4}`, examples: ['radtest me other host 0 CANARY'] },
  {
    programs: 'hash-password',
    before: `(?:--plaintext${GAP}|(?!-))`,
    examples: ['caddy hash-password --plaintext CANARY', 'bin/console security:hash-password CANARY'],
  },
  { programs: 'lego', before: `--hmac${GAP}`, examples: ['lego --eab --hmac CANARY run'] },
  { programs: 'vmrun', before: `-[gv]p${GAP}`, examples: ['vmrun -gu me -gp CANARY x'] },
  { programs: 'teamviewer', before: 'passwd\\s{1,4}', examples: ['teamviewer passwd CANARY'] },
  { programs: 'vastai', before: 'set api-key\\s{1,4}', examples: ['vastai set api-key CANARY'] },
  {
    programs: 'duplicacy',
    before: `[^;|&\\n]{0,128}-value${GAP}`,
    examples: ['duplicacy set -key password -value CANARY'],
  },
  {
    programs: 'transmission-remote',
    before: `-n${GAP}["']?[^\\s:"']{1,128}:`,
    examples: ['transmission-remote -n me:CANARY'],
  },
  {
    programs: 'deluge-console',
    before: `["']?connect\\s{1,4}(?:${ANY}){2}`,
    examples: ['deluge-console "connect host me CANARY"'],
  },
  { programs: 'nikto', before: `-id${GAP}["']?[^\\s:"']{1,128}:`, examples: ['nikto -id me:CANARY -h host'] },
  { programs: 'gobuster|p4', before: `-P${GAP}`, examples: ['gobuster dir -U me -P CANARY', 'p4 -P CANARY sync'] },
  { programs: 'ccrypt', before: `-K${GAP}`, examples: ['ccrypt -K CANARY f'] },
  {
    programs: 'streamlink',
    before: `--http-header${GAP}["']?Authorization=(?:\\w{1,16}\\s{1,4})?`,
    examples: ["streamlink --http-header 'Authorization=OAuth CANARY' x"],
  },
  {
    programs: '(?:bitcoin|litecoin|dogecoin|dash)-cli',
    before: `${OPTIONS}(?:walletpassphrase|importprivkey|walletpassphrasechange|encryptwallet)\\s{1,4}`,
    examples: ['bitcoin-cli walletpassphrase CANARY 60', 'bitcoin-cli importprivkey CANARY'],
  },
  {
    programs: 'geth account import|encfs',
    before: `(?:[^;|&\\n]{0,128}<\\(\\s{0,4}|--extpass${GAP}["']?)echo\\s{1,4}(?:-n\\s{1,4})?`,
    examples: ['geth account import <(echo CANARY)', "encfs --extpass='echo CANARY' a b"],
  },
  {
    programs: 'rpmsign|rpm',
    before: `(?:--define|-D)${GAP}["']?_gpg_passphrase\\s{1,4}`,
    examples: ["rpmsign --define '_gpg_passphrase CANARY' a"],
  },
  {
    programs: '[Aa]zure[Ss]ign[Tt]ool',
    before: `[^;|&\\n]{0,256}-kvs${GAP}`,
    examples: ['AzureSignTool sign -kvs CANARY a'],
  },
  {
    programs: 'cvs',
    before: `-d${GAP}["']?:pserver:[^\\s:"']{1,64}:`,
    examples: ['cvs -d :pserver:me:CANARY@host:/r login'],
  },
  { programs: 'poll', before: `[^;|&\\n]{0,128}\\spass(?:word)?\\s{1,4}`, examples: ['poll host user me pass CANARY'] },
  { programs: 'berglas', before: `(?:create|update)\\s{1,4}${ANY}`, examples: ['berglas create bucket/x CANARY'] },
]

/** Programs that read a secret from stdin, as patterns from the name on; the flags that say so where not all do. */
export const STDIN_READERS: readonly { readonly reads: string; readonly examples: readonly string[] }[] = [
  { reads: 'sudo\\s(?:[^|;&\\n]{0,64}\\s)?-\\w{0,8}S', examples: ['sudo -S ls'] },
  {
    reads:
      '(?:chpasswd|passwd|createuser|kinit|smbpasswd|cryptsetup|su|zfs load-key|ssh-add|vncpasswd|tpm2_\\w{1,16}|wg (?:pubkey|set))(?!\\w)',
    examples: ['kinit me', 'cryptsetup open /dev/x y', 'wg pubkey'],
  },
  {
    reads:
      '[^|;&\\n]{0,256}(?:-stdin|--with-token|-pass stdin|-passphrase-fd 0|--passphrase-fd=0|--stdin-name|=/dev/stdin|(?:data|from)-file=-)(?![\\w])',
    examples: [
      'docker login --password-stdin -u me',
      'gh auth login --with-token',
      'gpg --batch --passphrase-fd 0 -c f',
      'gcloud secrets create x --data-file=-',
      'kubectl create secret generic x --from-file=a=/dev/stdin',
      'ansible-vault encrypt_string --stdin-name x',
      'glab auth login --stdin',
    ],
  },
  {
    reads: '(?:(?:dart|flutter)\\s{1,4})?pub\\s{1,4}token\\s{1,4}add(?![\\w-])',
    examples: ['dart pub token add https://h'],
  },
  {
    reads:
      '(?:wrangler|cf|gh|flyctl|fly|vercel|doppler|supabase|netlify|heroku|railway|circleci|docker|podman|vault|firebase|eas|travis|ntn|convex)\\s(?:[^|;&\\n]{0,64}\\s)?(?:secrets?(?::\\w{1,16})?\\s{1,4}(?:put|set|bulk|import|create|upload|add)|env\\s{1,4}add|functions:secrets:set|login|kv\\s{1,4}put|context\\s{1,4}store-secret|encrypt)(?![\\w-])',
    examples: [
      'wrangler secret put NAME',
      'npx wrangler secret put NAME --env x',
      'gh secret set NAME',
      'vercel env add NAME production',
      'fly secrets import',
      'docker secret create name -',
      'vault login -',
      'firebase functions:secrets:set NAME',
    ],
  },
  {
    reads:
      '(?:pass\\s{1,4}(?:insert|edit)|gopass\\s{1,4}(?:insert|cat)|bw\\s{1,4}(?:unlock|login|encode|create)|op\\s{1,4}(?:signin|item|account)|lpass\\s{1,4}(?:login|add|edit)|keepassxc-cli\\s{1,4}\\w{1,16}|secret-tool\\s{1,4}store|keyring\\s{1,4}set|security\\s{1,4}-i)(?!\\w)',
    examples: [
      'pass insert -e site',
      'pass insert -m site',
      'bw unlock',
      'secret-tool store --label x a b',
      'keyring set a b',
      'keepassxc-cli open db',
    ],
  },
  {
    reads:
      '(?:cargo|databricks|npm|yarn npm|pnpm|twine|huggingface-cli|wandb|snyk|sentry-cli|az|aws|gcloud|hcloud|doctl|terraform|helm|ngrok|tailscale)\\s(?:[^|;&\\n]{0,64}\\s)?(?:login|auth(?:\\s{1,4}init)?|adduser|configure|context\\s{1,4}create)(?!\\w)',
    examples: ['cargo login', 'npm login', 'doctl auth init', 'aws configure'],
  },
  {
    reads:
      '(?:rclone\\s{1,4}(?:obscure|config)|restic\\s|borg\\s{1,4}(?:init|key)|age\\s{1,4}-\\w{0,4}p|sops\\s|kubeseal\\s|pulumi\\s{1,4}config\\s{1,4}set|htpasswd\\s{1,4}-\\w{0,4}i|slappasswd|mkpasswd|openssl\\s{1,4}passwd|mysql_config_editor|keytool|step\\s{1,4}ca|composer\\s{1,4}config|git\\s{1,4}credential(?:-\\w{1,16})?\\s)',
    examples: ['rclone obscure -', 'pulumi config set --secret x', 'htpasswd -i f me', 'openssl passwd -6 -stdin'],
  },
  {
    reads:
      '(?:llm\\s{1,4}keys\\s{1,4}set|code-server\\s|fscrypt\\s|fetchmail(?!\\w)|runas\\s|sfd?x?\\s{1,4}(?:org|auth)|read\\s{1,4}-\\w{0,4}s|gsettings\\s)',
    examples: [
      'llm keys set openai',
      'code-server --auth password',
      'fetchmail -u me',
      'sf org login sfdx-url',
      'read -s PW',
    ],
  },
  {
    reads:
      '(?:gocryptfs|doas|realm\\s{1,4}(?:join|leave)|argon2|systemd-creds\\s{1,4}encrypt|scrypt\\s{1,4}(?:enc|dec)|solana-keygen\\s{1,4}\\w{1,16}|p4\\s(?:[^|;&\\n]{0,64}\\s)?login|ccrypt|ansible-vault)(?!\\w)',
    examples: [
      'gocryptfs -passfile /dev/stdin a b',
      'doas ls',
      'realm join -U me d',
      'argon2 salt',
      'scrypt enc f',
      'p4 -u me login',
    ],
  },
  // A word of the command says that it asks for one.
  {
    reads:
      '(?!\\s{0,4}(?:[efz]?grep|rg|ag|ack|g?sed|g?awk|jq|yq|wc|less|cat|tr|cut|head|tail|sort|tee|xargs|base64|base32|git\\s{1,4}(?:commit|grep|log))(?![\\w-]))(?=\\S)(?:[^|;&\\n<]{0,64}[\\s/])?[\\w:-]{0,32}(?:passwd|password|passphrase|keystore|credentials|stdinpass|keychain)[\\w:-]{0,32}(?=\\s|$)',
    examples: [
      'hdiutil create -stdinpass x',
      'ecryptfs-add-passphrase',
      'bin/rails credentials:edit',
      'elasticsearch-reset-password -u elastic -i',
      'kibana-keystore add x',
      './set-password me',
    ],
  },
]
