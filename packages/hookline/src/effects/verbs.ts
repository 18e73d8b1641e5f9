import { isAboutProduction } from './program.ts'

/** Verbs by which something is gone for good. */
const GONE = 'delete|destroy|terminate|purge|wipe|nuke|drop|obliterate|deprovision|decommission|demolish'

/** Words by which programs say that something is gone for good: one of these verbs, alone or in a longer word. */
const DESTROYING = new RegExp(
  `^(?:(?:--?)?(?:[\\w:.-]*[-_:.])?(?:${GONE}|truncate)(?<!^-+truncate)|(?!-)(?:[\\w-]*[-_:.])?(?:${GONE})[-_:][\\w-]+|` +
    `(?:--?)?(?:${GONE}|reset|remove|flush|clear)[-_:]?(?:all|everything|db|database|tables?|cluster|volumes?|topics?|index|buckets?|permissions)|` +
    '--?(?:replace|overwrite|clean)[-_]?all|' +
    '(?:--?)?(?:teardown|tear-down|factory-reset|unregister|failover)|' +
    '(?:--?)?(?:[\\w-]+[:._-])?(?:force[-_]?(?:reset|remove|delete)|(?:permanent|hard|bulk|batch|mass)[-_]?(?:remove|delete|destroy|purge))\\w*|' +
    '(?:db|database|apps?|sites?|projects?|env|cluster|volumes?|pg|index|indices|topics?|queues?|buckets?|repo|cache|schema)[:.](?:reset|flush|failover)|' +
    '(?:user|group|host|node|rr|zone|vm|pool|snap(?:shot)?|queue|disk|volume|key|repo|acl|db)(?:del|delete|rm|remove|drop)|' +
    '(?:del|delete|remove|rm)[-_]?(?:user|group|host|node|zone|vm|pool|snap(?:shot)?|queue|disk|volume|repo|member|replica|account|domain|record|app|project|database|cluster)s?)$',
  'i',
)

/** The same as a name of a function: `deleteSite`. */
const DESTROYING_CAMEL = /^(?:[Dd]elete|[Dd]estroy|[Rr]emove|[Tt]erminate|[Pp]urge|[Dd]rop)[A-Z]\w+$/

/** Words by which programs take something away, where another word keeps them from asking. */
const REMOVING =
  /^(?:remove|rm|prune|reset|clean|cleanup|flush|down|rollback|revoke|clear|evict|disable|kill|resolve|unpin|suspend|delete|destroy)$/i

/** Options by which a program does not ask before it does what it is told. */
const UNASKED =
  /^--?(?:y|yes|f|force|assume-yes|no-?confirm(?:ation)?|no-?prompt|auto-approve|autoapprove|skip-confirm(?:ation)?|non-?interactive|purge|all|prune|hard|cascade|allow-destroy|i-know-what-i-am-doing|yes-i-really-mean-it)$/i

/** Words by which programs change what others use. */
const SHIPPING =
  /^(?:deploy\w*|release|rollback|promote|failover|scale|import|replace|migrate\w*|apply|up|push|publish|restart|stop|start|toggle\S*|enable|disable|pause|resume|rotate|unset|put|bulk|seed|down|remove|rm|reset|clear|set|update|delete|sync|run|exec)$|(?:^|[:.])(?:deploy|rollback|stop|restart|migrate|reset)$/i

/** Words by which a program shows, plans or looks for something, whatever follows. */
const LOOKING = /^(?:(?:list|show|get|describe|search|validate)(?:[-_:][\w:-]+)?|ls|plan|diff|help)$/i

/** Words that are the name of what is shown, or of what the next word is done to: `logs delete`. */
const SHOWN = /^(?:status|info|logs?|view|history)$/i

/** Words by which programs that reach out take away what others use. */
const WITHDRAWING =
  /^(?:[\w-]+[:_-])?(?:del|rm|remove|reset|revoke|disable|unsubscribe|deregister|deactivate|detach|suspend|shutdown|cancel|rollback|restore|evict|drain|leave|expire|rotate)(?:[:_-][\w-]+)?$/i

/** Words behind which a name follows that someone chooses: `migrate:make drop_users`, `ecto.gen.migration drop_users`. */
const MAKING = /(?:^|[:._-])(?:make|new|create|gen|generate|init|scaffold|draft)(?:$|[:._-])/i

/** True for words by which something is made under a new name. */
function isNaming(texts: readonly string[]): boolean {
  const verbs = texts.filter((text) => !text.startsWith('-')).slice(0, 3)
  return (
    verbs.slice(0, 2).some((text) => isShort(text) && MAKING.test(text)) &&
    !texts.some((text) => /^--?(?:force|reset|drop)/.test(text))
  )
}

/** Options whose value is a name that someone chose, or something to look for. */
const NAMING = /^--?(?:name|title|message|description|label|filter|grep|pattern|search|branch|comment|summary|reason)$/

/** True for words by which a program of any kind destroys something that others may need. */
export function isDestroying(texts: readonly string[]): boolean {
  if (isNaming(texts)) return false
  const words = texts.slice(0, 8).filter((text, at) => isShort(text) && !NAMING.test(texts[at - 1] ?? ''))
  const verbs = words.filter((text) => !text.startsWith('-')).slice(0, 4)
  if (isLooking(verbs)) return false
  if (/(?:^| )(?:schema|db|database|data) (?:clean|wipe|reset|flush|purge|clear)(?: |$)/.test(verbs.join(' ')))
    return true
  if (words.slice(0, 6).some((text) => DESTROYING.test(text) || DESTROYING_CAMEL.test(text))) return true
  if (words.some((text) => UNASKED.test(text)) && verbs.some((text) => REMOVING.test(text))) return true
  return (
    verbs.some((text) => SHIPPING.test(text)) &&
    texts.some((text) => /prod(?:uction)?\b|\blive\b/i.test(text) && isAboutProduction(text))
  )
}

/** Letters of the longest verb that is looked up. */
const MAX_VERB_LETTERS = 80

function isShort(text: string): boolean {
  return text.length <= MAX_VERB_LETTERS
}

/** True where the words look at something: a word that looks stands before any that destroys. */
function isLooking(verbs: readonly string[]): boolean {
  const at = verbs.findIndex((text) => LOOKING.test(text) || SHOWN.test(text))
  if (at === -1) return false
  return LOOKING.test(verbs[at] ?? '') || !verbs.slice(at + 1, at + 2).some((text) => DESTROYING.test(text))
}

/** Options and pairs that leave nothing of a service running: `--replicas=0`, `web=0` behind a word that scales. */
const NONE_LEFT = /^--?(?:[\w-]*(?:replicas|instances|desired-(?:capacity|count)|num-nodes|node-count|scale|count))=0$/
const COUNTED = /^--?[\w-]*(?:replicas|instances|desired-(?:capacity|count)|num-nodes|node-count|scale|count)$/

/** True for words by which a service is scaled down to nothing. */
export function isScalingDown(texts: readonly string[]): boolean {
  const scales = texts
    .slice(0, 4)
    .some((text) => /^(?:ps:)?scale$|^update-service$|^update-auto-scaling-group$|^resize$/.test(text))
  return texts.some(
    (text, at) =>
      (scales && (NONE_LEFT.test(text) || /^[\w-]+=0$/.test(text))) ||
      /^--max(?:-replicas|-instances)?=0$/.test(text) ||
      (text === '0' && /^--max(?:-replicas|-instances)?$/.test(texts[at - 1] ?? '')) ||
      (scales && text === '0' && (COUNTED.test(texts[at - 1] ?? '') || at >= 2)),
  )
}

/** Everybody, as services write it: in rules of a firewall, in lists of who may do something. */
const EVERYBODY =
  /(?:^|[=:,'"[\s])(?:0\.0\.0\.0\/0|::\/0|allUsers|allAuthenticatedUsers|public-read(?:-write)?)(?:$|[:,'"\]\s])|^--?(?:allow-unauthenticated|publicly-accessible|allow-blob-public-access(?:=true)?)$|"Principal"\s*:\s*(?:"\*"|\{\s*"AWS"\s*:\s*"\*")/

/** True for words by which something is opened to everybody. */
export function isOpening(texts: readonly string[]): boolean {
  return (
    !isLooking(texts.filter((text) => !text.startsWith('-')).slice(0, 4)) && texts.some((text) => EVERYBODY.test(text))
  )
}

/** True for words by which a program that talks to others takes something away there. */
export function isWithdrawing(texts: readonly string[]): boolean {
  const verbs = texts.filter((text) => !text.startsWith('-') && isShort(text)).slice(0, 4)
  return !isLooking(verbs) && verbs.some((text) => WITHDRAWING.test(text))
}

/** True for words that say that a program shall only show what it would do. */
export function isDryWords(texts: readonly string[]): boolean {
  return texts.some(
    (text) =>
      text.startsWith('-') &&
      /^--?(?:dry[-_]?run|help|preview|plan|check|n|no-act|simulate|whatif|what-if|noop|pretend)(?:=(?!(?:false|no|none|0)$).*)?$/.test(
        text.toLowerCase(),
      ),
  )
}
