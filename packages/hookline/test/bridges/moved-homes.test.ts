import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findHostFile, type HostPlace } from '../../src/bridges/install/installed.ts'
import { findLauncherPath } from '../../src/bridges/install/launcher.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { commands, makeWorld } from '../support/project.ts'

/** Each variable by which an agent's own file is moved. */
const MOVES = AGENTS.flatMap((agent) => {
  const bridge = findBridge(agent)
  return (bridge?.install.homes ?? []).flatMap(({ variable, insteadOf }) => {
    const isMoved = bridge?.install.files.user?.startsWith(insteadOf) ?? false
    return isMoved && bridge !== null ? [{ agent, variable, bridge }] : []
  })
})

/** Ways to write the folder that a variable names. */
const FOLDERS: Readonly<Record<string, (root: string) => string>> = {
  'a folder': (root) => join(root, 'moved'),
  'a folder that is not there yet, with a slash at its end': (root) => `${join(root, 'not', 'yet')}/`,
  'a relative path': (root) => relative(process.cwd(), join(root, 'moved')),
}

describe.each(MOVES)('$variable of $agent', ({ agent, variable, bridge }) => {
  it('moves one file for install, status, report, doctor and uninstall', async () => {
    const hooks = { PreToolUse: [{ matcher: 'Bash', ...commands('true') }] }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    mkdirSync(join(world.root, 'moved'))
    for (const [name, write] of Object.entries(FOLDERS)) {
      const env = { [variable]: write(world.root), PATH: process.env.PATH, COLUMNS: '1000' }
      const call = (...args: string[]) => hooklineInProcess(world, args, { env })
      const place: HostPlace = { bridge, scope: 'user', project: world.project, home: world.home, env }
      const [file, usual] = [findHostFile(place) ?? '', findHostFile({ ...place, env: {} }) ?? '']
      expect(file).not.toBe(usual)

      const installed = await call('bridge', 'install', agent, '--yes')
      expect([name, installed.code, existsSync(file), existsSync(usual)]).toEqual([name, 0, true, false])
      expect(installed.stdout).toContain(variable)
      expect(installed.stdout.includes('make it absolute')).toBe(name === 'a relative path')
      rmSync(findLauncherPath(world.home), { force: true }) // then its entries end at once

      const status = JSON.parse((await call('bridge', 'status', agent, '--json')).stdout)
      expect(status.agents[0].scopes).toMatchObject([{ scope: 'user', file }])
      expect(status.agents[0].notes.join(' ')).toContain(variable)
      const [report] = JSON.parse((await call('bridge', 'report', agent, '--json')).stdout)
      expect(report.scopes).toMatchObject([{ scope: 'user', file }])
      if (bridge.install.through === undefined && name === 'a folder')
        expect(JSON.parse((await call('doctor', '--json')).stdout).bridges).toMatchObject([
          { agent, scopes: [{ scope: 'user', file }] },
        ])

      expect((await call('bridge', 'uninstall', agent, '--yes')).code).toBe(0)
      expect([name, existsSync(file)]).toEqual([name, false])
    }
  })
})
