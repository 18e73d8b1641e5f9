import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyText } from '../../../hookline/test/support/any-text.ts'
import { clip } from '../../src/tools/clip.ts'

it('a clipped text is short, keeps both ends, breaks no character and says exactly what is gone', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 60 }), fc.integer({ min: 2, max: 50 }), (text, most) => {
      const clipped = clip(text, most)
      if (text.length <= most) return clipped === text
      const {
        start = '',
        gone,
        end = '',
      } = /^(?<start>[\s\S]*)\n\n\[… (?<gone>\d+) characters left out …\]\n\n(?<end>[\s\S]*)$/.exec(clipped)?.groups ??
      {}
      expect(text.startsWith(start) && text.endsWith(end)).toBe(true)
      expect(start.length + end.length + Number(gone)).toBe(text.length)
      expect(start.length + end.length).toBeLessThanOrEqual(most)
      expect(Buffer.from(clipped).toString()).toBe(clipped)
      return true
    }),
  )
})
