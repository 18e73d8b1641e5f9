import { storeReview } from '../../../bridges/guards.ts'
import { revokeAcceptance, storeAcceptance } from '../../../config/trust.ts'
import { openEngine } from '../../../engine/engine.ts'
import type { EngineOptions } from '../../../engine/options.ts'
import { reviewTrust, type TrustReview } from '../../../engine/trust-review.ts'
import { redactDefinition } from '../../../protocol/hook-fields.ts'
import { CLAUDE_CODE_PROFILE } from '../../../protocol/profiles.ts'
import { askToTrust } from '../../edit/ask-to-trust.ts'
import { askForProfile } from '../../edit/profile-question.ts'
import { type TerminalUser, withUser } from '../../input/terminal-user.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  makeUnknownWordError,
  readArguments,
  refusePositionals,
  toEngineOptions,
  UsageError,
} from '../../start/flags.ts'
import { openCommandTerminal, withEnabledPlugins } from '../../start/opening.ts'
import { print, printJson, tell as tellAside } from '../../start/print.ts'
import type { Terminal } from '../../view/terminal.ts'
import { formatTrust } from '../../view/trust-view.ts'

export const isVerdict = true

export const usage = `hookline trust [show|accept|revoke] [flags]

Hooks of a project run only after you have trusted them. This shows what would
be trusted, the digest that stands for it, and what changed since last time.

  hookline trust
  hookline trust accept
  hookline trust accept --yes 3f9c…      without a terminal: the digest shown
  hookline trust revoke

HOOKLINE_TRUST=DIGEST in the environment trusts exactly that and stores nothing.

Sessions of other agents that run here (hookline bridge) refuse every call when
a hook that guarded them has changed or is gone, one of your own too. They go on
with the hooks as they are once you trust them. An agent cannot do that.

  --yes [DIGEST]           trust without being asked
  --digest DIGEST          the digest that "hookline trust" shows
${ENGINE_USAGE}
Exit codes: 0 shown or done; 1 a mistake in the call, or not trusted.
`

const FLAGS = { ...ENGINE_FLAGS, yes: { type: 'boolean' }, digest: { type: 'string' } } as const

/** A call of the command, read. */
interface TrustCall {
  readonly review: TrustReview
  readonly options: EngineOptions & { readonly home: string; readonly project: string }
  readonly terminal: Terminal
  readonly json: boolean
  /** The digest that the caller has seen. */
  readonly digest: string | undefined
  readonly user: TerminalUser | null
}

/** Runs `hookline trust`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const [name = 'show', ...words] = positionals
  const act = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (!act) throw makeUnknownWordError(name, Object.keys(ACTIONS))
  const word = values.yes ? words.shift() : undefined
  refusePositionals(words)
  const options = toEngineOptions(values)
  const call = { terminal: openCommandTerminal(values), json: values.json === true, digest: values.digest ?? word }
  return withUser(values, async (user) => {
    const review = await reviewTrust(options)
    const isFirst = act === accept && review.last === null
    const asked = call.digest === undefined ? user : null
    const edited = isFirst && (await askForProfile(options, asked))
    return act({ ...call, review: edited ? await reviewTrust(options) : review, options, user })
  })
}

const ACTIONS: Readonly<Record<string, (call: TrustCall) => Promise<number>>> = { show: showTrust, accept, revoke }

async function showTrust({ review, terminal, json }: TrustCall): Promise<number> {
  if (json) printJson(toTrustJson(review))
  else print(`${formatTrust(review, terminal).join('\n')}\n`)
  return 0
}

async function accept(call: TrustCall): Promise<number> {
  const { review, options, terminal, digest, user } = call
  const { home } = options
  const { request } = review
  if (Object.keys(request.files).length === 0) return acceptNothing(call)
  if (digest === undefined && !user) {
    throw new UsageError(
      `without a terminal, pass the digest of what you have looked at. This project's is:\n  --yes ${request.digest}`,
    )
  }
  if (digest !== undefined && digest !== request.digest) {
    throw new UsageError(
      `--yes ${digest} is not what is there now. Look with "hookline trust", then pass its digest:\n  --yes ${request.digest}`,
    )
  }
  if (digest !== undefined || user === null) await storeAcceptance(request, home)
  else if (!(await askToTrust(review, { home, terminal, user }))) return tellRefused(call)
  await reviewHooks(options)
  return tell(call, true, `Trusted: ${request.folder}`)
}

/** A project that asks for nothing, or for nothing any more: what is left is to look at the hooks that run here. */
async function acceptNothing(call: TrustCall): Promise<number> {
  const { review, options, digest, user } = call
  const nothing = 'Nothing in this project needs to be trusted.'
  const question = `${nothing} Let sessions of agents that run here go on with your hooks as they are now (hookline list)?`
  const isMeant = user === null ? digest === review.request.digest : await user.confirm(question)
  if (isMeant) await reviewHooks(options)
  return tell(call, true, isMeant ? 'Sessions that run here go on with the hooks as they are now.' : nothing)
}

/** Lets sessions of bridges go on with the hooks that are there now. */
async function reviewHooks({ project, home, plugins }: TrustCall['options']): Promise<void> {
  const options = await withEnabledPlugins({ project, home, plugins, profile: CLAUDE_CODE_PROFILE })
  const engine = await openEngine({ ...options, rehearsal: true, warm: 'off' })
  try {
    await storeReview(engine, { project, home })
  } finally {
    await engine.close()
  }
}

async function revoke(call: TrustCall): Promise<number> {
  const { review, options } = call
  if (review.last === null) return tell(call, false, 'This project is not trusted; there is nothing to revoke.')
  await revokeAcceptance(review.request, options.home)
  return tell(call, false, `Revoked: ${review.request.folder}\nIts own hooks do not run until you trust them again.`)
}

/** Says what was done; as JSON, how it stands now. */
function tell({ review, json }: TrustCall, accepted: boolean, words: string): number {
  const { folder, digest } = review.request
  if (json) printJson({ folder, digest, accepted })
  else print(`${words}\n`)
  return 0
}

function tellRefused({ review }: TrustCall): number {
  tellAside(`Not trusted: ${review.request.folder}\n`)
  return 1
}

function toTrustJson({ request, accepted, last, doubt, changes, hooks }: TrustReview): object {
  return {
    ...request,
    files: redactDefinition(request.files),
    accepted,
    acceptedAt: last?.at ?? null,
    doubt,
    hooks: hooks.map(({ id, event, file, line, matcherText, written }) => ({
      id,
      event,
      file,
      line,
      matcher: matcherText,
      ...written,
    })),
    changes,
  }
}
