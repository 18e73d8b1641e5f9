import { MAKES_FILES } from './code-carriers.ts'
import { shareRow, shareRows } from './share-row.ts'

/** Arguments of a program that runs the command in them, up to that command. */
export interface Wrapper {
  /** Options that take the next word with them, separated by blanks. */
  readonly valued?: string
  /** Options whose value is a script of the shell, separated by blanks. */
  readonly scripts?: string
  /** True where the script is no option of the command. */
  readonly isScriptFirst?: boolean
  /** Number of words stand before the command, as the duration of `timeout`; several: it depends. */
  readonly operands?: readonly number[]
  /** Without a command it starts a shell. */
  readonly startsShell?: boolean
  /** True for a program that adds words which it reads to the command. */
  readonly takesInput?: boolean
  /** Options that name the file whose secrets it puts into the environment of the command. */
  readonly loads?: string
  /** Without a command it starts a program of its own, as an image does. */
  readonly ownProgram?: boolean
}

const plain: Wrapper = {}
const oneOperand: Wrapper = { operands: [1] }
const su: Wrapper = { scripts: '-c --command --session-command', startsShell: true }

/** Programs that run the command in their arguments. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = shareRows({
  sudo: {
    valued:
      '-u -g -h -p -C -T -r -t -D -R -U --user --group --host --prompt --close-from --command-timeout --role --type --chdir --chroot --other-user',
    startsShell: true,
  },
  doas: { valued: '-u -C', startsShell: true },
  pkexec: { valued: '--user' },
  env: { valued: '-u -C -a --unset --chdir --argv0' },
  timeout: { valued: '-s -k --signal --kill-after', operands: [1] },
  nice: { valued: '-n --adjustment' },
  ionice: { valued: '-c -n --class --classdata' },
  chrt: { valued: '-T -P -D --sched-runtime --sched-period --sched-deadline', operands: [1, 0] },
  taskset: oneOperand,
  stdbuf: { valued: '-i -o -e --input --output --error' },
  xargs: {
    valued:
      '-I -n -P -d -E -L -s -a --max-args --max-procs --delimiter --max-lines --max-chars --arg-file --replace --eof',
    takesInput: true,
  },
  parallel: {
    valued: '-j -a -I --jobs --arg-file --delay --timeout --joblog --tempdir',
    takesInput: true,
    startsShell: true,
  },
  exec: { valued: '-a' },
  time: { valued: '-f -o --format --output' },
  watch: { valued: '-n -q --interval --equexit' },
  strace: { valued: '-o -e -s -p -u -E -a -b -I -O -P -S -X --output --trace --user' },
  ltrace: { valued: '-o -e -s -p -u -a -n -l -x -F -S' },
  flock: { valued: '-w -E --timeout --wait --conflict-exit-code', scripts: '-c --command', operands: [1] },
  script: { valued: '-I -O -B -T -E -m -o --log-in --log-out --log-io', scripts: '-c --command', startsShell: true },
  chroot: { operands: [1], startsShell: true },
  unshare: {
    valued:
      '-w -R -S -G -l --wd --root --setuid --setgid --map-user --map-group --propagation --setgroups --load-interp',
    startsShell: true,
  },
  nsenter: { valued: '-t -S -G -W --target --setuid --setgid --wdns', startsShell: true },
  setpriv: {
    valued:
      '--ruid --euid --reuid --rgid --egid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig --selinux-label --apparmor-profile --landlock-access --landlock-rule --seccomp-filter',
  },
  prlimit: { valued: '-p -o --pid --output' },
  setarch: { operands: [1, 0], startsShell: true },
  choom: { valued: '-n -p --adjust --pid' },
  capsh: { scripts: '-c', startsShell: true },
  runuser: { ...su, valued: '-u -g -G -s -w --user --group --supp-group --shell --whitelist-environment' },
  su: { ...su, valued: '-g -G -s -w --group --supp-group --shell --whitelist-environment' },
  sg: { scripts: '-c', operands: [1], startsShell: true },
  'systemd-run': {
    valued: '-H -M -u -p -E -d --unit --property --description --slice --uid --gid --nice --setenv --host --machine',
    startsShell: true,
  },
  'systemd-inhibit': plain,
  'systemd-cat': { valued: '-t -p --identifier --priority' },
  'ssh-agent': { valued: '-a -t -E -P' },
  'start-stop-daemon': { valued: '-p -x -n -u -c -g -r -d -k -N -P -I --exec --startas --pidfile' },
  'dbus-run-session': { valued: '--config-file --dbus-daemon' },
  'xvfb-run': { valued: '-e -f -n -p -s -w --server-num --server-args --error-file' },
  'su-exec': oneOperand,
  gosu: oneOperand,
  setuidgid: oneOperand,
  envdir: oneOperand,
  faketime: { valued: '-f', operands: [1] },
  numactl: { valued: '-i -m -N -C -l -p --interleave --membind --cpunodebind --physcpubind --preferred' },
  cgexec: { valued: '-g' },
  rlwrap: { valued: '-f -H -l -p -s' },
  valgrind: plain,
  fakeroot: { valued: '-l -s -i -b --lib --faked' },
  firejail: plain,
  bwrap: plain,
  proot: plain,
  torsocks: plain,
  proxychains4: { valued: '-f' },
  tini: plain,
  'dumb-init': plain,
  arch: { valued: '-arch -e -d' },
  caffeinate: { valued: '-t -w' },
  chpst: { valued: '-u -U -b -e -d -n -l -L -m -o -p -f -c' },
  's6-setuidgid': oneOperand,
  lockf: { valued: '-t', operands: [1] },
  retry: { valued: '-n -d -t --times --delay --until', operands: [0, 1] },
  daemonize: { valued: '-a -c -e -o -p -l -u -E' },
  run0: { valued: '-u --user -D --chdir --unit --property' },
  machinectl: { operands: [2, 1], startsShell: true },
  'systemd-nspawn': { valued: '-D -M -u -E --directory --machine --image --user --setenv --bind', startsShell: true },
  wsl: { valued: '-d -u --distribution --user --cd', startsShell: true },
  mpirun: { valued: '-n -np -H --host --hostfile' },
  mpiexec: { valued: '-n -np -H --host --hostfile' },
  srun: { valued: '-n -N -p -t -c --ntasks --nodes --partition --time' },
  'cross-env': plain,
  'cross-env-shell': plain,
  'env-cmd': { valued: '-f -e -r --file --environments --rc-file', loads: '-f --file' },
  ...shareRow('dotenv dotenv-cli', { valued: '-f -e -q --file --quote', loads: '-f -e --file' }),
  entr: { takesInput: false },
  watchexec: { valued: '-w -e -i -s -d --watch --exts --ignore --signal' },
  dtach: { valued: '-e -r -t', operands: [1] },
  reflex: { valued: '-r -g -R -G -d --regex --glob --inverse-regex --inverse-glob' },
  hyperfine: { valued: '-w -r -m -M -n -i --warmup --runs --export-json --export-markdown' },
  'distrobox-enter': { valued: '-n --name', startsShell: true },
  'flatpak-spawn': plain,
  'devcontainer-exec': plain,
  npx: { valued: '-p -c --package --call', scripts: '-c --call', isScriptFirst: true },
  bunx: { valued: '-p --package' },
  uvx: { valued: '--from --with -p --python' },
  'ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 linux64 personality nohup setsid builtin busybox toybox unbuffer linux32 linux64 i386 x86_64 uname26 catchsegv coproc chronic ifne ts-retry fakechroot pixie wine qemu-x86_64 box64 ddtrace-run opentelemetry-instrument':
    plain,
  'ccache sccache distcc icecc bear emmake emconfigure emcmake scan-build nbqa heaptrack': plain,
})

const inContainer: Wrapper = {
  valued:
    '-e -u -w -v -p -l -h -m -c -a --env --env-file --user --workdir --volume --mount --publish --name --network --label --hostname --memory --cpus --platform --add-host --entrypoint --index --detach-keys --pull --restart --gpus --shm-size --ulimit --device --cap-add --cap-drop --security-opt --tmpfs --log-driver --ip --dns --link --volumes-from',
  operands: [1],
  ownProgram: true,
}
const inProject: Wrapper = {
  valued:
    '-n -p -C -e -m -w --name --prefix --python --with --with-requirements --with-editable --extra --group --package --project --directory --cwd --env-file --index --index-url --from --environment --manifest-path --filter --workspace --using --node --command-env',
  ownProgram: true,
}
const inPod: Wrapper = {
  valued:
    '-n -c -f -i --namespace --container --filename --context --kubeconfig --image --pod-running-timeout --target',
  operands: [1],
  ownProgram: true,
}
const containers = {
  run: inContainer,
  exec: inContainer,
  create: inContainer,
  'container run': inContainer,
  'container exec': inContainer,
  'container create': inContainer,
  'service create': inContainer,
  'compose run': inContainer,
  'compose exec': inContainer,
}

/**
 * Programs that start the command in their arguments by some of their subcommands, and what stands before it there.
 * By their other subcommands they start nothing that is given to them.
 */
export const LAUNCHERS: Readonly<Record<string, Readonly<Record<string, Wrapper>>>> = shareRows({
  'docker nerdctl': containers,
  podman: { ...containers, unshare: plain },
  'docker-compose podman-compose': { run: inContainer, exec: inContainer },
  'kubectl oc k': {
    exec: inPod,
    run: inPod,
    debug: inPod,
    rsh: inPod,
    'create job': inPod,
    'create cronjob': inPod,
  },
  'lxc incus': { exec: inPod },
  crictl: { exec: inPod },
  ctr: {
    run: { operands: [2] },
    'task exec': { valued: '--exec-id --user --cwd', operands: [1] },
    't exec': { valued: '--exec-id --user --cwd', operands: [1] },
  },
  uv: { run: inProject, 'tool run': inProject, x: inProject },
  'poetry pipenv pdm hatch rye pixi devbox conda mamba micromamba': {
    run: inProject,
    exec: inProject,
    shell: inProject,
  },
  pipx: { run: { valued: '--spec --python --pip-args --index-url' } },
  bundle: { exec: inProject },
  'mise rtx': {
    exec: { ...inProject, operands: [0, 1, 2, 3] },
    x: { ...inProject, operands: [0, 1, 2, 3] },
  },
  asdf: { exec: inProject },
  direnv: { exec: oneOperand },
  'rbenv pyenv nodenv jenv goenv phpenv plenv': { exec: inProject },
  'nvm fnm': { exec: { ...inProject, operands: [0, 1] }, run: { ...inProject, operands: [0, 1] } },
  volta: { run: inProject },
  npm: {
    exec: { valued: '-p -w --package --workspace', scripts: '-c --call' },
    x: { valued: '-p --package', scripts: '-c --call' },
  },
  'yarn pnpm': { exec: inProject, dlx: inProject, run: inProject },
  bun: { x: inProject, run: inProject },
  gh: { 'alias set': oneOperand, 'codespace ssh': plain, 'cs ssh': plain, 'extension exec': plain },
  gcloud: { 'compute ssh': { scripts: '--command', startsShell: true } },
  nix: {
    run: { operands: [1, 0] },
    shell: { scripts: '-c --command', operands: [1, 2, 3], startsShell: true },
    develop: { scripts: '-c --command', operands: [0, 1], startsShell: true },
  },
  guix: {
    shell: { operands: [0, 1, 2, 3], startsShell: true },
    environment: { operands: [0, 1, 2, 3], startsShell: true },
  },
  distrobox: { enter: { valued: '-n --name', operands: [0, 1], startsShell: true } },
  toolbox: { run: { valued: '-c -d -r --container --distro --release' } },
  flatpak: { run: { valued: '--command --branch --arch', operands: [1] } },
  limactl: { shell: { valued: '--workdir', operands: [1], startsShell: true } },
  multipass: { exec: { operands: [1] } },
  'apptainer singularity': {
    exec: { valued: '-B --bind --pwd --env', operands: [1] },
    run: { operands: [1] },
    shell: { operands: [1], startsShell: true },
  },
  'op doppler infisical dotenvx teller railway': { run: { ...inProject, scripts: '--command' } },
  'aws-vault chamber': { exec: { operands: [1, 0], startsShell: true } },
  'lerna nx turbo': { exec: inProject },
  'stack cabal opam dune': { exec: inProject },
  rustup: { run: oneOperand },
  perf: {
    stat: { valued: '-e -r -o -x -p -C -I -d --event --repeat --output' },
    record: { valued: '-e -F -c -o -p -C --event --freq --output --call-graph' },
    trace: { valued: '-e -o -p' },
  },
  'rr samply memray py-spy': { record: { valued: '-o -r -d -p --output --rate --duration --format' } },
  mix: { cmd: plain, 'do cmd': plain },
  jj: { 'util exec': plain },
  az: { 'ssh vm': { valued: '-n -g --name --resource-group --ip --vm-name', ownProgram: true } },
  tox: { exec: inProject },
  ip: { 'netns exec': oneOperand },
  vagrant: { ssh: { scripts: '-c --command', ownProgram: true } },
})

/** Shells: they run the script behind `-c`, else a file, else whatever comes in. */
export const SHELLS: ReadonlySet<string> = new Set(
  'sh bash dash ash zsh ksh mksh fish rbash tcsh csh yash elvish nu osh xonsh posh'.split(' '),
)

/** Programs whose words are never commands: what is denied may stand in their arguments. */
export const TAKES_WORDS: ReadonlySet<string> = new Set(
  [
    'echo printf cat grep egrep fgrep zgrep rg ag ack ls man tldr whatis apropos which whereis type help info head tail wc',
    'sort uniq cut tr diff cmp comm touch mkdir rmdir cp mv ln rm chmod chown chgrp test [ true false : cd pwd pushd popd',
    'date sleep seq basename dirname realpath readlink stat file du df ps kill killall pgrep pkill curl wget jq yq tee',
    'tree export unset set shopt read declare local typeset readonly return exit wait umask ulimit history id whoami',
    'uname hostname md5sum sha1sum sha256sum base64 xxd od column paste join fold fmt nl rev tac expr bc dpkg locate',
    'brew pip pip3 code lsof ping dig host tput stty printenv let getopts shift break continue trap',
    'notify-send say wall logger figlet cowsay espeak zenity whiptail pbcopy xclip xsel wl-copy qrencode http https xh httpie',
    'nslookup traceroute whois free uptime vmstat iostat lscpu lsblk lsusb netstat ss ifconfig cal factor yes dos2unix iconv',
    'fd fdfind',
    'zcat bzcat xzcat gzip gunzip bzip2 xz zstd unzip shellcheck hadolint markdownlint cloc tokei wslpath cygpath envsubst',
  ].flatMap((line) => line.split(' ')),
)

/** Programs that read the files they are given and run nothing of them. */
export const READS_FILES: ReadonlySet<string> = new Set([
  ...TAKES_WORDS,
  ...'git gh glab hub hg svn jj prettier eslint tsc biome ruff black isort mypy flake8 pylint pyright yamllint jsonlint xmllint'.split(
    ' ',
  ),
  ...'stylelint kubectl helm aws gcloud az pandoc awk gawk mawk sed gsed find zip'.split(' '),
  ...MAKES_FILES,
  ...'ffmpeg convert magick dot plantuml mmdc ssh-keygen sha512sum cksum strings nm objdump readelf hexdump delta bat less more'.split(
    ' ',
  ),
])

/** Options whose value is prose, by whatever program. */
export const TEXT_OPTIONS =
  /^--(?:message|body|title|description|desc|notes?|subject|comment|summary|text|caption|reason|prompt|topic|changelog|release-notes|annotation|details|commit-message|header|data|data-raw|data-urlencode|json|form|label|question|query|search|grep|filter|tags?|(?:skip|exclude)-tags|(?:[\w-]*(?:name|path)-?)?pattern)$/i

/** Options of a single letter whose value is prose, by program. */
export const TEXT_LETTERS: Readonly<Record<string, string>> = shareRows({
  'gh glab hub': '-b -t -n -m -d -q -S -F -f -H -l -a',
  'hg svn jj fossil bzr sl darcs pijul gt git': '-m',
  'npm yarn pnpm': '-m -t',
  'vitest jest ava tap bun deno': '-t',
  'mocha playwright cypress wdio cucumber cucumber-js jasmine karma nightwatch': '-g -t -f -i -n',
  'rspec minitest ruby-test': '-e -n -E',
  ctest: '-R -E -L -LE',
  pytest: '-k',
  'docker podman alembic lerna': '-m',
  'claude codex gemini llm aider opencode': '-p -m',
})

/** Options of those programs whose value is a program all the same. */
export const TAKES_PROGRAM: Readonly<Record<string, string>> = {
  man: '-P --pager -H --html',
  sort: '--compress-program',
  rg: '--pre --hostname-bin',
  curl: '',
  ...shareRow('fd fdfind', '-x -X --exec --exec-batch'),
}

/** Programs whose first argument says what they do; after `run` it is the second. */
export const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set([
  ...'git npm pnpm yarn bun docker kubectl cargo go gh pip pip3 uv poetry brew apt make systemctl terraform podman helm just task rake invoke'.split(
    ' ',
  ),
  ...Object.keys(LAUNCHERS),
])

/** Programs that have many words of their own and start none of the words they are given. */
export const STARTS_NO_WORDS: ReadonlySet<string> = new Set(
  'gh glab aws gcloud gsutil az kubectl oc docker podman nerdctl helm terraform tofu cargo go brew pip pip3 systemctl journalctl hg svn jj conda mamba uv poetry pdm rclone mc s3cmd dvc ipfs ctr crictl lxc incus asdf mise bundle gem pixi nvm fnm volta rustup opam flatpak snap'.split(
    ' ',
  ),
)

/** Subcommands of git that run commands, and settings that do. */
export const GIT_RUNS =
  /^(?:bisect|submodule|rebase|filter-branch|difftool|mergetool|send-email|for-each-repo|hook|daemon|instaweb|web--browse|cvsimport)$/
export const GIT_SETTINGS =
  /^(?:alias\.|pager\.|include|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.(?:external|.*\.(?:command|textconv))|filter\.|merge\..*\.driver|.*tool\..*(?:cmd|path)|credential\.|gpg\.|uploadpack\.|receive\.|remote\..*\.(?:uploadpack|receivepack|vcs|proxy)|protocol\.|browser\.|man\.|sendemail\.|interactive\.difffilter|trailer\.|url\.|tar\.|init\.templatedir|ssh\.|http\..*helper|submodule\..*\.update)/i
