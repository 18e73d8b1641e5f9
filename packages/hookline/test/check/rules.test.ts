import { describe, expect, it } from 'vitest'
import { linkTo } from '../../src/check/rule.ts'
import { RULES } from '../../src/check/rules/table.ts'
import { READING_RULES } from '../../src/config/problem.ts'
import { findingsIn } from '../support/validate.ts'

describe('the table of rules', () => {
  const ids = RULES.map(({ id }) => id)

  it('numbers them without a gap, and gives no number twice', () => {
    expect(ids).toEqual(ids.map((_id, at) => `V-HK-${String(at + 1).padStart(2, '0')}`))
  })

  it('gives every rule a name of its own, in words', () => {
    const names = RULES.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z]+(?:-[a-z0-9]+)+$/)
  })

  it('explains every rule that the reading of files reports', () => {
    expect(ids).toEqual(expect.arrayContaining(Object.keys(READING_RULES)))
  })
})

describe.each(RULES)('$id', ({ id, name, severity, page }) => {
  it('finds its bad example', async () => {
    const found = await findingsIn(page.bad, page.profile)
    const finding = found.find((one) => one.rule === id)
    expect(finding).toMatchObject({
      name,
      severity,
      link: linkTo({ id }),
      line: expect.any(Number),
      column: expect.any(Number),
    })
    expect(finding?.message).toMatch(/[.?…]$/)
  })

  it('finds nothing in its good example', async () => {
    expect(await findingsIn(page.good, page.profile)).toEqual([])
  })
})

/** What Hookline understands and Claude Code does not. */
const OURS_ALONE = /\bexpressions?\b|tool ==|comments?\b|trailing comma/i

describe('advice about what only Hookline understands', () => {
  it.each(RULES)('names Claude Code, where hooks die of it: $id', async ({ page }) => {
    const messages = (await findingsIn(page.bad, page.profile)).map(({ message }) => message)
    const ours = [page.why, ...messages].filter((text) =>
      OURS_ALONE.test(text.replaceAll(/regular expressions?/gi, '')),
    )
    expect(ours.filter((text) => !text.includes('Claude Code'))).toEqual([])
  })

  it('is given by the rules that are looked at', () => {
    const naming = RULES.filter(({ page }) => page.why.includes('Claude Code')).map(({ id }) => id)
    expect(naming).toEqual(expect.arrayContaining(['V-HK-04', 'V-HK-09', 'V-HK-16', 'V-HK-25', 'V-HK-26', 'V-HK-34']))
  })
})
