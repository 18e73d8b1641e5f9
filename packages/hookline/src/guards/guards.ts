import { isCache, isSecretElsewhere, isStartupElsewhere, isTrash } from '../effects/places.ts'
import { type Certainty, chooseLessCertain, type Effect, type Flow, type Path, type View } from '../effects/view.ts'
import type { World } from '../effects/world.ts'
import type { Finding, Guard, GuardAnswer, GuardName, Look } from './guard.ts'

/** Answers by certainty: certain, likely, possible. */
type Answers = readonly [GuardAnswer, GuardAnswer, GuardAnswer]

const DENY: Answers = ['deny', 'ask', 'ask']
const DENY_SURE: Answers = ['deny', 'ask', 'pass']
const ASK: Answers = ['ask', 'ask', 'pass']
const ASK_SURE: Answers = ['ask', 'pass', 'pass']
const AT: Readonly<Record<Certainty, 0 | 1 | 2>> = { certain: 0, likely: 1, possible: 2 }

interface Judgement {
  readonly answers: Answers
  readonly says: string
  readonly instead: string
  readonly subject: string
  readonly final?: boolean
}

function makeFindings(guard: GuardName, about: Effect | Flow, told: Judgement | null): Finding[] {
  if (!told) return []
  const judgedAs =
    'judgedAs' in about && about.judgedAs ? chooseLessCertain(about.certainty, about.judgedAs) : about.certainty
  const answer = told.answers[AT[judgedAs]]
  if (answer === 'pass') return []
  return [
    {
      guard,
      answer,
      says: told.says,
      instead: told.instead,
      certainty: about.certainty,
      subject: told.subject,
      about,
      final: told.final ?? false,
    },
  ]
}

type DeleteEffect = Extract<Effect, { does: 'delete' }>
type WriteEffect = Extract<Effect, { does: 'write' }>
type Read = Extract<Effect, { does: 'read' }>
type Changed = Extract<Effect, { does: 'change' }>

/** A path as people write it. */
export function showPath(world: World, text: string): string {
  if (text === world.project) return 'the project'
  if (text.startsWith(`${world.project}/`)) return text.slice(world.project.length + 1)
  if (text === world.home) return '~'
  return text.startsWith(`${world.home}/`) ? `~/${text.slice(world.home.length + 1)}` : text
}

const PLACES: Readonly<Record<Path['place'], string>> = {
  project: 'the project',
  built: 'something a build makes',
  git: 'the repository itself',
  agent: "an agent's settings",
  temp: 'a temporary folder',
  home: 'your home, outside the project',
  neighbour: 'another project',
  secret: 'a place for secrets',
  startup: 'something that runs by itself',
  system: 'the system',
  device: 'a raw device',
  remote: 'another machine',
}

/** True for a path or pattern that takes in a whole folder. */
function isWholeFolder(text: string, folder: string): boolean {
  return (
    text === folder ||
    text === `${folder}/*` ||
    text === `${folder}/**` ||
    text === `${folder}/.*` ||
    text === `${folder}/.` ||
    text === `${folder}/{*,.*}` ||
    `${folder}/`.startsWith(`${text}/`)
  )
}

/** Folders of the system that a machine cannot do without. */
const VITAL =
  /^\/(?:\*+|\.\*)?$|^\/(?:home|usr|etc|var|bin|sbin|lib|lib64|boot|opt|root|srv|dev|sys|proc|Users|System|Library|Applications|windows)(?:\/\*{0,2})?$/

const DELETING: Readonly<Record<DeleteEffect['how'], string>> = {
  tree: 'removes',
  file: 'removes',
  truncate: 'empties',
  'move-away': 'moves away',
}

/** Volumes with a name, which containers share and which outlive them. */
const VOLUME_OF_CONTAINERS = /^\/var\/lib\/docker\/volumes\/[^/]+\/_data(?:\/|$)/

/** Folders in which services keep data, and all that a machine is made of. */
const KEPT_BY_SERVICES =
  /^service [^:]*:\/(?:\*|\.|$|(?:data|mnt|backups?|bitnami|etc|home|root|usr|var\/(?:lib|backups|opt))(?:\/|$))/

function judgeDelete(effect: DeleteEffect, { world }: Look): Judgement | null {
  const { path, how } = effect
  const shown = showPath(world, path.text)
  const verb = DELETING[how]
  const instead = 'Name single files or folders inside the project, or use a folder under /tmp.'
  const isVital = VITAL.test(path.text) || isWholeFolder(path.text, world.home)
  const says = `${verb} ${shown}${how === 'tree' ? ' and everything in it' : ''} (${PLACES[path.place]})`
  if (isVital) return { answers: DENY, says, instead, subject: path.text, final: true }
  if (isWholeFolder(path.text, world.project))
    return {
      answers: DENY_SURE,
      says: `${verb} the project as a whole`,
      instead: 'Name the folders that a build makes, such as dist or node_modules.',
      subject: path.text,
    }
  switch (path.place) {
    case 'built':
    case 'temp':
    case 'project':
      return null
    case 'home':
    case 'neighbour':
    case 'system':
      if (isTrash(path.text))
        return { answers: ASK, says: 'removes for good what the user has deleted', instead, subject: path.text }
      if (isCache(world, path.text)) return null
      if (VOLUME_OF_CONTAINERS.test(path.text))
        return {
          answers: ASK,
          says,
          instead: 'Take them down without their volumes, as docker compose down does.',
          subject: path.text,
        }
      return {
        answers: effect.certainty === 'possible' && !path.exists ? ['pass', 'pass', 'pass'] : DENY,
        says,
        instead,
        subject: path.text,
      }
    case 'remote':
      if (/^(?:container|pod|service) [^:]*:\/(?:tmp|var\/tmp)\/./.test(path.text)) return null
      // Folders in which a service keeps data are its own; its code lies in the project.
      if (path.text.startsWith('service ') && !KEPT_BY_SERVICES.test(path.text)) return null
      return {
        answers: /^(?:container|pod|service) /.test(path.text) ? ASK : DENY_SURE,
        says,
        instead: 'Ask the user to do it on that machine.',
        subject: path.text,
      }
    case 'device':
      return { answers: DENY, says, instead, subject: path.text, final: true }
    case 'secret':
      if (world.temp.some((folder) => path.text.startsWith(`${folder}/`))) return null
      return path.text.startsWith(`${world.project}/`) && how === 'file'
        ? { answers: ASK_SURE, says, instead: 'Leave the file where it is.', subject: path.text }
        : { answers: DENY_SURE, says, instead: 'Leave the file where it is.', subject: path.text }
    default:
      return {
        answers: DENY_SURE,
        says,
        instead:
          path.place === 'git' ? 'Use git commands that keep history, such as git stash or git switch.' : instead,
        subject: path.text,
      }
  }
}

const deleteGuard: Guard = {
  name: 'delete',
  looksFor: 'deletes outside the project and temporary folders, of the project as a whole, of .git',
  hard: true,
  find: (look) => [
    ...look.view.effects.flatMap((effect) =>
      effect.does === 'delete' && effect.path.place !== 'agent'
        ? makeFindings('delete', effect, judgeDelete(effect, look))
        : [],
    ),
    ...look.view.unseen.flatMap((unseen): Finding[] => {
      if (unseen.role !== 'delete' || unseen.reason !== 'value') return []
      const isFound = look.view.effects.some((effect) => effect.does === 'delete')
      if (isFound) return []
      return [
        {
          guard: 'delete',
          answer: 'ask',
          says: `deletes paths that cannot be known: ${unseen.of.slice(0, 80)}`,
          instead: 'Write the paths out in the command.',
          certainty: 'possible',
          subject: '',
          about: unseen,
          final: false,
        },
      ]
    }),
  ],
}

const GIT: Readonly<Record<string, { answers: Answers; says: string; instead: string }>> = {
  'discard-work': {
    answers: DENY_SURE,
    says: 'discards work that is not committed',
    instead: 'Run git stash first, or commit; then nothing is lost.',
  },
  'rewrite-remote': {
    answers: DENY_SURE,
    says: 'rewrites history on the remote',
    instead: 'Use git push --force-with-lease on your own branch, or git revert.',
  },
  'rewrite-history': { answers: DENY_SURE, says: 'rewrites history', instead: 'Make a new commit, or use git revert.' },
  'delete-ref': {
    answers: DENY_SURE,
    says: 'deletes branches or refs',
    instead: 'Use git branch -d, which keeps what is not merged.',
  },
  'destroy-recovery': {
    answers: DENY_SURE,
    says: 'destroys what git could bring back',
    instead: 'Run git gc without --prune=now.',
  },
}

function judgeGit(effect: Changed): Judgement | null {
  const row = GIT[effect.operation]
  if (!row) return null
  const isOwnLease = effect.operation === 'rewrite-remote' && effect.target.includes('(with lease)')
  if (isOwnLease) return null
  return {
    ...row,
    says: (effect.target === '' ? row.says : `${row.says}: ${effect.target}`).slice(0, 200),
    subject: `git ${effect.operation} ${effect.target}`,
  }
}

/** Files in which git keeps what nothing but git may write. */
const GIT_STATE = /(?:^|\/)\.git\/(?:HEAD|ORIG_HEAD|index|packed-refs|shallow|refs\/|objects\/|logs\/)/

/** Judges a write by hand into the state of a repository. */
function judgeGitWrite({ path, how }: WriteEffect): Judgement | null {
  if (path.place !== 'git' || how === 'mode' || !GIT_STATE.test(path.text)) return null
  return {
    answers: DENY_SURE,
    says: `writes ${path.text.slice(path.text.lastIndexOf('.git/'))} past git`,
    instead: 'Use git commands that keep history, such as git stash or git switch.',
    subject: path.text,
  }
}

const gitGuard: Guard = {
  name: 'git',
  looksFor: 'uncommitted work discarded, history rewritten on the remote, refs and reflog destroyed',
  hard: false,
  find: ({ view }) =>
    view.effects.flatMap((effect) => {
      if (effect.does === 'write') return makeFindings('git', effect, judgeGitWrite(effect))
      return effect.does === 'change' && effect.system === 'git' ? makeFindings('git', effect, judgeGit(effect)) : []
    }),
}

/** Folders of the home in which programs keep their settings, and tokens among them. */
const SETTINGS_FOLDERS = ['.config', '.local', '.local/share', 'Library', 'Library/Application Support']

function judgeSecretRead(effect: Read, { world }: Look): Judgement | null {
  const { path, what, below } = effect
  if (what === 'name') return null
  const says = `reads ${showPath(world, path.text)}, ${PLACES.secret}`
  const instead = 'Read names without values, such as an .env.example, or ask the user for what you need.'
  if (path.place === 'secret') return { answers: DENY, says, instead, subject: path.text }
  if (path.place === 'remote' && isSecretElsewhere(world, path.text))
    return { answers: DENY, says: `reads ${path.text}, a place for secrets`, instead, subject: path.text }
  if (!below || path.place === 'remote') return null
  const folder = path.text.replace(/\/\*+$/, '')
  const isWholeHome = isWholeFolder(path.text, world.home) || isWholeFolder(folder, world.home)
  const isSettings = SETTINGS_FOLDERS.some((each) => folder.replace(/\/$/, '') === `${world.home}/${each}`)
  return isWholeHome || isSettings
    ? {
        answers: DENY_SURE,
        says: isWholeHome
          ? 'reads your whole home, secrets included'
          : `reads all of ${showPath(world, folder)}, tokens of programs included`,
        instead: 'Search inside the project.',
        subject: path.text,
      }
    : null
}

const secretsGuard: Guard = {
  name: 'secrets',
  looksFor: 'content of secret places read, secrets written into files or committed',
  hard: true,
  find: (look) => [
    ...look.view.effects.flatMap((effect) => {
      if (effect.does === 'read') return makeFindings('secrets', effect, judgeSecretRead(effect, look))
      if (effect.does !== 'change') return []
      if (effect.operation === 'secret')
        return makeFindings('secrets', effect, {
          answers: DENY,
          says: `shows a secret: ${effect.target.slice(0, 80)}`,
          instead: 'Ask the user to run it and to use the value without showing it.',
          subject: effect.target,
        })
      if (effect.operation === 'stage-secret')
        return makeFindings('secrets', effect, {
          answers: DENY,
          says: `adds ${showPath(look.world, effect.target)} to the repository`,
          instead: 'Add the file to .gitignore and commit an example without values.',
          subject: effect.target,
        })
      return []
    }),
    ...look.view.flows.flatMap((flow) =>
      flow.from === 'secret' && flow.to === 'write'
        ? makeFindings('secrets', flow, {
            answers: DENY,
            says: `writes a secret into ${showPath(look.world, flow.target)}`,
            instead: 'Read the value from the environment where it is needed.',
            subject: flow.target,
          })
        : [],
    ),
  ],
}

function judgeSend(flow: Flow): Judgement | null {
  const instead = 'Ask the user to send it.'
  const base = { instead, subject: flow.target }
  if (flow.from === 'secret') return { ...base, answers: DENY, says: `sends secrets to ${flow.target}` }
  if (flow.from === 'environment')
    return { ...base, answers: DENY, says: `sends the environment, secrets included, to ${flow.target}` }
  if (flow.from === 'secret-variable')
    return isTokenHost(flow)
      ? null
      : { ...base, answers: ASK, says: `sends a variable that holds a secret to ${flow.target}` }
  if (flow.from === 'project') return { ...base, answers: ASK, says: `sends files to ${flow.target}` }
  return flow.from === 'shell' ? { ...base, answers: DENY, says: `gives ${flow.target} a shell on this machine` } : null
}

/** Hosts of services that variables of tokens are made for. */
function isTokenHost(flow: Flow): boolean {
  return /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|npmjs\.org|pypi\.org|openai\.com|anthropic\.com|stripe\.com|slack\.com|googleapis\.com|cloudflare\.com|digitalocean\.com|vercel\.com|netlify\.com|sentry\.io|linear\.app|notion\.com|atlassian\.net|huggingface\.co|docker\.io|docker\.com|circleci\.com|supabase\.co|heroku\.com|amazonaws\.com|azure\.com)$/i.test(
    flow.target,
  )
}

const networkGuard: Guard = {
  name: 'network',
  looksFor: 'project or secrets sent away, reverse shells, listening beyond this machine',
  hard: false,
  find: ({ view }) => [
    ...view.flows.flatMap((flow) => (flow.to === 'send' ? makeFindings('network', flow, judgeSend(flow)) : [])),
    ...view.effects.flatMap((effect) =>
      effect.does === 'listen'
        ? makeFindings('network', effect, {
            answers: ASK,
            says: `opens this machine to others: ${effect.on.slice(0, 80)}`,
            instead: 'Listen on 127.0.0.1.',
            subject: effect.on,
          })
        : [],
    ),
  ],
}

/** Hosts that a call fetches from, where the end of the flow does not name one; null where none is known. */
function nameSources({ effects }: View, { target }: Flow): string | null {
  if (/[./]/.test(target)) return null
  const hosts = new Set(
    effects.flatMap((effect) => (effect.does === 'fetch' && effect.host !== '' ? [effect.host] : [])),
  )
  return hosts.size > 0 ? [...hosts].slice(0, 3).join(', ') : null
}

const remoteCodeGuard: Guard = {
  name: 'remote-code',
  looksFor: 'code from the network or from an encoding run at once, packages by address',
  hard: true,
  find: ({ view }) =>
    view.flows.flatMap((flow) => {
      if (flow.to !== 'run') return []
      if (flow.from === 'fetch') {
        const host = nameSources(view, flow)
        return makeFindings('remote-code', flow, {
          answers: DENY,
          says: `runs code that comes from ${host ?? 'the network'}: ${flow.target.slice(0, 80)}`,
          instead: 'Download it to a file, and let the user read it before it runs.',
          subject: host ?? flow.target,
        })
      }
      if (flow.from === 'unknown')
        return makeFindings('remote-code', flow, {
          answers: ['ask', 'ask', 'pass'],
          says: `runs a script that cannot be read before it runs: ${flow.target.slice(0, 80)}`,
          instead: 'Write the script to a file first, and run that file.',
          subject: flow.target,
        })
      const isRead =
        flow.from === 'decode' && view.unseen.every(({ reason }) => reason !== 'code' && reason !== 'value')
      if (flow.from === 'decode')
        return makeFindings('remote-code', flow, {
          answers: isRead ? ASK_SURE : DENY,
          says: `runs code that was hidden by an encoding: ${flow.target.slice(0, 80)}`,
          instead: 'Write the command itself.',
          subject: flow.target,
        })
      return []
    }),
}

const MACHINE: Readonly<Record<string, { answers: Answers; says: string }>> = {
  disk: { answers: DENY, says: 'changes disks or file systems' },
  power: { answers: DENY, says: 'turns the machine off or restarts it' },
  mount: { answers: DENY_SURE, says: 'changes mounts' },
  process: { answers: DENY_SURE, says: 'ends processes that the agent did not start' },
  'fork-bomb': { answers: DENY_SURE, says: 'starts processes without end' },
  settings: { answers: DENY_SURE, says: 'changes settings of the system' },
  firewall: { answers: DENY, says: 'changes the firewall' },
  security: { answers: DENY_SURE, says: 'turns protection of the system off' },
  permissions: { answers: DENY, says: 'changes permissions of a whole place' },
  uninstall: { answers: ['deny', 'ask', 'pass'], says: 'removes programs of the system' },
  'empty-trash': { answers: ASK, says: 'removes for good what the user has deleted' },
  cron: { answers: DENY, says: 'removes scheduled jobs' },
  'fill-disk': { answers: DENY_SURE, says: 'writes without end' },
  'service stop': { answers: DENY_SURE, says: 'stops a service of the machine' },
}

function judgeWrite(effect: WriteEffect, { world }: Look): Judgement | null {
  const { path, how } = effect
  const shown = showPath(world, path.text)
  const base = { instead: 'Write inside the project or under /tmp.', subject: path.text }
  if (path.place === 'device')
    return { ...base, answers: DENY, says: `writes the raw device ${path.text}`, final: true }
  if (path.place === 'system' && !VOLUME_OF_CONTAINERS.test(path.text))
    return {
      ...base,
      answers: effect.certainty === 'possible' && !path.exists ? ['pass', 'pass', 'pass'] : DENY,
      says: `writes ${shown}, a part of the system`,
    }
  if (path.place === 'secret' && /^\/(?:etc|root|proc|run|var)\//.test(path.text))
    return { ...base, answers: DENY, says: `writes ${shown}, a part of the system` }
  if (path.place === 'secret' && path.text.startsWith(`${world.home}/.`) && how !== 'create' && path.exists)
    return { ...base, answers: ASK, says: `changes ${shown}, a place for secrets` }
  const isWholeHome = isWholeFolder(path.text, world.home)
  if (isWholeHome && (how === 'mode' || how === 'owner'))
    return { ...base, answers: DENY_SURE, says: 'changes who may use your whole home' }
  if (isWholeHome && path.text !== world.home)
    return { ...base, answers: ASK, says: 'writes files whose names are not known into your home' }
  if (path.place === 'neighbour' && how !== 'create')
    return { ...base, answers: DENY_SURE, says: `changes ${shown}, another project` }
  if (path.place === 'neighbour') return { ...base, answers: ASK, says: `writes ${shown} in another project` }
  if (path.place === 'home' && path.exists && how === 'owner')
    return { ...base, answers: ASK, says: `gives ${shown} in your home to another user` }
  if (path.place === 'home' && path.exists && (how === 'replace' || how === 'edit' || how === 'append'))
    return { ...base, answers: DENY_SURE, says: `changes ${shown} in your home` }
  return null
}

const systemGuard: Guard = {
  name: 'system',
  looksFor: 'writes to system places and devices, mounts, power, all processes, fork bombs',
  hard: true,
  find: (look) =>
    look.view.effects.flatMap((effect) => {
      if (effect.does === 'write') return makeFindings('system', effect, judgeWrite(effect, look))
      if (effect.does !== 'change') return []
      const row = MACHINE[effect.system === 'service' ? `service ${effect.operation}` : effect.operation]
      if (effect.system !== 'machine' && effect.system !== 'service') return []
      if (!row) return []
      return makeFindings('system', effect, {
        ...row,
        says: `${row.says}: ${effect.target}`.slice(0, 160),
        instead: 'Ask the user to do it.',
        subject: `${effect.operation} ${effect.target}`,
      })
    }),
}

const PRIVILEGE: Readonly<Record<string, string>> = {
  'root-shell': 'opens a shell as root',
  'other-user': 'runs as another user',
  privilege: 'gives a program or a container the rights of root',
  accounts: 'changes users or groups',
}

const privilegeGuard: Guard = {
  name: 'privilege',
  looksFor: 'root, set-id files, groups, containers with the host’s root or socket',
  hard: false,
  find: ({ view, world }) => [
    ...view.effects.flatMap((effect) => {
      const says = effect.does === 'change' && effect.system === 'machine' ? PRIVILEGE[effect.operation] : undefined
      if (effect.does !== 'change' || !says) return []
      return makeFindings('privilege', effect, {
        answers: ASK,
        says: `${says}: ${effect.target}`.slice(0, 160),
        instead: 'Ask the user to do it, or do it without root.',
        subject: effect.target,
      })
    }),
    ...view.effects.flatMap((effect) => {
      const isRootWork =
        effect.does === 'run' && effect.as === 'root' && effect.where === 'here' && !isCalmAsRoot(effect)
      return isRootWork && world.user !== 'root'
        ? makeFindings('privilege', effect, {
            answers: ASK,
            says: `runs ${effect.program} as root`,
            instead: 'Run it without sudo.',
            subject: effect.program,
          })
        : []
    }),
  ],
}

/** Programs that only look when root runs them. */
function isCalmAsRoot({ program, words }: Extract<Effect, { does: 'run' }>): boolean {
  if (
    /^(?:apt|apt-get|dnf|yum|zypper)$/.test(program) &&
    words.some((word) => /^(?:-s|--dry-run|--simulate|--just-print|--assumeno)$/.test(word))
  )
    return true
  if (
    /^(?:true|id|whoami|ls|stat|ss|netstat|lsof|journalctl|ps|df|du|which|test|cat|head|tail|grep|lsblk|blkid|nmap|tcpdump|echo|date|fuser|ls(?:hw|usb|pci|mod|cpu|mem|ns|scsi)|(?:lv|pv|vg)(?:s|display|scan)|i?o?top|htop|dmidecode|hwinfo|lastb?|w|who|iptables-save|iostat|vmstat|sar|nethogs|iftop|findmnt|getfacl|getcap|aureport|ausearch|smartctl|lastlog|faillog)$/.test(
      program,
    )
  )
    return true
  if (
    !/[/.]/.test(program) &&
    /^(?:status|list|show|info|--(?:status|list|info|show|version|help))$/.test(words[0] ?? '')
  )
    return true
  return (
    /^(?:systemctl|service|docker|ufw|apt|dnf|iptables|nginx|kubectl|crictl)$/.test(program) &&
    /^(?:status|show|list|list-units|ps|logs|images|is-active|-t|get|-L|policy|search|cat)$/.test(
      words[0] === 'nginx' ? (words[1] ?? '') : (words[0] ?? ''),
    )
  )
}

const startupGuard: Guard = {
  name: 'startup',
  looksFor: 'writes to files that run by themselves, git settings that run programs',
  hard: true,
  find: ({ view, world }) =>
    view.effects.flatMap((effect) => {
      if (effect.does === 'write' && effect.path.place === 'startup')
        return makeFindings('startup', effect, {
          answers: DENY,
          says: `writes ${showPath(world, effect.path.text)}, which runs by itself`,
          instead: 'Put it into a script of the project, and tell the user how to add it.',
          subject: effect.path.text,
        })
      if (effect.does === 'write' && effect.path.place === 'remote' && isStartupElsewhere(world, effect.path.text))
        return makeFindings('startup', effect, {
          answers: ASK_SURE,
          says: `writes ${effect.path.text}, which runs by itself on another machine`,
          instead: 'Ask the user to do it on that machine.',
          subject: effect.path.text,
        })
      if (effect.does === 'change' && effect.system === 'machine' && effect.operation === 'startup')
        return makeFindings('startup', effect, {
          answers: DENY_SURE,
          says: `makes something run by itself: ${effect.target}`.slice(0, 160),
          instead: 'Tell the user how to set it up.',
          subject: effect.target,
        })
      return []
    }),
}

const agentGuard: Guard = {
  name: 'agent',
  looksFor: 'settings, hooks and MCP servers of agents, agents started without their permissions, guards loosened',
  hard: true,
  find: ({ view, world }) =>
    view.effects.flatMap((effect) => {
      const instead = 'Tell the user what you would change and why.'
      if ((effect.does === 'write' || effect.does === 'delete') && effect.path.place === 'agent')
        return makeFindings('agent', effect, {
          answers: ['deny', 'deny', 'ask'],
          says: `changes ${showPath(world, effect.path.text)}, an agent's settings`,
          instead,
          subject: effect.path.text,
        })
      if (effect.does === 'change' && effect.system === 'agent')
        return makeFindings('agent', effect, {
          answers: ['deny', 'deny', 'ask'],
          says: `${effect.operation === 'without-permissions' ? 'starts an agent without its permissions' : 'changes what guards this session'}: ${effect.target}`.slice(
            0,
            160,
          ),
          instead,
          subject: effect.target,
        })
      return []
    }),
}

function makeSystemGuard(name: GuardName, looksFor: string, judge: (effect: Changed) => Judgement | null): Guard {
  return {
    name,
    looksFor,
    hard: false,
    find: ({ view }) =>
      view.effects.flatMap((effect) => (effect.does === 'change' ? makeFindings(name, effect, judge(effect)) : [])),
  }
}

const isProduction = (target: string): boolean => target.includes('(production)')

/** Answers of packs: a question, and a refusal where production is named. */
function answerChange({ target }: Changed): Answers {
  return isProduction(target) ? DENY_SURE : ASK
}

const publishGuard = makeSystemGuard('publish', 'packages, releases and sites published', (effect) => {
  if (effect.system !== 'registry' || effect.operation === 'workflow') return null
  return {
    answers: answerChange(effect),
    says: `publishes: ${effect.target}`.slice(0, 160),
    instead: 'Use --dry-run to see what would be published.',
    subject: effect.target,
  }
})

const DATABASE: Readonly<Record<string, string>> = {
  drop: 'drops data',
  truncate: 'empties tables',
  'delete-all': 'deletes every row',
  'update-all': 'changes every row',
  reset: 'resets a database',
  grant: 'gives rights to a database',
}

const databaseGuard = makeSystemGuard('database', 'tables dropped or emptied, databases reset', (effect) => {
  if (effect.system !== 'database') return null
  const mild = effect.operation === 'delete-some' || effect.operation === 'change'
  if (mild)
    return isProduction(effect.target)
      ? {
          answers: ASK,
          says: `changes a production database: ${effect.target}`.slice(0, 160),
          instead: 'Use a SELECT to look at the rows first.',
          subject: effect.target,
        }
      : null
  return {
    answers: answerChange(effect),
    says: `${DATABASE[effect.operation] ?? 'changes data'}: ${effect.target}`.slice(0, 160),
    instead: 'Use a database made for tests, or a SELECT.',
    subject: effect.target,
  }
})

const cloudGuard = makeSystemGuard('cloud', 'resources in clouds and clusters destroyed or changed', (effect) => {
  if (effect.system !== 'cloud' && effect.system !== 'cluster') return null
  if (effect.operation === 'secret' || effect.operation === 'comment') return null
  const isGone = effect.operation === 'destroy' || effect.operation === 'delete'
  const instead = 'Use the dry run or the plan of the tool, and let the user apply it.'
  if (isGone)
    return {
      answers: answerChange(effect),
      says: `destroys resources: ${effect.target}`.slice(0, 160),
      instead,
      subject: effect.target,
    }
  return {
    answers: isProduction(effect.target) ? DENY_SURE : ASK_SURE,
    says: `changes resources: ${effect.target}`.slice(0, 160),
    instead,
    subject: effect.target,
  }
})

const REMOVED = { says: 'removes containers or images', instead: 'Name one container that you started.' } as const

const CONTAINERS: Readonly<Record<string, { readonly says: string; readonly instead: string }>> = {
  remove: REMOVED,
  'remove-volumes': {
    says: 'removes volumes and the data in them',
    instead: 'Take them down without their volumes, as docker compose down does.',
  },
  deploy: { says: 'changes containers on another machine', instead: 'Use the context of this machine.' },
  prune: { says: 'removes all that is not in use', instead: 'Name one container that you started.' },
}

const containersGuard = makeSystemGuard('containers', 'containers, images and volumes removed', (effect) => {
  if (effect.system !== 'containers') return null
  const { says, instead } = CONTAINERS[effect.operation] ?? REMOVED
  return {
    answers: answerChange(effect),
    says: `${says}: ${effect.target}`.slice(0, 160),
    instead,
    subject: effect.target,
  }
})

/** All guards, in the order in which they are asked. */
export const GUARDS: readonly Guard[] = [
  agentGuard,
  deleteGuard,
  secretsGuard,
  gitGuard,
  remoteCodeGuard,
  systemGuard,
  startupGuard,
  privilegeGuard,
  networkGuard,
  publishGuard,
  databaseGuard,
  cloudGuard,
  containersGuard,
]
