import { styleText } from 'node:util'

const width = 80
const margin = '   '
const labelWidth = 9

/** The headline of the story. */
export function showTitle(title, { colour }) {
  return `${paint(title, 'bold', colour)}\n\n`
}

/** One event: what ran and why, how long it took, and what was decided. */
export function showEvent({ number, said, about, record }, { colour }) {
  const heading = `${number}  ${record.event}  `
  const rows = [...record.hooks.flatMap((hook) => hookRows(hook, record.event)), ...decisionRows(record.decision)]
  const lines = [
    paint(heading, 'bold', colour) + paint(cut(about, width - heading.length), 'dim', colour),
    ...wrap(said, width - margin.length).map((line) => margin + line),
    ...rows.flatMap((row) => renderRow(row, colour)),
  ]
  return `${lines.join('\n')}\n\n`
}

/** What background hooks said since. */
export function showDelivered(delivered, { colour }) {
  const rows = delivered.flatMap(({ hook, context }) => [
    { label: 'late', text: `${hook} ended; the model reads at its next turn:`, style: 'cyan' },
    ...context.map((text) => ({ label: '', text, quoted: true })),
  ])
  const lines = [paint('·  In the background', 'bold', colour), ...rows.flatMap((row) => renderRow(row, colour))]
  return `${lines.join('\n')}\n\n`
}

function hookRows(hook, event) {
  const name = hook.command.split('/').at(-1)
  if (hook.verdict !== 'ran') {
    return [
      { label: 'hook', text: `${name}: ${hook.verdict}`, style: hook.verdict === 'backgrounded' ? 'cyan' : 'dim' },
      { label: 'why', text: whyOf(hook, event), style: 'dim' },
    ]
  }
  const end = hook.timedOut ? 'timed out' : (hook.signal ?? `exit ${hook.exitCode}`)
  const style = hook.outcome === 'success' ? 'green' : 'red'
  return [
    { label: 'ran', text: `${name}: ${Math.round(hook.durationMs)} ms, ${end}`, style },
    { label: 'why', text: whyOf(hook, event), style: 'dim' },
  ]
}

function whyOf(hook, event) {
  const fits = hook.verdict === 'matcher-miss' ? 'does not fit' : 'fits'
  const matched = hook.matcher ? `matcher ${hook.matcher} ${fits}` : `no matcher, so at every ${event}`
  const waits = hook.verdict === 'backgrounded' ? '; async, so nobody waits for it' : ''
  return `${matched}${waits} (${hook.file}:${hook.line})`
}

function decisionRows({ halt, stopReason, blocked, permission, reason, updatedInput, context }) {
  const refusal = permission === 'deny' ? 'refused' : 'blocked'
  const parts = [
    halt && { what: 'halted; the person reads:', text: stopReason ?? 'Stopped by hook', style: 'red' },
    blocked && { what: `${refusal}; the model reads:`, text: reason, style: 'red' },
    updatedInput && { what: 'goes on with another input:', text: JSON.stringify(updatedInput), style: 'yellow' },
    ...context.map((text) => ({ what: 'the model gets context:', text, style: 'green' })),
  ].filter(Boolean)
  if (parts.length === 0) return [{ label: 'decided', text: 'nothing; the event takes its course' }]
  return parts.flatMap(({ what, text, style }) => [
    { label: 'decided', text: what, style },
    { label: '', text, quoted: true },
  ])
}

/** A label and a text beside it, broken at the width of the screen. */
function renderRow({ label, text, style, quoted = false }, colour) {
  const bar = quoted ? '│ ' : ''
  const room = width - margin.length - labelWidth - bar.length
  return text
    .split('\n')
    .flatMap((line) => wrap(line, room))
    .map((line, index) => {
      const left = (index === 0 ? label : '').padEnd(labelWidth)
      return margin + paint(left, 'dim', colour) + bar + paint(line, style, colour)
    })
}

/** The text in lines of at most `room` characters, broken between words; a word longer than that is cut. */
function wrap(text, room) {
  const words = text.split(' ').flatMap((word) => word.match(new RegExp(`.{1,${room}}`, 'g')) ?? '')
  const lines = []
  for (const word of words) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word
    if (lines.length > 0 && longer.length > room) lines.push(word)
    else lines.splice(-1, 1, longer)
  }
  return lines
}

function cut(text, room) {
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`
}

function paint(text, style, colour) {
  return colour && style ? styleText(style, text) : text
}
