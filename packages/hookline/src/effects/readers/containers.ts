import { posix } from 'node:path'
import { findOwn } from '../../text/table.ts'
import { nameInto } from '../brought-files.ts'
import {
  type Context,
  copyShell,
  enterStep,
  listRunnable,
  lowerCertainty,
  noteChange,
  noteFlows,
  noteSmallChange,
  readPath,
  resolveOne,
  writePath,
} from '../context.ts'
import type { Mount } from '../places.ts'
import { parseArguments, toSet } from '../program.ts'
import {
  type Content,
  carry,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toUnknownWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { type Call, parseCall, type Reader, readByRow } from './call.ts'
import { isForTrying, mark } from './databases.ts'
import { showAll, showSecret } from './printed.ts'
import { readComposeServices } from './task-files.ts'

/** Readers of docker, podman and compose. */
const CONTAINER_READERS: Readonly<Record<string, Reader>> = {
  docker: readDocker,
}

/** Reads a call by the one of them that its row names. */
export const readContainerCall: Reader = (call) => readByRow(CONTAINER_READERS, call)

const RUN_VALUED =
  '-e -u -w -v -p -l -h -m -c -a --env --env-file --user --workdir --volume --mount --publish --name --network --net --label --hostname --memory --cpus --platform --add-host --entrypoint --index --detach-keys --pull --restart --gpus --shm-size --ulimit --device --cap-add --cap-drop --security-opt --tmpfs --log-driver --log-opt --ip --dns --link --volumes-from --pid --ipc --userns --uts --cgroupns --runtime --stop-signal --health-cmd --expose --group-add --cidfile'

/** The context of a command in a container: only what is mounted is of this machine. */
export function enterContainer(context: Context, mounts: readonly Mount[], host?: string): Context {
  const shell = copyShell(context.shell)
  shell.folders = [{ path: '/', certainty: 'certain' }]
  shell.functions.clear()
  const where = host ? { host } : ('container' as const)
  return enterStep({ ...context, shell, where, mounts: host ? null : mounts, as: 'user' })
}

function readDocker(given: Call): Content {
  const isCompose = /^(?:docker|podman)-compose$/.test(given.name)
  const call = isCompose ? { ...given, name: 'docker', words: [toKnownWord('compose'), ...given.words] } : given
  const { context, words, name } = call
  // Commands in the name space of the user are commands on this machine.
  if (name === 'podman' && words[0] && readWord(words[0]) === 'unshare')
    return context.reading.runWords(enterStep(context), words.slice(1), given.input)
  const start = parseCall(
    call,
    `-H -c -l --host --context --config --log-level -f --file -p --project-name --profile --env-file --project-directory${/^(?:ctr|nerdctl|crictl)$/.test(name) ? ' -n -a -r --namespace --address' : ''}`,
    { stopAtOperand: true },
  )
  const [first = ''] = start.operands.map((each) => readWord(each) ?? '?')
  const isGroup =
    /^(?:containers?|images?|volumes?|network|system|compose|builder|buildx|context|stack|service|swarm|secret|config|node|plugin|manifest|machine|pods?|tasks?|snapshots?|c|i|t)$/.test(
      first,
    )
  const group = isGroup
    ? (findOwn(SHORT_GROUPS, first) ?? first.replace(/(?<=^(?:container|image|volume|pod|task|snapshot))s$/, ''))
    : ''
  const inner = isGroup
    ? parseCall(
        { ...call, words: start.operands.slice(1) },
        '-f --file -p --project-name --profile --env-file --project-directory -H',
        { stopAtOperand: true },
      ).operands
    : start.operands
  const said = readWord(inner[0] ?? toKnownWord('')) ?? ''
  const verb = name === 'ctr' && said === 'delete' ? 'rm' : said
  const rest = inner.slice(1)
  const target = mark(`${name} ${showAll(words)}`)
  if (words.some((word) => readWord(word) === '--help')) return UNKNOWN_CONTENT
  if (group === 'context' && verb === 'use' && rest[0]) context.shell.variables.set('DOCKER_CONTEXT', rest[0])
  else if (isElsewhere(context, start)) noteElsewhere(context, verb, target)
  if (
    /^(?:run|create|exec)$/.test(verb) &&
    group !== 'volume' &&
    group !== 'network' &&
    group !== 'secret' &&
    group !== 'config' &&
    group !== 'service'
  )
    return runInContainer(call, verb, rest, group, target)
  // An image holds the project that it was built from.
  if (/^(?:save|export)$/.test(verb)) return { ...UNKNOWN_CONTENT, carries: carry('project') }
  if (verb === 'prune' || (verb === 'rmi' && rest.some((word) => readKnownStart(word) === '--prune')))
    noteChange(context, 'containers', 'prune', target)
  else if (group === 'compose' && verb === 'down') {
    if (parseArguments(rest, toSet('-t --timeout --rmi')).has('-v', '--volumes', '--rmi'))
      noteChange(context, 'containers', 'remove-volumes', target)
  } else if (group === 'compose' && verb === 'rm')
    noteSmallChange(
      context,
      'containers',
      parseArguments(rest, toSet('')).has('-v', '--volumes') ? 'remove-volumes' : 'remove',
      target,
      parseArguments(rest, toSet('')).has('-v', '--volumes') ? 'certain' : 'possible',
    )
  else if (verb === 'rm' && /^(?:service|stack|config|secret|node|context|machine|task|snapshot)$/.test(group))
    noteChange(context, 'containers', 'remove', target)
  else if (name === 'crictl' && /^(?:rmp|stopp)$/.test(verb)) noteChange(context, 'containers', 'remove', target)
  else if (verb === 'rm' || verb === 'rmi' || verb === 'remove') readRemoval(context, { group, verb, rest, target })
  else if (group === 'service' && /\bscale\b.*=0(?:\s|$)|--replicas[= ]0(?:\s|$)/.test(target))
    noteChange(context, 'containers', 'remove', target)
  else if (group === 'node' && /--availability[= ]drain/.test(target)) noteChange(context, 'cluster', 'delete', target)
  else if (/^(?:system|machine)$/.test(group) && verb === 'reset') noteChange(context, 'containers', 'prune', target)
  else if (/^(?:ps|ls)$/.test(verb) && parseArguments(rest, toSet('-f --filter --format -n')).has('-f', '--filter'))
    return { ...UNKNOWN_CONTENT, lists: [toUnknownWord(BY_FILTER, { empty: false })] }
  else if (
    /^(?:kill|stop|restart|pause)$/.test(verb) &&
    (rest.some(isDynamic) || parseArguments(rest, toSet('-t -s')).has('-a', '--all'))
  )
    noteChange(context, 'containers', 'remove', target, 'likely')
  else if (verb === 'push' && rest.some((word) => /^(?:localhost|127\.\d|\[::1\])/.test(readKnownStart(word))))
    return UNKNOWN_CONTENT // a registry of this machine
  else if (verb === 'push' || (group === 'manifest' && verb === 'push'))
    noteChange(context, 'registry', 'publish', target)
  else if (verb === 'build' && rest.some((word) => /^(?:https?:|git@|git:)/.test(readKnownStart(word))))
    noteFlows(context, ['fetch'], 'run', target)
  else if (
    verb === 'build' &&
    rest.some((word) => readWord(word) === '-') &&
    listRunnable(call.input.carries).length > 0
  )
    noteFlows(context, listRunnable(call.input.carries), 'run', target)
  else if (group === 'compose' && verb === 'config') {
    if (!parseArguments(rest, toSet('--format -o --output')).has(...COMPOSE_NAMES)) readComposeConfig(context)
  } else if (group === 'compose' && (verb === 'up' || verb === 'start' || verb === 'restart'))
    runServices(
      context,
      start.values('-f', '--file').length > 0 ? start.values('-f', '--file') : listComposeFiles(call),
      rest.map((each) => readWord(each) ?? ''),
    )
  else if ((verb === 'build' || verb === 'bake') && parseArguments(rest, toSet('-t -f --tag --file')).has('--push'))
    noteChange(context, 'registry', 'publish', target)
  else if (verb === 'inspect' && /\.Env\b/.test(target)) return showSecret(context, 'the environment of a container')
  else if (verb === 'cp') readDockerCopy(context, rest)
  else if (group === 'swarm' && verb === 'leave') noteChange(context, 'cluster', 'delete', target)
  else if (group === 'stack' && verb === 'deploy') noteChange(context, 'cluster', 'change', target, 'likely')
  else if (verb === 'login') noteChange(context, 'containers', 'login', target, 'possible')
  else if (verb === 'export' || verb === 'save') {
    const out = parseArguments(rest, toSet('-o --output')).value('-o', '--output')
    if (out) writePath(context, out, 'replace')
  }
  return UNKNOWN_CONTENT
}

/** Short names of groups that `ctr` has. */
const SHORT_GROUPS: Readonly<Record<string, string>> = { c: 'container', i: 'image', t: 'task' }

/** Names of contexts of this machine. */
const LOCAL_CONTEXT =
  /^(?:default|desktop-linux|desktop-windows|rootless|orbstack|colima\S*|rancher-desktop|podman-machine\S*|lima\S*|minikube|)$/

/** True for a call that goes to the containers of another machine: by an option, a variable, or a context chosen before. */
function isElsewhere({ shell }: Context, start: ReturnType<typeof parseArguments>): boolean {
  const host =
    start.value('-H', '--host') ?? shell.variables.get('DOCKER_HOST') ?? shell.variables.get('CONTAINER_HOST')
  const named = start.value('-c', '--context') ?? shell.variables.get('DOCKER_CONTEXT')
  const address = host ? readKnownStart(host) : ''
  const isAway =
    /^(?:ssh|tcp|https?):\/\//.test(address) && !/^\w+:\/\/(?:localhost|127\.|\[?::1|dind|docker)\b/.test(address)
  return isAway || (named !== undefined && named !== null && !LOCAL_CONTEXT.test(showValue(named)))
}

/** Notes what is taken away or replaced on another machine, where others use it. */
function noteElsewhere(context: Context, verb: string, target: string): void {
  if (/^(?:rm|rmi|kill|stop|restart|pause|down|update|rollback)$/.test(verb))
    noteChange(context, 'containers', 'remove', target)
  else if (/^(?:up|run|deploy|create|start|scale|import|load|tag|rename|cp)$/.test(verb))
    noteChange(context, 'containers', 'deploy', target)
}

/** Options with which `compose config` prints names, and no values. */
const COMPOSE_NAMES = ['-q', '--quiet', '--services', '--volumes', '--networks', '--profiles', '--images', '--hash']

/** `compose config` prints the settings with the values of `.env` filled in. */
function readComposeConfig(context: Context): void {
  const file = toKnownWord('.env')
  if (resolveOne(context, file)?.exists) readPath(lowerCertainty(context, 'likely'), file)
}

function listComposeFiles({ words }: Call): readonly Value[] {
  return parseArguments(words.slice(1), toSet('-f --file -p --project-name --profile --env-file')).values(
    '-f',
    '--file',
  )
}

/** Runs the commands of the services of a compose file, with the folders that they mount. */
function runServices(context: Context, files: readonly Value[], wanted: readonly string[]): void {
  const named = wanted.filter((each) => !each.startsWith('-'))
  for (const { name, command, volumes, privileged, at } of readComposeServices(context, files)) {
    if (named.length > 0 && !named.includes(name)) continue
    const inner = enterStep(context, { text: `service ${name}`, at })
    const mounts = listMounts(
      inner,
      volumes.map((each) => toKnownWord(each)),
      [],
    )
    const isRoot = mounts.some(({ outside }) => outside === '/' || outside.endsWith('docker.sock'))
    if (privileged || isRoot) noteChange(inner, 'machine', 'privilege', `compose service ${name}`)
    if (command !== '') context.reading.runScript(enterContainer(inner, mounts), command)
  }
}

/** True for a word that stands for others: a substitution, a variable of a loop, a wildcard. */
function isDynamic(word: Value): boolean {
  const text = readWord(word)
  if (text === null) return !showValue(word).includes(BY_FILTER)
  return /^(?:\$\w+|\*)$/.test(text)
}

/** Name of containers that a list narrowed by a filter holds. */
const BY_FILTER = 'containers by filter'

function readRemoval(
  context: Context,
  { group, verb, rest, target }: { group: string; verb: string; rest: readonly Value[]; target: string },
): void {
  const parsed = parseArguments(rest, toSet(''))
  const isAll = parsed.operands.some(isDynamic) || parsed.has('-a', '--all')
  if (group === 'volume')
    noteSmallChange(
      context,
      'containers',
      'remove-volumes',
      target,
      parsed.operands.every((each) => isForTrying(readWord(each) ?? '')) ? 'likely' : 'certain',
    )
  else if (verb === 'rmi' || group === 'image')
    noteSmallChange(context, 'containers', 'remove', target, isAll ? 'certain' : 'possible')
  else if (isAll || parsed.has('-v', '--volumes'))
    noteSmallChange(context, 'containers', isAll ? 'remove' : 'remove-volumes', target, isAll ? 'certain' : 'likely')
  else
    noteSmallChange(context, 'containers', 'remove', target, typeof context.where === 'object' ? 'certain' : 'possible')
}

/** Folders of a container in which databases keep what they hold. */
const DATA_FOLDER =
  /^[\w.-]+:\/(?:var\/lib\/(?:postgresql|mysql|mongodb|redis|mariadb|elasticsearch|cassandra|couchdb|clickhouse|influxdb|neo4j)|data\/db|bitnami)(?:\/|$)/

/** True for a folder of a container in which a database keeps what it holds. */
export function isDataFolder(folder: Value): boolean {
  return DATA_FOLDER.test(readKnownStart(folder))
}

function readDockerCopy(context: Context, rest: readonly Value[]): void {
  const [source, goal] = parseArguments(rest, toSet('')).operands
  if (!source || !goal) return
  const isOut = /^[\w.-]+:/.test(readKnownStart(source))
  if (isOut) {
    const [machine = '', inside = ''] = readKnownStart(source).split(/:(.*)/s)
    if (readWord(goal) === '-') readPath(enterContainer(context, [], `container ${machine}`), toKnownWord(inside))
    else writePath(context, nameInto(context, source, goal), 'replace')
  } else {
    const content = readPath(context, source, 'tree')
    if (isDataFolder(goal))
      noteChange(context, 'containers', 'remove-volumes', `docker cp ${showValue(source)} ${showValue(goal)}`, 'likely')
    noteFlows(
      context,
      [...content.carries].filter((each) => each === 'secret'),
      'send',
      `container ${readKnownStart(goal).split(':')[0] ?? ''}`,
    )
  }
}

function runInContainer(call: Call, verb: string, words: readonly Value[], group: string, target: string): Content {
  const { context, input } = call
  const parsed = parseArguments(words, toSet(RUN_VALUED), { stopAtOperand: true })
  const mounts = listMounts(context, parsed.values('-v', '--volume'), parsed.values('--mount'))
  if (verb === 'run' || verb === 'create') notePrivileges(context, parsed, mounts, target)
  const entry = parsed.value('--entrypoint')
  const [image, ...command] = parsed.operands
  const full = entry ? [entry, ...command] : command
  const isExisting = verb === 'exec' || group === 'compose'
  const inner = enterContainer(context, mounts)
  if (group === 'compose' && verb === 'run' && image && full.length === 0)
    runServices(context, listComposeFiles(call), [readWord(image) ?? ''])
  if (image) noteFlows(lowerCertainty(context, 'likely'), listRunnable(image.carries), 'run', `${call.name} run`)
  noteForeignImage(context, image, mounts)
  if (full.length === 0) return UNKNOWN_CONTENT
  const secrets = parsed.values('--env-file').filter((each) => resolveOne(context, each)?.place === 'secret')
  if (/^(?:env|printenv|export|set)$/.test(readWord(full[0] ?? toKnownWord('')) ?? ''))
    for (const each of secrets) readPath(context, each)
  const folder = parsed.value('-w', '--workdir')
  if (folder) inner.shell.folders = [{ path: readWord(folder) ?? '/', certainty: 'certain' }]
  // A container that goes on keeps what a command in it removes; one made for the command does not.
  const kind = group === 'compose' ? 'service' : 'container'
  const host = isExisting && image && (group !== 'compose' || verb === 'exec') ? `${kind} ${showValue(image)}` : null
  return context.reading.runWords(host ? enterContainer(context, [], host) : inner, full, input)
}

/** Registries that everyone takes images from. */
const WELL_KNOWN_REGISTRIES =
  /^(?:docker\.io|index\.docker\.io|ghcr\.io|quay\.io|gcr\.io|[\w-]+\.gcr\.io|[\w.-]*pkg\.dev|mcr\.microsoft\.com|public\.ecr\.aws|registry\.k8s\.io|registry\.gitlab\.com|nvcr\.io|[\w.-]+\.amazonaws\.com|[\w.-]+\.azurecr\.io|localhost(?::\d+)?|cgr\.dev)$/

/** Notes that an image of an unusual registry is given files of this machine beyond the project. */
function noteForeignImage(context: Context, image: Value | undefined, mounts: readonly Mount[]): void {
  const registry = /^([\w-]+(?:\.[\w-]+)+(?::\d+)?)\//.exec(image ? readKnownStart(image) : '')?.[1]
  if (!registry || WELL_KNOWN_REGISTRIES.test(registry)) return
  const { world } = context.reading
  if (mounts.some(({ outside }) => !`${outside}/`.startsWith(`${world.project}/`) || outside === world.project))
    noteFlows(lowerCertainty(context, 'likely'), ['fetch'], 'run', image ? showValue(image) : registry)
}

/** The folder in which volumes lie. */
const VOLUMES = '/var/lib/docker/volumes'

function listMounts(context: Context, volumes: readonly Value[], mounts: readonly Value[]): Mount[] {
  const found: Mount[] = []
  const add = (outside: string, inside: string) => {
    if (!/^[./~]/.test(outside)) return
    const path = resolveOne(context, toKnownWord(outside.replace(/^~(?=\/|$)/, context.reading.world.home)))
    if (path) found.push({ inside: posix.normalize(inside).replace(/(?<=.)\/$/, ''), outside: path.text })
  }
  for (const each of volumes) {
    const [outside = '', inside = ''] = showValue(each).split(':')
    // A volume with a name is a folder that outlives the container.
    if (inside !== '') add(/^[\w][\w.-]*$/.test(outside) ? `${VOLUMES}/${outside}/_data` : outside, inside)
  }
  for (const each of mounts) {
    const fields = new Map(
      showValue(each)
        .split(',')
        .map((field) => [field.split('=')[0] ?? '', field.split('=').slice(1).join('=')]),
    )
    const outside = fields.get('source') ?? fields.get('src')
    const inside = fields.get('target') ?? fields.get('dst') ?? fields.get('destination')
    if (outside && inside) add(outside, inside)
  }
  return found
}

function notePrivileges(
  context: Context,
  parsed: ReturnType<typeof parseArguments>,
  mounts: readonly Mount[],
  target: string,
): void {
  const isHost = [...parsed.values('--pid', '--ipc', '--userns', '--uts')].some((each) => readWord(each) === 'host')
  const capabilities = parsed.values('--cap-add').map((each) => (readWord(each) ?? '').toUpperCase())
  const isRoot = mounts.some(
    ({ outside }) =>
      outside === '/' ||
      /^\/(?:etc|root|boot|proc|sys|var|usr|home)?$/.test(outside) ||
      outside.endsWith('docker.sock') ||
      outside.endsWith('containerd.sock'),
  )
  const isOpen = parsed
    .values('--security-opt')
    .some((each) => /unconfined|no-new-privileges[:=]false/.test(readWord(each) ?? ''))
  if (
    parsed.has('--privileged') ||
    isHost ||
    isRoot ||
    isOpen ||
    capabilities.some((each) => /ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_/.test(each)) ||
    parsed.has('--device')
  )
    noteChange(context, 'machine', 'privilege', target)
  for (const { outside } of mounts) {
    const path = resolveOne(context, toKnownWord(outside))
    if (path?.place === 'secret') readPath(lowerCertainty(context, 'likely'), toKnownWord(outside), 'tree')
  }
}
