import { link, mkdir, symlink } from 'node:fs/promises'
import { type Behavior, findHiddenFiles } from 'hookline/rules'
import { describe, expect, it } from 'vitest'
import { globTool } from '../../src/tools/glob.ts'
import { grepTool } from '../../src/tools/grep.ts'
import { readTool } from '../../src/tools/read.ts'
import type { ToolOutcome } from '../../src/tools/tool.ts'
import { rulesWith } from '../permission/support.ts'
import { makePlace, type Place } from './support.ts'

const FILES = {
  '.env': 'SECRET=1',
  'src/.env': 'SECRET=2',
  'src/a.ts': 'SECRET in code',
  'keys/one.pem': 'SECRET\nSECRET',
  'keys/two.pem': 'SECRET',
  'keys/readme': 'SECRET? no',
  'vault/deep/er/x': 'SECRET',
  'vault/y{z}[1]!.txt': 'SECRET',
  'b*?.txt': 'SECRET star',
  'bc.txt': 'SECRET plain',
}

/** A session in which rules hide files. */
async function guarded(texts: Partial<Record<Behavior, readonly string[]>>): Promise<Place> {
  const place = await makePlace(FILES)
  const rules = rulesWith(texts, { project: place.folder, home: '/hookline-nowhere' })
  Object.assign(place.context, {
    hidden: (toolName: string, input: unknown) => findHiddenFiles({ toolName, input }, rules),
  })
  return place
}

/** Everything that the model and hooks get to see. */
const allOf = (outcome: ToolOutcome): string => JSON.stringify(outcome)

describe('files that a rule on reading covers', () => {
  const deny = ['Read(.env)', 'Read(./keys/*.pem)', 'Read(./vault/**)', 'Read(b\\*\\?.txt)']
  const hidden = ['.env"', '.env\\', '.env:', 'SECRET=', 'one.pem', 'two.pem', 'vault', 'er/x', 'star', '*?']

  it.each([
    {},
    { output_mode: 'content' },
    { output_mode: 'content', '-C': 2 },
    { output_mode: 'content', multiline: true },
    { output_mode: 'content', '-n': false },
    { output_mode: 'count' },
    { glob: '**' },
    { glob: '.env' },
    { glob: '*', output_mode: 'content' },
    { glob: '{.env,*.pem,*.ts,*.txt,readme}', output_mode: 'count' },
    { path: '.', head_limit: 100 },
  ])('are left out of what Grep finds with %j', async (input) => {
    const { call } = await guarded({ deny })
    const found = allOf(await call(grepTool, { pattern: 'SECRET', ...input }))
    expect(hidden.filter((part) => found.includes(part))).toEqual([])
    if (!('glob' in input && input.glob === '.env')) expect(found).toContain('a.ts')
    if (!('glob' in input && input.glob === '.env')) expect(found).toContain('bc.txt')
  })

  it.each(['keys', 'vault', 'vault/deep', 'src'])('are left out of a search in the folder %s', async (path) => {
    const { call } = await guarded({ deny })
    const found = allOf(await call(grepTool, { pattern: 'SECRET', path, output_mode: 'content' }))
    expect(found).not.toMatch(/SECRET=|one\.pem|two\.pem|er\/x/)
  })

  it('are left out of a search through a link to their folder', async () => {
    const { call, path } = await guarded({ deny })
    await symlink(path('keys'), path('other'))
    await symlink(path('vault/deep'), path('away'))
    for (const name of ['other', 'away']) {
      const found = allOf(await call(grepTool, { pattern: 'SECRET', path: name, output_mode: 'content' }))
      expect(found).not.toMatch(/pem|er\/x/)
      expect(allOf(await call(globTool, { pattern: '**', path: name }))).not.toMatch(/pem|er\/x/)
    }
  })

  it('are left out where the rule names a link, and the search the folder behind it', async () => {
    const place = await guarded({ deny: ['Read(./alias/**)'] })
    await symlink(place.path('vault'), place.path('alias'))
    expect(allOf(await place.call(grepTool, { pattern: 'SECRET', path: 'vault' }))).not.toContain('er/x')
    expect(allOf(await place.call(globTool, { pattern: 'vault/**' }))).not.toContain('er/x')
  })

  it('are left out although their names hold line breaks', async () => {
    const { call, put } = await guarded({ deny: ['Read(./closed*)'] })
    await put('closed\n./src/a.ts', 'SECRET closed')
    await put('open\nfile', 'SECRET open')
    for (const output_mode of ['content', 'count', 'files_with_matches']) {
      const found = allOf(await call(grepTool, { pattern: 'SECRET', output_mode }))
      expect(found).not.toContain('closed')
      expect(found).toContain('open')
    }
  })

  it('are left out when they are binary, or cannot be searched', async () => {
    const { call, put } = await guarded({ deny })
    await put('keys/three.pem', Buffer.from('SECRET\0\0SECRET'))
    const found = allOf(await call(grepTool, { pattern: 'SECRET', output_mode: 'content' }))
    expect(found).not.toContain('three')
  })

  it('are left out of what Glob finds', async () => {
    const { call } = await guarded({ deny })
    for (const pattern of ['**', '**/*', '.env', '**/.env', 'keys/*', 'vault/**', '*.{txt,pem}', '{.env,src/.env}']) {
      const found = allOf(await call(globTool, { pattern }))
      expect(hidden.filter((part) => found.includes(part))).toEqual([])
    }
    expect(allOf(await call(globTool, { pattern: 'keys/*' }))).toContain('readme')
  })

  it('are not suggested for a name that does not exist', async () => {
    const { failure } = await guarded({ deny })
    expect(await failure(readTool, { file_path: '.enf' })).not.toContain('.env?')
    expect(await failure(readTool, { file_path: 'keys/readmf' })).toContain('keys/readme')
  })

  it('are left out by the rules of Grep and Glob themselves, each for its own', async () => {
    const { call } = await guarded({ deny: ['Grep(./keys/**)', 'Glob(./vault/**)'] })
    const grepped = allOf(await call(grepTool, { pattern: 'SECRET' }))
    expect(grepped).not.toContain('keys/')
    expect(grepped).toContain('vault/')
    const globbed = allOf(await call(globTool, { pattern: '**' }))
    expect(globbed).toContain('keys/')
    expect(globbed).not.toContain('vault/')
  })

  it('are left out when they have to be asked for, unless the search is about them', async () => {
    const { call } = await guarded({ ask: ['Read(./keys/**)'] })
    expect(allOf(await call(grepTool, { pattern: 'SECRET' }))).not.toContain('pem')
    expect(allOf(await call(grepTool, { pattern: 'SECRET', path: 'keys' }))).toContain('one.pem')
  })

  it('are found when no rule is about them, also beside rules of other tools', async () => {
    const { call } = await guarded({ deny: ['Edit(.env)', 'Bash(cat:*)'] })
    expect(allOf(await call(grepTool, { pattern: 'SECRET=' }))).toContain('.env')
  })

  it('stay out when thousands of them are hidden', async () => {
    const { call, path, put } = await guarded({ deny: ['Read(./many/**)', 'Read(*.hidden)'] })
    await mkdir(path('many'))
    await put('many/first', 'SECRET')
    for (let count = 0; count < 300; count++) await link(path('many/first'), path(`many/${count}`))
    const found = allOf(await call(grepTool, { pattern: 'SECRET' }))
    expect(found).not.toContain('many')
    expect(found).toContain('a.ts')
  })
})
