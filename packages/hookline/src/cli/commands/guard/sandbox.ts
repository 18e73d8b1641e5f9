import { join } from 'node:path'
import { judge } from '../../../guards/judge.ts'
import { openSurroundings, type Surroundings } from '../../../guards/surroundings.ts'
import { readArguments, refusePositionals, toEngineOptions, UsageError } from '../../start/flags.ts'
import { print, printJson, tell } from '../../start/print.ts'

const FLAGS = {
  project: { type: 'string' },
  home: { type: 'string' },
  for: { type: 'string' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

/** Places of secrets that sandboxes can keep from being read; a folder ends with a slash. */
const SECRETS = [
  '~/.ssh/',
  '~/.aws/',
  '~/.gnupg/',
  '~/.azure/',
  '~/.config/gcloud/',
  '~/.config/gh/hosts.yml',
  '~/.kube/config',
  '~/.docker/config.json',
  '~/.netrc',
  '~/.pgpass',
  '~/.npmrc',
  '~/.pypirc',
  '~/.git-credentials',
  '~/.password-store/',
]

/** Files of the project that nothing in a sandbox may write. */
const KEPT = ['.claude/', '.hookline/', '.mcp.json', '.git/hooks/', '.git/config', '.husky/', '.envrc']

/** Files of the home that run by themselves. */
const STARTUP = ['~/.bashrc', '~/.zshrc', '~/.profile']

/** Hosts that packages come from. */
const HOSTS = [
  'registry.npmjs.org',
  'pypi.org',
  'files.pythonhosted.org',
  'crates.io',
  'static.crates.io',
  'github.com',
]

/** Folders of a project are looked into for secrets so deep, and so many files. */
const MAX_FOLDER_DEPTH = 3
const MAX_FILES = 3000

/** Rules of the guards in force about files and hosts; paths of the project are relative, and folders end with a slash. */
interface Policy {
  readonly denyRead: readonly string[]
  readonly allowWrite: readonly string[]
  readonly denyWrite: readonly string[]
  readonly hosts: readonly string[]
}

interface Sandbox {
  /** File that the settings belong into. */
  readonly file: string
  readonly write: (policy: Policy) => string
  /** Parts of the policy that this sandbox has no setting for. */
  readonly lacks: readonly string[]
}

const SANDBOXES: Readonly<Record<string, Sandbox>> = {
  claude: {
    file: '.claude/settings.json',
    write: ({ denyRead, allowWrite, denyWrite, hosts }) =>
      toJson({
        sandbox: {
          enabled: true,
          failIfUnavailable: true,
          allowUnsandboxedCommands: false,
          filesystem: { denyRead: denyRead.map(cutSlash), allowWrite, denyWrite: denyWrite.map(cutSlash) },
          network: { allowedDomains: hosts },
        },
        permissions: {
          deny: [
            ...denyRead.map((path) => `Read(${toPattern(path)})`),
            ...denyWrite.map((path) => `Edit(${toPattern(path)})`),
          ],
        },
      }),
    lacks: ['every host at once: name those that you use'],
  },
  srt: {
    file: '~/.srt-settings.json',
    write: ({ denyRead, allowWrite, denyWrite, hosts }) =>
      toJson({
        network: { allowedDomains: hosts, deniedDomains: [] },
        filesystem: { denyRead: denyRead.map(cutSlash), allowWrite, denyWrite: denyWrite.map(cutSlash) },
      }),
    lacks: ['every host at once: name those that you use', 'paths of the project where it is started elsewhere'],
  },
  codex: {
    file: '~/.codex/config.toml, in place of sandbox_mode (Codex 0.138 or newer)',
    write: ({ denyRead, allowWrite, denyWrite }) => {
      const isOutside = (path: string) => /^[~/]/.test(path)
      const formatRules = (paths: readonly string[], access: string) =>
        paths.map((path) => `${JSON.stringify(cutSlash(path))} = "${access}"`)
      const [out, inside] = [denyRead.filter(isOutside), denyRead.filter((path) => !isOutside(path))]
      return [
        'approval_policy = "on-request"',
        'default_permissions = "guarded"',
        '',
        '[permissions.guarded]',
        'extends = ":workspace"',
        '',
        '[permissions.guarded.filesystem]',
        ...formatRules(allowWrite.filter(isOutside), 'write'),
        ...formatRules(out, 'deny'),
        ...formatRules(denyWrite.filter(isOutside), 'read'),
        '',
        '[permissions.guarded.filesystem.":workspace_roots"]',
        '"." = "write"',
        ...formatRules(inside, 'deny'),
        ...formatRules(
          denyWrite.filter((path) => !isOutside(path)),
          'read',
        ),
        '',
        '[permissions.guarded.network]',
        'enabled = false',
        '',
      ].join('\n')
    },
    lacks: ['single hosts: the network is off as a whole'],
  },
}

const ONLY_GUARDS = [
  'changes beyond files: git history, databases, clouds, clusters, registries',
  'what is discarded inside of the project: git reset, git clean',
  'calls of tools that run outside of the sandbox: file tools, MCP servers, WebFetch',
  'a reason and another way for the model',
]
const ONLY_SANDBOX = [
  'compiled programs, and code that builds code at run time',
  'files that change between the look and the run',
  'names of hosts that are only known at run time',
]

/** Runs `hookline guard sandbox`: settings of a sandbox that say the same as the guards in force. */
export async function printSandbox(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  refusePositionals(positionals)
  const chosen = values.for === undefined ? undefined : SANDBOXES[values.for]
  if (!chosen) throw new UsageError(`--for must be ${Object.keys(SANDBOXES).join(', ')}, not "${values.for ?? ''}".`)
  const { home, project } = toEngineOptions(values)
  const policy = toPolicy(await openSurroundings({ home, folder: project, now: Date.now() }))
  const settings = chosen.write(policy)
  if (values.json) {
    printJson({
      file: chosen.file,
      settings,
      policy,
      lacks: chosen.lacks,
      onlyGuards: ONLY_GUARDS,
      onlySandbox: ONLY_SANDBOX,
    })
    return 0
  }
  print(settings)
  tell(`\nFor ${chosen.file}: merge it with what is there. Nothing was written.\n`)
  if (chosen.lacks.length > 0) tell(`This sandbox has no setting for:\n${formatList(chosen.lacks)}`)
  tell(`Only the guards hold:\n${formatList(ONLY_GUARDS)}Only the sandbox holds:\n${formatList(ONLY_SANDBOX)}`)
  return 0
}

function toPolicy({ rules, world }: Surroundings): Policy {
  const { guards = {}, places = {}, allow = [] } = rules
  const { home, project, temp } = world
  const isOpen = (path: string) =>
    allow.some((each) => each.guard === 'secrets' && each.matches(cutSlash(path).replace(/^~(?=\/)/, home)))
  const named = [...(places.secret ?? [])].filter((path) => !/[*?]/.test(path)).map((path) => cutProject(path, project))
  const secrets = [...SECRETS, ...listSecrets({ rules, world }), ...named].filter((path) => !isOpen(path))
  return {
    denyRead: guards.secrets === 'off' ? [] : [...new Set(secrets)],
    allowWrite: ['.', ...temp.slice(0, 2)],
    denyWrite: guards.agent === 'off' ? [] : [...KEPT, ...(guards.startup === 'off' ? [] : STARTUP)],
    hosts: HOSTS,
  }
}

/** Files of the project that the guards in force do not let be read. */
function listSecrets(here: Pick<Surroundings, 'rules' | 'world'>): readonly string[] {
  const { project, list, findKind } = here.world
  const found: string[] = []
  let left = MAX_FILES
  const lookInto = (folder: string, depth: number): void => {
    for (const name of list(join(project, folder)) ?? []) {
      if (left-- <= 0) return
      const path = join(folder, name)
      const kind = findKind(join(project, path))
      if (kind === 'folder' && depth < MAX_FOLDER_DEPTH && name !== '.git' && name !== 'node_modules')
        lookInto(path, depth + 1)
      if (kind === 'file' && isKeptFromReading(here, join(project, path))) found.push(path)
    }
  }
  lookInto('', 0)
  return found
}

function isKeptFromReading({ rules, world }: Pick<Surroundings, 'rules' | 'world'>, path: string): boolean {
  const { findings } = judge({ tool: 'Read', input: { file_path: path } }, world, rules)
  return findings.some(({ guard }) => guard === 'secrets')
}

/** A path of the project without the project; others as they are. */
function cutProject(path: string, project: string): string {
  return path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path
}

function cutSlash(path: string): string {
  return path.replace(/\/$/, '')
}

/** A path as permission rules of Claude Code write it: a folder with all that is in it, `//` before one from the root, `./` before one of the project. */
function toPattern(path: string): string {
  const whole = path.endsWith('/') ? `${path}**` : path
  if (whole.startsWith('~')) return whole
  return whole.startsWith('/') ? `/${whole}` : `./${whole}`
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function formatList(lines: readonly string[]): string {
  return lines.map((line) => `  - ${line}\n`).join('')
}
