import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('../../../bench/soak.js', import.meta.url))

describe.skipIf(process.platform !== 'linux')('a short soak', () => {
  it.each(['auto', 'direct', 'pool'])(
    'leaves a host as it was after everything at once, launcher %s',
    async (launcher) => {
      const { code, said } = await soak(['--events', '500', '--with-processes', '40'], launcher)
      expect(said).toContain('Nothing differs from the start.')
      expect(said).toMatch(launcher === 'direct' ? /Command hooks:.* \d+ by the host itself/ : /\d by resident shells/)
      expect(code, said).toBe(0)
    },
  )

  it('leaves a host as it was after hooks whose interpreters were started ahead', async () => {
    const { code, said } = await soak(['--events', '80', '--with-processes', '10', '--seed', '1807681545'], 'auto', {
      HOOKLINE_WARM: 'on',
    })
    expect(said).toContain('Nothing differs from the start.')
    expect(said).toMatch(/\d ahead of their events/)
    expect(code, said).toBe(0)
  })

  it('finds a leak of 200 bytes an event', async () => {
    const { code, said } = await soak(['--events', '6000', '--with-processes', '0', '--plant-leak', '200'])
    expect(said).toMatch(/DIFFERS {2}heap after collecting .* \d\d\d\.\d ± \d+\.\d bytes an event/)
    expect(said.match(/DIFFERS/g)).toHaveLength(1)
    expect(code, said).toBe(1)
  })
})

function soak(
  args: string[],
  launcher = 'direct',
  more: NodeJS.ProcessEnv = {},
): Promise<{ code: number | undefined; said: string }> {
  const env = { ...process.env, HOOKLINE_LAUNCHER: launcher, ...more }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { timeout: 50_000, env }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? undefined, said: stdout + stderr })
    })
  })
}
