import { describe, expect, it } from 'vitest'
import { PAGES, RULE_IDS } from '../../src/check/rules/table.ts'
import { RULES } from '../../src/config/rules.ts'
import { findingsIn } from '../support/validate.ts'

describe.each(RULE_IDS)('%s', (rule) => {
  it('finds its bad example', async () => {
    const found = await findingsIn(PAGES[rule].bad)
    const finding = found.find((one) => one.rule === rule)
    expect(finding).toMatchObject({ severity: RULES[rule], line: expect.any(Number), column: expect.any(Number) })
    expect(finding?.message).toMatch(/[.?…]$/)
  })

  it('finds nothing in its good example', async () => {
    expect(await findingsIn(PAGES[rule].good)).toEqual([])
  })
})

/** What Hookline understands and Claude Code does not. */
const OURS_ALONE = /\bexpressions?\b|tool ==|comments?\b|trailing comma/i

describe('advice about what only Hookline understands', () => {
  it.each(RULE_IDS)('names Claude Code, where hooks die of it: %s', async (rule) => {
    const messages = (await findingsIn(PAGES[rule].bad)).map(({ message }) => message)
    const ours = [PAGES[rule].why, ...messages].filter((text) =>
      OURS_ALONE.test(text.replaceAll(/regular expressions?/gi, '')),
    )
    expect(ours.filter((text) => !text.includes('Claude Code'))).toEqual([])
  })

  it('is given by the rules that are looked at', () => {
    const naming = RULE_IDS.filter((rule) => PAGES[rule].why.includes('Claude Code'))
    expect(naming).toEqual(expect.arrayContaining(['V-HK-04', 'V-HK-09', 'V-HK-25']))
  })
})
