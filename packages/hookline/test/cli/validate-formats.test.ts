import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RULES } from '../../src/check/rules/table.ts'
import { FORMATS } from '../../src/cli/commands/validate/findings/formats.ts'
import { measureWidth } from '../../src/text/width.ts'
import { projectWith, validate } from '../support/validate.ts'

const SETTINGS = '.claude/settings.json'

/** A file with findings of both kinds, some far to the right. */
const UNSOUND = {
  [SETTINGS]: `{
  "hooks": {
    "PostToolUsed": [{ "hooks": [{ "type": "command", "command": "echo done" }] }],
    "PreToolUse": [
      {
        "matcher": "bash",
        "hooks": [
\t\t\t{ "type": "commnad", "command": "echo called" },
          { "type": "command", "command": "surely-no-such-program --with many --flags", "timeout": 60000, "asyncRewake": true }
        ]
      }
    ]
  }
}
`,
  '.claude/skills/greet/SKILL.md': `---
name: greet
hooks:
  Stop:
    - matcher: Bash
      hooks:
        - type: command
          command: echo done
---
`,
}

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

async function formatted(...flags: string[]): Promise<string> {
  const world = await projectWith(UNSOUND)
  vi.spyOn(process, 'cwd').mockReturnValue(world.project)
  return (await validate(world, ...flags)).stdout
}

describe('the terminal', () => {
  beforeEach(() => {
    vi.stubEnv('NO_COLOR', '')
    vi.stubEnv('FORCE_COLOR', undefined)
  })

  it.each([
    ['80', 'plain'],
    ['120', 'plain'],
    ['80', 'colour'],
    ['120', 'colour'],
  ])('shows findings as captured, %s columns, %s', async (columns, colour) => {
    vi.stubEnv('COLUMNS', columns)
    if (colour === 'colour') vi.stubEnv('FORCE_COLOR', '1')
    const stdout = await formatted()
    for (const line of stdout.split('\n')) expect(measureWidth(line)).toBeLessThanOrEqual(Number(columns))
    await expect(stdout).toMatchFileSnapshot(join('captures', `validate-${columns}-${colour}.txt`))
  })

  it('shows nothing that a terminal would obey', async () => {
    const name = '\u001b[2Jgone\u202e'
    const world = await projectWith({
      [SETTINGS]: JSON.stringify({ hooks: { [name]: [] } }).replace('\\u001b', '\u001b'),
    })
    const { stdout } = await validate(world)
    for (const letter of ['\u001b', '\u202e']) expect(stdout).not.toContain(letter)
  })

  it.each(RULES)('has room for the page of $id', ({ page }) => {
    const { bad, good } = page
    const lines = [bad, good].flatMap((example) => Object.values(example)).flatMap((text) => text.split('\n'))
    for (const line of lines) expect(`    ${line}`.length).toBeLessThanOrEqual(80)
  })
})

describe('every format', () => {
  it.each(Object.keys(FORMATS))('names the rule of each finding beside its code: %s', async (format) => {
    const { findings } = JSON.parse(await formatted('--json'))
    const text = await formatted('--format', format)
    for (const { rule, name } of findings) expect(text).toMatch(new RegExp(`${rule}\\b.{1,60}${name}\\b`, 's'))
  })

  it.each(['json', 'sarif'])('links to the page of the rule: %s', async (format) => {
    expect(await formatted('--format', format)).toContain('docs/rules.md#v-hk-03')
  })
})

describe('--format github', () => {
  it('annotates the lines', async () => {
    const lines = (await formatted('--format', 'github')).trimEnd().split('\n')
    expect(lines[0]).toBe(
      '::error file=.claude/settings.json,line=3,endLine=3,col=5,endColumn=19,title=V-HK-03 unknown-event::"PostToolUsed" is not an event. Did you mean "PostToolUse"?',
    )
    expect(lines.at(-1)).toMatch(/^::warning file=\.claude\/skills\/greet\/SKILL\.md,line=5,endLine=5,col=16,/)
  })

  it('keeps what is in a name from becoming a command', async () => {
    const world = await projectWith({ [SETTINGS]: JSON.stringify({ hooks: { 'a\n::error::b%': [] } }) })
    const { stdout } = await validate(world, '--format', 'github')
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(stdout).toContain('%25')
  })
})

describe('--format junit', () => {
  it('has a suite for every file, with errors as failures', async () => {
    const xml = await formatted('--format', 'junit')
    expect(xml).toContain('<testsuite name=".claude/settings.json" tests="6" failures="4" errors="0" skipped="0">')
    expect(xml).toContain('<testsuite name=".claude/skills/greet/SKILL.md" tests="1" failures="0"')
    expect(xml).toContain('<failure type="V-HK-03" message="&#34;PostToolUsed&#34; is not an event.')
  })

  it('has a passing case for a file without findings', async () => {
    const world = await projectWith({ [SETTINGS]: '{}' })
    const { code, stdout } = await validate(world, '--format', 'junit')
    expect(code).toBe(0)
    expect(stdout).toContain('name="is sound"/>')
  })
})

describe('--format sarif', () => {
  /** The published schema, as @microsoft/jest-sarif 1.0.0-beta.0 ships it; draft 4, but for "id" the same as draft 7. */
  const file = new URL('../fixtures/sarif-2.1.0.schema.json', import.meta.url)
  const { $schema: _draft, id: _id, ...schema } = JSON.parse(readFileSync(file, 'utf8'))
  const isSarif = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false, allErrors: true }).compile(
    schema,
  )

  it('fits the published schema', async () => {
    const log = JSON.parse(await formatted('--format', 'sarif'))
    isSarif(log)
    expect(isSarif.errors).toBeNull()
    expect(isSarif({ ...log, runs: [{ ...log.runs[0], results: [{ ruleId: 'no message' }] }] })).toBe(false)
  })

  it('says rule, level and place of every finding', async () => {
    const { runs } = JSON.parse(await formatted('--format', 'sarif'))
    const [{ tool, results }] = runs
    expect(results).toHaveLength(7)
    expect(results[0]).toMatchObject({
      ruleId: 'V-HK-03',
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: SETTINGS },
            region: { startLine: 3, startColumn: 5, endLine: 3, endColumn: 19 },
          },
        },
      ],
    })
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId)
  })

  it('fits the schema with nothing to report, and with files elsewhere', async () => {
    const world = await projectWith({ [SETTINGS]: '{}' })
    expect(isSarif(JSON.parse((await validate(world, '--format', 'sarif')).stdout))).toBe(true)
    const unsound = await projectWith({ [SETTINGS]: '{' })
    const log = JSON.parse((await validate(unsound, '--format', 'sarif')).stdout)
    expect(isSarif(log)).toBe(true)
    expect(log.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toMatch(/^file:\/\/\/.*%20test/)
  })
})
