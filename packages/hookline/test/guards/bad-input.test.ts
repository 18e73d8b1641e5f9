import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openWorld, type World } from '../../src/effects/world.ts'
import { judge, type Verdict } from '../../src/guards/judge.ts'

/** A home with a project in it, as real folders. */
function makeProject(files: Readonly<Record<string, string | Buffer>> = {}): { home: string; project: string } {
  const home = mkdtempSync(join(tmpdir(), 'bad-input-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const project = join(home, 'shop')
  mkdirSync(project)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
  return { home, project }
}

function judgeIn(folder: string, home: string, command: string): Verdict {
  // The folder of this test is below a temporary one, where all may be deleted: only the project's own places count.
  return judge({ tool: 'Bash', input: { command } }, { ...openWorld({ folder, home }), temp: ['/tmp/none'] })
}

const NO_DISK: World = {
  ...{ home: '/home/dev', user: '', folder: '/home/dev/shop', project: '/home/dev/shop', temp: ['/tmp'] },
  ...{ findKind: () => null, readLink: () => null, readFile: () => null, list: () => null },
}

describe('bad input', () => {
  it('that is no disk at all leaves what words say, and tells what was not seen', () => {
    const judgeThere = (command: string): Verdict => judge({ tool: 'Bash', input: { command } }, NO_DISK)
    expect(judgeThere('rm -rf ~/Documents').answer).toBe('deny')
    expect(judgeThere('cat .env').answer).toBe('deny')
    for (const command of ['npm run build', 'make all', 'sh scripts/x.sh'])
      expect(judgeThere(command).view.unseen, command).not.toEqual([])
  })

  it('that is a disk which fails is asked about', () => {
    const failing: World = {
      ...NO_DISK,
      findKind: () => {
        throw new Error('a broken disk')
      },
    }
    expect(judge({ tool: 'Bash', input: { command: 'rm -rf ~/Documents' } }, failing).answer).toBe('ask')
  })

  it('that is a folder which is gone, or a project without git, is judged by its paths', () => {
    const { home, project } = makeProject()
    for (const folder of [project, join(home, 'gone')]) {
      expect(judgeIn(folder, home, 'rm -rf dist').answer).toBe('pass')
      expect(judgeIn(folder, home, 'rm -rf ..').answer).toBe('deny')
      expect(judgeIn(folder, home, 'rm -rf ~').answer).toBe('deny')
    }
  })

  it('that is a package.json which is not JSON is asked about', () => {
    const { home, project } = makeProject({ 'package.json': '{"scripts": {"build": "rm -rf ~/Doc' })
    for (const command of ['npm run build', 'npm test', 'npm install'])
      expect(judgeIn(project, home, command).answer).toBe('ask')
  })

  it('that is links in circles ends, and is judged by where they lie', () => {
    const { home, project } = makeProject()
    symlinkSync('b', join(project, 'a'))
    symlinkSync('a', join(project, 'b'))
    symlinkSync('.', join(project, 'self'))
    for (const command of ['cat a', 'rm -rf a/x', 'rm -rf self/self/self/dist', 'find self -name a'])
      expect(judgeIn(project, home, command).answer, command).toBe('pass')
    expect(judgeIn(project, home, 'rm -rf self/self/../../Documents').answer).not.toBe('pass')
  })

  it('that is a Makefile of 10 MB is read at its start, and asked about further on', () => {
    const late = `all:\n\techo hi\n${'# x\n'.repeat(2_500_000)}late:\n\trm -rf ~/Documents\n`
    const { home, project } = makeProject({ Makefile: late })
    expect(judgeIn(project, home, 'make all').answer).toBe('pass')
    expect(judgeIn(project, home, 'make late').answer).toBe('ask')
  })

  it('that is 1 MiB of command is asked about', () => {
    const { home, project } = makeProject()
    for (const part of ['a ', '$(', '"', '{a,', "sh -c '", 'rm -rf dist; '])
      expect(judgeIn(project, home, part.repeat((1 << 20) / part.length)).answer, part).toBe('ask')
  })

  it('that is not UTF-8 is asked about where it is to run', () => {
    const { home, project } = makeProject({ 'run.sh': Buffer.from('#!/bin/sh\n\0\xff\xfe rm', 'latin1') })
    expect(judgeIn(project, home, 'sh run.sh').answer).toBe('ask')
    expect(judgeIn(project, home, 'rm -rf \ud800 ~/Documents').answer).toBe('deny')
    expect(judgeIn(project, home, 'echo \u0000').answer).toBe('ask')
  })

  it('that has its harm behind a long list is never passed in silence', () => {
    const { home, project } = makeProject()
    const harm = 'rm -rf ~/Documents'
    const many = (text: string): string => text.repeat(3000)
    const passed = [
      `odd-tool ${many('a ')}'${harm}'`,
      `git ${many('-x ')}--exec '${harm}'`,
      `printf '%s\\n' ${many('a ')}~/Documents | xargs rm -rf`,
      `xargs rm -rf <<'E'\n${many('dist\n')}${home}/Documents\nE`,
      `parallel rm -rf ::: ${many('dist ')}~/Documents`,
      `for each in ${many('dist ')}~/Documents; do rm -rf "$each"; done`,
      `rm -rf {${many('dist,')}/home}`,
      `sftp host <<'E'\n${many('ls\n')}!${harm}\nE`,
      `psql -c '${many('select 1; ')}drop table users'`,
      `cat > Makefile <<'E'\nall:\n${many('\ttrue\n')}\t${harm}\nE`,
      `cat > package.json <<'E'\n{ "scripts": { ${many('"a": "tsc -p .", ')}"postinstall": "${harm}" } }\nE`,
      `cat > .npmrc <<'E'\n${many('# a comment about nothing\n')}script-shell=/tmp/x\nE`,
      `odd-tool -e '${many('say("a"); ')}system("${harm}")'`,
    ].filter((command) => judgeIn(project, home, command).answer === 'pass')
    expect(passed.map((command) => `${command.slice(0, 40)} … ${command.slice(-60)}`)).toEqual([])
  })
})
