import { spawnGroup } from '../../process/spawn-group.ts'

/** Programs that open an address, by platform. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

/** Milliseconds in which a program that finds no browser has said so; one that found one may run as long as the browser does. */
const OPENING_MS = 500

/** Opens an address in the user's browser; false where there is none to be seen. Never throws. */
export async function openBrowser(
  address: string,
  env: NodeJS.ProcessEnv,
  platform = process.platform,
): Promise<boolean> {
  const [program, ...args] = env.BROWSER ? [env.BROWSER] : (OPENERS[platform] ?? [])
  const isRemote = env.SSH_CONNECTION !== undefined && env.BROWSER === undefined
  const hasScreen = platform !== 'linux' || env.BROWSER || env.DISPLAY || env.WAYLAND_DISPLAY
  if (program === undefined || isRemote || !hasScreen) return false
  const child = spawnGroup(program, [...args, address], { env, stdio: 'ignore' })
  return new Promise((done) => {
    const settle = (isOpened: boolean): void => {
      clearTimeout(timer)
      child.unref()
      done(isOpened)
    }
    const timer = setTimeout(settle, OPENING_MS, true)
    child.once('error', () => settle(false))
    child.once('exit', (code) => settle(code === 0))
  })
}
