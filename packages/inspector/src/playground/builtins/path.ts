/** Paths as on Linux: a playground has one file system. */
export const sep = '/'
export const delimiter = ':'

export const isAbsolute = (path: string): boolean => path.startsWith('/')

export function normalize(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (!isAbsolute(path)) parts.push('..')
  }
  const joined = parts.join('/')
  const end = joined !== '' && path.endsWith('/') ? '/' : ''
  if (isAbsolute(path)) return `/${joined}${end}`
  return joined === '' ? '.' : `${joined}${end}`
}

export const join = (...paths: string[]): string => normalize(paths.filter((path) => path !== '').join('/') || '.')

export function resolve(...paths: string[]): string {
  const whole = paths.reduce((path, next) => (isAbsolute(next) ? next : `${path}/${next}`), '/project')
  const normal = normalize(whole)
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal
}

export function dirname(path: string): string {
  const trimmed = path.replace(/\/+$/, '')
  const at = trimmed.lastIndexOf('/')
  if (at === -1) return path.startsWith('/') ? '/' : '.'
  return at === 0 ? '/' : trimmed.slice(0, at)
}

export function basename(path: string, suffix = ''): string {
  const name = path.replace(/\/+$/, '').split('/').at(-1) ?? ''
  return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
}

export function extname(path: string): string {
  const name = basename(path)
  const at = name.lastIndexOf('.')
  return at <= 0 ? '' : name.slice(at)
}

export function relative(from: string, to: string): string {
  const [a, b] = [resolve(from), resolve(to)].map((path) => path.split('/').filter((part) => part !== ''))
  const [left, right] = [a ?? [], b ?? []]
  let same = 0
  while (same < left.length && left[same] === right[same]) same++
  return [...left.slice(same).map(() => '..'), ...right.slice(same)].join('/')
}

export const posix = { sep, delimiter, isAbsolute, normalize, join, resolve, dirname, basename, extname, relative }
export const win32 = { ...posix }
