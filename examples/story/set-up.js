import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Puts the project into a folder, as a git repository with a remote beside it that it can push to. */
export async function setUp(folder) {
  const project = join(folder, 'lighthouse')
  const home = join(folder, 'home')
  await cp(fileURLToPath(new URL('project', import.meta.url)), project, { recursive: true })
  await mkdir(home)
  const nobody = { GIT_CONFIG_GLOBAL: join(folder, 'no-git-config'), GIT_CONFIG_NOSYSTEM: '1' }
  const names = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Keeper'],
    [`GIT_${who}_EMAIL`, 'keeper@example.org'],
  ])
  const env = { ...process.env, ...nobody, ...Object.fromEntries(names) }
  const git = (...args) => promisify(execFile)('git', args, { cwd: project, env })
  await git('init', '-q', '--bare', '-b', 'main', '../origin.git')
  await git('init', '-q', '-b', 'main')
  await git('remote', 'add', 'origin', '../origin.git')
  await git('add', '.')
  await git('commit', '-qm', 'A lamp')
  return { project, home, env }
}

/** Waits until the check in the background is done. */
export async function checkIsDone(project, signal) {
  const log = join(project, 'checks.log')
  for (let waited = 0; !existsSync(log) && waited < 5000 && !signal.aborted; waited += 50) await setTimeout(50)
  await setTimeout(500) // and has ended
}
