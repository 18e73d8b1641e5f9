import { describe, expect, it } from 'vitest'
import { PAGES, RULE_IDS } from '../../src/check/pages/all.ts'
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
