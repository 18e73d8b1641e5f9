import { nameInto } from '../brought-files.ts'
import {
  type Context,
  deletePath,
  enterStep,
  lowerCertainty,
  note,
  noteChange,
  noteFlows,
  noteSmallChange,
  noteUnseen,
  readPath,
  resolveOne,
  sendTo,
  writePath,
} from '../context.ts'
import { isAboutProduction, parseArguments, toSet } from '../program.ts'
import {
  type Content,
  carry,
  join,
  leaveOut,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'
import { enterContainer, isDataFolder } from './containers.ts'
import { mark } from './databases.ts'
import { showAll, showSecret } from './printed.ts'

/** Readers of programs that change what clouds, clusters and forges hold. */
const CLOUD_READERS: Readonly<Record<string, Reader>> = {
  gh: readGh,
  aws: readAws,
  kubectl: readKubectl,
  keeper: readKeeper,
}

/** Reads a call by the one of them that its row names. */
export const readCloudCall: Reader = (call) => readByRow(CLOUD_READERS, call)

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
    noteSmallChange(context, 'git', 'merge', target, parsed.has('--admin') ? 'certain' : 'possible')
  else if (
    group === 'pr' &&
    verb === 'close' &&
    readCallWords(call.words).some((text) => /^(?:-d|--delete-branch)$/.test(text))
  )
    noteChange(context, 'git', 'delete-ref', target, 'likely')
  else if (group === 'codespace' && verb === 'ssh') noteUnseen(context, 'remote', 'codespace')
  else if (group === 'alias' && verb === 'set' && rest[1]?.startsWith('!'))
    noteChange(context, 'machine', 'startup', target)
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
    writePath(context, verb === 'sync' ? goal : nameInto(context, source, goal), 'replace', {
      ...UNKNOWN_CONTENT,
      carries: carry('remote'),
    })
  if (isDeleting) {
    if (readKnownStart(goal).startsWith('s3:')) noteChange(context, 'cloud', 'delete', target)
    else deletePath(context, join([goal, toKnownWord('/*')]), 'tree')
  }
  return UNKNOWN_CONTENT
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
    if (isUp && isDataFolder(goal))
      noteChange(context, 'cluster', 'delete', `kubectl cp ${showValue(source)} ${showValue(goal)}`, 'likely')
    if (isUp)
      sendTo(context, toKnownWord(`pod ${readKnownStart(goal).split(':')[0]}`), readPath(context, source, 'tree'))
    else if (source && goal)
      writePath(context, nameInto(context, source, goal), 'replace', { ...UNKNOWN_CONTENT, carries: carry('remote') })
    return UNKNOWN_CONTENT
  }
  if (verb === 'delete' || verb === 'drain' || verb === 'replace')
    noteChange(context, 'cluster', verb === 'replace' && !parsed.has('--force') ? 'change' : 'delete', target)
  else if (verb === 'scale')
    noteSmallChange(context, 'cluster', 'scale', target, /--replicas[= ]0\b/.test(target) ? 'certain' : 'likely')
  else if (verb === 'apply' && parsed.has('--prune')) noteChange(context, 'cluster', 'delete', target)
  else if (verb === 'rollout' && rest[0] !== 'status' && rest[0] !== 'history')
    noteSmallChange(context, 'cluster', 'change', target, rest[0] === 'undo' ? 'certain' : 'likely')
  else if (
    /^(?:apply|create|patch|edit|set|annotate|label|expose|autoscale|taint|cordon|uncordon|certificate)$/.test(verb)
  )
    noteSmallChange(
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
    (/^(?:infisical|doppler)$/.test(name) && plain === 'secrets' && !texts.includes('--only-names')) ||
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
