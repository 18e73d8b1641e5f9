import { execFileSync } from 'node:child_process'
import { chown, cp, lchown, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/index.ts'
import { commands, makeWorld, openOn, put, type World } from '../support/project.ts'

const IS_WINDOWS = process.platform === 'win32'
const IS_ROOT = process.getuid?.() === 0
const stop = { hook_event_name: 'Stop', stop_hook_active: false } as const
const settings = { hooks: { Stop: [commands('exit 2')] } }

interface Repository extends World {
  /** A worktree of the project. */
  readonly worktree: string
  /** What the project keeps about it. */
  readonly entry: string
  readonly open: (folder: string) => Promise<Engine>
}

/** A trusted project with a worktree that git made. */
async function makeRepository(): Promise<Repository> {
  const world = await makeWorld({ 'project/.claude/settings.json': settings })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...args], { cwd: world.project, stdio: 'pipe' })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
  git('worktree', 'add', '-q', '../tree')
  const open = (project: string) => openOn({ ...world, project }, { trust: 'stored' })
  await (await open(world.project)).acceptTrust()
  return { ...world, worktree: join(world.root, 'tree'), entry: join(world.project, '.git/worktrees/tree'), open }
}

describe.skipIf(IS_WINDOWS)('a git worktree of a trusted repository', () => {
  it('is trusted with it, and so are its paths over links and after git has moved it', async () => {
    const { worktree, project, root, open } = await makeRepository()
    expect((await (await open(worktree)).dispatch(stop)).decision.blocked).toBe(true)
    await symlink(worktree, join(root, 'alias'))
    expect((await open(join(root, 'alias'))).trust.accepted).toBe(true)
    execFileSync('git', ['worktree', 'move', worktree, '../moved'], { cwd: project })
    expect((await open(join(root, 'moved'))).trust).toMatchObject({ accepted: true, worktree: null })
  })

  it('is not trusted any more when the repository is not', async () => {
    const { worktree, project, open, home } = await makeRepository()
    await rm(join(home, '.hookline/trust.json'))
    expect((await open(project)).trust.accepted).toBe(false)
    expect((await open(worktree)).trust).toMatchObject({ accepted: false, worktree: null })
  })

  it('is asked about once, with the reason, when it asks for something else', async () => {
    const { worktree, project, open } = await makeRepository()
    await writeFile(
      join(worktree, '.claude/settings.json'),
      JSON.stringify({ hooks: { Stop: [commands('echo other')] } }),
    )
    const engine = await open(worktree)
    expect((await engine.dispatch(stop)).notices).toEqual([
      expect.stringContaining(
        `It says that it is a git worktree of ${project}, which is trusted, but it asks for something else.`,
      ),
    ])
    await engine.acceptTrust()
    expect((await open(worktree)).trust.accepted).toBe(true)
    expect((await open(project)).trust.accepted).toBe(true)
  })

  it('is not trusted where only a part of the files lies: a submodule, a bare repository, a folder inside', async () => {
    const { worktree, project, root, open } = await makeRepository()
    const claims = [`${project}/.git/modules/x`, `${project}/worktrees/tree`, `${project}/.git`, '', '/']
    for (const claim of claims) {
      await put({ root } as World, 'other/.git', `gitdir: ${claim}\n`)
      await put({ root } as World, 'other/.claude/settings.json', settings)
      expect((await open(join(root, 'other'))).trust.accepted, claim).toBe(false)
    }
    await put({ root } as World, 'tree/inner/.claude/settings.json', settings)
    expect((await open(join(worktree, 'inner'))).trust.accepted).toBe(false)
  })
})

/** What somebody may do to have a folder trusted, and why it is not; the answer is the folder. */
const ATTACKS: Record<string, [(repository: Repository) => Promise<string>, string | null]> = {
  'a copy that points at the entry of a worktree': [
    async ({ worktree, root }) => {
      await cp(worktree, join(root, 'evil'), { recursive: true })
      return join(root, 'evil')
    },
    'the repository lists it in another place',
  ],
  'a worktree that was moved by hand': [
    async ({ worktree, root }) => {
      await rename(worktree, join(root, 'evil'))
      return join(root, 'evil')
    },
    'the repository lists it in another place',
  ],
  'an entry that is not there': [
    async ({ worktree, project }) => {
      await writeFile(join(worktree, '.git'), `gitdir: ${project}/.git/worktrees/none\n`)
      return worktree
    },
    'the repository does not list it',
  ],
  'a list that is stale: another folder stands in the place of a worktree': [
    async ({ worktree }) => {
      const link = await readFile(join(worktree, '.git'), 'utf8')
      await rm(worktree, { recursive: true })
      await mkdir(join(worktree, '.claude'), { recursive: true })
      await writeFile(join(worktree, '.claude/settings.json'), JSON.stringify(settings))
      await writeFile(join(worktree, '.git'), link)
      return worktree
    },
    'its .git file was written after the repository listed it',
  ],
  'a worktree that git has pruned': [
    async ({ worktree, entry }) => {
      await rm(entry, { recursive: true })
      return worktree
    },
    'the repository does not list it',
  ],
  'an entry over a link': [
    async ({ worktree, project, entry }) => {
      await symlink(entry, join(project, '.git/worktrees/alias'))
      await writeFile(join(worktree, '.git'), `gitdir: ${project}/.git/worktrees/alias\n`)
      return worktree
    },
    'its .git file leads there over a link',
  ],
  'an entry of another common dir': [
    async ({ worktree, entry }) => {
      await writeFile(join(entry, 'commondir'), '/tmp\n')
      return worktree
    },
    'its entry belongs to another repository',
  ],
  'a repository of its own whose common dir is the trusted one': [
    async ({ root, project }) => {
      await put({ root } as World, 'evil/.git/commondir', `${project}/.git\n`)
      await put({ root } as World, 'evil/.git/HEAD', 'ref: refs/heads/main\n')
      await put({ root } as World, 'evil/.claude/settings.json', settings)
      return join(root, 'evil')
    },
    null,
  ],
  'an entry of its own whose common dir is the trusted one': [
    async ({ root, project }) => {
      const entry = join(root, 'evil/.git/worktrees/x')
      await put({ root } as World, 'evil/.git/worktrees/x/commondir', `${project}/.git\n`)
      await put({ root } as World, 'evil/.git/worktrees/x/gitdir', `${root}/tool/.git\n`)
      await put({ root } as World, 'tool/.git', `gitdir: ${entry}\n`)
      await put({ root } as World, 'tool/.claude/settings.json', settings)
      return join(root, 'tool')
    },
    null,
  ],
  'a .git file with more than one line': [
    async ({ worktree, entry }) => {
      await writeFile(join(worktree, '.git'), `gitdir: ${entry}\ngitdir: /tmp\n`)
      return worktree
    },
    null,
  ],
  'a list with more than one line': [
    async ({ worktree, entry, root }) => {
      await writeFile(join(entry, 'gitdir'), `${root}/elsewhere/.git\n${worktree}/.git\n`)
      return worktree
    },
    'the repository does not list it',
  ],
  'a .git that is a link to the file of a worktree': [
    async ({ worktree, root }) => {
      await put({ root } as World, 'evil/.claude/settings.json', settings)
      await symlink(join(worktree, '.git'), join(root, 'evil/.git'))
      return join(root, 'evil')
    },
    null,
  ],
}

describe.skipIf(IS_WINDOWS)('a folder that says it is a worktree of a trusted repository', () => {
  it.each(Object.entries(ATTACKS))('is not trusted: %s', async (_, [attack, fault]) => {
    const repository = await makeRepository()
    const engine = await repository.open(await attack(repository))
    const claim = fault === null ? null : { repository: repository.project, fault }
    expect(engine.trust).toMatchObject({ accepted: false, worktree: claim })
    expect((await engine.dispatch(stop)).hooks).toMatchObject([{ verdict: 'untrusted' }])
  })

  it.runIf(IS_ROOT)('is not trusted when it, or its entry, belongs to another user', async () => {
    for (const place of ['worktree', 'entry'] as const) {
      const repository = await makeRepository()
      await chown(repository[place], 12345, 12345)
      if (place === 'worktree') await lchown(join(repository.worktree, '.git'), 12345, 12345)
      const { trust } = await repository.open(repository.worktree)
      expect(trust).toMatchObject({
        accepted: false,
        worktree: { fault: 'it does not belong to the owner of the repository' },
      })
    }
  })
})
