import { posix } from 'node:path'
import { readWord, type Value } from './value.ts'
import type { Certainty, Path, Place } from './view.ts'
import type { World } from './world.ts'

/** Places that a team names itself, as patterns of paths. */
export type OwnPlaces = Readonly<Partial<Record<Place, readonly string[]>>>

/** A path that a word may mean. */
export interface Located {
  readonly path: Path
  readonly certainty: Certainty
}

/** All that a word may mean as a path. */
export interface Location {
  readonly paths: readonly Located[]
  /** True when a part of the word is not known. */
  readonly unsure: boolean
}

/** Characters of a path that a system opens, and folders in the deepest that is usual: one beyond them is taken for the worst place. */
const MAX_PATH_CHARS = 4096
const MAX_PATH_PARTS = 128

/** Links that are followed in one path. */
const MAX_LINKS = 12

/** Files that a wildcard is compared with. */
const MAX_MATCHES = 64

/**
 * Names of files that hold secrets, wherever they lie, in small letters, each kind behind a part that such names have: most names
 * have none of these parts, and to compile all patterns would take longer than to read a call.
 */
const SECRET_NAMES: readonly (readonly [part: string, names: () => RegExp])[] = [
  ['env', () => /^(?:\.env(?:\..+)?|.+\.env)$/],
  ['vars', () => /^\.dev\.vars(?:\..+)?$/],
  ['pass', () => /^(?:\.?vault[-_]pass(?:word)?(?:\.txt)?|\.vaultpass(?:word)?(?:\.txt)?|\.pgpass|\.htpasswd)$/],
  ['vault', () => /^\.vault[-_]token$/],
  ['netrc', () => /^[._]netrc$/],
  ['.my.cnf', () => /^\.my\.cnf$/],
  ['pypirc', () => /^\.pypirc$/],
  ['cfg', () => /^\.(?:docker|s3|databricks)cfg$/],
  ['boto', () => /^\.boto$/],
  ['id_', () => /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/],
  ['.ppk', () => /^.+\.ppk$/],
  ['.p12', () => /^.+\.p12$/],
  ['.pfx', () => /^.+\.pfx$/],
  ['.jks', () => /^.+\.jks$/],
  ['.kdb', () => /^.+\.kdbx?$/],
  [
    'key',
    () =>
      /^(?:.+\.(?:keystore|asc\.key)|(?:.+[-_.])?(?:private|server|client|tls|ssl|master|signing|deploy|secret|prod(?:uction)?|ca)[-_.]?key(?:\.pem)?|[^.]+\.key|login\.keychain(?:-db)?|key[34]\.db)$/,
  ],
  ['priv', () => /^priv(?:ate)?[-_]?(?:key)?\d*\.pem$|^(?:.+[-_.])?private[-_.]?(?:key)?\.(?:asc|gpg|der|p8)$/],
  ['signing', () => /^(?:.+[-_.])?signing[-_.]?(?:key)?\.(?:asc|gpg|der|p8)$/],
  [
    'secret',
    () =>
      /^secrets?\.(?:ya?ml|json|toml|env|ini|txt)$|^client_secret[^/]*\.json$|^(?:.+[-_.])?secret[-_.]?(?:key)?\.(?:asc|gpg|der|p8)$/,
  ],
  ['service', () => /^service[-_]?account[^/]*\.json$/],
  [
    'credentials',
    () => /^(?:\.git-)?credentials$|^credentials(?:\.json|\.ya?ml|\.csv)$|^application_default_credentials\.json$/,
  ],
  ['logins', () => /^logins\.json$/],
  ['wallet', () => /^wallet\.dat$/],
  ['login data', () => /^login data$/],
  ['cookies', () => /^cookies$/],
  ['history', () => /^(?:\.(?:bash|zsh|sh|python|node_repl|psql|mysql|sqlite|rediscli|irb)_history|fish_history)$/],
]

/** Names that a pattern is tried on, to see whether it is made for secrets. */
const SECRET_EXAMPLES = [
  '.env',
  '.env.local',
  '.env.production',
  'id_rsa',
  'id_ed25519',
  '.netrc',
  '.pgpass',
  '.git-credentials',
  'server.key',
  'credentials',
]

/** A key that has the ending of certificates too: one of the project is often a certificate, one that is searched for elsewhere is none. */
const PEM_EXAMPLE = 'id.pem'

/** Names that look like those and hold nothing. */
const NO_SECRET_NAMES =
  /(?:[._-](?:example|sample|template|tmpl|dist|defaults?|schema|tests?|ci|vault|spec)$|\.pub$|^\.env\.(?:d\.ts|[jt]s|md)$|\.(?:ts|tsx|js|py|go|rs|md)$)/

/** Secrets of a home, by their path in it. */
const SECRET_IN_HOME =
  /^(?:\.ssh(?:$|\/(?!config$|known_hosts|authorized_keys|rc$|.*\.pub$))|\.aws(?:$|\/(?!config$))|\.gnupg(?:$|\/)|\.azure(?:$|\/)|\.kube\/(?:config|.*\.ya?ml)$|\.docker\/config\.json$|\.config\/(?:gh\/hosts\.yml|gcloud|op|hub|doctl|rclone|sops\/age|containers\/auth\.json|composer\/auth\.json|configstore|google-chrome|chromium|BraveSoftware|1Password|Bitwarden|helm\/repositories\.yaml|stripe)(?:$|\/)|\.config\/(?:gh\/hosts\.yml|hub|rclone\/rclone\.conf)$|\.npmrc$|\.yarnrc\.yml$|\.cargo\/credentials(?:\.toml)?$|\.gem\/credentials$|\.terraform\.d\/credentials|\.password-store(?:$|\/)|\.local\/share\/(?:keyrings|kwalletd|gnome-keyring)|Library\/(?:Keychains|Cookies|Application Support\/(?:Google\/Chrome|Firefox|1Password|com\.apple\.TCC))|\.mozilla(?:$|\/)|\.oci(?:$|\/)|\.snowsql|\.netlify|\.heroku|\.fly\/config|\.railway\/config\.json$|\.supabase\/access-token|\.expo\/state\.json$|\.wrangler\/config\/|\.config\/\.wrangler\/config\/|\.cloudflared\/.*(?:\.json|\.pem)$|\.(?:ngrok2|config\/ngrok)\/ngrok\.yml$|\.vercel\/auth\.json$|\.local\/share\/com\.vercel\.cli\/auth\.json$|Library\/Application Support\/com\.vercel\.cli\/auth\.json$|\.pulumi\/credentials\.json$|\.circleci\/cli\.yml$|\.travis\/config\.yml$|\.kaggle\/kaggle\.json$|\.(?:cache\/)?huggingface\/(?:token|stored_tokens)$|\.snowflake\/|\.dbt\/profiles\.yml$|\.sentryclirc$|\.bundle\/config$|\.nuget\/NuGet\/NuGet\.Config$|\.chef\/.*\.pem$|\.aliyun\/config\.json$|\.bluemix\/config\.json$|\.config\/(?:gh$|helm\/registry\/config\.json|pypoetry\/auth\.toml|git\/credentials|Code\/User\/globalStorage\/state\.vscdb|mysql\/login|hcloud\/cli\.toml|scw\/config\.yaml|linode-cli|exoscale|flyctl|netlify\/config\.json|turso|glab-cli|tea\/config\.yml|solana\/id\.json|Authy|Slack\/|discord\/|Signal\/|jgit|neonctl|heroku|firebase|github-cli)|\.vnc\/passwd$|\.talos\/config$|\.influxdbv2\/configs$|\.mylogin\.cnf$|\.ovh\.conf$|\.msmtprc$|\.fetchmailrc$|\.smbcredentials$|\.davfs2\/secrets$|\.android\/adbkey$|\.purple\/accounts\.xml$|\.thunderbird(?:$|\/)|\.weechat\/sec\.conf$|\.config\/weechat\/sec\.conf$|\.restic-pass|\.config\/(?:age|keepassxc|Element|Cypress\/cy)|\.age\/|\.config\/sops(?:$|\/)|\.op(?:$|\/)|\.lastpass(?:$|\/)|\.step\/secrets|\.minikube\/.*\.key$|\.terraformrc$|\.tfrc$|\.trino_password|\.sqlplus|\.openai|\.anthropic\/|\.acme\.sh\/.*\.key$|\.m2\/settings(?:-security)?\.xml$|\.gradle\/gradle\.properties$|\.composer\/auth\.json$|\.bitcoin|\.ethereum|\.electrum|\.bash_history$|\.zsh_history$|\.python_history$|\.codex\/auth\.json$|\.claude\/\.credentials\.json$|\.gemini\/oauth_creds\.json$)/

/** Folders of a home in which little lies beside a secret: a program that reads one whole reads that. */
const SECRET_FOLDERS = /^\.(?:docker|kube|gem|config\/(?:gh|hub|rclone|containers|composer|helm))$/

/** Secrets of the system. */
const SECRET_IN_SYSTEM =
  /^(?:\/etc\/(?:shadow|gshadow|sudoers|security\/opasswd|ssl\/private|krb5\.keytab|ssh\/ssh_host_[^/]*_key$|rancher|kubernetes\/(?:pki|admin\.conf)|mysql\/debian\.cnf|NetworkManager\/system-connections|wireguard|openvpn\/.*\.key|letsencrypt\/(?:keys|accounts|.*\/privkey)|ppp\/(?:chap|pap)-secrets|ipsec\.secrets|samba\/private|postfix\/sasl_passwd|exim4\/passwd|davfs2\/secrets|libvirt\/secrets)|\/(?:var\/)?run\/secrets|\/proc\/[^/]+\/environ|\/root\/\.(?:ssh|aws|netrc|gnupg|kube)|\/var\/lib\/(?:docker\/secrets|kubelet\/pki)|\/Library\/Keychains|\/private\/etc\/master\.passwd)/

/** Files of a home that a shell, a session or git runs by itself. */
const STARTUP_IN_HOME =
  /^(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|mkshrc|cshrc|tcshrc|login|logout|xinitrc|xprofile|xsession|xsessionrc|inputrc|pam_environment|gitconfig|vimrc|gdbinit|pythonrc|pryrc|irbrc|Rprofile|condarc|curlrc|wgetrc|psqlrc|sqliterc|duckdbrc|mongo(?:sh)?rc\.js|screenrc|tmux\.conf|forward|envrc|mailcap|emacs)|\.config\/(?:fish|autostart|systemd|i3|sway|hypr|bspwm|awesome|openbox|sxhkd|environment\.d|git|plasma-workspace|powershell|nushell|nvim|direnv|pip|ipython|kitty|alacritty)(?:$|\/)|\.zsh(?:rc)?\.d\/|\.bashrc\.d\/|\.oh-my-zsh\/custom|\.local\/share\/(?:systemd|applications|bash-completion)\/|Library\/(?:LaunchAgents|LaunchDaemons|StartupItems|Application Scripts)|\.ssh\/(?:authorized_keys2?|rc|config|environment)$|\.git-templates?(?:$|\/)|\.emacs\.d\/|\.vim\/|\.ipython\/|\.jupyter\/|\.pip\/|Documents\/(?:Windows)?PowerShell\/|(?:\.local\/|\.)?bin\/(?:ba|z|da|fi)?sh$|(?:\.local\/|\.)?bin\/(?:git|ssh|scp|sudo|su|ls|cat|cp|mv|rm|cd|grep|find|env|curl|wget|gpg|npm|npx|python3?|passwd|which|node|yarn|pnpm|bun|deno|pip3?|make|docker|kubectl|code|vim?|nano|less|man|ps|tar|sed|awk|tmux|gh|go|cargo|ruby|perl|php|java|mvn|gradle|terraform|aws|gcloud|az|psql|mysql|claude|codex|gemini|cursor|doas|open|xdg-open)$)/

/** Files that an interpreter runs by itself wherever it is started. */
const STARTUP_NAMES = /(?:^|\/)(?:site|user)customize\.py$|site-packages\/[^/]+\.pth$/

/** Files of the system that it runs by itself. */
const STARTUP_IN_SYSTEM =
  /^(?:\/etc\/(?:cron|anacrontab|at\.|systemd|init\.d|init$|rc\d?\.|rc$|rc\.local|profile|bash\.bashrc|bashrc|zsh|environment|ld\.so\.preload|xdg\/autostart|update-motd\.d|pam\.d|udev|network\/if-|NetworkManager\/dispatcher|launchd)|\/var\/spool\/(?:cron|at)|(?:\/usr)?\/lib\/systemd|\/usr\/local\/lib\/systemd|\/(?:System\/)?Library\/(?:LaunchAgents|LaunchDaemons|StartupItems)|\/root\/\.(?:bashrc|profile|bash_profile|zshrc|ssh\/authorized_keys))/

/** Files of the project that git, a shell or an editor runs by itself. */
const STARTUP_IN_PROJECT =
  /^(?:\.git\/(?:hooks(?:$|\/)|config$|config\.worktree$|modules\/.*\/hooks\/)|\.husky(?:$|\/(?!.*\.md$))|\.envrc$|\.githooks(?:$|\/)|lefthook\.yml$|\.devcontainer\/devcontainer\.json$)/

/** Settings and hooks of agents, in a home or a project. */
const AGENT_FILES =
  /^(?:\.claude(?:$|\/(?:$|settings[^/]*\.json|hooks(?:$|\/)|plugins(?:$|\/)|managed|statusline))|\.claude\.json|\.mcp\.json$|\.(?:cursor|codex|gemini|windsurf|codeium|continue|qwen|cline|roo|kilocode|kiro|opencode|crush|augment|amazonq|aws\/amazonq|factory|trae|copilot|goose|hookline|amp|droid)(?:$|\/(?:$|.*(?:settings|config|mcp|hooks|permissions|rules|trust|guards)[^/]*(?:$|\/)|.*\.(?:json|toml)$))|\.config\/(?:opencode|goose|hookline|amp|crush|github-copilot|zed)(?:$|\/)|\.vscode\/mcp\.json$|\.hookline(?:$|\/)|\.aider\.conf\.yml$|opencode\.jsonc?$|\.clinerules|\.github\/hooks(?:$|\/)|Library\/Application Support\/(?:ClaudeCode|Claude)(?:$|\/))/

/** Logins of agents, among their settings. */
const AGENT_LOGINS =
  /^\.(?:codex|gemini|qwen|cursor|copilot|opencode|factory|kiro|aws\/amazonq|continue|codeium|windsurf)\/(?:.*\/)?(?:auth|oauth_creds|credentials|google_accounts|tokens?|\.credentials)[^/]*\.json$|^\.local\/share\/(?:opencode|crush|goose)\/auth\.json$|^\.config\/github-copilot\/(?:hosts|apps)\.json$/

/** Settings of agents for the whole machine. */
const AGENT_IN_SYSTEM =
  /^(?:\/etc\/(?:claude-code|codex|gemini-cli|hookline|opencode)|\/Library\/Application Support\/ClaudeCode)(?:$|\/)/

/** The program that guards are, wherever it is installed. */
const OWN_PROGRAM = /(?:^|\/)\.?bin\/hookline$|\/node_modules\/hookline(?:\/|$)/

/** Folders and files that a build makes anew. */
const BUILT_NAMES = new Set(
  'node_modules dist build out target .next .nuxt .turbo .cache .parcel-cache .svelte-kit .output .vite .angular coverage .nyc_output __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv .eggs .gradle obj Debug Release _build deps .dart_tool Pods DerivedData .terraform .serverless .webpack storybook-static .docusaurus htmlcov .hypothesis site-packages bower_components elm-stuff vendor tmp temp .tmp logs log test-results playwright-report .eslintcache .stylelintcache .DS_Store Thumbs.db public-build cmake-build-debug cmake-build-release zig-cache zig-out .bundle .expo .vercel .netlify .wrangler .firebase .pnpm-store .yarn'.split(
    ' ',
  ),
)
const BUILT_FILES =
  /\.(?:pyc|pyo|o|obj|class|log|tmp|bak|orig|rej|swp|swo|map|tsbuildinfo|lcov|gcda|gcno|min\.js|egg-info|whl|tgz|pid|out)$|~$/

/** Caches of a home, which their programs fill again. */
const CACHES =
  /^(?:\.cache\/.|\.npm\/_(?:cacache|npx|logs)|\.yarn\/(?:cache|berry)|\.pnpm-store|\.local\/share\/pnpm\/store|\.cargo\/registry|\.gradle\/caches|\.m2\/repository|go\/pkg|\.bun\/install\/cache|\.nuget\/packages|Library\/Caches\/.|\.npm$|\.cache$|\.deno|\.ivy2\/cache|\.ccache|\.terraform\.d\/plugin-cache|\.rustup\/tmp|\.vscode-server\/data\/logs|\.android\/build-cache)/

/** Devices that hold nothing and harm nothing. */
const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|tty|ptmx|pts\/\d+|fd(?:\/\d+)?)$/

const PROJECT_MARKS = [
  '.git',
  'package.json',
  'Cargo.toml',
  'pyproject.toml',
  'go.mod',
  'pom.xml',
  'composer.json',
  'Gemfile',
]

/** The worst place first: a pattern that matches several is said to lie in the worst. */
const WORST: readonly Place[] = [
  'device',
  'secret',
  'agent',
  'git',
  'startup',
  'home',
  'neighbour',
  'system',
  'project',
  'built',
  'temp',
  'remote',
]

/** True for a device that can be written without harm. */
export function isHarmlessDevice(path: string): boolean {
  return HARMLESS_DEVICES.test(path)
}

/** Folders in which what the user deletes is kept for a while. */
const TRASH = /\/\.local\/share\/Trash(?:\/|$)|\/\.Trash(?:\/|$)/

/** True for a path in the trash. */
export function isTrash(path: string): boolean {
  return TRASH.test(path)
}

/** Devices that are disks. */
const DISK = /^\/dev\/(?:[svx]?v?d[a-z]\d*$|nvme|mmcblk|r?disk\d|mapper\/|md\d|dm-|loop\d|sr\d|mtd|ubi\d|nbd\d|xvd)/

/** True for a device that is a disk, or a part of one. */
export function isDisk(path: string): boolean {
  return DISK.test(path)
}

/** True for a path of the home that its program fills again. */
export function isCache(world: World, path: string): boolean {
  return path.startsWith(`${world.home}/`) && CACHES.test(path.slice(world.home.length + 1))
}

/** Beginning of a path in a container that is no folder of this machine. */
export const IN_CONTAINER = 'container:'

/** Finds the paths that a word may mean in a folder; `follow`: the last part too is followed if it is a link. */
export function locate(
  map: PlaceMap,
  value: Value,
  { folder, follow, certainty = 'certain' }: { folder: string; follow: boolean; certainty?: Certainty },
): Location {
  const text = readWord(value)
  if (text !== null) {
    if (text === '') return { paths: [], unsure: false }
    const path = text.startsWith('file:///') ? text.slice('file://'.length) : fromWindows(map.world, text)
    return {
      paths: [{ path: placePath(map, path, { folder, follow, glob: isGlob(value) }), certainty }],
      unsure: false,
    }
  }
  return locateUnsure(map, value, { folder, follow })
}

/** A path of Windows as shells of other systems write it: `C:/Users/dev` is the home. */
function fromWindows({ home }: World, text: string): string {
  const [drive] = /^[a-z]:[\\/]/i.exec(text) ?? []
  if (drive === undefined) return text
  const path = text.slice(drive.length - 1).replaceAll('\\', '/')
  const user = /^\/Users\/[^/]+/i.exec(path)?.[0]
  return user === undefined ? `/windows${path}` : home + path.slice(user.length)
}

function locateUnsure(map: PlaceMap, value: Value, { folder, follow }: { folder: string; follow: boolean }): Location {
  const paths: Located[] = []
  const add = (text: string, certainty: Certainty, glob: boolean) => {
    if (text === '') return
    paths.push({ path: placePath(map, text, { folder, follow, glob }), certainty })
  }
  const unknowns = value.pieces.filter((piece) => piece.is === 'unknown')
  const withDefaults = value.pieces.map((piece) => (piece.is === 'unknown' ? (piece.otherwise ?? null) : piece.text))
  if (withDefaults.every((text) => text !== null)) add(withDefaults.join(''), 'likely', isGlob(value))
  else {
    const filled = value.pieces
      .map((piece) => (piece.is === 'unknown' ? (piece.otherwise ?? '*') : piece.text))
      .join('')
    const start = value.pieces[0]
    const beginning = start && start.is !== 'unknown' ? start.text : ''
    if (beginning !== '') add(filled, unknowns.every(({ empty }) => !empty) ? 'certain' : 'likely', true)
    const emptied = value.pieces
      .map((piece) => (piece.is === 'unknown' ? (piece.otherwise ?? '') : piece.text))
      .join('')
    if (unknowns.every(({ empty }) => empty) && (beginning === '' || emptied.length < filled.length))
      add(emptied, 'possible', isGlob(value))
    // An unknown beginning in front of a name that the home has may be the home.
    const inHome = posix.join(map.world.home, emptied)
    if (start?.is === 'unknown' && /^\/\w/.test(emptied) && map.world.findKind(inHome) !== null)
      add(inHome, 'possible', isGlob(value))
  }
  return {
    paths,
    unsure: unknowns.some(({ empty, otherwise }) => empty || otherwise !== undefined) || paths.length === 0,
  }
}

function isGlob({ pieces }: Value): boolean {
  return pieces.some(({ is }) => is === 'glob')
}

/** The look at the disk together with links that the call itself makes and places that a team names. */
export interface PlaceMap {
  readonly world: World
  readonly own: OwnPlaces
  /** Links that the call makes, by path. */
  readonly links: ReadonlyMap<string, string>
  /** Folders of the host, by where a container sees them; null outside of one. */
  readonly mounts: readonly Mount[] | null
  /** The other machine that paths belong to. */
  readonly host: string | null
  readonly cache: Map<string, Path>
}

/** A folder of the host in a container. */
export interface Mount {
  readonly inside: string
  readonly outside: string
}

/** A path with its links followed and its place. */
function placePath(
  map: PlaceMap,
  text: string,
  { folder, follow, glob }: { folder: string; follow: boolean; glob: boolean },
): Path {
  if (map.host !== null) return { text: `${map.host}:${text}`, place: 'remote', exists: true }
  const key = `${folder}\0${text}\0${follow}${glob}${map.links.size}${map.mounts?.length ?? ''}`
  const seen = map.cache.get(key)
  if (seen) return seen
  const path = findPlace(map, text, { folder, follow, glob })
  map.cache.set(key, path)
  return path
}

/** The absolute path of a text: `..` behind a link leads to the folder above what the link leads to. */
function writeOut(map: PlaceMap, text: string, folder: string): string {
  if (!/[^./]\/+\.\.(?:\/|$)/.test(text))
    return text.startsWith('/') ? posix.normalize(text) : posix.resolve(folder, text)
  let at = text.startsWith('/') ? '/' : folder
  for (const part of text.split('/')) {
    if (part === '' || part === '.') continue
    at = part === '..' ? posix.dirname(followLinks(map, at, { last: true })) : posix.join(at, part)
  }
  return at
}

/** A path by way of a process: its root is the root, its folder the one of the call. */
function leaveProcess(path: string, folder: string): string {
  const [start, part] = /^\/proc\/(?:self|thread-self|\d+)\/(root|cwd)(?=\/|$)/.exec(path) ?? []
  if (start === undefined) return path
  const rest = path.slice(start.length)
  return part === 'cwd' ? posix.join(folder, rest) : posix.join('/', rest)
}

function findPlace(
  map: PlaceMap,
  text: string,
  { folder, follow, glob }: { folder: string; follow: boolean; glob: boolean },
): Path {
  const written = leaveProcess(writeOut(map, text, folder), folder)
  if (written.length > MAX_PATH_CHARS || splitPath(written).length > MAX_PATH_PARTS)
    return { text: written, place: 'system', exists: false }
  const absolute = leaveContainer(map, written)
  if (absolute === null) return { text: `${IN_CONTAINER}${written}`, place: 'temp', exists: true }
  if (!glob) {
    const path = followLinks(map, absolute, { last: follow || /\/\.?$/.test(text) })
    return { text: path, place: classifyPath(map, path), exists: map.world.findKind(path) !== null }
  }
  const base = followLinks(map, cutAtWildcard(absolute), { last: true })
  const rest = absolute.slice(cutAtWildcard(absolute).length).replace(/^\//, '')
  const full = rest === '' ? base : posix.join(base, rest)
  const matches = expand(
    map.world,
    base,
    rest.split('/').filter((part) => part !== ''),
  )
  const last = rest.split('/').at(-1) ?? ''
  const isSecret =
    (rest.includes('**') &&
      /[^*?]/.test(last) &&
      (SECRET_EXAMPLES.some((name) => compileGlob(last).test(name)) ||
        (compileGlob(last).test(PEM_EXAMPLE) && cutFolder(map.world.home, base) !== null))) ||
    (matches.length === 0 && isSecretFolder(map.world, base))
  const places = matches.map((match) => classifyPath(map, followLinks(map, match, { last: follow })))
  const own = rest.includes('/') || matches.length === 0 ? classifyPath(map, posix.join(base, toExample(rest))) : null
  const below = findTailPlace(map, base, rest)
  const all = [...places, ...(own ? [own] : []), ...(below ? [below] : [])]
  const worst = WORST.find((place) => all.includes(place))
  const baseLevel = isAboveHome(map.world, full) && worst !== 'secret' && worst !== 'device' ? 'home' : null
  const isAgent =
    rest.includes('**') &&
    (/[^*?]/.test(last) ? hasAgentFile(map, base, compileGlob(last)) : classifyPath(map, base) === 'agent')
  return {
    text: full,
    place:
      (isSecret ? 'secret' : null) ??
      (isAgent ? 'agent' : null) ??
      (/\/\*\*\/\.git$/.test(full) ? 'git' : baseLevel) ??
      worst ??
      'system',
    exists: matches.length > 0 || (rest.includes('**') && map.world.findKind(base) !== null),
  }
}

/** The place that the end of a pattern names by itself, wherever it lies below a folder: that of hooks of an agent, for a path that ends in `.claude/hooks`. */
function findTailPlace(map: PlaceMap, base: string, rest: string): Place | null {
  const at = rest.lastIndexOf('**/')
  const tail = at === -1 ? '' : rest.slice(at + 3)
  if (!tail.includes('/') || !/^[\w.][^*?[]*\//.test(tail)) return null
  const place = classifyPath(map, posix.join(base, tail.replaceAll(/[*?[\]]+/g, 'x')))
  return /^(?:agent|git|secret|startup)$/.test(place) ? place : null
}

/** Settings of agents that a pattern below a folder may take in. */
const AGENT_EXAMPLES = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.mcp.json',
  '.hookline/guards.json',
  '.codex/config.toml',
  '.gemini/settings.json',
  '.cursor/hooks.json',
]

/** True for a name below a folder that is the one of settings that are there. */
function hasAgentFile({ world }: PlaceMap, base: string, name: RegExp): boolean {
  return AGENT_EXAMPLES.some((file) => {
    if (!name.test(posix.basename(file))) return false
    return [world.project, world.home].some((folder) => {
      const path = posix.join(folder, file)
      return cutFolder(path, base) !== null && world.findKind(path) !== null
    })
  })
}

/** A path that a pattern matches. */
function toExample(glob: string): string {
  return glob.includes('**') ? 'x' : glob.replaceAll(/[*?[\]]/g, 'x') || '.'
}

/** True for a pattern that takes in the home as a whole. */
function isAboveHome(world: World, path: string): boolean {
  const start = cutAtWildcard(path)
  if (start === '/' || !`${world.home}/`.startsWith(`${start}/`) || start === world.home) return false
  const home = world.home.split('/')
  const parts = path.split('/')
  const deep = parts.findIndex((part) => part.includes('**'))
  const compared = parts.slice(0, deep === -1 ? home.length : Math.min(deep, home.length))
  return compared.every((part, at) => part === home[at] || compileGlob(part).test(home[at] ?? ''))
}

/** The part of a path before the first wildcard. */
function cutAtWildcard(path: string): string {
  const at = path.search(/[*?[]|\{/)
  if (at === -1) return path
  const start = path.slice(0, path.lastIndexOf('/', at))
  return start === '' ? '/' : start
}

function leaveContainer({ mounts }: PlaceMap, path: string): string | null {
  if (mounts === null) return path
  const mount = mounts.find(({ inside }) => path === inside || path.startsWith(inside === '/' ? '/' : `${inside}/`))
  return mount ? posix.join(mount.outside, path.slice(mount.inside.length)) : null
}

function followLinks(map: PlaceMap, path: string, { last }: { last: boolean }): string {
  let done = ''
  let parts = splitPath(path)
  let left = MAX_LINKS
  for (let at = 0; at < parts.length; at++) {
    const here = `${done}/${parts[at]}`
    const mayFollow = (at < parts.length - 1 || last) && left > 0
    const target = mayFollow ? readKnownLink(map, here) : null
    if (target === null) {
      done = here
    } else {
      left -= 1
      parts = [...splitPath(posix.resolve(done === '' ? '/' : done, target)), ...parts.slice(at + 1)]
      at = -1
      done = ''
    }
  }
  return done === '' ? '/' : done
}

function splitPath(path: string): string[] {
  return path.split('/').filter((part) => part !== '')
}

function readKnownLink({ world, links }: PlaceMap, path: string): string | null {
  const made = links.get(path)
  if (made !== undefined) return made
  return world.findKind(path) === 'link' ? world.readLink(path) : null
}

function expand(world: World, base: string, parts: readonly string[]): string[] {
  let found = [base]
  for (const part of parts) {
    if (part === '**' || found.length === 0) return []
    const wild = /[*?[]/.test(part)
    const matches = wild ? compileGlob(part) : null
    found = found
      .flatMap((folder) => {
        if (!matches) return world.findKind(posix.join(folder, part)) === null ? [] : [posix.join(folder, part)]
        const names = world.list(folder) ?? []
        return names.filter((name) => matches.test(name)).map((name) => posix.join(folder, name))
      })
      .slice(0, MAX_MATCHES)
  }
  return found
}

/** Turns a wildcard of one path component into an expression. */
export function compileGlob(glob: string): RegExp {
  const closed = glob.lastIndexOf(']') + 1 // no bracket behind it is a set
  const start = glob.slice(0, closed).replaceAll(/\*+|\?|\[!?[^\]]*\]|[.+^${}()|\\[\]]/g, translateSign)
  const body = start + glob.slice(closed).replaceAll(/\*+|[?.+^${}()|\\[]/g, translateSign)
  const hidden = glob.startsWith('.') || !/^[*?[]/.test(glob) ? '' : '(?!\\.)'
  try {
    return new RegExp(`^${hidden}${takeLeftmost(body)}$`)
  } catch {
    return /^$/ // a bracket that is no range
  }
}

const ANYTHING = '[^/]*'

/** A pattern whose parts between stars are looked for once each, from left to right: where the first fits, no later one would fit better. */
function takeLeftmost(body: string): string {
  const [first = '', ...others] = body.split(ANYTHING)
  const last = others.pop()
  if (last === undefined) return first
  const parts = others.filter((part) => part !== '').map((part, at) => `(?=(${ANYTHING}?${part}))\\${at + 1}`)
  return [first, ...parts, ANYTHING, last].join('')
}

function translateSign(sign: string): string {
  if (sign.startsWith('*')) return ANYTHING
  if (sign === '?') return '[^/]'
  if (sign.length > 2) return sign.replace(/^\[!/, '[^').replaceAll('\\', '\\\\')
  return `\\${sign}`
}

/** The place of an absolute path whose links were followed. */
function classifyPath(map: PlaceMap, path: string): Place {
  const { world } = map
  const own = findOwnPlace(map, path)
  if (own) return own
  if (path.startsWith('/dev/') && !path.startsWith('/dev/shm')) return HARMLESS_DEVICES.test(path) ? 'temp' : 'device'
  if (AGENT_IN_SYSTEM.test(path) || OWN_PROGRAM.test(path)) return 'agent'
  const inProject = cutFolder(path, world.project)
  const isHomeProject = world.project === world.home || world.project === '/'
  if (inProject !== null && !(isHomeProject && cutFolder(path, world.home) !== null))
    return placeInProject(world, inProject)
  if (SECRET_IN_SYSTEM.test(path)) return 'secret'
  if (STARTUP_IN_SYSTEM.test(path)) return 'startup'
  const inHome = cutFolder(path, world.home)
  if (isTemporary(world, path, inHome !== null)) return isSecretName(path) ? 'secret' : 'temp'
  if (inHome !== null) return placeInHome(world, inHome, path)
  if (STARTUP_NAMES.test(path)) return 'startup'
  if (isSecretName(path)) return 'secret'
  return isNeighbour(world, path) ? 'neighbour' : 'system'
}

/** True for a folder that is kept for a secret, though not all of its files are one. */
export function isSecretFolder(world: World, path: string): boolean {
  return SECRET_FOLDERS.test(cutFolder(path, world.home) ?? '')
}

/** True for a path of another machine, written `HOST:PATH`, that is a place of secrets here. */
export function isSecretElsewhere(world: World, text: string): boolean {
  const path = text.slice(text.indexOf(':') + 1)
  if (SECRET_IN_SYSTEM.test(path)) return true
  const inHome = cutFolder(path, world.home) ?? path.replace(/^(?:~|\/(?:home|Users)\/[^/]+|\/root)\//, '')
  return SECRET_IN_HOME.test(inHome) || isSecretName(path)
}

/** True for a path of another machine that runs by itself there: keys that may log in, jobs, files of shells. */
export function isStartupElsewhere(world: World, text: string): boolean {
  if (/^(?:container|pod|service) /.test(text)) return false
  const path = text.slice(text.indexOf(':') + 1)
  const inHome = cutFolder(path, world.home) ?? path.replace(/^(?:~|\/(?:home|Users)\/[^/]+|\/root)\//, '')
  return STARTUP_IN_SYSTEM.test(path) || STARTUP_IN_HOME.test(inHome)
}

/** True below a temporary folder; a home that lies in one is a home all the same. */
function isTemporary(world: World, path: string, isOfHome: boolean): boolean {
  return world.temp.some(
    (temp) => path !== temp && cutFolder(path, temp) !== null && !(isOfHome && cutFolder(world.home, temp) !== null),
  )
}

/** True for settings of agents. A path that begins otherwise is not compared with their long pattern, as in the functions below. */
function isAgentFile(path: string): boolean {
  return /^[.oL]/.test(path) && AGENT_FILES.test(path)
}

function placeInProject(world: World, path: string): Place {
  if (isAgentFile(path) || /\/\.(?:claude\/settings[^/]*\.json|mcp\.json)$/.test(path)) return 'agent'
  if (/^[.l]/.test(path) && STARTUP_IN_PROJECT.test(path)) return 'startup'
  if (path === '.git' || path.startsWith('.git/')) return 'git'
  if (STARTUP_NAMES.test(path)) return 'startup'
  const parts = path.split('/')
  if (parts.some((part) => part === 'node_modules')) return 'built'
  if (isSecretName(path)) return 'secret'
  if (parts.some((part) => BUILT_NAMES.has(part)) || BUILT_FILES.test(path)) return 'built'
  return isIgnored(world, parts) ? 'built' : 'project'
}

function placeInHome(world: World, path: string, absolute: string): Place {
  const isHidden = path.startsWith('.')
  if (isHidden && (AGENT_LOGINS.test(path) || path === '.config/git/credentials')) return 'secret'
  if (isAgentFile(path)) return 'agent'
  if ((/^[.LDb]/.test(path) && STARTUP_IN_HOME.test(path)) || STARTUP_NAMES.test(path)) return 'startup'
  if ((/^[.L]/.test(path) && SECRET_IN_HOME.test(path)) || isSecretName(path)) return 'secret'
  return isNeighbour(world, absolute) ? 'neighbour' : 'home'
}

/** Data in a folder that is named for secrets. */
const IN_SECRET_FOLDER =
  /(?:^|\/)\.?(?:secrets?|credentials)\/(?:[^/]+\/)*[^/]+\.(?:json|ya?ml|toml|ini|env|properties|pem|key|conf)$/

/** Examples, texts and code that only have to do with secrets. */
const NO_SECRET_FOLDER =
  /(?:^|\/)(?:tests?|__tests__|fixtures?|examples?|samples?|mocks?|docs?|src|lib|node_modules|schemas?|templates?)\//

function isSecretName(path: string): boolean {
  const small = path.toLowerCase()
  const name = posix.basename(small)
  const isNamed = SECRET_NAMES.some(([part, names]) => name.includes(part) && names().test(name))
  return (isNamed || isInSecretFolder(small)) && !NO_SECRET_NAMES.test(name)
}

function isInSecretFolder(path: string): boolean {
  return /secret|credentials/.test(path) && IN_SECRET_FOLDER.test(path) && !NO_SECRET_FOLDER.test(path)
}

/** The path inside of a folder, '' for the folder itself; null for one that lies elsewhere. */
function cutFolder(path: string, folder: string): string | null {
  if (path === folder) return ''
  const start = folder.endsWith('/') ? folder : `${folder}/`
  return path.startsWith(start) ? path.slice(start.length) : null
}

/** True for a path in another project, as far as the folders above it tell. */
function isNeighbour(world: World, path: string): boolean {
  if (/^\/(?:usr|etc|bin|sbin|lib\d*|boot|proc|sys|var|run|System|Library|Applications|opt)(?:\/|$)/.test(path))
    return false
  for (let at = path; at !== posix.dirname(at) && at !== world.home; at = posix.dirname(at)) {
    if (cutFolder(world.project, at) !== null || cutFolder(world.home, at) !== null) return false
    if (PROJECT_MARKS.some((mark) => world.findKind(posix.join(at, mark)) !== null)) return true
  }
  return false
}

const ignores = new WeakMap<World, readonly RegExp[]>()

/** True for a path that the project's own .gitignore names. */
function isIgnored(world: World, parts: readonly string[]): boolean {
  let rules = ignores.get(world)
  if (!rules) {
    const lines = (world.readFile(posix.join(world.project, '.gitignore')) ?? '').split('\n').slice(0, 500)
    rules = lines.flatMap((line) => {
      const rule = line.trim().replace(/^\//, '').replace(/\/$/, '')
      return rule === '' || rule.startsWith('#') || rule.startsWith('!') || rule === '*' ? [] : [compileGlob(rule)]
    })
    ignores.set(world, rules)
  }
  const known = rules
  return parts.some((part, at) => known.some((rule) => rule.test(part) || rule.test(parts.slice(0, at + 1).join('/'))))
}

function findOwnPlace({ own, world }: PlaceMap, path: string): Place | null {
  for (const place of WORST)
    for (const rule of own[place] ?? []) {
      const start = rule.startsWith('~/') ? posix.join(world.home, rule.slice(2)) : posix.resolve(world.project, rule)
      const found = cutFolder(path, start.replace(/\/?\*\*$/, '')) !== null || compileGlob(start).test(path)
      if (found) return place
    }
  return null
}
