import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { Cost as CostAnswer } from '../../../hookline/src/log/cost.ts'
import { ask, makeReadable } from '../ask.ts'
import { useAnswer } from '../fetched.ts'
import { Figure } from '../figure.tsx'
import { formatAmount, formatCount, formatDay, formatFigure, formatMs, formatTime, formatTiming } from '../format.ts'
import { isOfFleet, state } from '../live.ts'
import { query } from '../router.ts'
import { Failure, NoHookRecorded, NoLog } from './empty.tsx'

/** Costs of hooks: time, failures, refusals, and what they put into the context. */
export function Cost() {
  const session = query.value.get('session') ?? ''
  const { answer, failure, isWaiting } = useAnswer(
    () => ask<CostAnswer>('cost', { session }),
    [session, state.value?.events],
  )
  return (
    <>
      <header class="bar">
        <h1>Cost</h1>
        {answer !== null && answer.events > 0 && (
          <span class="dim">
            {formatAmount(answer.events, 'event')}, which waited {formatMs(answer.waitedMs)} for hooks in all
          </span>
        )}
        {isWaiting && <span class="dim">reading …</span>}
      </header>
      <Failure text={failure} />
      {answer !== null && answer.events === 0 && (
        <div class="empty">
          <NoLog />
        </div>
      )}
      {answer !== null && answer.events > 0 && answer.hooks.length === 0 && <NoHookRecorded />}
      {answer !== null && answer.hooks.length > 0 && <Figures cost={answer} />}
    </>
  )
}

function Figures({ cost }: { readonly cost: CostAnswer }) {
  const hasTrend = cost.hooks.some(({ slower }) => slower !== null)
  return (
    <div class="inset">
      <Plot series={cost.series} />
      <h2>Hooks</h2>
      <table class="wide-table">
        <thead>
          <tr>
            <th>Hook</th>
            <th class="number">Total</th>
            <th class="number">p50</th>
            <th class="number">p95</th>
            <th class="number">Max</th>
            <th class="number">Ran</th>
            <th class="number">Blocked</th>
            <th class="number">Failed</th>
            <th class="number">Late</th>
            {!isOfFleet.value && <th class="number">Tokens</th>}
            {hasTrend && <th>Trend</th>}
          </tr>
        </thead>
        <tbody>
          {cost.hooks.map((hook) => (
            <tr key={`${hook.id} ${hook.runs}`}>
              <td class="mono hook-name">
                <bdi class="clamp" title={hook.runs ?? undefined}>
                  {hook.runs ?? makeReadable(hook.id)}
                </bdi>
                {hook.runs !== null && <span class="dim place">{makeReadable(hook.id)}</span>}
              </td>
              <Figure title="Total">{formatTiming(hook.p50 === null ? null : hook.total)}</Figure>
              <Figure title="p50">{formatTiming(hook.p50)}</Figure>
              <Figure title="p95">{formatTiming(hook.p95)}</Figure>
              <Figure title="Max">{formatTiming(hook.max)}</Figure>
              <Figure title="Ran">{formatFigure(hook.ran)}</Figure>
              <Figure title="Blocked">{formatFigure(hook.blocked)}</Figure>
              <Figure title="Failed">{formatFigure(hook.failed)}</Figure>
              <Figure title="Late">{formatFigure(hook.timedOut)}</Figure>
              {!isOfFleet.value && <Figure title="Tokens">{formatFigure(hook.tokens)}</Figure>}
              {hasTrend && <td class="short">{describeTrend(hook)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="two">
        <section>
          <h2>Refusals by reason</h2>
          {cost.reasons.length === 0 && <p class="dim">Nothing was refused.</p>}
          <Counts rows={cost.reasons.map(({ reason, count }) => [reason, formatCount(count)])} />
        </section>
        {!isOfFleet.value && (
          <section>
            <h2>Context by event</h2>
            {cost.tokensByEvent.length === 0 && <p class="dim">No hook put anything before the model.</p>}
            <Counts rows={cost.tokensByEvent.map(({ event, tokens }) => [event, formatAmount(tokens, 'token')])} />
          </section>
        )}
      </div>
    </div>
  )
}

function describeTrend({ slower }: CostAnswer['hooks'][number]): string {
  return slower === null ? '' : `slower: ${formatMs(slower.before)} to ${formatMs(slower.after)}`
}

function Counts({ rows }: { readonly rows: readonly (readonly [string, string])[] }) {
  return (
    <table>
      <tbody>
        {rows.map(([word, figure]) => (
          <tr key={word}>
            <td>
              <bdi>{word}</bdi>
            </td>
            <td class="number">{figure}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Dashes that tell lines apart without colours. */
const DASHES = [[], [8, 4], [2, 3], [12, 3, 2, 3], [5, 5], [1, 6]]
const PLOT_HEIGHT = 200
/** Pixels behind the plot: half of the longest time below it. */
const LABEL_SPACE = 48

/** Time of a tick: with its day where the plot is longer than one, with seconds and their tenths where it is short. */
function formatTick(tick: number, times: readonly number[]): string {
  const seconds = (times.at(-1) ?? 0) - (times[0] ?? 0)
  if (seconds > 86_400) return formatDay(tick * 1000).slice(0, -3)
  if (seconds > 1200) return formatTime(tick * 1000).slice(0, -3)
  return seconds < 20 ? `${formatTime(tick * 1000)}.${Math.floor((tick * 10) % 10)}` : formatTime(tick * 1000)
}

/** Medians over time, a line for each hook. */
function Plot({ series }: { readonly series: CostAnswer['series'] }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (element === null || series.times.length < 2) return
    const style = getComputedStyle(element)
    const [text, line, accent] = ['--dim', '--line', '--accent'].map((name) => style.getPropertyValue(name))
    const axis = {
      stroke: text ?? '',
      grid: { stroke: line ?? '', width: 1 },
      ticks: { stroke: line ?? '' },
      font: '12px system-ui',
    }
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: PLOT_HEIGHT,
        padding: [null, LABEL_SPACE, null, null],
        cursor: { drag: { x: false, y: false } },
        legend: { show: false },
        axes: [
          { ...axis, space: 90, values: (_, ticks) => ticks.map((tick) => formatTick(tick, series.times)) },
          { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => formatMs(tick)) },
        ],
        series: [
          {},
          ...series.hooks.map(({ name }, at) => ({
            label: name,
            stroke: at === 0 ? (accent ?? '') : (text ?? ''),
            width: at === 0 ? 2 : 1,
            dash: DASHES[at] ?? [],
            spanGaps: true,
            points: { show: false },
          })),
        ],
      },
      [[...series.times], ...series.hooks.map(({ p50 }) => [...p50])],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: PLOT_HEIGHT }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [series])
  if (series.times.length < 2) return null
  return (
    <section aria-label="Median time of hooks over time">
      <h2>Median time of the hooks that took most</h2>
      <div ref={box} class="plot" aria-hidden="true" />
      <ul class="legend">
        {series.hooks.map(({ name }, at) => (
          <li key={name}>
            <svg width="34" height="8" aria-hidden="true" class={at === 0 ? 'first' : ''}>
              <line x1="0" y1="4" x2="34" y2="4" stroke-dasharray={(DASHES[at] ?? []).join(' ')} />
            </svg>
            <bdi class="mono">{name}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}
