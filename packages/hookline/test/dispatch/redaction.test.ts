import { describe, expect, it } from 'vitest'
import { engineWith } from '../support/project.ts'

/** Each `tool_response` as Claude Code 2.1.325 gave it, with a secret in it. */
const RESPONSES: Readonly<Record<string, object>> = {
  Bash: { stdout: 'SECRET', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
  Read: {
    type: 'text',
    file: { filePath: 'a.txt', content: 'SECRET one\n', numLines: 2, startLine: 1, totalLines: 2 },
  },
  Write: {
    ...{ type: 'create', filePath: 'a.txt', content: 'SECRET one\n', structuredPatch: [] },
    ...{ originalFile: null, userModified: false },
  },
  Edit: {
    ...{ filePath: 'a.txt', oldString: 'one', newString: 'two', originalFile: 'SECRET one\n' },
    structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-SECRET one', '+SECRET two'] }],
    ...{ userModified: false, replaceAll: false },
  },
  Agent: {
    ...{ status: 'completed', prompt: 'Say it.', agentId: 'a1', agentType: 'general-purpose', harnessNoteCount: 0 },
    content: [{ type: 'text', text: 'SECRET said.' }],
    ...{
      totalDurationMs: 235,
      totalTokens: 15,
      totalToolUseCount: 0,
      usage: { output_tokens: 5 },
      canContinueAgent: true,
    },
  },
  Glob: {
    ...{ filenames: ['SECRET.txt'], durationMs: 8, numFiles: 1, truncated: false, totalMatches: 1 },
    countIsComplete: true,
  },
  Grep: { mode: 'content', numFiles: 0, filenames: [], content: 'a.txt:1:SECRET two', numLines: 1, totalLines: 1 },
  TaskCreate: { task: { id: '1', subject: 'SECRET', description: 'd' } },
  NotebookEdit: {
    ...{ new_source: 'SECRET', old_source: 'one', cell_type: 'code', language: 'python', edit_mode: 'replace' },
    ...{ cell_id: 'c1', error: '', notebook_path: 'n.ipynb', original_file: '{}', updated_file: '{"source":"SECRET"}' },
  },
  mcp__files__look: [{ type: 'text', text: 'SECRET' }],
}

/** Keys without which Claude Code throws the replacement away, by tool: those that the protocol names. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  Bash: ['stdout', 'stderr', 'interrupted'],
  Read: ['type', 'file'],
  Write: ['type', 'filePath', 'content', 'structuredPatch', 'originalFile'],
}

const TOOLS = Object.keys(RESPONSES)
const isOfServer = (tool: string): boolean => tool.startsWith('mcp__')
const redact = (response: unknown): object => JSON.parse(JSON.stringify(response).replaceAll('SECRET', 'GONE'))

function omit(response: object, key: string): object {
  return Object.fromEntries(Object.entries(response).filter(([name]) => name !== key))
}

/** Result of a hook that answers with an output for that of a tool. */
async function replace(tool: string, updatedToolOutput: unknown) {
  const engine = await engineWith({}, { profile: 'current' })
  await engine.on('PostToolUse', () => ({
    hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput },
  }))
  const event = { hook_event_name: 'PostToolUse', tool_name: tool, tool_input: {}, tool_response: RESPONSES[tool] }
  const { decision } = await engine.dispatch(event)
  return {
    output: decision.updatedToolOutput,
    user: decision.messages.flatMap(({ to, text }) => (to === 'user' ? [text] : [])).join('\n'),
  }
}

describe('a redaction, in the shapes that Claude Code gives', () => {
  it.each(TOOLS)('replaces the whole output of %s', async (tool) => {
    const output = redact(RESPONSES[tool])
    expect(await replace(tool, output)).toEqual({ output, user: '' })
  })

  it.each(TOOLS.filter((tool) => !isOfServer(tool)))('of %s may have further keys', async (tool) => {
    const output = { ...redact(RESPONSES[tool]), further: 1 }
    expect(await replace(tool, output)).toEqual({ output, user: '' })
  })

  it.each(TOOLS.filter((tool) => !isOfServer(tool)))('of %s as a string is thrown away, and told', async (tool) => {
    const { output, user } = await replace(tool, 'GONE')
    expect(output).toBeNull()
    expect(user).toContain('updatedToolOutput is ignored: it is a string')
  })

  it('of a tool of a server may be a string', async () => {
    expect(await replace('mcp__files__look', 'GONE')).toEqual({ output: 'GONE', user: '' })
  })

  const keys = TOOLS.filter((tool) => !isOfServer(tool)).flatMap((tool) =>
    Object.keys(RESPONSES[tool] ?? {}).map((key) => [tool, key] as const),
  )
  it.each(keys)('of %s without %s counts unless the protocol names the key', async (tool, key) => {
    const response = RESPONSES[tool] ?? {}
    const { output, user } = await replace(tool, omit(redact(response), key))
    if (REQUIRED[tool]?.includes(key) === true) {
      expect(output).toBeNull()
      expect(user).toContain(`it has no "${key}"`)
      return
    }
    expect(user).toBe('')
    const kept = tool in REQUIRED ? { [key]: Object(response)[key] } : {} // of other tools nothing comes back: it may be the secret
    expect(output).toEqual({ ...omit(redact(response), key), ...kept })
  })
})
