import { isAboutProduction } from './program.ts'

/** Words by which programs say that something is gone for good. */
const DESTROYING =
  /^(?:--?)?(?:delete|destroy|terminate|purge|wipe|nuke|drop|teardown|tear-down|deprovision|obliterate|factory-reset|decommission|demolish|[\w-]+[:._-](?:delete|destroy|purge|drop|wipe|truncate|terminate)|(?:permanent|force|hard|bulk|batch|mass)[-_]?(?:delete|destroy|remove|purge)\w*|force-reset|force_reset|failover|unregister|(?:delete|destroy|drop|purge|wipe|reset|remove|flush|terminate)[-_:]?(?:all|everything|db|database|tables?|cluster|volumes?|topics?|index|buckets?)|(?:db|database|apps?|sites?|projects?|env|cluster|volumes?|pg|index|indices|topics?|queues?|buckets?|repo|cache|schema)[:.](?:delete|destroy|drop|reset|purge|wipe|flush|failover))$/i

/** Words by which programs take something away, where another word keeps them from asking. */
const REMOVING =
  /^(?:remove|rm|prune|reset|clean|cleanup|flush|down|rollback|revoke|clear|evict|disable|kill|resolve|unpin|suspend|delete|destroy)$/i

/** Options by which a program does not ask before it does what it is told. */
const UNASKED =
  /^--?(?:y|yes|f|force|assume-yes|no-?confirm(?:ation)?|no-?prompt|auto-approve|autoapprove|skip-confirm(?:ation)?|non-?interactive|purge|all|prune|hard|cascade|allow-destroy|i-know-what-i-am-doing|yes-i-really-mean-it)$/i

/** Words by which programs change what others use. */
const SHIPPING =
  /^(?:deploy\w*|release|rollback|promote|failover|scale|import|replace|migrate\w*|apply|up|push|publish|restart|stop|down|remove|rm|reset|clear|set|update|delete|sync|run|exec)$|(?:^|[:.])(?:deploy|rollback|stop|restart|migrate|reset)$/i

/** Words that end a way of destroying: what is shown, planned or asked for. */
const LOOKING = /^(?:list|ls|show|get|describe|status|info|logs?|plan|diff|help|view|history|search|validate)$/i

/** True for words by which a program of any kind destroys something that others may need. */
export function isDestroying(texts: readonly string[]): boolean {
  const words = texts.slice(0, 8)
  const verbs = words.filter((text) => !text.startsWith('-')).slice(0, 3)
  if (verbs.some((text) => LOOKING.test(text))) return false
  if (words.slice(0, 6).some((text) => DESTROYING.test(text))) return true
  if (words.some((text) => UNASKED.test(text)) && verbs.some((text) => REMOVING.test(text))) return true
  return (
    verbs.some((text) => SHIPPING.test(text)) &&
    texts.some((text) => /prod(?:uction)?\b|\blive\b/i.test(text) && isAboutProduction(text))
  )
}

/** True for words that say that a program shall only show what it would do. */
export function isDryWords(texts: readonly string[]): boolean {
  return texts.some((text) =>
    /^--?(?:dry-?run|help|preview|plan|check|n|no-act|simulate|whatif|what-if|noop|pretend)(?:=.*)?$/i.test(text),
  )
}
