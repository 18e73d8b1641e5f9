// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's, not ours
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ofCommand } from './support.ts'

// What the rules say of a script is held against what bash does with it: `canary` is a program that leaves a trace.

let folder: string
let trace: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-canary-'))
  trace = join(folder, 'trace')
  await writeFile(join(folder, 'canary'), `#!/bin/sh\n: > '${trace}'\n`, { mode: 0o755 })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Whether bash comes to run the canary. */
async function sings(script: string): Promise<boolean> {
  const cwd = join(folder, 'cwd')
  await rm(trace, { force: true })
  await rm(cwd, { recursive: true, force: true })
  await mkdir(cwd)
  await writeFile(join(cwd, 'f'), 'canary\n')
  await writeFile(join(cwd, 'g'), 'a[$(canary)]\n')
  spawnSync('bash', ['--norc', '-c', 'eval "$SCRIPT"; wait'], {
    cwd,
    env: { PATH: `${folder}:/usr/bin:/bin`, SCRIPT: script },
    input: 'canary\n',
    timeout: 20_000,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  return existsSync(trace)
}

const pieces = [
  ...[
    'echo',
    'true',
    'canary',
    'canary',
    'x',
    'X=canary',
    '$X',
    'X=1',
    'can""ary',
    "'canary'",
    '\\canary',
    'c{a,}nary',
  ],
  ...[' ', ' ', ' ', ' ', '\n', ';', ';', '&&', '||', '|', '!', '#', '\\\n', '\\'],
  ...['$(', ')', '`', '`', '"', '"', "'", "'", '{ ', '; }', '( ', ' )', '${x:-', '}', '<(', '$((', '))'],
  ...[
    'if true; then ',
    '; fi',
    '[[ ',
    ' ]]',
    'case x in x) ',
    ';; esac',
    'f() ',
    'f',
    '<<< ',
    '<<E\n',
    '\nE\n',
    '> ',
    '< ',
  ],
  ...[
    'eval ',
    'bash -c ',
    'sh ',
    'command ',
    'env ',
    'exec ',
    'xargs ',
    'timeout 5 ',
    'nice ',
    'trap ',
    ' EXIT',
    'find . -exec ',
    ' \\;',
  ],
  ...[
    '. /dev/stdin ',
    'source ',
    "x='a[$(canary)]'; ",
    "'a[$(canary)]'",
    'a[$(canary)]',
    ' $((x))',
    '((x))',
    'let ',
    'declare -i ',
    'printf -v ',
    'read x ',
    'test -v ',
    '[[ x -eq 0 ]]',
    '${x@P}',
    '${!x}',
    'y=$x',
    '${y:x}',
    '$y',
    'set -x; ',
    'PS4=',
    'alias x=',
    'shopt -s expand_aliases\n',
    'hash -p canary ',
    'mapfile -c 1 -C ',
    "awk 'BEGIN { ",
    'system("canary") }\'',
    'env -S ',
    "bash -ce '",
  ],
]
const scripts = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 }).map((parts) => parts.join(''))
const echoes = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 })
  .map((parts) => `echo ${parts.join('')}`)

/** More were tried when this was written; the same ones each time keep it steady. */
const fixed = { numRuns: 1000, seed: 6 }

/** Ways past a rule that looks at the words of a command alone. */
const EVASIONS: readonly string[] = [
  "bash -ce 'canary'",
  "bash -c -o errexit 'canary'",
  "bash +c -c 'canary'",
  "env -S 'canary x'",
  "env -iS 'canary x' || env -S 'canary x'",
  "env '-Scan\\_' ; env -S 'canary'",
  'source <(echo canary)',
  '. <(echo canary)',
  ". /dev/stdin <<< 'canary'",
  "source /dev/fd/0 <<< 'canary'",
  "echo 'canary' | sh /dev/stdin",
  'echo canary | bash -',
  'echo canary | bash --posix',
  "bash /dev/fd/3 3<<< 'canary'",
  'bash <(echo canary)',
  'bash f',
  'bash -x ./f',
  '. ./f',
  'command . ./f',
  'builtin source ./f',
  'cat f | sh',
  'sh < f',
  'bash --rcfile f -i',
  'bash --init-file f -i -c true',
  'BASH_ENV=f bash -c true',
  'export BASH_ENV=f; bash -c true',
  'env BASH_ENV=f bash -c true',
  'declare -x BASH_ENV=f; bash -c true',
  'export BASH_ENV; read BASH_ENV <<< f; bash -c true',
  'export BASH_ENV; printf -v BASH_ENV f; bash -c true',
  'export BASH_ENV; for BASH_ENV in f; do bash -c true; done',
  'export BASH_ENV; : "${BASH_ENV:=f}"; bash -c true',
  'ENV=f sh -i -c true',
  'setpriv --nnp canary',
  'prlimit --nofile=64 canary',
  'nice -n 1 canary',
  'ionice -c 3 canary',
  'chrt -o 0 canary',
  'taskset -c 0 canary',
  'flock f canary',
  'flock f -c canary',
  'script -qc canary /dev/null',
  'choom -n 0 canary',
  'ssh-agent canary',
  'shopt -s expand_aliases\nalias x=canary\nx',
  'shopt -s expand_aliases\nBASH_ALIASES[x]=canary\nx',
  'hash -p "$(command -v canary)" x; x',
  'BASH_CMDS[x]="$(command -v canary)"; x',
  "mapfile -c 1 -C 'canary #' x < f",
  "readarray -c1 -C 'canary #' x <<< y",
  "PS4='$(canary)'; set -x; :",
  "x='$(canary)'; echo ${x@P}",
  'x=\'$(canary)\'; y=("$x"); echo "${y[@]@P}"',
  "test -v 'a[$(canary)]'",
  "[ -v 'a[$(canary)]' ]",
  "[[ -v a[$(canary)] ]]; [[ -v 'a[$(canary)]' ]]",
  "x='a[$(canary)]'; [[ -v $x ]]",
  "x='a[$(canary)]'; test -v $x",
  "printf -v 'a[$(canary)]' x",
  "printf '-va[$(canary)]' x",
  'x=\'a[$(canary)]\'; printf -v "$x" x',
  "declare 'a[$(canary)]=1'",
  "typeset 'a[$(canary)]=1'",
  "f() { local 'a[$(canary)]=1'; }; f",
  "let 'a[$(canary)]'",
  "let 'x = a[$(canary)]'",
  "x='a[$(canary)]'; let x",
  "x='a[$(canary)]'; echo $((x))",
  "x='a[$(canary)]'; ((x))",
  "x='a[$(canary)]'; echo $[x]",
  "x='a[$(canary)]'; [[ x -eq 0 ]]",
  "x='a[$(canary)]'; [[ 0 -lt $x ]]",
  "x='a[$(canary)]'; y=abc; echo ${y:x}",
  "x='a[$(canary)]'; y=(1); echo ${y[x]}",
  "x='a[$(canary)]'; y[x]=1",
  "x='a[$(canary)]'; declare -i y=x",
  "x='a[$(canary)]'; declare -i y; y=x",
  "x='a[$(canary)]'; for ((i=x;i<1;i++)); do :; done",
  "x='a[$(canary)]'; echo ${!x}",
  "declare -n y='a[$(canary)]'; echo $y",
  "x='a[$(canary)]' bash -c 'echo $((x))'",
  "read x <<< 'a[$(canary)]'; echo $((x))",
  "read 'a[$(canary)]' <<< 1",
  "x=$(printf 'a[\\x24(canary)]'); echo $((x))",
  'x=$(echo YVskKGNhbmFyeSld | base64 -d); ((x))',
  'echo $(( $(echo YVskKGNhbmFyeSld | base64 -d) ))',
  "set -- 'a[$(canary)]'; echo $(($1))",
  "f() { echo $(($1)); }; f 'a[$(canary)]'",
  "for x in 'a[$(canary)]'; do echo $((x)); done",
  'read x < g; echo $((x))',
  'x=$(cat g); echo $((x))',
  'x=$(cat g); ((x++))',
  'trap canary EXIT; exit',
  "trap 'canary' DEBUG; :",
  'compgen -C canary x',
  "compgen -W '$(canary)' x",
  'eval -- canary',
  'jobs -x canary',
  'coproc canary; wait',
  'xargs canary < f',
  'echo canary | xargs env',
  'find . -name f -exec canary {} \\;',
  'find . -name f -exec sh -c canary \\;',
  'x=-exec; find . -name f $x canary \\;',
  'awk \'BEGIN { system("canary") }\'',
  'awk \'BEGIN { print 1 | "canary" }\'',
  'awk \'BEGIN { "canary" | getline }\'',
  'awk "BEGIN { s"ystem\'("canary") }\'',
  'echo \'BEGIN { system("canary") }\' > p; awk -f p',
  "sed '1e canary' f",
  "sed 's/.*/canary/e' f",
  "sed -n 's/x/x/;$!d;e' f; sed '$!{p};1e canary' f",
  "sed --expression='1e canary' f",
  "sed -ne 'e canary' f",
  'perl -e \'system("canary")\'',
  'perl -ne \'system("canary")\' f',
  'perl <<< \'system("canary")\'',
  'python3 -c \'import os; os.system("canary")\'',
  'python3 - <<< \'import os; os.system("canary")\'',
  'python3 -Ic \'import os; os.system("canary")\'',
  'node -e \'require("child_process").execSync("canary")\'',
  'tar cf /dev/null f --checkpoint=1 --checkpoint-action=exec=canary',
  'tar cf x f; tar xf x --to-command=canary',
  "git -c alias.x='!canary' x",
  "git -c core.editor=canary var GIT_EDITOR; git -c alias.y='!canary' y",
  'git config --file c alias.x "!canary"; GIT_CONFIG_GLOBAL=c git x',
  "make -s --eval='x:;@canary' x",
  "make -s -f - x <<< 'x:;@canary'",
  "make -s -f - x SHELL=canary <<< 'x:;@true'",
  'cp "$(command -v canary)" y; ./y',
  'ln -s "$(command -v canary)" z; ./z',
  'echo canary > s; chmod +x s; ./s',
  'echo canary > s; bash s',
  'mkdir -p b; cp "$(command -v canary)" b/w; PATH=b:$PATH w',
  'echo \'import os; os.system("canary")\' > p.py; python3 p.py',
  'printf canary | /bin/sh',
  '$(echo canary)',
  'c=can; ${c}ary',
  'set -- canary; "$@"',
  'bash -c \'"$@"\' _ canary',
  "bash -c '$0' canary",
  'stdbuf -oL canary',
  'nohup canary',
  'setsid -w canary',
  'timeout --foreground 9 canary',
  'exec -a x canary',
  '/usr/bin/env canary',
  '$(command -v env) canary',
  'sort --compress-program=canary -S 1k --parallel=1 /usr/bin/perl > /dev/null',
  'logger() { canary; }; logger',
]

/** More of them, which need a program, a terminal or a user that is not on every machine. */
const RARE_EVASIONS: readonly string[] = [
  'unshare -r canary',
  'setarch x86_64 canary',
  'setarch -R canary',
  'linux64 canary',
  "PS4='$(canary)' bash -xc :",
  "env PS4='$(canary)' SHELLOPTS=xtrace bash -c :",
  "unset 'a[$(canary)]'",
  'echo canary | xargs -I{} {}',
  'tar cf /dev/null -I canary f; tar cf x.tar f --use-compress-program=canary',
  'git -c core.pager=canary -p help -a',
  'GIT_PAGER=canary git -p help -a',
  "PAGER='canary #' git -p help -a",
  'git init -q r && cd r && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git rebase -q -x canary --root',
  'git init -q r2 && cd r2 && git submodule foreach x; git bisect run canary',
  "git ls-remote 'ext::canary'; git -c protocol.ext.allow=always ls-remote 'ext::canary'",
  'busybox sh -c canary',
  'watch -t -n 9 canary & sleep 1; kill $!',
  '/lib64/ld-linux-x86-64.so.2 /bin/sh f',
  'man -P canary ls',
  "ed -s f <<< '!canary'",
  "vim -es -c '!canary' -c q",
  'enable -f ./f x',
  'strace -o /dev/null canary',
  "zsh -c '=canary'",
  "fish -c 'canary'",
  'fish -C canary',
  'csh -c canary',
  'pwsh -c canary',
  'doas canary',
  'pkexec canary',
  'systemd-run --user canary',
  'nsenter -t 1 -m canary',
  'runuser -u nobody canary',
  'runuser nobody -c canary',
  'su nobody -c canary',
  'su - nobody',
  'sg users canary',
  'sg users -c canary',
  'chroot / canary',
  'capsh -- -c canary',
  'gosu root canary',
  'firejail canary',
  'bwrap --bind / / canary',
  'proot canary',
  'fakeroot canary',
  'valgrind canary',
  'perf stat canary',
  'hyperfine canary',
  "hyperfine 'canary x'",
  "nix-shell --run 'canary x'",
  'direnv exec . canary',
  'mise x -- canary',
  'uv run canary',
  'poetry run canary',
  'npx canary',
  "npx -c 'canary x'",
  'npm exec canary',
  'pnpm exec canary',
  'bundle exec canary',
  'conda run -n x canary',
  'docker run -v /:/x image canary',
  'kubectl exec pod -- canary',
  'ssh host canary',
  "ssh host 'ls; canary'",
  'ssh -o ProxyCommand=canary host',
  "ssh -oProxyCommand='canary x' host",
  "rsync -e 'canary x' a b:",
  'scp -S canary a b:',
  'tmux new -d canary',
  "tmux send-keys 'canary x' Enter",
  'screen -dm canary',
  'echo canary | at now',
  'crontab f',
  'entr canary < f',
  'fd -x canary',
  'fd --exec=canary',
  'parallel canary ::: x',
  'echo canary | parallel',
  'unbuffer canary',
  "expect -c 'spawn canary'",
  'ruby -e \'system("canary")\'',
  'php -r \'system("canary");\'',
  'lua -e \'os.execute("canary")\'',
  'Rscript -e \'system("canary")\'',
  "deno eval 'x'",
  "bun -e 'x'",
  'osascript -e \'do shell script "canary"\'',
  'emacs --batch --eval \'(shell-command "canary")\'',
  "gdb -batch -ex '!canary'",
  "sqlite3 :memory: '.shell canary'",
  "psql -c '\\\\! canary'",
  "mysql -e 'system canary'",
  'git difftool -x canary',
  "git filter-branch --tree-filter 'canary x'",
  "git clone --upload-pack='canary x' a b",
  'git config core.hooksPath .',
  "git config --global alias.x '!canary'",
  'git grep -Ocanary x',
  "GIT_SSH_COMMAND='canary #' git fetch",
  'GIT_EXTERNAL_DIFF=canary git diff',
  'EDITOR=canary git commit',
  "LESSOPEN='|canary %s' less f",
  'LD_PRELOAD=./x.so ls',
  "NODE_OPTIONS='--require ./f' node x.js",
  'PERL5OPT=-Mx perl f',
  'PYTHONSTARTUP=f python3 -i',
  "make CC='canary x'",
  'make SHELL=canary',
  "zip -TT 'canary x' a b",
  'busybox awk \'BEGIN { system("canary") }\'',
  'coreutils --coreutils-prog=canary',
  'bind -x \'"x": canary\'',
  'complete -C canary x',
  'fc -s',
  'exec bash f',
  'nice bash f',
  'sudo bash f',
  'env bash f',
  'xargs bash < f',
  'find . -exec bash {} \\;',
]

describe('rules held against what bash does', () => {
  it('never allow a script that runs what is not allowed', async () => {
    let allowed = 0
    await fc.assert(
      fc.asyncProperty(echoes, async (script) => {
        if (ofCommand(script, { allow: ['Bash(echo:*)', 'Bash(true)', 'Bash(x)'] }) !== 'allow') return
        allowed++
        expect(await sings(script)).toBe(false)
      }),
      fixed,
    )
    expect(allowed).toBeGreaterThan(10)
  })

  it('never let a script pass that runs what is denied', async () => {
    let passed = 0
    await fc.assert(
      fc.asyncProperty(scripts, async (script) => {
        if (ofCommand(script, { deny: ['Bash(canary:*)'] }) !== 'allow') return
        passed++
        expect(await sings(script)).toBe(false)
      }),
      fixed,
    )
    expect(passed).toBeGreaterThan(10)
  })

  it.each(EVASIONS)('do not let %j pass, which runs what is denied', async (script) => {
    expect(ofCommand(script, { deny: ['Bash(canary:*)'] })).not.toBe('allow')
    expect(ofCommand(script, { ask: ['Bash(canary:*)'] })).toBe('ask')
    expect(await sings(script)).toBe(true)
  })

  it.each(RARE_EVASIONS)('do not let %j pass, where it would run', (script) => {
    expect(ofCommand(script, { deny: ['Bash(canary:*)'] })).not.toBe('allow')
  })

  it('are held against a bash that does run the canary', async () => {
    expect(await sings('echo $(canary)')).toBe(true)
    expect(await sings('echo canary')).toBe(false)
  })
})
