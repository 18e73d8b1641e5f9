import { decisionRows, hookRows } from './hook-rows.js'

/** Why an event happens, in words; where a call is the reason, the call says it. */
const CAUSES = {
  UserPromptSubmit: 'before the model sees the prompt',
  PreCompact: 'the conversation has grown too long',
  SubagentStart: 'another agent begins, with a conversation of its own',
  Stop: 'the model thinks that it is done',
  SessionEnd: 'the user leaves',
}

const SUMMARY = 'which this summary stands for:'

/** Turns what an agent reports into pieces of a story. */
export function storyteller({ project, write }) {
  let number = 0
  const calls = []
  const about = new Map()
  let call = ''
  let start = 'a session starts'
  const short = (text) => text.replaceAll(`${project}/`, '').replaceAll(project, '.')

  function tellHooks({ event, progress }) {
    if (progress.type !== 'decision') return
    if (event === 'PreToolUse') call = calls.shift() ?? ''
    const { record } = progress
    if (record.hooks.every(({ verdict }) => verdict === 'matcher-miss')) return
    number += 1
    const rows = [...record.hooks.flatMap((hook) => hookRows(hook, event)), ...decisionRows(record)]
    write({ heading: `${number}  ${event}`, about: event === 'SessionStart' ? start : (CAUSES[event] ?? call), rows })
  }

  function note(use) {
    const words = aboutCall(use, short)
    calls.push(words)
    about.set(use.id, words)
  }

  function tellMessage({ message, injected, agent }) {
    const speaker = agent === null ? 'Model' : `Model of the ${agent.type}`
    for (const block of message.content) {
      if (block.type === 'tool_use') note(block)
      else if (block.type === 'tool_result')
        write({ heading: '·  Result', about: about.get(block.tool_use_id), rows: resultRows(block, short) })
      else if (message.role === 'assistant') write({ speaker, text: block.text })
      else if (block.text.includes('Async hook')) write({ heading: '·  In the background', rows: lateRows(block.text) })
      else if (!injected && block.text.includes(SUMMARY))
        write({ heading: '·  Summary', rows: summaryRows(block.text) })
    }
  }

  return {
    onEvent: (event) => {
      if (event.type === 'hook') tellHooks(event)
      if (event.type === 'message') tellMessage(event)
      if (event.type === 'compacted') start = 'it starts anew, from the summary'
    },
  }
}

function aboutCall({ name, input }, short) {
  return `${name}: ${short(input.command ?? input.file_path ?? input.description)}`
}

function resultRows({ content, is_error: failed = false }, short) {
  const lines = short(content).split('\n')
  const shown = lines.length > 4 ? [...lines.slice(0, 3), `… ${lines.length - 3} lines more`] : lines
  const [label, style] = failed ? ['failed', 'red'] : ['ok', 'green']
  return [
    { label, text: 'the model reads:', style },
    { label: '', text: shown.join('\n'), quoted: true },
  ]
}

function summaryRows(text) {
  return [
    { label: 'instead', text: 'of the conversation the model reads from here on:', style: 'cyan' },
    { label: '', text: text.slice(text.indexOf('\n')).trim(), quoted: true },
  ]
}

function lateRows(text) {
  return [
    { label: 'late', text: 'a hook has ended; the model reads at its next turn:', style: 'cyan' },
    { label: '', text: text.replace(/<\/?system-reminder>\n?/g, '').trim(), quoted: true },
  ]
}
