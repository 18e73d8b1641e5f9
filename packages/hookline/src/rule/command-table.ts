/** How a program that runs the command in its arguments reads what stands before that command. */
export interface Wrapper {
  /** Options that take the next word with them, separated by blanks. */
  readonly valued?: string
  /** Options whose value is a script of the shell, separated by blanks. */
  readonly scripts?: string
  /** How many words stand before the command, as the duration of `timeout`; several: it depends. */
  readonly operands?: readonly number[]
  /** Without a command it starts a shell. */
  readonly startsShell?: boolean
  /** It adds words that it reads to the command. */
  readonly takesInput?: boolean
}

const plain: Wrapper = {}
const oneOperand: Wrapper = { operands: [1] }
const su: Wrapper = { scripts: '-c --command --session-command', startsShell: true }

/** Programs that run the command in their arguments. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
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
  npx: { valued: '-p -c --package --call', scripts: '-c --call' },
  bunx: plain,
  uvx: plain,
  ...Object.fromEntries(
    'nohup setsid builtin busybox toybox unbuffer linux32 linux64 i386 x86_64 uname26 catchsegv coproc'
      .split(' ')
      .map((name) => [name, plain]),
  ),
}

/** Shells: they run the script behind `-c`, else a file, else whatever comes in. */
export const SHELLS: ReadonlySet<string> = new Set(
  'sh bash dash ash zsh ksh mksh fish rbash tcsh csh yash elvish nu osh xonsh posh'.split(' '),
)

/** Interpreters of other languages, whose text is not read here. */
export interface Interpreter {
  /** An option that brings a text to run. */
  readonly text: RegExp
  /** Options that take the next word with them. */
  readonly valued?: string
}

const dashE: Interpreter = { text: /^-[A-Za-z]*[eE]$|^--?(?:eval|execute|expr)/ }

/** By the name without a version. */
export const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: { text: /^-(?![mXW])[A-Za-z]*c/, valued: '-W -X' },
  pypy: { text: /^-(?![mXW])[A-Za-z]*c/, valued: '-W -X' },
  perl: { text: /^-(?![IMm])[\w.:,/]*[eE]/ },
  ruby: { text: /^-(?![rIC])\w*e/, valued: '-C -I -r -E' },
  node: {
    text: /^-(?:p|e|pe|i)$|^--(?:eval|print|interactive)/,
    valued: '-r -C --require --import --loader --conditions',
  },
  nodejs: { text: /^-(?:p|e|pe|i)$|^--(?:eval|print|interactive)/, valued: '-r -C --require --import --loader' },
  php: { text: /^-(?:r|R|B|E|a)$|^--(?:run|process)/, valued: '-c -d -z' },
  lua: { text: /^-(?:e|i)/, valued: '-l' },
  luajit: { text: /^-(?:e|i)/, valued: '-l' },
  pwsh: { text: /^-(?:c|e|ec)/i },
  guile: { text: /^-c$/ },
  tclsh: dashE,
  expect: { text: /^-c/ },
  ...Object.fromEntries(
    'Rscript R julia osascript groovy scala elixir swift bun ocaml raku'.split(' ').map((name) => [name, dashE]),
  ),
}

/** Programs that run commands of their own language, from wherever: what they do is not seen. */
export const OPAQUE: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    'vi vim nvim view ex ed red emacs emacsclient nano gdb lldb dc irb jshell wish at batch newgrp login source . fc compgen complete ftp lftp'
      .split(' ')
      .map((name) => [name, /^/]),
  ),
  alias: /=/,
  hash: /^-[a-z]*p/,
  enable: /^-[a-z]*f/,
  bind: /^-[a-z]*x/,
  mapfile: /^-[a-z]*C/,
  readarray: /^-[a-z]*C/,
  crontab: /^(?!-l$)/,
  apt: /::/,
  'apt-get': /::/,
  dpkg: /invoke/,
  rpm: /%\(|^--(?:eval|pipe|define)|^-[a-zA-Z]*E/,
  wget: /askpass|^-e|^--execute/,
  ag: /^--pager/,
  ack: /^--pager/,
  deno: /^eval$/,
  make: /<\(|^--eval|\$\(|^-f-$|^-$|^\/dev\/|^--(?:file|makefile)=(?:-|\/dev)/,
  gmake: /<\(|^--eval|\$\(|^-f-$|^-$|^\/dev\//,
  sqlite3: /\.(?:sh|sy)|load_extension|^-init$/,
  psql: /\\[!ogw]|program/i,
  mysql: /\\!|\bsystem\b/i,
  mariadb: /\\!|\bsystem\b/i,
}

/** Programs whose words are never commands: what is denied may stand in their arguments. */
export const TAKES_WORDS: ReadonlySet<string> = new Set([
  ...'echo printf cat grep egrep fgrep zgrep rg ag ack ls man whatis apropos which whereis type help info head tail wc'.split(
    ' ',
  ),
  ...'sort uniq cut tr diff cmp comm touch mkdir rmdir cp mv ln rm chmod chown chgrp test [ true false : cd pwd pushd popd'.split(
    ' ',
  ),
  ...'date sleep seq basename dirname realpath readlink stat file du df ps kill killall pgrep pkill curl wget jq yq tee'.split(
    ' ',
  ),
  ...'tree export unset set shopt read declare local typeset readonly return exit wait umask ulimit history id whoami'.split(
    ' ',
  ),
  ...'uname hostname md5sum sha1sum sha256sum base64 xxd od column paste join fold fmt nl rev tac expr bc dpkg rpm locate'.split(
    ' ',
  ),
  ...'apt apt-get brew pip pip3 code lsof ping dig host tput stty printenv let getopts shift break continue trap'.split(
    ' ',
  ),
])

/** Options of those programs whose value is a program all the same. */
export const TAKES_PROGRAM: Readonly<Record<string, string>> = {
  man: '-P --pager -H --html',
  sort: '--compress-program',
  rg: '--pre --hostname-bin',
  curl: '',
}

/** Programs whose first argument says what they do; after `run` it is the second. */
export const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set(
  'git npm pnpm yarn bun docker kubectl cargo go gh pip pip3 uv poetry brew apt make systemctl terraform podman helm'.split(
    ' ',
  ),
)

/** Subcommands of git that run commands, and settings that do. */
export const GIT_RUNS = /^(?:bisect|submodule|rebase|filter-branch|difftool|mergetool|for-each-repo|hook)$/
export const GIT_SETTINGS =
  /^(?:alias\.|pager\.|include|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.(?:external|.*\.(?:command|textconv))|filter\.|merge\..*\.driver|.*tool\..*(?:cmd|path)|credential\.|gpg\.|uploadpack\.|receive\.|remote\..*\.(?:uploadpack|receivepack|vcs|proxy)|protocol\.|browser\.|man\.|sendemail\.|interactive\.difffilter|trailer\.|url\.|tar\.|init\.templatedir|ssh\.|http\..*helper|submodule\..*\.update)/i

/** Variables whose value is a command that some program runs. */
export const COMMAND_VARIABLES =
  /^(?:PS[0-4]|PROMPT_COMMAND|(?:GIT_|MAN|SYSTEMD_|AWS_|GH_)?PAGER|(?:GIT_|GIT_SEQUENCE_|FC)?EDIT(?:OR)?|GIT_SEQUENCE_EDITOR|VISUAL|GIT_SSH(?:_COMMAND)?|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|\w*_ASKPASS|LESS(?:OPEN|CLOSE)|(?:GH_)?BROWSER|\w*_RSH|SHELL|npm_config_\w+)$/

/** Variables whose value is options of a program, and those among them that run nothing. */
export const OPTION_VARIABLES: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS: /^(?!.*(?:-r\b|require|import|loader|eval))/s,
  MAKEFLAGS: /^[\w\s-]*$/,
  GNUMAKEFLAGS: /^[\w\s-]*$/,
  TAR_OPTIONS: /^[\w\s-]*$/,
}

/** Variables whose value brings code into the programs that are started. */
export const CODE_VARIABLES =
  /^(?:BASH_ENV|ENV|ZDOTDIR|BASH_FUNC_.*|BASH_ALIASES|BASH_CMDS|BASH_LOADABLES_PATH|SHELLOPTS|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|GCONV_PATH|PYTHONSTARTUP|PERL5OPT|PERL5DB|RUBYOPT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|GIT_EXEC_PATH|GIT_CONFIG.*|GIT_TEMPLATE_DIR)$/

/** Files that other programs run commands from. */
export const RUN_FROM =
  /(?:^|\/)(?:\.git\/.*|\.gitconfig|\.(?:bash|zsh)(?:rc|_profile|_login|_logout|env)|\.profile|\.npmrc|\.envrc|(?:GNU)?[Mm]akefile|[Jj]ustfile|Rakefile|package\.json)$/

/** Commands after which a file is there that was not. */
export const MAKES_FILES: ReadonlySet<string> = new Set(
  'cp mv ln install tee dd curl wget tar unzip rsync sed patch gunzip xxd base64 mount'.split(' '),
)
