import type { World } from '../../../effects/world.ts'
import type { GuardRules } from '../../../guards/judge.ts'
import { openSurroundings } from '../../../guards/surroundings.ts'
import { readArguments, refusePositionals, toEngineOptions, UsageError } from '../../start/flags.ts'
import { print, printJson, tell } from '../../start/print.ts'

const FLAGS = {
  project: { type: 'string' },
  home: { type: 'string' },
  for: { type: 'string' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

/** Places of secrets that sandboxes can keep from being read. */
const SECRETS = [
  '~/.ssh',
  '~/.aws',
  '~/.gnupg',
  '~/.azure',
  '~/.config/gcloud',
  '~/.config/gh/hosts.yml',
  '~/.kube/config',
  '~/.docker/config.json',
  '~/.netrc',
  '~/.pgpass',
  '~/.npmrc',
  '~/.pypirc',
  '~/.git-credentials',
  '~/.password-store',
]

/** Files of the project that nothing in a sandbox may write. */
const KEPT = ['.claude', '.hookline', '.mcp.json', '.git/hooks', '.git/config', '.husky', '.envrc']

/** Hosts that packages come from. */
const HOSTS = [
  'registry.npmjs.org',
  'pypi.org',
  'files.pythonhosted.org',
  'crates.io',
  'static.crates.io',
  'github.com',
]

/** Rules of the guards in force about files and hosts. */
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
          filesystem: { allowWrite },
          network: { allowedDomains: hosts },
        },
        permissions: {
          deny: [
            ...denyRead.map((path) => `Read(${toPattern(path)})`),
            ...denyWrite.map((path) => `Edit(${toPattern(path)})`),
          ],
        },
      }),
    lacks: [],
  },
  srt: {
    file: '~/.srt-settings.json',
    write: ({ denyRead, allowWrite, denyWrite, hosts }) =>
      toJson({
        network: { allowedDomains: hosts, deniedDomains: [] },
        filesystem: { denyRead, allowWrite, denyWrite },
      }),
    lacks: [],
  },
  codex: {
    file: '~/.codex/config.toml',
    write: ({ allowWrite }) =>
      [
        'sandbox_mode = "workspace-write"',
        'approval_policy = "on-request"',
        '',
        '[sandbox_workspace_write]',
        `writable_roots = ${JSON.stringify(allowWrite.filter((path) => path !== '.'))}`,
        'network_access = false',
        '',
      ].join('\n'),
    lacks: [
      'reading of secret places',
      'single hosts: the network is off as a whole',
      'files of the project that are kept',
    ],
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
  const { rules, world } = await openSurroundings({ home, folder: project, now: Date.now() })
  const policy = toPolicy(rules, world)
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

function toPolicy({ guards = {}, places = {}, allow = [] }: GuardRules, { temp, project }: World): Policy {
  const own = [...(places.secret ?? [])].map((path) => (/^[~/]/.test(path) ? path : `${project}/${path}`))
  const secrets = guards.secrets === 'off' ? [] : [...SECRETS, `${project}/.env`, ...own]
  const isOpen = (path: string) => allow.some((each) => each.guard === 'secrets' && each.matches(path))
  return {
    denyRead: secrets.filter((path) => !isOpen(path)),
    allowWrite: ['.', ...temp.slice(0, 2)],
    denyWrite:
      guards.agent === 'off'
        ? []
        : [...KEPT, ...(guards.startup === 'off' ? [] : ['~/.bashrc', '~/.zshrc', '~/.profile'])],
    hosts: guards.network === 'off' ? ['*'] : HOSTS,
  }
}

/** A path as permission rules write it: a folder with all that is in it. */
function toPattern(path: string): string {
  return /\.\w+$/.test(path) || /\/config$/.test(path) ? path : `${path}/**`
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function formatList(lines: readonly string[]): string {
  return lines.map((line) => `  - ${line}\n`).join('')
}
