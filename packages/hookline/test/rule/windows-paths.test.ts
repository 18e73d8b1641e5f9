import { expect, it } from 'vitest'
import { makePathMatcher, parsePathPattern } from '../../src/rule/path-pattern.ts'

const WINDOWS = { isWindows: true, ignoresCase: true }

/** Whether a pattern, which starts at a folder or above the drives, means a path of Windows. */
function means(text: string, path: string, project = 'C:\\Work\\app'): boolean {
  const pattern = parsePathPattern(text)
  if (typeof pattern === 'string') throw new Error(pattern)
  return makePathMatcher(pattern, pattern.from === 'root' ? '' : project, WINDOWS)(path)
}

it.each([
  ['secrets/**', 'C:\\Work\\app\\secrets\\key'],
  ['secrets/**', 'c:\\work\\APP\\Secrets\\KEY'],
  ['.env', 'C:\\Work\\app\\sub\\.ENV'],
  ['.env', 'C:\\Work\\app\\.env.'],
  ['.env', 'C:\\Work\\app\\.env '],
  ['.env', 'C:\\Work\\app\\.env::$DATA'],
  ['./a/*.txt', 'C:/Work/app/A/b.TXT'],
  ['//c/Users/**', 'C:\\Users\\x\\file'],
  ['//C:/Users/**', 'c:\\users\\x\\file'],
  ['C:\\Users\\**', 'C:\\Users\\x'],
  ['C:/Users/**', '\\\\?\\C:\\Users\\x'],
  ['//server/share/**', '\\\\Server\\share\\x'],
  ['//server/share/**', '\\\\?\\UNC\\server\\share\\x'],
])('%s means %s', (pattern, path) => {
  expect(means(pattern, path)).toBe(true)
})

it.each([
  ['secrets/**', 'D:\\Work\\app\\secrets\\key'],
  ['secrets/**', 'C:\\Work\\app\\public\\key'],
  ['.env', 'C:\\Work\\app\\.environment'],
  ['//c/Users/**', 'D:\\Users\\x'],
  ['//server/share/**', 'C:\\server\\share\\x'],
])('%s does not mean %s', (pattern, path) => {
  expect(means(pattern, path)).toBe(false)
})

it.skipIf(process.platform === 'win32')('upper and lower case are two names where the system tells them apart', () => {
  const pattern = parsePathPattern('.env')
  if (typeof pattern === 'string') throw new Error(pattern)
  const test = makePathMatcher(pattern, '/project', { isWindows: false, ignoresCase: false })
  expect([test('/project/.env'), test('/project/.ENV')]).toEqual([true, false])
})
