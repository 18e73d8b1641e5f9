import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unwrapEntry, wrapCommand } from '../../src/protocol/wrapped-command.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom("'", '"', '\\', '$HOME', '\n', ' ', '; ', '--', '`id`', 'EOF', '<<EOF', '#', 'é', '🙂', "'\\''"),
    )
    .map((parts) => parts.join('')),
)
const wrapped = fc.record({ command: text, flags: fc.array(text, { maxLength: 4 }) })
// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
const IN_PROJECT = '${CLAUDE_PROJECT_DIR}/x'
const program = fc.record({
  ...{ command: text, args: fc.array(fc.oneof(text, fc.constantFrom('--', '--exec', IN_PROJECT))) },
  flags: fc.array(fc.constantFrom('--event', 'Stop', "it's", '*'), { maxLength: 4 }),
})

describe('a wrapped command', () => {
  it('is taken apart into what it was made of, whatever that is', () => {
    fc.assert(
      fc.property(fc.oneof(wrapped, program), (made) => {
        expect(unwrapEntry({ command: wrapCommand(made) })).toEqual(made)
      }),
    )
  })

  it('is none as soon as one letter differs: only a shell knows what such a text does', () => {
    fc.assert(
      fc.property(
        fc.oneof(wrapped, program),
        fc.nat(),
        fc.constantFrom('x', ' ', "'", ';', '\n'),
        (made, place, letter) => {
          const whole = wrapCommand(made)
          const at = place % (whole.length + 1)
          const changed = whole.slice(0, at) + letter + whole.slice(at)
          const read = unwrapEntry({ command: changed })
          if (read !== null) expect(wrapCommand(read)).toBe(changed)
        },
      ),
    )
    const exec = wrapCommand({ command: 'node', args: ['guard.js'], flags: [] })
    expect(unwrapEntry({ command: exec.replace(/guard\.js$/, 'other.js') })).toBeNull()
    const good = wrapCommand({ command: 'true', flags: ['--event', 'Stop'] })
    expect(unwrapEntry({ command: good.replace(/true$/, 'rm -rf ~') })).toBeNull()
    expect(unwrapEntry({ command: `${good}; rm -rf ~` })).toBeNull()
    expect(unwrapEntry({ command: ` ${good}` })).toBeNull()
  })

  it('is read in no time where it is long, and none', () => {
    const command = wrapCommand({ command: 'a', args: Array(5_000).fill('--exec -- a'), flags: [] }).slice(0, -1)
    const words = command.replaceAll("'", '').replace(';', '')
    for (const one of [command, words]) expect(unwrapEntry({ command: one })).toBeNull()
  })

  it('is none where no POSIX shell reads it', () => {
    const command = wrapCommand({ command: 'true', flags: [] })
    expect(unwrapEntry({ command, args: [] })).toBeNull()
    expect(unwrapEntry({ command, shell: 'powershell' })).toBeNull()
  })
})
