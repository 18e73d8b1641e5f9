import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { commands, makeWorld, openOn } from './support/project.ts'

const ROOT = new URL('../../../', import.meta.url)
const inRepository = (path: string): string => fileURLToPath(new URL(path, ROOT))

interface Question {
  readonly id: string
  readonly asks: string
  readonly docs: string
  readonly session: string
}

interface Change {
  readonly id: string
  readonly was: string | null
  readonly is: string | null
}

interface OutputRow {
  readonly id: string
  readonly tool?: string
  readonly says: (word: string) => { readonly one?: { readonly stdout?: string } }
}

type Answers = Readonly<Record<string, string>>

const { QUESTIONS, SESSIONS }: { QUESTIONS: readonly Question[]; SESSIONS: Readonly<Record<string, unknown>> } =
  await import(inRepository('scripts/drift/questions.js'))
const { AFTER_CALL }: { AFTER_CALL: readonly OutputRow[] } = await import(inRepository('scripts/drift/rows.js'))
const {
  findChanges,
  changePage,
}: {
  findChanges: (before: Answers, now: Answers, questions: readonly Question[]) => readonly Change[]
  changePage: (changes: readonly Change[], asked: object) => string
} = await import(inRepository('scripts/drift/page.js'))
const recorded: { readonly client: string; readonly answers: Answers } = JSON.parse(
  readFileSync(inRepository('scripts/drift/answers.json'), 'utf8'),
)
const asked = { date: '2026-11-17', before: recorded.client, now: recorded.client, count: QUESTIONS.length }

describe('the drift watch', () => {
  it('has an answer to every question, and pages that stand on it', () => {
    expect(Object.keys(recorded.answers)).toEqual(QUESTIONS.map(({ id }) => id))
    expect(new Set(QUESTIONS.map(({ id }) => id)).size).toBe(QUESTIONS.length)
    expect(QUESTIONS.length).toBeGreaterThanOrEqual(150)
    for (const { docs, session } of QUESTIONS) {
      expect(existsSync(inRepository(docs)), docs).toBe(true)
      expect(SESSIONS).toHaveProperty([session])
    }
  })

  it('finds ten seeded changes, and says of each what was and what is', () => {
    const seeded = QUESTIONS.filter((_, at) => at % Math.floor(QUESTIONS.length / 10) === 0).slice(0, 10)
    const before = { ...recorded.answers, ...Object.fromEntries(seeded.map(({ id }) => [id, `seeded ${id}`])) }
    const changes = findChanges(before, recorded.answers, QUESTIONS)
    expect(changes.map(({ id }) => id)).toEqual(seeded.map(({ id }) => id))
    const page = changePage(changes, asked)
    expect(page).toContain('10 answers changed.')
    for (const { id, asks } of seeded) expect(page).toContain(`**${asks}** (\`${id}\`)\n\n- was: \`\`seeded ${id}\`\``)
  })

  it('finds an answer that is new and one that is gone', () => {
    const [first = { id: '' }, second = { id: '' }] = QUESTIONS
    const { [first.id]: _, ...before } = recorded.answers
    const { [second.id]: __, ...now } = recorded.answers
    expect(findChanges(before, now, QUESTIONS)).toMatchObject([
      { id: first.id, was: null },
      { id: second.id, is: null },
    ])
  })

  it('has an empty page where nothing changed', () => {
    const changes = findChanges(recorded.answers, recorded.answers, QUESTIONS)
    expect(changes).toEqual([])
    expect(changePage(changes, asked)).toMatch(/\n\nNothing changed\.\n$/)
  })
})

/** Answers of tools as Claude Code 2.1.325 gives them to hooks, with a secret in each. */
const RESPONSES: Readonly<Record<string, unknown>> = {
  Bash: { stdout: 'secret', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
  Write: {
    type: 'create',
    filePath: '/p/a.txt',
    content: 'secret',
    structuredPatch: [],
    originalFile: null,
    userModified: false,
  },
  Edit: {
    filePath: '/p/a.txt',
    oldString: 'a',
    newString: 'secret',
    originalFile: 'a',
    structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+secret'] }],
    userModified: false,
    replaceAll: false,
  },
  Read: {
    type: 'text',
    file: { filePath: '/p/a.txt', content: 'secret', numLines: 1, startLine: 1, totalLines: 1 },
  },
  Agent: {
    status: 'completed',
    prompt: 'x',
    agentId: 'a1',
    content: [{ type: 'text', text: 'secret' }],
    totalTokens: 9,
  },
  Skill: { success: true, commandName: 'secret' },
  TaskCreate: { task: { id: '1', subject: 'secret', description: 'x' } },
  TaskUpdate: { success: true, taskId: 'secret', updatedFields: ['status'] },
  mcp__files__look: [{ type: 'text', text: 'secret' }],
}

describe('a redaction', () => {
  const redact = async (tool: string, answer: string) => {
    const world = await makeWorld({
      'project/answer.json': answer,
      'project/.claude/settings.json': { hooks: { PostToolUse: [commands('cat answer.json')] } },
    })
    const engine = await openOn(world, { profile: 'current' })
    return engine.dispatch({
      hook_event_name: 'PostToolUse',
      tool_name: tool,
      tool_input: {},
      tool_response: RESPONSES[tool],
      tool_use_id: 'toolu_1',
    })
  }
  const replaced = (output: unknown): string =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: output } })

  it.each(Object.keys(RESPONSES))('holds for the answer that %s really gives', async (tool) => {
    const clean = JSON.parse(JSON.stringify(RESPONSES[tool]).replaceAll('secret', 'redacted'))
    expect((await redact(tool, replaced(clean))).decision.updatedToolOutput).toEqual(clean)
  })

  const rows = AFTER_CALL.filter(({ id }) => id.includes('output'))
  it.each(rows.map((row) => [row.id, row] as const))('does here what it does in Claude Code: %s', async (id, row) => {
    const isRedactedThere = recorded.answers[`PostToolUse/${id}`]?.includes('redacted') === true
    const { decision, hooks } = await redact(row.tool ?? 'Bash', row.says('row').one?.stdout ?? '')
    expect(decision.updatedToolOutput !== null).toBe(isRedactedThere)
    if (!isRedactedThere) expect(hooks[0]?.warnings.join()).not.toBe('') // it may have been a redaction
  })
})
