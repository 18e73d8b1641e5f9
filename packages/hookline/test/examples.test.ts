import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openEngine } from '../src/index.ts'

const examples = fileURLToPath(new URL('../../../examples', import.meta.url))
const endings: (() => Promise<unknown>)[] = []

afterEach(async () => {
  vi.unstubAllEnvs()
  for (const end of endings.splice(0).reverse()) await end()
})

async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'hookline examples-')))
  endings.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The engine on a project with the files given, and on a home and a policy file that are not there. */
async function open(folder: string) {
  const project = join(folder, 'project')
  const home = join(folder, 'home')
  const engine = await openEngine({ project, home, managed: join(folder, 'managed.json'), trust: 'accepted' })
  endings.push(() => engine.close())
  return { engine, project }
}

/** A project into which an example was installed as its README says. */
async function install(example: string, files: Record<string, string> = {}) {
  const folder = await temporaryFolder()
  const project = join(folder, 'project')
  await mkdir(join(project, '.claude', 'hooks'), { recursive: true })
  await mkdir(join(project, 'src'))
  for (const name of await readdir(join(examples, example))) {
    if (name === 'README.md') continue
    const place = name === 'settings.json' ? ['.claude', name] : ['.claude', 'hooks', name]
    await cp(join(examples, example, name), join(project, ...place))
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(project, name), content)
  return await open(folder)
}

function wrote(project: string, name: string) {
  return {
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_input: { file_path: join(project, name) },
    tool_response: { success: true },
  }
}

describe('git-context', () => {
  const start = { hook_event_name: 'SessionStart', source: 'startup' }

  it('gives the model the branch and the uncommitted changes', async () => {
    const { engine, project } = await install('git-context', { 'a.txt': 'a' })
    execFileSync('git', ['init', '--quiet', '--initial-branch', 'lamp'], { cwd: project })
    const { decision } = await engine.dispatch(start)
    expect(decision.context).toHaveLength(1)
    expect(decision.context[0]).toMatch(/^Git branch: lamp\nUncommitted changes \(2\):\n/)
    expect(decision.context[0]).toContain('?? a.txt')
    expect(decision.contextFrom[0]?.kind).toBe('stdout')
  })

  it('says nothing outside a repository', async () => {
    const { engine } = await install('git-context')
    const { decision, hooks } = await engine.dispatch(start)
    expect(decision.context).toEqual([])
    expect(hooks[0]).toMatchObject({ verdict: 'ran', exitCode: 0, stdoutBytes: 0, stderrBytes: 0 })
  })
})

describe('format-on-write', () => {
  it('tidies the written file and tells the model', async () => {
    const { engine, project } = await install('format-on-write', { 'lamp.js': 'on()  \noff()\t\n\n\n' })
    const { decision } = await engine.dispatch(wrote(project, 'lamp.js'))
    expect(await readFile(join(project, 'lamp.js'), 'utf8')).toBe('on()\noff()\n')
    expect(decision.context[0]).toMatch(/^Formatted lamp\.js /)
    expect(decision.contextFrom[0]?.kind).toBe('context')
  })

  it('says nothing about a file that is tidy already', async () => {
    const { engine, project } = await install('format-on-write', { 'lamp.js': 'on()\n' })
    const { decision, hooks } = await engine.dispatch(wrote(project, 'lamp.js'))
    expect(decision.context).toEqual([])
    expect(hooks[0]).toMatchObject({ exitCode: 0, stdoutBytes: 0 })
  })

  it('leaves line breaks of Markdown alone', async () => {
    const { engine, project } = await install('format-on-write', { 'notes.md': 'one  \ntwo' })
    await engine.dispatch(wrote(project, 'notes.md'))
    expect(await readFile(join(project, 'notes.md'), 'utf8')).toBe('one  \ntwo')
  })

  it('keeps what a formatter prints out of its answer', async () => {
    const { engine, project } = await install('format-on-write', { "it's $HOME.js": 'on' })
    vi.stubEnv('HOOKLINE_FORMATTER', `echo noise; node -e 'require("fs").appendFileSync(process.argv[1], "()")'`)
    const { decision } = await engine.dispatch(wrote(project, "it's $HOME.js"))
    expect(await readFile(join(project, "it's $HOME.js"), 'utf8')).toBe('on()')
    expect(decision.context[0]).toMatch(/^Formatted it's \$HOME\.js \(with echo noise/)
  })

  it('reports a formatter that fails, and stops nothing', async () => {
    const { engine, project } = await install('format-on-write', { 'lamp.js': 'on' })
    vi.stubEnv('HOOKLINE_FORMATTER', 'echo cannot parse >&2; false')
    const { decision, hooks } = await engine.dispatch(wrote(project, 'lamp.js'))
    expect(decision).toMatchObject({ halt: false, blocked: false, context: [] })
    expect(hooks[0]).toMatchObject({ outcome: 'non_blocking_error', exitCode: 1 })
    expect(decision.messages.map(({ text }) => text).join()).toContain('cannot parse')
  })
})

describe('tests-after-edit', () => {
  const test = 'node check.js'
  const files = { 'package.json': JSON.stringify({ scripts: { test } }) }

  it('tells the model that npm test passed', { timeout: 60_000 }, async () => {
    const { engine, project } = await install('tests-after-edit', { ...files, 'check.js': 'console.log("fine")' })
    const { decision, hooks } = await engine.dispatch(wrote(project, 'check.js'))
    expect(decision).toMatchObject({ halt: false, blocked: false })
    expect(decision.context[0]).toMatch(/^Tests passed: npm test/)
    expect(hooks[0]?.answer).toMatchObject({ suppressOutput: true })
  })

  it('halts the agent with the end of the output when npm test fails', { timeout: 60_000 }, async () => {
    const check = 'console.log("lamp is " + "dark"); process.exitCode = 3'
    const { engine, project } = await install('tests-after-edit', { ...files, 'check.js': check })
    const { decision } = await engine.dispatch(wrote(project, 'check.js'))
    expect(decision.halt).toBe(true)
    expect(decision.stopReason).toMatch(/^Tests fail after Write of .*check\.js: npm test, exit code 3$/)
    expect(decision.context[0]).toContain('lamp is dark')
  })

  it('runs the command of HOOKLINE_TEST_COMMAND instead', async () => {
    const { engine, project } = await install('tests-after-edit')
    vi.stubEnv('HOOKLINE_TEST_COMMAND', 'echo no-$((1+1)); false')
    const { decision } = await engine.dispatch(wrote(project, 'a.js'))
    expect(decision.halt).toBe(true)
    expect(decision.context[0]).toMatch(/no-2$/)
  })

  it('does not take a missing test program for a failed test', async () => {
    const { engine, project } = await install('tests-after-edit')
    vi.stubEnv('HOOKLINE_TEST_COMMAND', 'no-such-program-here')
    const { decision, hooks } = await engine.dispatch(wrote(project, 'a.js'))
    expect(decision).toMatchObject({ halt: false, context: [] })
    expect(hooks[0]).toMatchObject({ outcome: 'non_blocking_error', exitCode: 1 })
  })

  it('runs for Edit and Write only', async () => {
    const { engine } = await install('tests-after-edit')
    const { hooks } = await engine.dispatch({ hook_event_name: 'PostToolUse', tool_name: 'Read', tool_input: {} })
    expect(hooks.map(({ verdict }) => verdict)).toEqual(['matcher-miss'])
  })
})

describe('env-file', () => {
  const start = { hook_event_name: 'SessionStart', source: 'startup' }
  beforeEach(() => {
    vi.stubEnv('NODE_ENV', 'test')
  })

  it('sets one variable for the session', async () => {
    const { engine } = await install('env-file')
    await engine.dispatch(start)
    expect(await engine.readEnvironment()).toMatchObject({ NODE_ENV: 'development' })
  })

  it('keeps every change that .envrc makes, and nothing else', async () => {
    const envrc = 'export LAMP="$(basename "$PWD") says \\"on\\"\nand off"\nLOCAL=1\necho loaded\ncd /\n'
    const { engine } = await install('env-file', { '.envrc': envrc })
    const { decision, hooks } = await engine.dispatch(start)
    expect(await engine.readEnvironment()).toEqual({ NODE_ENV: 'development', LAMP: 'project says "on"\nand off' })
    expect(decision.context).toEqual([])
    expect(hooks.map(({ exitCode }) => exitCode)).toEqual([0, 0])
  })
})

describe('stop-guard', () => {
  const tasks = { 'TASKS.md': '- [x] lamp\n- [ ] lens\n- [ ] horn\n' }

  it('sends the agent back with the open tasks', async () => {
    const { engine } = await install('stop-guard', tasks)
    const { decision } = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    expect(decision.blocked).toBe(true)
    expect(decision.reason).toMatch(/^TASKS\.md has 2 open tasks\. .*\n- lens\n- horn$/)
  })

  it('lets the agent stop the second time, and tells the user', async () => {
    const { engine } = await install('stop-guard', tasks)
    const { decision } = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: true })
    expect(decision.blocked).toBe(false)
    expect(decision.messages).toContainEqual(
      expect.objectContaining({ to: 'user', text: 'The agent stopped with 2 open tasks in TASKS.md' }),
    )
  })

  it.each([
    ['without a TASKS.md', {}],
    ['when every box is ticked', { 'TASKS.md': '- [x] lamp\n' }],
  ])('says nothing %s', async (_when, files) => {
    const { engine } = await install('stop-guard', files)
    const { decision, hooks } = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    expect(decision.blocked).toBe(false)
    expect(hooks[0]).toMatchObject({ exitCode: 0, stdoutBytes: 0 })
  })
})

describe('path-and-secret-guard', () => {
  function call(tool_name: string, tool_input: Record<string, unknown>) {
    return { hook_event_name: 'PreToolUse', tool_name, tool_input }
  }

  it.each(['src/lamp.js', 'src/not/there/yet.js', '.env.example', '.gitignore', 'keys/id_rsa.pub', 'a..b.txt'])(
    'has no objection to %s',
    async (file_path) => {
      const { engine } = await install('path-and-secret-guard')
      const { decision, hooks } = await engine.dispatch(call('Write', { file_path, content: 'on()' }))
      expect(decision).toMatchObject({ blocked: false, permission: null })
      expect(hooks[0]).toMatchObject({ verdict: 'ran', exitCode: 0 })
    },
  )

  it.each([
    ['/etc/hosts', 'outside the project'],
    ['src/../../other/a.txt', 'climbs with ".."'],
    ['~/notes.txt', 'starts with "~"'],
    ['.env', 'environment file'],
    ['src/.ENV.production', 'environment file'],
    ['.git/config', 'belongs to .git/'],
    ['keys/id_ed25519', 'private key'],
    ['server.pem', 'private key'],
  ])('refuses %s', async (file_path, why) => {
    const { engine } = await install('path-and-secret-guard')
    const { decision } = await engine.dispatch(call('Read', { file_path }))
    expect(decision).toMatchObject({ blocked: true, permission: 'deny' })
    expect(decision.reason).toContain(why)
  })

  it.each([
    ['out of the project', '..', 'link/new.txt', 'outside the project'],
    ['to a closed file', '.env', 'link', 'environment file'],
    ['to nowhere', 'nowhere', 'link', 'cannot judge'],
  ])('refuses a link that leads %s', async (_where, target, file_path, why) => {
    const { engine, project } = await install('path-and-secret-guard', { '.env': '' })
    await symlink(target, join(project, 'link'))
    const { decision } = await engine.dispatch(call('Write', { file_path, content: '' }))
    expect(decision.permission).toBe('deny')
    expect(decision.reason).toContain(why)
  })

  // Put together here, so that no scanner takes this file for a leak.
  it.each([
    ['an AWS access key id', `AKIA${'ABCD'.repeat(4)}`],
    ['a private key', `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----`],
    ['a GitHub token', `ghp_${'aB3d'.repeat(9)}`],
  ])('refuses a text with %s, and does not repeat it', async (what, secret) => {
    const { engine } = await install('path-and-secret-guard')
    for (const event of [
      call('Write', { file_path: 'a.js', content: `const key =\n  '${secret}'` }),
      call('Edit', { file_path: 'a.js', old_string: 'x', new_string: `\n${secret}` }),
    ]) {
      const { decision } = await engine.dispatch(event)
      expect(decision.permission).toBe('deny')
      expect(decision.reason).toContain(`${what} (line 2)`)
      expect(JSON.stringify(decision)).not.toContain(secret)
    }
  })

  it('lets an Edit take a secret out', async () => {
    const { engine } = await install('path-and-secret-guard')
    const old_string = `AKIA${'ABCD'.repeat(4)}`
    const { decision } = await engine.dispatch(call('Edit', { file_path: 'a.js', old_string, new_string: 'key' }))
    expect(decision.permission).toBeNull()
  })

  it('refuses a call that it cannot read', async () => {
    const { engine } = await install('path-and-secret-guard')
    const { decision } = await engine.dispatch(call('Write', { content: 'no path' }))
    expect(decision.permission).toBe('deny')
  })
})

describe('the story', () => {
  async function copyStory() {
    const folder = await temporaryFolder()
    await cp(join(examples, 'story', 'project'), join(folder, 'project'), { recursive: true })
    return await open(folder)
  }

  it.each(['rm -rf dist', 'cd dist && rm -r --force .', 'sudo rm -fR /'])('refuses %s', async (command) => {
    const { engine } = await copyStory()
    const { decision, hooks } = await engine.dispatch({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
    })
    expect(decision.permission).toBe('deny')
    expect(hooks.map(({ verdict }) => verdict)).toEqual(['ran', 'matcher-miss'])
  })

  it.each([
    ['git push origin main && echo sent', 'git push --dry-run origin main && echo sent'],
    ['npm publish', 'npm publish --dry-run'],
  ])('turns %s into a dry run', async (command, rewritten) => {
    const { engine } = await copyStory()
    const { decision } = await engine.dispatch({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command, description: 'kept' },
    })
    expect(decision).toMatchObject({ permission: null, updatedInput: { command: rewritten, description: 'kept' } })
  })

  it('reports late what a background hook found, and blocks the first stop only', async () => {
    const { engine, project } = await copyStory()
    const later = new Date(Date.now() + 60_000)
    await utimes(join(project, 'src/lamp.js'), later, later) // as after an edit
    const edited = await engine.dispatch(wrote(project, 'src/lamp.js'))
    expect(edited.hooks.map(({ verdict }) => verdict)).toEqual(['backgrounded'])
    expect(edited.decision.context).toEqual([])
    const first = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    const second = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: true })
    expect([first.decision.blocked, second.decision.blocked]).toEqual([true, false])
    expect(JSON.stringify(await engine.drain())).toContain('Checked lamp.js: 3 lines')
  })
})
