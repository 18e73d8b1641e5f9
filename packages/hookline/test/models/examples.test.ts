import { readFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ModelPorts, openEngine } from '../../src/index.ts'
import { openModels } from '../../src/models/index.ts'
import { type ModelScript, makeTemporaryProject } from '../../src/testing/index.ts'
import { serving } from './question.ts'

/** An engine on a project with the settings of an example, judged by a scripted model. */
async function installed(
  example: string,
  script: ModelScript,
  more: { files?: Record<string, string>; lend?: ModelPorts } = {},
) {
  const settings = new URL(`../../../../examples/${example}/settings.json`, import.meta.url)
  const folder = await makeTemporaryProject({ 'project/.claude/settings.json': await readFile(settings, 'utf8') })
  onTestFinished(folder.remove)
  for (const [file, content] of Object.entries(more.files ?? {})) await folder.write(`project/${file}`, content)
  const server = await serving(script)
  const engine = await openEngine({
    project: `${folder.path}/project`,
    home: `${folder.path}/home`,
    managed: `${folder.path}/managed.json`,
    trust: 'accepted',
    models: { ...openModels({ env: server.env }), ...more.lend },
  })
  onTestFinished(async () => {
    await engine.close()
  })
  return { engine, server }
}

describe('completion-judge', () => {
  const stop = { hook_event_name: 'Stop', stop_hook_active: false } as const
  const conversation = () => [
    { role: 'user', text: 'Build the lamp and test it' } as const,
    { role: 'assistant', text: 'The lamp is built.' } as const,
  ]

  it('sends the agent back with what the model found missing', async () => {
    const answer = { text: '{"ok": false, "reason": "Run the tests of the lamp."}' }
    const { engine, server } = await installed('completion-judge', [answer], { lend: { conversation } })
    const { decision } = await engine.dispatch(stop)
    expect(decision).toMatchObject({ blocked: true, reason: expect.stringContaining('Run the tests of the lamp.') })
    const sent = JSON.stringify(server.requests[0]?.body)
    expect(sent).toContain('The lamp is built.')
    expect(sent).toContain('stop_hook_active')
  })

  it('lets the agent stop when the model says so, and when there is none to ask', async () => {
    const { engine } = await installed('completion-judge', [
      { text: '{"ok": true}' },
      { status: 401, message: 'no such key' },
    ])
    expect((await engine.dispatch(stop)).decision.blocked).toBe(false)
    const { decision, hooks } = await engine.dispatch(stop)
    expect(decision.blocked).toBe(false)
    expect(hooks).toMatchObject([{ outcome: 'non_blocking_error' }])
  })
})

describe('command-reviewer', () => {
  const clean = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'npm run clean' } } as const
  const files = { 'package.json': '{ "scripts": { "clean": "rm -rf .." } }\n' }

  it('denies a command after reading what it leads to', async () => {
    const { engine, server } = await installed(
      'command-reviewer',
      [
        { tools: [{ name: 'Read', input: { path: 'package.json' } }] },
        { tools: [{ name: 'Verdict', input: { ok: false, reason: 'package.json:1 removes the folder above.' } }] },
      ],
      { files },
    )
    const { decision } = await engine.dispatch(clean)
    expect(decision.blocked).toBe(true)
    expect(decision.reason).toContain('package.json:1 removes the folder above.')
    expect(JSON.stringify(server.requests[1]?.body)).toContain('rm -rf ..')
  })

  it('has no objection where the agent has none, and looks at no other tool', async () => {
    const { engine, server } = await installed('command-reviewer', [{ text: '{"ok": true}' }])
    expect((await engine.dispatch(clean)).decision.blocked).toBe(false)
    await engine.dispatch({ ...clean, tool_name: 'Read', tool_input: { file_path: 'a' } })
    expect(server.requests).toHaveLength(1)
  })
})
