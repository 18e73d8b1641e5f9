/** What became of one configured hook, and why. */
export function hookRows(hook, event) {
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

/** What all of them together decided, and who reads it. */
export function decisionRows({ decision }) {
  const { halt, stopReason, blocked, permission, reason, updatedInput, context, instructions } = decision
  const refusal = permission === 'deny' ? 'refused' : 'blocked'
  const parts = [
    halt && { what: 'halted; the user reads:', text: stopReason ?? 'Stopped by hook', style: 'red' },
    blocked && { what: `${refusal}; the model reads:`, text: reason, style: 'red' },
    updatedInput && { what: 'goes on with another input:', text: JSON.stringify(updatedInput), style: 'yellow' },
    instructions && { what: 'the summary is asked for with:', text: instructions, style: 'green' },
    ...context.map((text) => ({ what: 'the model gets context:', text, style: 'green' })),
  ].filter(Boolean)
  if (parts.length === 0) return [{ label: 'decided', text: 'nothing; it takes its course' }]
  return parts.flatMap(({ what, text, style }) => [
    { label: 'decided', text: what, style },
    { label: '', text, quoted: true },
  ])
}
