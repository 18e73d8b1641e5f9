import { execFileSync } from 'node:child_process'
import type { World } from '../../../hookline/test/support/project.ts'

/** Makes a world's project a git repository with one commit. */
export async function makeRepository({ project }: World): Promise<void> {
  const run = (...args: string[]) => execFileSync('git', ['-C', project, ...args], { stdio: 'pipe' })
  run('init', '-q')
  run('add', '.')
  run('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-qm', 'Begin', '--allow-empty')
}
