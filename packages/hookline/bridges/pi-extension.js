// Made by "hookline bridge install pi"; "hookline bridge uninstall pi" takes it out again.
import { spawn } from 'node:child_process'

/** The program that is asked, and what becomes of a call where there is none: "refuse" or "pass". */
const PROGRAM = 'hookline'
const IF_MISSING = 'refuse'
/** The exit code by which hookline is known from another program of its name. */
const PROOF = 86

/** Asks the hooks about an event; rejects when they cannot be asked. */
function ask(event, payload) {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, ['bridge', 'run', 'pi', event, '--proof'], { stdio: ['pipe', 'pipe', 'ignore'] })
    const chunks = []
    child.on('error', (error) => {
      if (IF_MISSING === 'pass' && error.code === 'ENOENT') resolve({})
      else reject(new Error(`${PROGRAM} cannot be started, so no hook could be asked about this.`))
    })
    child.stdin.on('error', () => {}) // the program has ended, and its answer says why
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.on('close', (code) => {
      try {
        if (code !== PROOF) throw new Error(`exit code ${code}`)
        const answer = JSON.parse(Buffer.concat(chunks).toString('utf8'))
        if (typeof answer !== 'object' || answer === null) throw new Error('no object')
        resolve(answer)
      } catch (error) {
        reject(new Error(`hookline gave no answer, so no hook could be asked about this (${error.message}).`))
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })
}

/** For events at which no call waits for the answer: what cannot be asked is left. */
const tell = (event, payload) => ask(event, payload).catch(() => ({}))

/** Words of hooks for how a session began and ended, where Pi has others. */
const SOURCES = { new: 'clear', resume: 'resume', fork: 'resume' }
const REASONS = { new: 'clear', resume: 'resume' }

/** A message of ours to the model. */
const makeMessage = (content) => ({ customType: 'hookline', content, display: true })

// biome-ignore lint/style/noDefaultExport: Pi loads an extension by it
export default function hookline(pi) {
  const waiting = [] // texts that go to the model with the next prompt
  const withOutput = new Map() // texts for the output of a call, by its id
  const place = (ctx) => ({ sessionID: ctx.sessionManager.getSessionId(), cwd: ctx.cwd })
  const notify = (ctx, text) => text && ctx.hasUI && ctx.ui.notify(text, 'info')

  pi.on('session_start', async ({ reason }, ctx) => {
    const said = await tell('session_start', { ...place(ctx), source: SOURCES[reason] ?? 'startup' })
    notify(ctx, said.toast)
    if (said.append) waiting.push(said.append)
  })

  pi.on('input', async ({ text, source }, ctx) => {
    if (source === 'extension') return { action: 'continue' } // no user typed it
    const said = await tell('input', { ...place(ctx), prompt: text })
    notify(ctx, said.toast)
    if (typeof said.refuse === 'string') {
      if (ctx.hasUI) ctx.ui.notify(said.refuse, 'error')
      else console.error(said.refuse)
      return { action: 'handled' }
    }
    if (said.append) waiting.push(said.append)
    return { action: 'continue' }
  })

  pi.on('before_agent_start', () => {
    const texts = waiting.splice(0)
    return texts.length === 0 ? undefined : { message: makeMessage(texts.join('\n')) }
  })

  pi.on('tool_call', async ({ toolName: tool, toolCallId: callID, input: args }, ctx) => {
    const said = await ask('tool_call', { ...place(ctx), tool, callID, args }).catch((error) => ({
      refuse: error.message,
    }))
    notify(ctx, said.toast)
    if (said.abort) ctx.abort()
    if (typeof said.refuse === 'string') return { block: true, reason: said.refuse }
    if (said.args) {
      for (const name of Object.keys(args)) if (!(name in said.args)) delete args[name]
      Object.assign(args, said.args)
    }
    if (said.append) withOutput.set(callID, said.append)
    return undefined
  })

  pi.on('tool_result', async ({ toolName: tool, toolCallId: callID, input: args, ...result }, ctx) => {
    const { content, structuredContent, isError } = result
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const { output = text, exit_code: exit } = Object(tool === 'bash' ? structuredContent : null)
    const fault = exit === undefined ? text : `Exit code ${exit}\n${output}`
    const outcome = { output, ...(isError ? { error: fault } : {}) }
    const said = await tell('tool_result', { ...place(ctx), tool, callID, args, ...outcome })
    notify(ctx, said.toast)
    if (said.abort) ctx.abort()
    const more = [withOutput.get(callID), said.append].filter(Boolean).map((line) => ({ type: 'text', text: line }))
    withOutput.delete(callID)
    if (typeof said.output === 'string') return { content: [{ type: 'text', text: said.output }, ...more] }
    return more.length === 0 ? undefined : { content: [...content, ...more] }
  })

  pi.on('agent_before_settle', async ({ entries }, ctx) => {
    const said = await tell('agent_before_settle', place(ctx))
    notify(ctx, said.toast)
    if (typeof said.refuse !== 'string') return undefined
    return { entries: [...entries, { type: 'custom_message', ...makeMessage(said.refuse) }], continue: true }
  })

  pi.on('session_before_compact', async (_event, ctx) => {
    notify(ctx, (await tell('session_before_compact', place(ctx))).toast)
  })

  pi.on('session_compact', async (_event, ctx) => {
    notify(ctx, (await tell('session_compact', place(ctx))).toast)
  })

  pi.on('session_shutdown', async ({ reason }, ctx) => {
    await tell('session_shutdown', { ...place(ctx), reason: REASONS[reason] ?? 'other' })
  })
}
