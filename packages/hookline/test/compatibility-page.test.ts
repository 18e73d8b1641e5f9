import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PROFILE } from '../src/protocol/profiles.ts'
import { pagePath } from './support/page.ts'

const page = readFileSync(pagePath('compatibility.md'), 'utf8')
const rows = [...DEFAULT_PROFILE.events.values()]

/** The last cell of the row that begins with a point. */
const said = (point: string): string =>
  page
    .split('\n')
    .find((line) => line.startsWith(`| ${point} |`))
    ?.split(' | ')
    .at(-1) ?? ''

describe('docs/compatibility.md', () => {
  it('says of nothing that it does not run which does', () => {
    expect(page).not.toMatch(/\bmeant\b|0\.1\.0/)
  })

  it('names the events on which prompt and agent hooks do not run', () => {
    const without = rows.filter(({ hookTypes }) => hookTypes !== 'all').map(({ name }) => name)
    expect(
      said('where prompt and agent hooks run')
        .match(/[A-Z]\w+/g)
        ?.toSorted(),
    ).toEqual(without.toSorted())
  })

  it('names the events whose input has no permission mode, and how many events there are', () => {
    const without = rows.filter(({ permissionMode }) => !permissionMode).map(({ name }) => name)
    expect(
      said('`permission_mode`')
        .match(/[A-Z]\w+/g)
        ?.toSorted(),
    ).toEqual(without.toSorted())
    expect(said('number of events')).toContain(`the ${rows.length} of`)
  })
})
