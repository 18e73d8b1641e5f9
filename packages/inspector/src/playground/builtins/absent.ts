/** Parts of Node that a page has not: nothing is started, and nobody is called. What looks at a name of the system gets a plain answer. */
const refuse = (): never => {
  throw new Error('not in a browser')
}

export const homedir = (): string => '/home/you'
export const userInfo = () => ({ username: 'you', homedir: '/home/you', uid: 0, gid: 0, shell: null })
export const devNull = '/dev/null'
export const hostname = (): string => 'browser'
export const tmpdir = (): string => '/tmp'
export const platform = (): string => 'linux'
export const constants = { signals: {}, errno: {} }
export const freemem = (): number => 2 ** 30
export const getPriority = (): number => 0
export const availableParallelism = (): number => 1
export const spawn = refuse
export const gunzipSync = refuse
export const gzipSync = refuse
export const createRequire = refuse
export const request = refuse
export const connect = refuse
export const validateHeaderName = (): void => {}
export const validateHeaderValue = (): void => {}
export class Agent {}
export class Socket {}
export class BlockList {
  addSubnet(): void {}
  addAddress(): void {}
  addRange(): void {}
  check(): boolean {
    return false
  }
}
export const domainToASCII = (name: string): string => {
  try {
    return new URL(`http://${name}`).hostname
  } catch {
    return '' // not the name of a host
  }
}
export const fileURLToPath = (url: string | URL): string => new URL(url).pathname
export const isIPv4 = (text: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255)
export const isIPv6 = (text: string): boolean => text.includes(':') && domainToASCII(`[${text}]`) !== ''
export const isIP = (text: string): number => {
  if (isIPv4(text)) return 4
  return isIPv6(text) ? 6 : 0
}
export const performance = globalThis.performance
export class AsyncLocalStorage {
  run<Result>(_store: unknown, act: () => Result): Result {
    return act()
  }

  getStore(): undefined {
    return undefined
  }
}
