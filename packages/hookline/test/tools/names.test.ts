import { describe, expect, it } from 'vitest'
import { AGENTS } from '../../src/bridges/list.ts'
import type { DispatchRecord } from '../../src/index.ts'
import {
  findToolNames,
  guardAfterCall,
  guardBatch,
  guardBeforeCall,
  guardCall,
  type ToolNames,
} from '../../src/tools/index.ts'
import { answering, commands, engineWith } from '../support/project.ts'
import { pre } from './asked.ts'

const names: ToolNames = { shell: 'Bash', save: { name: 'Write', fields: { path: 'file_path' } } }
const save = { name: 'save', input: { path: '/etc/passwd', content: 'root' }, id: 'toolu_1' }

describe('a tool that hooks know by another name', () => {
  it('is matched by it, and refused in words that have it', async () => {
    const guard = {
      matcher: 'Write',
      ...commands('grep -q .file_path.:./etc && { echo not there >&2; exit 2; }; exit 0'),
    }
    const engine = await engineWith({ PreToolUse: [guard] })
    const run = () => expect.fail('it ran')
    expect(await guardCall(engine, { ...save, run }, { names })).toMatchObject({
      ended: 'refused',
      reason: expect.stringMatching(/^PreToolUse:Write hook error: .*not there/),
    })
  })

  it('is called with the fields of the host when a hook rewrites them', async () => {
    const engine = await engineWith({})
    await engine.on('PreToolUse', () => pre({ updatedInput: { file_path: 'here', content: 'x', mode: 1 } }), {
      matcher: 'Write',
    })
    expect(await guardCall(engine, { ...save, run: (input) => input }, { names })).toMatchObject({
      output: { path: 'here', content: 'x', mode: 1 },
    })
  })

  it('is shown so at every event', async () => {
    const engine = await engineWith({}, { profile: 'current' })
    const seen: unknown[] = []
    for (const event of ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure'] as const)
      await engine.on(event, ({ tool_name, tool_input }) => {
        seen.push([event, tool_name, Object.keys(Object(tool_input))])
        return event === 'PreToolUse' ? pre({ permissionDecision: 'ask' }) : undefined
      })
    await engine.on('PostToolBatch' as string, ({ tool_calls }) => {
      seen.push(['PostToolBatch', (tool_calls as { tool_name: string }[])[0]?.tool_name])
    })
    await guardBatch(engine, [{ ...save, run: () => 'done' }], { names, onAsk: () => true })
    await guardAfterCall(engine, save, { names, outcome: { error: new Error('full'), durationMs: 1 } })
    expect(seen).toEqual([
      ['PreToolUse', 'Write', ['content', 'file_path']],
      ['PermissionRequest', 'Write', ['content', 'file_path']],
      ['PostToolUse', 'Write', ['content', 'file_path']],
      ['PostToolBatch', 'Write'],
      ['PostToolUseFailure', 'Write', ['content', 'file_path']],
    ])
  })

  it('waits for the user with the fields of the host', async () => {
    const engine = await engineWith({})
    await engine.on('PreToolUse', () => pre({ permissionDecision: 'ask', updatedInput: { file_path: 'here' } }))
    const before = await guardBeforeCall(engine, save, { names, onAsk: () => 'later' })
    expect(before).toMatchObject({ ended: 'waiting', clearance: { tool: 'save', input: { path: 'here' } } })
    const clearance = before.ended === 'waiting' ? before.clearance : null
    expect(await guardBeforeCall(engine, { ...save, answer: { clearance, allow: true } }, { names })).toMatchObject({
      ended: 'cleared',
      input: { path: 'here' },
    })
  })

  it('is refused when what hooks rewrote cannot be turned back', async () => {
    const engine = await engineWith({})
    await engine.on('PreToolUse', () => pre({ updatedInput: { url: 'x' } }))
    const fetched = { name: 'web_fetch', input: { prompt: 'Read example.org' }, run: () => expect.fail('it ran') }
    expect(await guardCall(engine, fetched, { names: findToolNames('gemini') })).toMatchObject({
      ended: 'refused',
      by: 'input',
      reason: expect.stringContaining('cannot be turned back'),
    })
  })
})

describe('the names of known agents', () => {
  it.each(AGENTS)('of %s are those of its bridge', (agent) => {
    for (const entry of Object.values(findToolNames(agent))) expect(entry).toMatchObject({ name: expect.any(String) })
  })

  it('have the fields that hooks know', () => {
    expect(findToolNames('opencode').write).toEqual({
      name: 'Write',
      fields: { filePath: ['file_path'], content: ['content'] },
      rewritable: true,
    })
  })

  it('are not there for others', () => {
    expect(() => findToolNames('opncode')).toThrow('"opncode" is not a known agent. Did you mean "opencode"?')
  })
})

describe('an output that a hook replaces', () => {
  const redact = answering({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: 'hidden' } })
  const search = { name: 'search', input: {}, run: () => 'secret' }

  it('is replaced when the host says that the tool is one of an MCP server', async () => {
    const engine = await engineWith({ PostToolUse: [commands(redact)] })
    expect(await guardCall(engine, search, { names: { search: { mcp: true } } })).toMatchObject({ output: 'hidden' })
    const named = { ...search, name: 'mcp__docs__search' }
    expect(await guardCall(engine, named)).toMatchObject({ output: 'hidden' })
  })

  it('and that stays is told each time', async () => {
    const engine = await engineWith({ PostToolUse: [commands(redact)] })
    const told: string[] = []
    const records: DispatchRecord[] = []
    const options = {
      onNotice: (text: string) => told.push(text),
      onRecord: (record: DispatchRecord) => records.push(record),
    }
    const named = { ...search, name: 'mcp__docs__search' }
    for (const call of [search, search])
      expect(await guardCall(engine, call, options)).toMatchObject({ output: 'secret' })
    expect(await guardCall(engine, named, { ...options, names: { [named.name]: { mcp: false } } })).toMatchObject({
      output: 'secret',
    })
    expect(told.filter((text) => text.includes('updatedMCPToolOutput has no effect'))).toHaveLength(3)
  })
})
