import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { makeBuiltinTools } from '../../src/tools/builtin.ts'

const all = makeBuiltinTools({ search: async () => [], env: {} })

/** The fields of inputs that hooks rely on. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Bash: ['command', 'description', 'timeout', 'run_in_background'],
  Read: ['file_path', 'offset', 'limit'],
  Write: ['file_path', 'content'],
  Edit: ['file_path', 'old_string', 'new_string', 'replace_all'],
  Glob: ['pattern', 'path'],
  Grep: ['pattern', 'path', 'glob', 'output_mode', '-i', 'multiline'],
  WebFetch: ['url', 'prompt'],
  WebSearch: ['query', 'allowed_domains', 'blocked_domains'],
}

describe('the built-in tools', () => {
  it('take the inputs that hooks know', () => {
    for (const [name, fields] of Object.entries(FIELDS)) {
      const tool = all.find((one) => one.name === name)
      const schema = z.toJSONSchema(tool?.input ?? z.never(), { io: 'input' })
      expect(Object.keys(schema.properties ?? {}), name).toEqual(expect.arrayContaining([...fields]))
    }
  })

  it('describe every field to the model', () => {
    for (const { name, description, input } of all) {
      expect(description, name).not.toBe('')
      const { properties = {} } = z.toJSONSchema(input, { io: 'input' })
      for (const [field, schema] of Object.entries(properties)) {
        expect(schema, `${name}.${field}`).toHaveProperty('description')
      }
    }
  })

  it('say which of them change nothing, and which change files alone', () => {
    const names = (fits: (tool: (typeof all)[number]) => boolean) => all.filter(fits).map(({ name }) => name)
    expect(names(({ readOnly }) => readOnly)).toEqual(['BashOutput', 'Read', 'Glob', 'Grep', 'WebFetch', 'WebSearch'])
    expect(names(({ edits }) => edits)).toEqual(['Write', 'Edit'])
  })

  it('offer a search only when there is something to search with', () => {
    const offered = (env: NodeJS.ProcessEnv) => makeBuiltinTools({ env }).some(({ name }) => name === 'WebSearch')
    expect(offered({})).toBe(false)
    expect(offered({ HOOKLINE_SEARCH_URL: '' })).toBe(false)
    expect(offered({ HOOKLINE_SEARCH_URL: 'http://127.0.0.1:1' })).toBe(true)
  })
})
