import { vi } from 'vitest'

/** Keeps what is written to a stream from it, until the end is asked for. */
export function captured(stream: NodeJS.WriteStream): { readonly end: () => string } {
  let text = ''
  const write = vi.spyOn(stream, 'write').mockImplementation((written) => {
    text += typeof written === 'string' ? written : Buffer.from(written).toString()
    return true
  })
  const end = (): string => {
    write.mockRestore()
    return text
  }
  return { end }
}
