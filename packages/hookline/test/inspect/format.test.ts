import { describe, expect, it } from 'vitest'
import { formatFigure, joinLines } from '../../../inspector/src/format.ts'

describe('a row of a list', () => {
  it('has a text of several lines in one, with a mark between them', () => {
    expect(joinLines('cat <<EOF\n  a\n\nEOF\n')).toBe('cat <<EOF ⏎ a ⏎ EOF')
    expect(joinLines('Bash     ls')).toBe('Bash     ls')
  })

  it('has a dot where there is nothing to count', () => {
    expect([undefined, 0, 1, 1234].map(formatFigure)).toEqual(['·', '·', '1', '1,234'])
  })
})
