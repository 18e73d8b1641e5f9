import { useState } from 'preact/hooks'
import type {
  ConfiguredHookRow,
  ExcerptAnswer,
  FiguresAnswer,
  FindingsAnswer,
  HookFinding,
  HooksAnswer,
} from '../../../hookline/src/inspect/api.ts'
import type { HookLine } from '../../../hookline/src/protocol/record/record.ts'
import { ask, post } from '../ask.ts'
import { useAnswer } from '../fetched.ts'
import { Figure } from '../figure.tsx'
import { formatAmount, formatCount, formatFigure, formatTiming } from '../format.ts'
import { useGrowing } from '../growing.tsx'
import { configured } from '../live.ts'
import { query, setQuery, toAddress } from '../router.ts'
import { Failure } from './empty.tsx'

/** A line of an explanation. */
type Explained = Pick<HookLine, 'id' | 'verdict' | 'planned' | 'because'> & {
  readonly cannotStart?: string
  /** Outcome in a host that does not wait for Hookline's trust. */
  readonly otherwise?: Pick<Explained, 'verdict' | 'planned' | 'because' | 'cannotStart'>
}

/** Plan of a typed call, by the ids of hooks. */
type Plan = ReadonlyMap<string, Explained>

/** The configuration as it stands: scope, event, matcher, hook, with states, figures and findings. */
export function Hooks() {
  const { answer, failure, isWaiting } = useAnswer(() => ask<HooksAnswer>('hooks'), [configured.value])
  const { answer: figures } = useAnswer(async () => (answer === null ? null : ask<FiguresAnswer>('figures')), [answer])
  const { answer: findings } = useAnswer(
    async () => (answer === null ? null : ask<FindingsAnswer>('findings')),
    [answer],
  )
  const text = (query.value.get('q') ?? '').toLowerCase()
  const typed = query.value.get('call') ?? ''
  const { answer: plan, failure: planFailure } = useAnswer(() => explainTyped(typed), [typed, answer])
  const isWhole = query.value.get('recorder') === '1'
  const recorders = (answer?.hooks ?? []).filter(({ isRecorder }) => isRecorder).length
  const hooks = (answer?.hooks ?? []).filter((hook) => hasText(hook, text) && (isWhole || !hook.isRecorder))
  const { shown, end } = useGrowing(hooks.length, text)
  const planned = hooks.filter(({ id }) => canRun(plan?.get(id)))
  const held = hooks.filter(({ id }) => canRun(plan?.get(id)?.otherwise))
  return (
    <>
      <header class="bar">
        <h1>Hooks</h1>
        {answer !== null && (
          <span class="dim">
            {formatAmount(answer.hooks.length, 'hook')}, profile {answer.profile}
            {answer.isTrusted && ', trusted'}
          </span>
        )}
        <search class="filters">
          {recorders > 0 && (
            <label class="check">
              <input
                type="checkbox"
                checked={isWhole}
                onChange={({ currentTarget }) => setQuery({ recorder: currentTarget.checked ? '1' : '' })}
              />
              {formatAmount(recorders, 'entry', 'entries')} of hookline tap
            </label>
          )}
          <input
            type="search"
            placeholder="Filter  /"
            aria-label="Filter hooks"
            value={query.value.get('q') ?? ''}
            onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
          />
        </search>
      </header>
      <div class="typed">
        <label for="call">What would run at</label>
        <input
          id="call"
          class="mono"
          placeholder="PreToolUse tool_name=Bash tool_input.command='git push'"
          value={typed}
          list="events"
          onInput={({ currentTarget }) => setQuery({ call: currentTarget.value })}
        />
        <datalist id="events">
          {(answer?.events ?? []).map((event) => (
            <option key={event} value={event} />
          ))}
        </datalist>
        <output>
          {planFailure ??
            (plan === null ? 'Nothing is run.' : `${planned.length} of ${plan.size} would run${listNames(planned)}`)}
        </output>
        <output>
          {held.length > 0 && `Without Hookline's trust, as in Claude Code, ${held.length} would${listNames(held)}`}
        </output>
      </div>
      {answer?.hooks.some(({ state }) => state === 'untrusted') && (
        <p class="note">
          Hookline and its bridges do not run hooks that are untrusted: <code>hookline trust</code> shows them. Claude
          Code has a trust of its own, and does not know of this one: what it ran stands under Ran.
        </p>
      )}
      <Failure text={failure} />
      {isWaiting && answer === null && <p class="empty">Reading the settings …</p>}
      {answer !== null && answer.hooks.length === 0 && <NoHooks project={answer.project} />}
      {answer !== null && answer.hooks.length > 0 && hooks.length === 0 && (
        <p class="empty">
          No hook fits the filter. <a href={toAddress('/hooks')}>Show all</a>
        </p>
      )}
      {hooks.length > 0 && (
        <table class="wide-table">
          <thead>
            <tr>
              <th>Scope</th>
              <th>Event</th>
              <th>Matcher</th>
              <th>Hook</th>
              <th>{plan === null ? 'In Hookline' : 'At this call'}</th>
              <th class="number">Ran</th>
              <th class="number">Blocked</th>
              <th class="number">Failed</th>
              <th class="number">Late</th>
              <th class="number">p50</th>
              <th class="number">p95</th>
              <th class="number">Tokens</th>
            </tr>
          </thead>
          <tbody>
            {hooks.slice(0, shown).map((hook, at) => (
              <HookRow
                key={hook.id}
                hook={hook}
                before={hooks[at - 1]}
                figure={figures?.placed[hook.id]}
                findings={findings?.placed[hook.id] ?? []}
                plan={plan}
              />
            ))}
          </tbody>
        </table>
      )}
      {hooks.length > shown && (
        <p class="note" ref={end}>
          {formatCount(hooks.length - shown)} more
        </p>
      )}
      {(findings?.others.length ?? 0) > 0 && (
        <section class="inset">
          <h2>Other findings</h2>
          {findings?.others.map((finding) => (
            <Finding key={`${finding.place} ${finding.rule} ${finding.message}`} finding={finding} />
          ))}
        </section>
      )}
    </>
  )
}

function hasText({ scope, event, matcher, runs, state, place }: ConfiguredHookRow, text: string): boolean {
  return text === '' || [scope, event, matcher, runs, state, place].some((word) => word.toLowerCase().includes(text))
}

function NoHooks({ project }: { readonly project: string }) {
  return (
    <div class="empty">
      <p>No hook is configured for {project}, in no scope.</p>
      <p>
        Add one: <code>hookline init</code>. If there should be one: <code>hookline why</code> says where it was looked
        for.
      </p>
    </div>
  )
}

interface RowProps {
  readonly hook: ConfiguredHookRow
  readonly before: ConfiguredHookRow | undefined
  readonly figure: FiguresAnswer['placed'][string] | undefined
  readonly findings: readonly HookFinding[]
  readonly plan: Plan | null
}

function HookRow({ hook, before, figure, findings, plan }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  const line = plan?.get(hook.id)
  const [state, because] = plan === null ? [hook.state, hook.because] : describePlan(line)
  const isSame = (word: 'scope' | 'event'): boolean =>
    before?.scope === hook.scope && (word === 'scope' || before.event === hook.event)
  return (
    <>
      <tr data-hook={hook.id} class={`${plan !== null && !line?.planned ? 'off' : ''} ${state.replaceAll(' ', '-')}`}>
        <td class="dim short">{isSame('scope') ? '' : hook.scope}</td>
        <td class="short">{isSame('event') ? '' : hook.event}</td>
        <td class="mono matcher">
          <bdi>{hook.matcher || '*'}</bdi>
        </td>
        <td class="command">
          <button type="button" class="plain name mono" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <bdi>{hook.name}</bdi>
          </button>
          {findings.map((finding) => (
            <Finding key={`${finding.rule} ${finding.message}`} finding={finding} />
          ))}
        </td>
        <td class="state">
          <span class="outcome">{state}</span>
          {because !== null && !findings.some(({ message }) => message.startsWith(because)) && (
            <span class="dim because">{because}</span>
          )}
        </td>
        <Figure title="Ran">{formatFigure(figure?.ran)}</Figure>
        <Figure title="Blocked">{formatFigure(figure?.blocked)}</Figure>
        <Figure title="Failed">{formatFigure(figure?.failed)}</Figure>
        <Figure title="Late">{formatFigure(figure?.timedOut)}</Figure>
        <Figure title="p50">{formatTiming(figure?.p50)}</Figure>
        <Figure title="p95">{formatTiming(figure?.p95)}</Figure>
        <Figure title="Tokens">{formatFigure(figure?.tokens)}</Figure>
      </tr>
      {isOpen && <Excerpt hook={hook} />}
    </>
  )
}

/** True of a line of a plan whose hook would be started, and can be. */
function canRun(line: Explained['otherwise']): boolean {
  return line?.planned === true && line.cannotStart === undefined
}

function listNames(hooks: readonly ConfiguredHookRow[]): string {
  return hooks.length === 0 ? '.' : `: ${hooks.map(({ name }, at) => `${at + 1}. ${name}`).join('  ')}`
}

function describePlan(line: Explained | undefined): [string, string | null] {
  if (line === undefined) return ['another event', null]
  if (line.cannotStart !== undefined) return ['cannot start', line.cannotStart]
  if (line.planned) return [line.verdict === 'ran' ? 'would run' : 'would run in background', null]
  if (line.otherwise === undefined) return [line.verdict, line.because ?? null]
  const [state, because] = describePlan({ id: line.id, ...line.otherwise })
  return [line.verdict, `otherwise ${state}${because === null ? '' : `: ${because}`}`]
}

function Excerpt({ hook }: { readonly hook: ConfiguredHookRow }) {
  const { answer, isWaiting } = useAnswer(() => ask<ExcerptAnswer | null>('excerpt', { id: hook.id }), [hook.id])
  return (
    <tr>
      <td colSpan={12}>
        <p class="mono">
          <bdi>{hook.runs}</bdi>{' '}
          <span class="dim">
            {hook.place}, key {hook.key}
          </span>
        </p>
        {answer !== null && (
          <pre>{answer.lines.map(({ line, text }) => `${String(line).padStart(4)}  ${text}\n`).join('')}</pre>
        )}
        {answer === null && !isWaiting && <p class="dim">It stands in no file that can be shown.</p>}
      </td>
    </tr>
  )
}

function Finding({ finding }: { readonly finding: HookFinding }) {
  return (
    <p class={`finding ${finding.severity}`}>
      <strong>{finding.severity}</strong> <span class="dim">{finding.place}</span> {finding.message}{' '}
      <span class="dim">{finding.rule}</span>
    </p>
  )
}

/** Explains a typed call; null where none is typed. */
async function explainTyped(typed: string): Promise<Plan | null> {
  if (typed.trim() === '') return null
  const explained = await post<{ hooks: readonly Explained[] }>('explain', parseCall(typed))
  return new Map(explained.hooks.map((line) => [line.id, line]))
}

/** Reads a call as the command line does: an event, then fields with dots, quoted where they have spaces. */
function parseCall(typed: string): { hook_event_name: string } & Record<string, unknown> {
  const words = typed.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  const [event = '', ...fields] = words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
  const input: { hook_event_name: string } & Record<string, unknown> = { hook_event_name: event }
  for (const field of fields) {
    const at = field.indexOf('=')
    if (at === -1) continue
    const path = field.slice(0, at).split('.')
    const last = path.pop() ?? ''
    let inside: Record<string, unknown> = input
    for (const name of path) {
      const known = Object.hasOwn(inside, name) ? inside[name] : undefined
      const next: Record<string, unknown> = typeof known === 'object' && known !== null ? { ...known } : {}
      inside[name] = next
      inside = next
    }
    inside[last] = field.slice(at + 1)
  }
  return input
}
