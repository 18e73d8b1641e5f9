import { posix } from 'node:path'
import { findOwn } from '../../text/table.ts'
import {
  type Context,
  copyShell,
  deletePath,
  enterStep,
  fetchFrom,
  listRunnable,
  lowerCertainty,
  note,
  noteChange,
  noteFlows,
  noteUnseen,
  readContent,
  readFilled,
  readPath,
  readSource,
  resolveOne,
  sendTo,
  writePath,
} from '../context.ts'
import type { Mount } from '../places.ts'
import { quotePowerShell, readPowerShell } from '../powershell.ts'
import { isAboutProduction, parseArguments, toSet } from '../program.ts'
import { hasOpenComment, readSql } from '../sql.ts'
import {
  type Content,
  carry,
  dropStart,
  EMPTY_CONTENT,
  join,
  leaveOut,
  mergeCarried,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toUnknownWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { noteSource } from '../variables.ts'
import type { Certainty } from '../view.ts'
import { type Call, parseCall, type Reader, readCallWords } from './call.ts'
import { readComposeServices } from './task-files.ts'

/** Readers of programs that change the machine, containers, clusters, clouds and databases. */
export const SYSTEM_READERS: Readonly<Record<string, Reader>> = {
  gh: readGh,
  aws: readAws,
  kubectl: readKubectl,
  docker: readDocker,
  keeper: readKeeper,
  sql: readSqlShell,
  'database-shell': readDatabaseShell,
  dropdb: readDropdb,
  disk: readDisk,
  mount: readMount,
  power: readPower,
  kill: readKill,
  killall: readKillall,
  crontab: readCrontab,
  at: readAtCommand,
  systemctl: readSystemctl,
  sysctl: readSysctl,
  firewall: readFirewall,
  packages: readPackages,
  tmux: readTmux,
  powershell: readPowerShellProgram,
  capsh: readCapsh,
  'windows-download': readWindowsDownload,
  windows: readWindowsProgram,
}

/** Words of a name that is made for trying things out. */
const TRYING =
  /^:memory:|(?:^|[-_./])(?:test|tests|testing|tmp|temp|scratch|sandbox|ci|dev|local|example|demo)(?:$|[-_./\d])/i

/** Words that name production, marked so. */
export function mark(words: string, besides = /$^/g): string {
  return isAboutProduction(words.replaceAll(besides, '')) ? `${words} (production)` : words
}

function readGh(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(
    call,
    '-R -b -t -m -F -f -X -H -q -B -l -a -L -n -c -e -d -p --repo --body --title --body-file --method --field --raw-field --header --jq --json --template --input --label --env --org --notes --notes-file --hostname --ref --limit --state --search --branch --visibility --description --desc --filename',
  )
  const texts = parsed.operands.map((each) => readWord(each) ?? '?')
  const [group = '', verb = '', ...rest] = texts
  const target = mark([call.name, ...texts].join(' '))
  if (parsed.has('--help')) return UNKNOWN_CONTENT
  // hub is git with more commands.
  if (
    call.name === 'hub' &&
    !/^(?:api|browse|ci-status|compare|create|delete|fork|gist|issue|pr|pull-request|release|sync)$/.test(group)
  )
    return context.reading.runWords(enterStep(context), [toKnownWord('git'), ...call.words], input)
  if (call.name === 'hub' && group === 'delete') noteChange(context, 'cloud', 'delete', target)
  for (const each of parsed.values('--body-file', '--notes-file', '-F', '--input')) {
    // The text of an issue or a release is written for others.
    const isText = /^(?:project|built|temp)$/.test(resolveOne(context, each)?.place ?? '') && group !== 'api'
    if (!isText && /[/.]/.test(showValue(each)) && !showValue(each).includes('=') && readWord(each) !== '-')
      sendFile(context, each)
  }
  if (group === 'auth' && (verb === 'token' || parsed.has('--show-token', '-t')))
    return showSecret(context, `${call.name} auth token`)
  if (group === 'api')
    return readApi(
      call,
      parsed.value('-X', '--method'),
      rest.length > 0 ? `${verb} ${rest.join(' ')}` : verb,
      parsed.has('-f', '-F', '--field', '--raw-field', '--input'),
    )
  if (group === 'gist' && (verb === 'create' || verb === 'edit')) {
    for (const file of parsed.operands.slice(2)) sendFile(context, file)
    if (input.carries.size > 0) sendTo(context, toKnownWord('gist.github.com'), input)
    note(context, { does: 'send', host: 'gist.github.com' })
    return UNKNOWN_CONTENT
  }
  if (
    /^(?:repo|project|release|secret|variable|gist|environment|cache|label|ssh-key|gpg-key|codespace|deploy-key|run|ruleset|extension|issue|pipeline|ci|runner|token|snippet|schedule|cluster)$/.test(
      group,
    ) &&
    (/^(?:delete|remove|rm|delete-asset|archive|destroy)$/.test(verb) ||
      (/^(?:deploy-key|ruleset|secret|variable)$/.test(verb) && /^(?:delete|remove|rm)$/.test(rest[0] ?? '')))
  ) {
    const isSmall = /^(?:cache|label|run|extension|codespace|gist|issue)$/.test(group)
    noteChange(context, 'cloud', isSmall ? 'change' : 'delete', target, isSmall ? 'likely' : 'certain')
  } else if (group === 'workflow' && verb === 'disable') noteChange(context, 'cloud', 'change', target)
  else if (group === 'repo' && (verb === 'edit' || verb === 'rename' || verb === 'transfer' || verb === 'sync')) {
    if (parsed.has('--visibility', '--force') || verb !== 'edit')
      noteChange(context, 'cloud', 'change', target, verb === 'sync' && !parsed.has('--force') ? 'possible' : 'certain')
  } else if (group === 'repo' && verb === 'create' && parsed.has('--public', '--push'))
    noteChange(context, 'registry', 'publish', target, 'likely')
  else if (group === 'release' && (verb === 'create' || verb === 'upload' || verb === 'edit')) {
    noteChange(context, 'registry', 'publish', target)
    for (const file of parsed.operands.slice(3))
      if (resolveOne(context, file)?.place === 'secret') sendFile(context, file)
  } else if (group === 'workflow' && (verb === 'run' || verb === 'disable' || verb === 'enable'))
    noteChange(
      context,
      'registry',
      verb === 'run' && /release|publish|deploy|prod/i.test(rest.join(' ')) ? 'publish' : 'workflow',
      target,
      verb === 'run' ? 'certain' : 'likely',
    )
  else if (group === 'secret' && verb === 'set') noteChange(context, 'cloud', 'change', target, 'likely')
  else if (group === 'pr' && verb === 'merge')
    noteChange(context, 'git', 'merge', target, parsed.has('--admin') ? 'certain' : 'possible')
  else if (
    group === 'pr' &&
    verb === 'close' &&
    readCallWords(call.words).some((text) => /^(?:-d|--delete-branch)$/.test(text))
  )
    noteChange(context, 'git', 'delete-ref', target, 'likely')
  else if (group === 'codespace' && verb === 'ssh') noteUnseen(context, 'remote', 'codespace')
  else if (group === 'alias' && verb === 'set' && rest[1]?.startsWith('!'))
    context.reading.runScript(enterStep(context), rest[1].slice(1))
  else if (group === 'extension' && (verb === 'install' || verb === 'exec'))
    noteFlows(lowerCertainty(context, 'possible'), ['fetch'], 'run', target)
  return {
    ...UNKNOWN_CONTENT,
    carries: /^(?:api|issue|pr|release|gist|run)$/.test(group) ? carry('remote') : new Set(),
  }
}

function sendFile(context: Context, file: Value): void {
  const content = readPath(context, file)
  // A text of the project in a request about the project goes where the project is.
  const isText = /\.(?:md|markdown|txt|rst|adoc|org)$/i.test(showValue(file)) && !content.carries.has('secret')
  sendTo(context, toKnownWord('github.com'), {
    carries: isText ? leaveOut(content.carries, 'project') : content.carries,
  })
}

function showSecret(context: Context, what: string): Content {
  if (!context.isForLogin)
    note(context, { does: 'read', path: { text: what, place: 'secret', exists: true }, what: 'content' })
  return { ...UNKNOWN_CONTENT, carries: carry('secret') }
}

function readApi({ context, name, words }: Call, method: Value | null, path: string, hasFields: boolean): Content {
  const usual = hasFields ? 'POST' : 'GET'
  const verb = (method ? readWord(method) : usual)?.toUpperCase() ?? '?'
  if (verb === 'DELETE') noteChange(context, 'cloud', 'delete', `${name} api ${path}`)
  else if (/\/git\/refs\//.test(path) && verb === 'PATCH')
    noteChange(context, 'git', 'rewrite-remote', `${name} api ${path}`)
  else if (verb !== 'GET' && verb !== 'HEAD') {
    const isFarReaching = /\/merge$|\/dispatches$|collaborators|\/keys|protection|transfer|\/rulesets|\/hooks\b/.test(
      path,
    )
    const text = showAll(words)
    if (
      /^(?:\/?repos\/[^/]+\/[^/]+|\/?orgs\/[^/]+)\/?$/.test(path) &&
      /\b(?:visibility|private|archived|default_branch|name)=/.test(text)
    )
      noteChange(context, 'cloud', 'change', `${name} api ${path}`)
    if (
      path.startsWith('graphql') &&
      /\bmutation\b[\s\S]{0,200}\b(?:delete|remove|archive|transfer|revoke|unlink|update\w*(?:Protection|Visibility))\w*/.test(
        text,
      )
    )
      noteChange(context, 'cloud', 'delete', `${name} api graphql`)
    else if (path.startsWith('graphql')) noteUnseen(context, 'code', 'graphql')
    else
      noteChange(
        context,
        'cloud',
        isFarReaching ? 'change' : 'comment',
        `${name} api ${path}`,
        /\/keys|collaborators|protection|transfer|\/rulesets|\/hooks\b|\/visibility/.test(path) ? 'certain' : 'likely',
      )
  }
  return { ...UNKNOWN_CONTENT, carries: carry('remote') }
}

const AWS_VALUED =
  '--profile --region --output --query --endpoint-url --cli-input-json --user-name --policy-arn --function-name --bucket --key --body --table-name --secret-id --instance-ids --stack-name --name --db-instance-identifier --db-cluster-identifier --cluster --service --exclude --include --acl --policy-document --role-name --with-decryption-x --names --log-group-name --since'

function readAws(call: Call): Content {
  const { context } = call
  const parsed = parseCall(call, AWS_VALUED)
  const [service = '', verb = '', ...rest] = parsed.operands.map((each) => readWord(each) ?? '?')
  const target = mark(`aws ${showAll(call.words)}`)
  if (parsed.has('--dryrun', '--dry-run', '--help') || verb === 'help') return UNKNOWN_CONTENT
  if (service === 's3') return readS3(call, verb, parsed.operands.slice(2), parsed.has('--delete'), target)
  if (
    /^get-secret-value$|^batch-get-secret-value$|^get-session-token$|^assume-role|^export-credentials$|^get-login-password$|^get-authorization-token$|^create-access-key$|^get-password-data$/.test(
      verb,
    )
  )
    return showSecret(context, `aws ${service} ${verb}`)
  if (service === 'ssm' && /^get-parameters?/.test(verb) && parsed.has('--with-decryption'))
    return showSecret(context, `aws ssm ${verb}`)
  if (
    service === 'configure' &&
    (verb === 'export-credentials' || (verb === 'get' && /secret|token|key/.test(rest.join(' '))))
  )
    return showSecret(context, `aws configure ${verb}`)
  if (service === 'kms' && verb === 'decrypt') return showSecret(context, 'aws kms decrypt')
  if (
    /^(?:describe|list|get|head|wait|lookup|search|query|scan|filter|tail|validate|estimate|preview|batch-get|select|simulate|test|detect)(?:-|$)/.test(
      verb,
    ) ||
    service === 'sts' ||
    service === 'configure' ||
    verb === '' ||
    service === 'sso'
  )
    return { ...UNKNOWN_CONTENT, carries: carry('remote') }
  if (
    /^(?:admin-|global-|batch-|bulk-)?(?:delete|terminate|remove|destroy|deregister|leave|close|restore|purge|schedule-key-deletion|disable|detach|revoke|release|reset|reject|cancel|batch-delete|untag|disassociate|force-delete|empty|unsubscribe|unshare|unassign|deactivate|retire|abort|wipe)(?:-|$)/.test(
      verb,
    )
  ) {
    const isMild = /^(?:untag|disassociate|cancel|detach|disable|release|reject|reset|revoke)/.test(verb)
    noteChange(context, 'cloud', isMild ? 'change' : 'delete', target)
  } else if (
    /^(?:attach-\w+-policy|put-\w+-policy|create-access-key|create-login-profile|add-user-to-group|put-bucket-(?:acl|policy)|authorize-security-group|add-permission|put-public-access-block|update-assume-role-policy|create-user|put-object-acl|modify-db-instance|stop|reboot|change-|modify-|execute-statement|send-command|start-session)/.test(
      verb,
    )
  )
    noteChange(context, 'cloud', 'change', target)
  else if (/^put-object$/.test(verb)) {
    const body = parsed.value('--body')
    if (body) sendTo(context, toKnownWord('s3.amazonaws.com'), readPath(context, body))
  } else
    noteChange(
      context,
      'cloud',
      'change',
      target,
      isAboutProduction(target) || FAR_REACHING.test(verb) ? 'certain' : 'likely',
    )
  return UNKNOWN_CONTENT
}

/** Verbs of AWS by which what others use is changed; items, records and marks are everyday work. */
const FAR_REACHING =
  /^(?:update|put|modify|set|reset|replace|batch-write|transact-write)-(?!item$|object$|records?$|events?$|log-events$|metric-data$|parameter$|image$|\S*tag(?:s|ging)?$|attributes$|kubeconfig$)/

function readS3(
  { context, input }: Call,
  verb: string,
  operands: readonly Value[],
  isDeleting: boolean,
  target: string,
): Content {
  if (verb === 'rb' || verb === 'rm') noteChange(context, 'cloud', 'delete', target)
  if (verb === 'presign') noteChange(context, 'cloud', 'change', target, 'likely')
  if (verb === 'website' || verb === 'mb') noteChange(context, 'cloud', 'change', target, 'likely')
  if (verb !== 'cp' && verb !== 'sync' && verb !== 'mv') return UNKNOWN_CONTENT
  const [source, goal] = operands
  if (!source || !goal) return UNKNOWN_CONTENT
  const isUp = !readKnownStart(source).startsWith('s3:') && readKnownStart(goal).startsWith('s3:')
  if (verb === 'mv' && readKnownStart(source).startsWith('s3:')) noteChange(context, 'cloud', 'delete', target)
  if (isUp) {
    const content = readWord(source) === '-' ? input : readPath(context, source, 'tree')
    sendTo(context, toKnownWord(readKnownStart(goal).split('/')[2] ?? 's3'), content)
    if (verb === 'mv') deletePath(context, source, 'tree')
  } else if (!readKnownStart(goal).startsWith('s3:') && readWord(goal) !== '-')
    writePath(context, verb === 'sync' ? goal : copyInto(context, source, goal), 'replace', {
      ...UNKNOWN_CONTENT,
      carries: carry('remote'),
    })
  if (isDeleting) {
    if (readKnownStart(goal).startsWith('s3:')) noteChange(context, 'cloud', 'delete', target)
    else deletePath(context, join([goal, toKnownWord('/*')]), 'tree')
  }
  return UNKNOWN_CONTENT
}

function showAll(words: readonly Value[]): string {
  return words.map(showValue).join(' ')
}

const KUBECTL_VALUED =
  '-n -f -l -o -c -k -i-x --namespace --context --kubeconfig --cluster --user --filename --selector --output --container --kustomize --replicas --image --field-selector --grace-period --timeout --type --patch -p --server --token --as --from-file --from-literal --from-env-file --overrides --tail --since --port --schedule'

function readKubectl(call: Call): Content {
  const { context, words } = call
  const dashes = words.findIndex((word) => readWord(word) === '--')
  const own = dashes === -1 ? words : words.slice(0, dashes)
  const parsed = parseArguments(own, toSet(KUBECTL_VALUED))
  const said = parsed.operands.map((each) => readWord(each) ?? '?')
  // `oc adm drain`, `microk8s kubectl delete`: the verb comes second.
  const texts = /^(?:adm|kubectl|ctr)$/.test(said[0] ?? '') ? said.slice(1) : said
  const [verb = '', ...rest] = texts
  if (call.name === 'microk8s' && verb === 'reset') noteChange(context, 'cluster', 'delete', 'microk8s reset')
  const target = mark(`kubectl ${showAll(own)}`)
  const dry = parsed.value('--dry-run')
  if ((dry && readWord(dry) !== 'none') || (parsed.has('--dry-run') && !dry) || parsed.has('--help'))
    return UNKNOWN_CONTENT
  const output = parsed.value('-o', '--output')
  const format = output ? (readWord(output) ?? '') : ''
  if (
    verb === 'get' &&
    /(?:^|,)secrets?(?:\/|$|,)/.test(rest[0] ?? '') &&
    /^(?:yaml|json|jsonpath|go-template|custom-columns)/.test(format) &&
    !/name/.test(format.slice(0, 4))
  )
    return showSecret(context, target)
  for (const each of parsed.values('-f', '--filename'))
    if (
      readWord(each) === '-' &&
      /hostPID|hostNetwork|["']?privileged["']?\s*:\s*true|hostPath/.test(call.input.text ?? '')
    )
      noteChange(context, 'machine', 'privilege', target)
    else if (/^https?:/.test(readKnownStart(each)) && /^(?:apply|create|replace)$/.test(verb))
      noteFlows(context, ['fetch'], 'run', `${target} from the network`)
  if ((verb === 'create' && rest[0] === 'token') || (verb === 'whoami' && parsed.has('-t', '--show-token')))
    return showSecret(context, target)
  for (const each of parsed.values('--from-file', '--from-env-file'))
    readPath(context, toKnownWord((readWord(each) ?? '').split('=').at(-1) ?? ''), 'name')
  if (/^(?:exec|run|debug|rsh)$/.test(verb)) {
    const command = dashes === -1 ? [] : words.slice(dashes + 1)
    if (verb === 'debug' && rest[0]?.startsWith('node/')) noteChange(context, 'machine', 'root-shell', target, 'likely')
    if (/privileged|hostPID|hostNetwork/.test(showAll(own))) noteChange(context, 'machine', 'privilege', target)
    const podHost = `pod ${rest.find((each) => !each.startsWith('-')) ?? ''}`
    return command.length > 0
      ? context.reading.runWords(enterContainer(context, [], podHost), command, call.input)
      : UNKNOWN_CONTENT
  }
  if (verb === 'cp') {
    const [source, goal] = parsed.operands.slice(1)
    const isUp = source && goal && !readKnownStart(source).includes(':') && readKnownStart(goal).includes(':')
    if (isUp && DATA_FOLDER.test(readKnownStart(goal)))
      noteChange(context, 'cluster', 'delete', `kubectl cp ${showValue(source)} ${showValue(goal)}`, 'likely')
    if (isUp)
      sendTo(context, toKnownWord(`pod ${readKnownStart(goal).split(':')[0]}`), readPath(context, source, 'tree'))
    else if (source && goal)
      writePath(context, copyInto(context, source, goal), 'replace', { ...UNKNOWN_CONTENT, carries: carry('remote') })
    return UNKNOWN_CONTENT
  }
  if (verb === 'delete' || verb === 'drain' || verb === 'replace')
    noteChange(context, 'cluster', verb === 'replace' && !parsed.has('--force') ? 'change' : 'delete', target)
  else if (verb === 'scale')
    noteChange(
      context,
      'cluster',
      /--replicas[= ]0\b/.test(target) ? 'delete' : 'scale',
      target,
      /--replicas[= ]0\b/.test(target) ? 'certain' : 'likely',
    )
  else if (verb === 'apply' && parsed.has('--prune')) noteChange(context, 'cluster', 'delete', target)
  else if (verb === 'rollout' && rest[0] !== 'status' && rest[0] !== 'history')
    noteChange(context, 'cluster', 'change', target, rest[0] === 'undo' ? 'certain' : 'likely')
  else if (
    /^(?:apply|create|patch|edit|set|annotate|label|expose|autoscale|taint|cordon|uncordon|certificate)$/.test(verb)
  )
    noteChange(
      context,
      'cluster',
      /finalizers"?\s*:\s*(?:null|\[\])/.test(readCallWords(call.words).join(' ')) ? 'delete' : 'change',
      target,
      isAboutProduction(target) ||
        /^(?:patch|edit|taint)$/.test(verb) ||
        /finalizers|cluster-?role-?binding.*admin/.test(readCallWords(call.words).join(' '))
        ? 'certain'
        : 'likely',
    )
  else if (
    /^[a-z]+$/.test(verb) &&
    !/^(?:get|describe|logs|explain|auth|config|top|wait|diff|plugin|krew)$/.test(verb) &&
    rest.slice(0, 2).some((text) => /^(?:delete|destroy|abort|terminate|uninstall)$/.test(text))
  )
    noteChange(context, 'cluster', 'delete', target, 'likely')
  else if (verb === 'config' && /^(?:delete-|unset|use-context|set)/.test(rest[0] ?? ''))
    noteChange(context, 'cluster', 'switch', target, 'likely')
  else if (verb === 'config' && rest[0] === 'view' && parsed.has('--raw')) return showSecret(context, target)
  else if (verb === 'proxy' && /--address[= ]0\.0\.0\.0/.test(target)) note(context, { does: 'listen', on: target })
  return { ...UNKNOWN_CONTENT, carries: carry('remote') }
}

const RUN_VALUED =
  '-e -u -w -v -p -l -h -m -c -a --env --env-file --user --workdir --volume --mount --publish --name --network --net --label --hostname --memory --cpus --platform --add-host --entrypoint --index --detach-keys --pull --restart --gpus --shm-size --ulimit --device --cap-add --cap-drop --security-opt --tmpfs --log-driver --log-opt --ip --dns --link --volumes-from --pid --ipc --userns --uts --cgroupns --runtime --stop-signal --health-cmd --expose --group-add --cidfile'

/** The context of a command in a container: only what is mounted is of this machine. */
function enterContainer(context: Context, mounts: readonly Mount[], host?: string): Context {
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
  if (verb === 'prune' || (verb === 'rmi' && rest.some((word) => readKnownStart(word) === '--prune')))
    noteChange(context, 'containers', 'prune', target)
  else if (group === 'compose' && verb === 'down') {
    if (parseArguments(rest, toSet('-t --timeout --rmi')).has('-v', '--volumes', '--rmi'))
      noteChange(context, 'containers', 'remove-volumes', target)
  } else if (group === 'compose' && verb === 'rm')
    noteChange(
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
    noteChange(
      context,
      'containers',
      'remove-volumes',
      target,
      parsed.operands.every((each) => TRYING.test(readWord(each) ?? '')) ? 'likely' : 'certain',
    )
  else if (verb === 'rmi' || group === 'image')
    noteChange(context, 'containers', 'remove', target, isAll ? 'certain' : 'possible')
  else if (isAll || parsed.has('-v', '--volumes'))
    noteChange(context, 'containers', isAll ? 'prune' : 'remove-volumes', target, isAll ? 'certain' : 'likely')
  else noteChange(context, 'containers', 'remove', target, typeof context.where === 'object' ? 'certain' : 'possible')
}

/** The path that a copy from elsewhere writes: a file of that name where the goal is a folder. */
function copyInto(context: Context, source: Value, goal: Value): Value {
  const kind = context.reading.world.findKind(resolveOne(context, goal)?.text ?? '')
  const name = posix.basename(readKnownStart(source).replace(/^[^:]*:/, ''))
  const isFolder = kind === 'folder' || context.reading.world.temp.includes(resolveOne(context, goal)?.text ?? '')
  return isFolder && name !== '' && name !== '.' ? join([goal, toKnownWord(`/${name}`)]) : goal
}

/** Folders of a container in which databases keep what they hold. */
const DATA_FOLDER =
  /^[\w.-]+:\/(?:var\/lib\/(?:postgresql|mysql|mongodb|redis|mariadb|elasticsearch|cassandra|couchdb|clickhouse|influxdb|neo4j)|data\/db|bitnami)(?:\/|$)/

function readDockerCopy(context: Context, rest: readonly Value[]): void {
  const [source, goal] = parseArguments(rest, toSet('')).operands
  if (!source || !goal) return
  const isOut = /^[\w.-]+:/.test(readKnownStart(source))
  if (isOut) {
    const [machine = '', inside = ''] = readKnownStart(source).split(/:(.*)/s)
    if (readWord(goal) === '-') readPath(enterContainer(context, [], `container ${machine}`), toKnownWord(inside))
    else writePath(context, copyInto(context, source, goal), 'replace')
  } else {
    const content = readPath(context, source, 'tree')
    if (DATA_FOLDER.test(readKnownStart(goal)))
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

/** Words by which keepers of secrets show one. */
const KEEPER_SHOWS =
  /^(?:show|get|read|find-generic-password|find-internet-password|dump-keychain|export|inject|run|exec|lookup|view|copy|clip|cp|fetch|print|reveal|item get|document get|secrets? (?:get|download|export|versions)|otp|decrypt|find-certificate)\b/

function readKeeper({ context, name, words, input }: Call): Content {
  const texts = readCallWords(words)
  const plain = texts.filter((text) => !text.startsWith('-')).join(' ')
  if (texts.includes('--help') || texts.includes('--version')) return UNKNOWN_CONTENT
  const dashes = texts.indexOf('--')
  const started = dashes === -1 ? texts.slice(name === 'envchain' ? 1 : 2) : texts.slice(dashes + 1)
  const isShown =
    /^(?:env|printenv|set|export)$/.test(started[0] ?? '') && (name === 'envchain' || /^(?:run|exec)\b/.test(plain))
  if (isShown) {
    noteChange(context, 'cloud', 'secret', `${name} ${plain}`)
    return { ...UNKNOWN_CONTENT, carries: carry('secret') }
  }
  if (dashes !== -1 && /^(?:run|exec)\b/.test(plain))
    return context.reading.runWords(enterStep(context), words.slice(dashes + 1), input)
  if (
    /^(?:delete|rm|remove|destroy|delete-generic-password|delete-keychain|delete-internet-password|item delete|secrets? delete|clear|purge)\b/.test(
      plain,
    )
  )
    noteChange(context, 'cloud', 'delete', `${name} ${plain}`)
  else if (/^(?:run|exec)\b/.test(plain)) noteUnseen(context, 'program', `${name} run`)
  else if (
    KEEPER_SHOWS.test(plain) ||
    // Searches of these print the secrets that they find.
    (name === 'bw' && /^list items\b/.test(plain)) ||
    (name === 'secret-tool' && /^search\b/.test(plain)) ||
    (name === 'pass' &&
      plain !== '' &&
      !/^(?:ls|list|find|search|git|init|insert|generate|edit|help|version|grep|mv)\b/.test(plain))
  ) {
    noteChange(context, 'cloud', 'secret', `${name} ${plain}`)
    return { ...UNKNOWN_CONTENT, carries: carry('secret') }
  } else if (name === 'security' && /^(?:unlock-keychain|set-keychain|add-trusted-cert|authorizationdb)\b/.test(plain))
    noteChange(context, 'machine', 'security', `security ${plain}`)
  return UNKNOWN_CONTENT
}

/** Longer texts of SQL are not read. */
const MAX_SQL_CHARS = 64 * 1024

/** Files that statements and functions of databases read. */
const SQL_READS =
  /\b(?:readfile|read_(?:text|blob|csv(?:_auto)?|json(?:_auto)?)|pg_read_(?:binary_)?file|load_file|lo_import|load data (?:local )?infile|glob)\s*(?:\(\s*)?'([^']+)'|^[ \t]{0,20}attach\s+(?:database\s+)?'([^']+)'|^\\?copy\s+\S+\s+from\s+'([^']+)'|^[ \t]*\.import\s+(?:-{1,2}\S+\s+)*'?([^\s']+)/gim

/** Notes the changes of a text of SQL. */
export function noteSql(context: Context, text: string, where: string): void {
  if (text.length > MAX_SQL_CHARS) {
    noteUnseen(context, 'too-much', 'sql', 'run')
    return
  }
  if (hasOpenComment(text)) noteUnseen(context, 'not-parsed', 'a comment that nothing closes', 'run')
  for (const { operation, target } of readSql(text)) {
    const full = mark(`${where} ${target}`.trim())
    // The user of an address says nothing of the database.
    const isTrying =
      TRYING.test(where.replaceAll(/\/\/[^/@\s]*@|\bexample\.(?:com|net|org)\b/g, '//')) && !isAboutProduction(where)
    if (operation === 'run') runSqlProgram(context, text)
    else if (operation === 'delete-some') noteChange(context, 'database', 'delete-some', full)
    else if (operation === 'update-all')
      noteChange(context, 'database', 'update-all', full, isTrying ? 'possible' : 'certain')
    else noteChange(context, 'database', operation, full, isTrying ? 'possible' : 'certain')
  }
  for (const match of text.matchAll(/\binto\s+(?:out|dump)file\s+'([^']+)'/gi))
    writePath(context, toKnownWord(match[1] ?? ''), 'create')
  for (const match of text.matchAll(SQL_READS))
    readPath(context, toKnownWord(match.slice(1).find((each) => each !== undefined) ?? ''))
  if (/^[ \t]*(?:\.(?:restore|clone)\s|(?:source|\\\.)\s+\S)/m.test(text) && isAboutProduction(`${where} ${text}`))
    noteChange(context, 'database', 'reset', `${where} (production)`, 'likely')
  else if (/^[ \t]*\.(?:restore|clone)\s/m.test(text)) noteChange(context, 'database', 'reset', where, 'likely')
  for (const match of text.matchAll(/^[ \t]*(?:\\!|!!?)\s*(.+)$|^[ \t]*(?:\.(?:shell|system)|system)\s+(.+)$/gm))
    context.reading.runScript(enterStep(context), match[1] ?? match[2] ?? '')
  for (const match of text.matchAll(/^[ \t]*(?:\\(?:i|ir|include)|\.read|source)\s+(\S+)/gm))
    readSqlFile(context, toKnownWord(match[1] ?? ''), where)
}

/** `COPY … TO PROGRAM` runs a command on the machine of the database, with the rows as its input. */
function runSqlProgram(context: Context, text: string): void {
  noteUnseen(context, 'code', 'COPY … PROGRAM', 'run')
  for (const match of text.matchAll(/program\s+'((?:[^']|'')*)'/gi)) {
    noteFlows(context, ['project'], 'send', 'a program of the database')
    context.reading.runScript(enterStep(context), (match[1] ?? '').replaceAll("''", "'"))
  }
}

export function readSqlFile(context: Context, file: Value, where: string): void {
  const path = resolveOne(context, file)
  const text = path ? readSource(context, path.text) : null
  if (path) readPath(context, file)
  if (text !== null)
    noteSql(enterStep(context, { text: path?.text ?? '', at: posix.basename(path?.text ?? '') }), text, where)
  else if (!path || path.exists) noteUnseen(context, 'code', showValue(file), 'run')
}

function readSqlShell(call: Call): Content {
  const { context, name, input } = call
  const isFirstName = /^(?:sqlite3?|duckdb|litecli)$/.test(name)
  const script =
    name === 'mysql' || name === 'mariadb' || name === 'mycli'
      ? '-e --execute'
      : '-c --command --query -q -Q --execute -e --sql'
  const files = '-f --file -i --queries-file --input-file -init --init'
  const parsed = parseCall(
    call,
    `${script} ${files} -h -p-x -P -U -u -d -D -o -v -S -L -T -F -R --host --port --user --username --dbname --database --output --set --variable --defaults-file --socket --cmd -cmd`,
    { oneDash: false },
  )
  if (parsed.has('--help', '--version', '-V')) return UNKNOWN_CONTENT
  const where = parsed.operands[0]
    ? showValue(parsed.operands[0])
    : showValue(parsed.value('-d', '-D', '--dbname', '--database') ?? toKnownWord(''))
  const host = parsed.value('-h', '--host')
  const place = [host ? showValue(host) : '', where].join(' ').trim()
  const scripts = [
    ...parsed.values(...toSet(script)),
    ...parsed.values('-cmd', '--cmd'),
    ...(isFirstName ? parsed.operands.slice(1) : []),
  ]
  for (const each of scripts) {
    const text = readFilled(context, each)
    if (text === null) noteUnseen(context, 'value', showValue(each), 'run')
    noteSql(context, text ?? showValue(each), place)
  }
  for (const each of parsed.values(...toSet(files))) readSqlFile(context, each, place)
  if (name === 'sqlplus')
    for (const each of parsed.operands)
      if (readKnownStart(each).startsWith('@')) readSqlFile(context, dropStart(each, 1), place)
  if (scripts.length === 0) readPiped(context, input, place)
  if (isFirstName && parsed.operands[0]) {
    const isSecret = resolveOne(context, parsed.operands[0])?.place === 'secret'
    readPath(context, parsed.operands[0], isSecret ? 'content' : 'name')
    for (const each of scripts) {
      const file = /^\s*\.(?:output|once|dump|backup|save|log)\s+(\S+)/.exec(readWord(each) ?? '')?.[1]
      if (file && file !== 'stdout') writePath(context, toKnownWord(file), 'replace')
    }
  }
  const output = parsed.value('-o', '--output')
  if (output) writePath(context, output, 'replace')
  return { ...UNKNOWN_CONTENT, carries: carry('remote') }
}

function readPiped(context: Context, input: Content, place: string): void {
  const text = readContent(context, input)
  noteFlows(context, listRunnable(input.carries), 'run', `SQL for ${place}`)
  if (text === null && input !== EMPTY_CONTENT && isAboutProduction(place))
    noteChange(context, 'database', 'change', mark(place))
  if (text) noteSql(context, text, place)
  else if (input !== EMPTY_CONTENT && input.text === null) {
    noteUnseen(context, 'code', 'sql', 'run')
    // Rows of a query that are run as statements are known to nobody.
    if (input.carries.has('remote'))
      noteFlows(lowerCertainty(context, 'likely'), ['unknown'], 'run', `SQL for ${place}`)
  }
}

function readDatabaseShell(call: Call): Content {
  const { context, name, words, input } = call
  const texts = readCallWords(words)
  const parsed = parseCall(
    call,
    '-h -p -n -a -u -d --eval --host --port --username --password --file -f -x --endpoints --user --uri',
  )
  const statement = texts.findIndex((text) => text === '-execute' || text === '--execute')
  if (name === 'influx' && statement !== -1) noteSql(context, texts[statement + 1] ?? '', name)
  const code = [
    ...parsed.values('--eval').map((each) => readWord(each) ?? ''),
    name === 'arangosh' ? texts.join('\n') : '',
    name.startsWith('mongo') ? (input.text ?? '') : '',
  ].join('\n')
  const database = parsed.value('-n')
  const target = mark([name, ...texts].join(' '))
  const command = parsed.operands.map((each) => readWord(each) ?? '?').join(' ')
  const isTrying = TRYING.test(parsed.operands[0] ? showValue(parsed.operands[0]) : '')
  if (/(?:\b|_)drop(?:Database|Collection)?\s*\(\s*['")]|\.drop\s*\(|dropUser|dropAllUsers/.test(code))
    noteChange(context, 'database', 'drop', target, isTrying ? 'possible' : 'certain')
  if (
    /\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*(?:["']?\w+["']?\s*:\s*\{\s*["']?\$(?:exists|ne|gte?|nin)\b[^}]*\}\s*)?\}\s*)?\)/.test(
      code,
    )
  )
    noteChange(context, 'database', 'delete-all', target, isTrying ? 'possible' : 'certain')
  else if (/\.(?:deleteMany|deleteOne|remove)\s*\(/.test(code)) noteChange(context, 'database', 'delete-some', target)
  const lines = [command, ...(input.text ?? '').split('\n')]
  for (const line of lines) {
    if (/^(?:flushall|flushdb)\b/i.test(line))
      noteChange(context, 'database', 'truncate', target, database ? 'likely' : 'certain')
    if (/^(?:eval|fcall|script)\b.*flush(?:all|db)/i.test(line)) noteChange(context, 'database', 'truncate', target)
    if (/^(?:shutdown|debug sleep|config set (?:dir|dbfilename))\b/i.test(line))
      noteChange(context, 'service', 'stop', target)
    if (/^(?:del|unlink)\b.*\?/i.test(line)) noteChange(context, 'database', 'delete-all', target, 'likely')
    if (/^del\b/.test(line) && (/--prefix|--from-key|""/.test(line) || parsed.has('--prefix', '--from-key')))
      noteChange(context, 'database', 'delete-all', target)
    if (name === 'etcdctl' && /^(?:member remove|snapshot restore|defrag|auth disable)\b/.test(line))
      noteChange(context, 'cluster', 'change', target)
    if (/^(?:bucket delete|delete)\b/.test(line) && name === 'influx') noteChange(context, 'database', 'drop', target)
    if (/\b(?:detach )?delete\b/i.test(line) && name === 'cypher-shell')
      noteChange(context, 'database', 'delete-all', target)
  }
  for (const each of parsed.values('--file')) noteUnseen(context, 'code', showValue(each), 'run')
  return { ...UNKNOWN_CONTENT, carries: carry('remote') }
}

function readDropdb(call: Call): Content {
  const parsed = parseCall(call, '-h -p -U -W-x --host --port --username --maintenance-db')
  if (parsed.has('--help', '--version')) return UNKNOWN_CONTENT
  for (const each of parsed.operands) {
    const text = showValue(each)
    noteChange(
      call.context,
      'database',
      'drop',
      mark(text),
      TRYING.test(text) && !isAboutProduction(text) ? 'possible' : 'certain',
    )
  }
  return UNKNOWN_CONTENT
}

function readDisk({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  const line = texts.join(' ')
  const isAsking =
    texts.length === 0 ||
    /^(?:list|status|get|show|history|info|print|-l|--list|-a?l|scan|events|iostat|version|help)\b|(?:^|\s)(?:-l|--list|--help|-n|--no-act|--dry-run|--print|-p|--scan|--examine|--detail|print|--verify|--info|luksDump|isLuks|subvolume (?:list|show)|filesystem (?:show|df|usage)|device stats)(?:\s|$)/.test(
      line,
    )
  const isReader =
    /^(?:smartctl|hdparm|nvme|e?2?fsck(?:\.\w+)?|reiserfsck|badblocks)$/.test(name) &&
    !/(?:--security-erase|format|-w\b|sanitize|-y\b|-s off\b|--trim-sector|write-zeroes)/.test(line)
  if (name === 'wipefs' && !/(?:^|\s)(?:-\w*[af]|--all|-o|--offset)/.test(line)) return UNKNOWN_CONTENT
  if (isAsking || isReader) return UNKNOWN_CONTENT
  if (
    /^(?:zfs|zpool|btrfs|diskutil)$/.test(name) &&
    !/\b(?:destroy|delete|erase\w*|partition\w*|rollback|labelclear|remove|detach|offline|zero\w*|secureErase|reformat|resize|apfs delete\w*|replace|format)\b/i.test(
      line,
    )
  ) {
    if (!/\b(?:snapshot|scrub|send|mount|create|import|export)\b/.test(line)) return UNKNOWN_CONTENT
    noteChange(context, 'machine', 'disk', `${name} ${line}`, 'likely')
    return UNKNOWN_CONTENT
  }
  noteChange(context, 'machine', 'disk', `${name} ${line}`)
  return UNKNOWN_CONTENT
}

function readMount({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  if (
    texts.length === 0 ||
    (name === 'umount' && texts.every((text) => /^(?:--help|--version|-V)$/.test(text))) ||
    texts.some(
      (text) => name !== 'umount' && /^(?:-l|--help|--version|-V|-a?l|--show|-s|--list|--summary)$/.test(text),
    ) ||
    (name === 'losetup' && texts.every((text) => /^(?:-a|-O|-j|--all|--output|--json|--raw|--associated)$/.test(text)))
  )
    return UNKNOWN_CONTENT
  noteChange(context, 'machine', 'mount', `${name} ${texts.join(' ')}`)
  return UNKNOWN_CONTENT
}

function readPower({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  if (texts.some((text) => text === '-c' || text === '--help' || text === '--version')) return UNKNOWN_CONTENT
  if (/^(?:init|telinit)$/.test(name) && !/^[016sS]$/.test(texts[0] ?? '')) {
    noteUnseen(context, 'program', name)
    return UNKNOWN_CONTENT
  }
  noteChange(context, 'machine', 'power', `${name} ${texts.join(' ')}`)
  return UNKNOWN_CONTENT
}

/** Processes of the system, as substitutions name them. */
const ROOTS_PROCESSES = /\bpgrep\b.*-u\s*(?:root|0)\b|\bpidof\s+(?:sshd|systemd|init|dbus-daemon|Xorg)\b/

/** True for the numbers of all processes, as programs or the folder of processes list them. */
function hasAllProcesses(word: Value): boolean {
  return word.carries.has('processes') || /^\/proc(?:\/|$)|^\[0-9\]\*?$/.test(showValue(word))
}

function readKill({ context, words }: Call): Content {
  const texts = readCallWords(words)
  if (texts[0] === '-l' || texts[0] === '-L') return UNKNOWN_CONTENT
  const own = words.map(showValue).find((text) => /\bhookline\b/.test(text))
  if (own) noteChange(context, 'agent', 'loosen', `kill ${own}`)
  const isSignal = /^-(?:\d+|[A-Z]+\d*|SIG\w+)$/i.test(texts[0] ?? '') && texts.length > 1
  const isNamed = texts[0] === '-s' || texts[0] === '-n'
  const start = Number(isSignal) + Number(isNamed)
  const targets = texts.slice(start).filter((text) => text !== '--')
  if (words.some((word) => hasAllProcesses(word)))
    noteChange(context, 'machine', 'process', 'kill of all processes that ps lists')
  if (words.some((word) => ROOTS_PROCESSES.test(showValue(word))))
    noteChange(context, 'machine', 'process', `kill ${words.map(showValue).join(' ')}`, 'likely')
  if (targets.some((text) => text === '-1' || text === '1' || text === '0'))
    noteChange(context, 'machine', 'process', `kill ${texts.join(' ')}`, targets.includes('0') ? 'possible' : 'certain')
  return EMPTY_CONTENT
}

/** Sureness that processes end which the agent did not start: a name is one of many, and one that is killed at once more so. */
function chooseCertainty({ name, words }: Call, names: readonly string[], isPrecise: boolean): Certainty {
  if (name === 'killall' || names.some((text) => text === '.' || text === '')) return 'certain'
  const texts = readCallWords(words)
  const isKilled = texts.some(
    (text) => /^-(?:9|KILL|SIGKILL)$/.test(text) || /^--signal=(?:9|(?:SIG)?KILL)$/.test(text),
  )
  const isFull = texts.some((text) => /^-\w*f$|^--full$/.test(text))
  return isKilled && !isFull && !isPrecise ? 'likely' : 'possible'
}

function readKillall(call: Call): Content {
  const { context, name } = call
  const parsed = parseCall(call, '-s -u -U -g -G -P -t --signal --user --group --parent --terminal -o-x -y')
  if (parsed.has('--help', '-l', '--list', '-V')) return UNKNOWN_CONTENT
  const users = parsed.values('-u', '-U', '--user').length > 0
  const names = parsed.operands.map((each) => readWord(each) ?? '?')
  if (names.some((text) => /\bhookline\b/.test(text)))
    noteChange(context, 'agent', 'loosen', `${name} ${names.join(' ')}`)
  if (
    names.some((text) =>
      /^(?:falcon-sensor|auditd|osqueryd|wazuh-agentd?|clamd|crowdstrike|santad|sentinelone|mdatp|firewalld|sshd|systemd)$/.test(
        text,
      ),
    )
  )
    noteChange(context, 'machine', 'process', `${name} ${names.join(' ')}`)
  if (name === 'pkill' && parsed.has('-v', '--inverse'))
    noteChange(context, 'machine', 'process', `${name} ${showAll(call.words)}`)
  const isPrecise = parsed.has('-f', '--full') && names.some((text) => /[\s/]/.test(text))
  if (users && names.length === 0) noteChange(context, 'machine', 'process', `${name} ${showAll(call.words)}`)
  else if (name === 'killall' || !isPrecise)
    noteChange(context, 'machine', 'process', `${name} ${showAll(call.words)}`, chooseCertainty(call, names, isPrecise))
  return EMPTY_CONTENT
}

/** Lines of a crontab that are looked at. */
const MAX_CRONTAB_LINES = 40

/** Runs the commands of a crontab, which the service starts later. */
function runCrontabLines(context: Context, text: string): void {
  for (const line of text.split('\n', MAX_CRONTAB_LINES)) {
    const command = /^\s*(?:@\w+|(?:[\d*,/A-Za-z-]+\s+){4}[\d*,/A-Za-z-]+)\s+(.+)$/.exec(line)?.[1]
    if (command) context.reading.runScript(lowerCertainty(enterStep(context), 'likely'), command)
  }
}

function readCrontab(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, '-u')
  if (parsed.has('-l')) return UNKNOWN_CONTENT
  if (parsed.has('-r')) {
    noteChange(context, 'machine', 'cron', 'crontab -r')
    return EMPTY_CONTENT
  }
  const variable = context.shell.variables.get('EDITOR') ?? context.shell.variables.get('VISUAL')
  if (parsed.has('-e')) {
    const text = variable ? readWord(variable) : null
    if (text !== null) context.reading.runScript(enterStep(context), text)
    noteChange(context, 'machine', 'startup', 'crontab -e', text === null ? 'possible' : 'certain')
    return EMPTY_CONTENT
  }
  const tables = parsed.operands.map((each) => (readWord(each) === '-' ? input : readPath(context, each)))
  for (const { text } of tables.length > 0 ? tables : [input]) runCrontabLines(context, text ?? '')
  if (parsed.operands.length > 0 || input !== EMPTY_CONTENT) noteChange(context, 'machine', 'startup', 'crontab')
  return EMPTY_CONTENT
}

function readAtCommand(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, '-f -q -t')
  if (parsed.has('-l', '-c', '-r', '-d', '-V')) return UNKNOWN_CONTENT
  noteChange(context, 'machine', 'startup', `${call.name} ${showAll(call.words)}`)
  if (input.text) context.reading.runScript(enterStep(context), input.text)
  return EMPTY_CONTENT
}

function readSystemctl({ context, name, words }: Call): Content {
  const texts = readCallWords(words).filter((text) => !text.startsWith('-'))
  const verb = (name === 'service' ? texts[1] : texts[0]) ?? ''
  const target = `${name} ${readCallWords(words).join(' ')}`
  if (
    /^(?:enable|enable-linger|link|add-wants|preset|reenable|edit|set-default|import-environment|set-environment)$/.test(
      verb,
    )
  )
    noteChange(context, 'machine', 'startup', target)
  else if (verb === 'show-environment') showSecret(context, target)
  else if (/^(?:poweroff|reboot|halt|suspend|hibernate|kexec|rescue|emergency|isolate|exit|soft-reboot)$/.test(verb))
    noteChange(context, 'machine', 'power', target)
  else if (/^(?:stop|disable|mask|kill|revert|terminate-session|terminate-user|kill-user|remove|clean)$/.test(verb))
    noteChange(context, 'service', 'stop', target)
  else if (
    /^(?:start|restart|reload|try-restart|force-reload|daemon-reload|reset-failed|unmask|reload-or-restart|update|add)$/.test(
      verb,
    )
  )
    noteChange(context, 'service', 'restart', target, 'possible')
  return UNKNOWN_CONTENT
}

function readSysctl(call: Call): Content {
  const parsed = parseCall(call, '-p -f --load --pattern -r')
  const isWriting =
    parsed.has('-w', '--write', '-p', '--load', '--system') ||
    parsed.operands.some((each) => readKnownStart(each).includes('='))
  if (isWriting) noteChange(call.context, 'machine', 'settings', `sysctl ${showAll(call.words)}`)
  return UNKNOWN_CONTENT
}

function readFirewall({ context, name, words }: Call): Content {
  const line = readCallWords(words).join(' ')
  const isAsking =
    line === '' ||
    /(?:^|\s)(?:-[nvx]*[LS]|--list\S*|list|status|show|--state|--get\S*|-s\s|-sr|-n$|--version|--help)/.test(line)
  if (!isAsking || name.endsWith('-restore')) noteChange(context, 'machine', 'firewall', `${name} ${line}`)
  return UNKNOWN_CONTENT
}

function readPackages({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  const line = texts.filter((text) => !text.startsWith('-')).join(' ')
  const flags = texts.filter((text) => text.startsWith('-')).join(' ')
  const target = `${name} ${texts.join(' ')}`
  if (/--(?:dry-run|simulate|help|version)|(?:^|\s)-s(?:\s|$)/.test(flags) && name !== 'pacman') return UNKNOWN_CONTENT
  const carried = mergeCarried(words.map(({ carries }) => carries))
  noteFlows(context, listRunnable(carried), 'run', target)
  const isRemoving =
    /^(?:remove|purge|uninstall|autoremove|erase|del|rm|unmerge|delete)\b/.test(line) ||
    (name === 'pacman' && /(?:^|\s)-R/.test(flags)) ||
    (/^(?:dpkg|rpm)$/.test(name) && /(?:^|\s)(?:-[rPe]\b|--remove|--purge|--erase)/.test(flags)) ||
    name === 'xbps-remove' ||
    (name === 'nix-env' && /(?:^|\s)(?:-e|--uninstall)/.test(flags)) ||
    (name === 'emerge' && /(?:^|\s)(?:-C|--unmerge|-c|--depclean|--prune)(?:\s|$)/.test(flags))
  if (isRemoving)
    noteChange(
      context,
      'machine',
      'uninstall',
      target,
      name === 'brew' && !/--force|--ignore-dependencies|--zap/.test(flags) ? 'likely' : 'certain',
    )
  else if (
    /^(?:install|add|upgrade|dist-upgrade|full-upgrade|localinstall|reinstall)\b/.test(line) ||
    (/^(?:dpkg|rpm|pacman)$/.test(name) && /(?:^|\s)(?:-[iUS]|--install|--upgrade)/.test(flags))
  ) {
    const address = texts.find((text) => /^https?:\/\//.test(text))
    if (address) {
      noteFlows(context, ['fetch'], 'run', address)
      note(context, { does: 'fetch', host: address.split('/')[2] ?? '' })
    }
    const isForced =
      /--force(?:-\w+)?|--nodeps|--allow-downgrades|--allow-remove-essential|--replacefiles|--oldpackage/.test(flags)
    if (isForced && /^(?:dpkg|rpm|apt|apt-get|dnf|yum|zypper|pacman)$/.test(name))
      noteChange(context, 'machine', 'settings', target, 'likely')
    noteChange(context, 'machine', 'install', target, 'possible')
  } else if (
    /^(?:tap|repository|config-manager|add-apt-repository|remote-add|addrepo|ar)\b/.test(line) ||
    /--add-repo/.test(flags)
  ) {
    const address = texts.find((text) => /^https?:\/\//.test(text))
    if (address) noteSource(lowerCertainty(context, 'likely'), name, address)
    noteChange(context, 'machine', 'install', target, 'possible')
  }
  return UNKNOWN_CONTENT
}

/** Reads `pwsh -c …` and `cmd /c …` of a shell: the words become a script of PowerShell again. */
function readPowerShellProgram({ context, name, words, input }: Call): Content {
  const texts = words.map((word) => readWord(word) ?? showValue(word))
  const isFromInput = words.length === 0 || texts.at(-1) === '-'
  if (isFromInput && input !== EMPTY_CONTENT) {
    noteFlows(context, listRunnable(input.carries), 'run', name)
    if (input.text === null) noteUnseen(context, 'code', name, 'run')
    return readPowerShell(enterStep(context), input.text ?? '')
  }
  const program = name.replace(/\.exe$/, '')
  return readPowerShell(enterStep(context), [program, ...texts.map(quotePowerShell)].join(' '))
}

function readCapsh({ context, words }: Call): Content {
  const texts = readCallWords(words)
  if (texts.every((text) => /^--(?:print|help|version|supports)/.test(text))) return UNKNOWN_CONTENT
  noteChange(context, 'machine', 'root-shell', `capsh ${texts.join(' ')}`)
  const shell = texts.indexOf('--')
  if (shell !== -1)
    context.reading.runWords(enterStep(context), [toKnownWord('bash'), ...words.slice(shell + 1)], EMPTY_CONTENT)
  return UNKNOWN_CONTENT
}

/** Reads a program of Windows, as the shell of that system does. */
function readWindowsProgram({ context, name, words }: Call): Content {
  const texts = words.map((word) => readWord(word) ?? showValue(word))
  return readPowerShell(context, [name, ...texts.map(quotePowerShell)].join(' '))
}

/** Reads programs of Windows that fetch files: what they write is code of the network. */
function readWindowsDownload({ context, words }: Call): Content {
  const texts = readCallWords(words)
  const address = texts.find((text) => /^https?:/.test(text))
  if (!address) return UNKNOWN_CONTENT
  const content = fetchFrom(context, toKnownWord(address))
  const file = texts.at(-1) ?? ''
  if (file !== address) writePath(context, toKnownWord(file.replaceAll('\\', '/')), 'replace', content)
  return UNKNOWN_CONTENT
}

function readTmux(call: Call): Content {
  const { context, words } = call
  const texts = readCallWords(words)
  const verb = texts.find((text) => !text.startsWith('-')) ?? ''
  if (/^(?:kill-server|kill-session)$/.test(verb))
    noteChange(context, 'machine', 'process', texts.join(' '), 'possible')
  if (/^(?:set-hook|bind-key|bind|if-shell|if|pipe-pane|confirm-before)$/.test(verb))
    for (const text of texts) {
      const script = /^(?:run-shell|run)?\s*["']?(.*\s.*?)["']?$/.exec(text)?.[1]
      if (script)
        context.reading.runScript(enterStep(context), script.replace(/^run-shell\s+/, '').replace(/^["']|["']$/g, ''))
    }
  const keys = texts.findIndex((text) => text === 'send-keys' || text === 'send')
  if (keys !== -1) {
    const typed = parseCall({ ...call, words: words.slice(keys + 1) }, '-t').operands.map(
      (each) => readWord(each) ?? '',
    )
    context.reading.runScript(
      enterStep(context),
      typed.filter((text) => !/^(?:Enter|C-\w|Escape|Space|Tab)$/.test(text)).join(' '),
    )
  }
  const start = texts.findIndex((text) =>
    /^(?:new-session|new|new-window|neww|split-window|splitw|run-shell|run|respawn-pane|-dmS|-dm|-S|-m)$/.test(text),
  )
  if (start !== -1) {
    const rest = parseCall({ ...call, words: words.slice(start + 1) }, '-s -n -c -t -x -y -e -F -l -S', {
      stopAtOperand: true,
    }).operands
    const command = /^-dmS$/.test(texts[start] ?? '') ? words.slice(start + 2) : rest
    if (call.name === 'screen' && command.length > 1)
      return context.reading.runWords(enterStep(context), command, EMPTY_CONTENT)
    // Several words are a program and its arguments, one is a script.
    if (command.length > 1) return context.reading.runWords(enterStep(context), command, EMPTY_CONTENT)
    const text = readWord(join(command, ' '))
    if (command.length > 0 && text !== null) context.reading.runScript(enterStep(context), text)
  }
  return UNKNOWN_CONTENT
}
