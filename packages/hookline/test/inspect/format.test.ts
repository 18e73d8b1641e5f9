import { describe, expect, it } from 'vitest'
import { formatFigure, formatTiming, isSameDay, joinLines } from '../../../inspector/src/format.ts'

describe('a row of a list', () => {
  it('has a text of several lines in one, with a mark between them', () => {
    expect(joinLines('cat <<EOF\n  a\n\nEOF\n')).toBe('cat <<EOF ⏎ a ⏎ EOF')
    expect(joinLines('Bash     ls')).toBe('Bash     ls')
  })

  it('has a dot where there is nothing to count', () => {
    expect([undefined, 0, 1, 1234].map(formatFigure)).toEqual(['·', '·', '1', '1,234'])
    expect([undefined, null, 0, 1234].map(formatTiming)).toEqual(['·', '·', '0.0 ms', '1.2 s'])
  })

  it('names the day where a session has several', () => {
    const midnight = new Date(2026, 10, 19).getTime()
    expect(isSameDay(midnight, midnight + 86_399_999)).toBe(true)
    expect(isSameDay(midnight - 1, midnight)).toBe(false)
  })
})
