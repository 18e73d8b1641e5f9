import { shareRow } from './share-row.ts'

/** Arguments of a program that runs code of another language. The code itself is never read here. */
export interface Interpreter {
  /** Options that bring code, separated by blanks; a single letter may stand in a bundle, as in `python -Ic`. */
  readonly code?: string
  /** The same where an option can be shortened or has code attached to it. */
  readonly codeLike?: RegExp
  /** Subcommands that take code, separated by blanks, as `eval` of deno. */
  readonly verbs?: string
  /** Options that take the next word with them. */
  readonly valued?: string
  /** Options whose value is a file or module that is loaded: a plain name is a program like any other, an address is code. */
  readonly loads?: string
  /** Letters that take the rest of their bundle with them. */
  readonly attached?: string
  /** Options after which nothing is read from stdin. */
  readonly idle?: RegExp
  /** Modules behind `-m` that run the text or the file they are given. */
  readonly modules?: RegExp
  /** A subcommand before the file to run, as `run` of deno. */
  readonly runs?: string
  /** True if its first operand is code where it begins with a parenthesis. */
  readonly operandIsCode?: boolean
}

const python: Interpreter = {
  code: '-c -i',
  valued: '-W -X --check-hash-based-pycs',
  modules:
    /^(?:timeit|code|codeop|pdb|bdb|ipdb|pudb|asyncio|runpy|IPython|ptpython|bpython|cProfile|profile|trace|doctest|pickle|pydoc|idlelib|zipapp|inspect|coverage|kernprof|line_profiler|memory_profiler|scalene|viztracer|pyinstrument|debugpy|pysnooper|hunter|memray|austin|xdoctest|jupyter|nbconvert|papermill|dill|cloudpickle|joblib|test|venvlauncher|ensurepip\._bundled)(?:\.|$)/,
}
const node: Interpreter = {
  code: '-e -p --eval --print -i --interactive',
  codeLike: /^-(?:pe|ep)$/,
  valued: '-C --conditions --input-type --title --env-file --stack-trace-limit --test-name-pattern --test-reporter',
  loads: '-r --require --import --loader --experimental-loader',
  idle: /^--(?:test|run|check|v8-options|completion-bash|build-snapshot|watch|prof-process)|^-c$/,
}
const script: Interpreter = { ...node, valued: '-P --project -O --tsconfig --cwd --compiler-options --ignore' }
const dashE: Interpreter = {
  code: '-e -E --eval --execute --expr --expression',
  codeLike: /^--?(?:rpc-)?(?:eval|execute|expr)/,
}
const dashC: Interpreter = { code: '-c --command' }
const ruby: Interpreter = { code: '-e', valued: '-C -I -E', loads: '-r', attached: 'rICEFKTWx' }
const lisp: Interpreter = {
  codeLike: /^-{1,2}(?:e|eval|x|c|expression|evaluate)$/,
  valued: '--load --core -Sdeps -t -l -u',
}
const lua: Interpreter = { code: '-e -i', loads: '-l', attached: 'l' }

/** Programs that run code of another language, by their names without a version. */
export const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  ...shareRow(
    'python pypy python-dbg jython micropython rustpython graalpy pythonw py ipython bpython ptpython',
    python,
  ),
  ...shareRow('hy sage', dashC),
  perl: { code: '-e -E', valued: '-I', loads: '-M -m', attached: 'IMmiFdDxV', codeLike: /^-[Mm]-?[\w:]*[^\w:=,-]/ },
  ...shareRow('ruby jruby truffleruby mruby rbx', ruby),
  ...shareRow('node nodejs iojs', node),
  ...shareRow(
    'ts-node ts-node-esm ts-node-script ts-node-transpile-only ts-node-dev tsx esr esno jiti babel-node zx',
    script,
  ),
  ...shareRow('coffee lsc', { code: '-e -p --eval --print -i --interactive' }),
  bun: { code: '-e -p --eval --print', loads: '-r --preload', verbs: 'repl exec' },
  deno: {
    verbs: 'eval repl',
    code: '--eval',
    runs: 'run',
    idle: /^(?:test|fmt|lint|check|task|cache|info|bench|add|install|upgrade)$/,
  },
  ...shareRow('qjs quickjs d8 jsc js rhino gjs njs hermes', { code: '-e -c -p --eval --command' }),
  ...shareRow('mongo mongosh', {
    code: '--eval',
    valued: '--host --port -u -p --username --password --authenticationDatabase',
  }),
  php: {
    code: '-r -R -B -E -a --run --process-code --process-begin --process-end --interactive',
    codeLike:
      /^-d(?:auto_(?:prepend|append)_file|extension|zend_extension)|^(?:auto_(?:prepend|append)_file|(?:zend_)?extension)=/,
    valued: '-c -z -t',
    loads: '-d',
    idle: /^-[SlimI]|^--(?:server|syntax-check|info|modules|ini)/,
  },
  ...shareRow('lua luajit texlua luau', lua),
  ...shareRow('pwsh powershell', { codeLike: /^[-/](?:c|e|ec|f$|co|en)/i, idle: /^-(?:file|f)/i }),
  cmd: { codeLike: /^\/[ckCK]/ },
  guile: { code: '-c', loads: '-l', valued: '-e -L -C -x' },
  ...shareRow('tclsh wish jimsh', { code: '-c -e', codeLike: /^-(?:c|e|command)$/ }),
  expect: { code: '-c', attached: 'c' },
  ...shareRow(
    'Rscript R julia osascript groovy groovysh scala kotlin kotlinc swift ocaml raku perl6 elixir iex crystal yaegi moon pike littler',
    {
      ...dashE,
      valued: '-l -L -J --load -pa -S --sname --name',
      verbs: 'eval repl',
    },
  ),
  ...shareRow(
    'racket sbcl clisp ecl ccl chez scheme petite gosh chibi-scheme csi chicken-csi mit-scheme abcl kawa janet fennel clojure clj bb nbb joker planck lumo babashka',
    {
      ...lisp,
      verbs: 'eval',
      operandIsCode: true,
      idle: /^-M:/,
    },
  ),
  'scala-cli': { ...dashE, runs: 'run' },
  lein: { ...lisp, verbs: 'eval', runs: 'exec', operandIsCode: true },
  ...shareRow('newlisp gforth nickle poly asy slsh isabelle ros rebol idris2 pharo', {
    codeLike: /^-{1,2}(?:e|c|eval|exec|do)(?:=|$)/,
    verbs: 'eval',
    runs: 'run',
    idle: /^(?:process|install|build)$/,
  }),
  amm: { code: '-c --code' },
  gap: { codeLike: /^-[ec]$/ },
  rake: { code: '-e -E -p --execute --execute-print --execute-continue', valued: '-f -I -r -R -t -W -j', idle: /^/ },
  ...shareRow('puppet chef-apply chef-shell', { code: '-e --execute', runs: 'apply', idle: /^/ }),
  electron: { ...node, idle: /^/ },
  rdmd: { codeLike: /^--(?:eval|loop)/ },
  rails: { verbs: 'runner r console c dbconsole db', idle: /^/ },
  mix: { codeLike: /^-e$|^--eval$/, runs: 'run', verbs: 'eval', idle: /^/ },
  ...shareRow('ghc ghci runghc stack-ghci hugs', { codeLike: /^-e|^-ghci-script|^-pgm/ }),
  ...shareRow('erl werl', { codeLike: /^-(?:eval|run|s)$/, valued: '-pa -pz -sname -name -setcookie' }),
  ...shareRow('dotnet-script csharp fsi fsharpi', { code: '-e --exec --eval --use', verbs: 'eval' }),
  ...shareRow('octave octave-cli matlab scilab gp maxima wolframscript mathematica magma', {
    codeLike: /^-{1,2}(?:e|eval|r|batch|batch-string|code|c|run)(?:=|$)/,
  }),
  ...shareRow('gnuplot bpftrace stap dtrace', { codeLike: /^-[ecn]/ }),
  ...shareRow('cling rust-script evcxr tcc gore jshell irb pry ghci utop nim swipl gprolog yap', {
    codeLike: /^-{1,2}(?:e|eval|g|t|x|c|run|expr|(?:query|entry|init)-goal)(?:[:=]|$)/,
    verbs: 'eval e',
  }),
  dc: { codeLike: /^-e|!/ },
}

/** A program that may run commands by words of its own language. */
export interface Opaque {
  /** A word that says so; where it can be anything, the program is never seen through. */
  readonly says: RegExp
  /** A word that says so even where the program is only guessed to be one. */
  readonly proves?: RegExp
  /** Words of its language may come from stdin. */
  readonly reads?: boolean
  /** Only lines that `says` finds run something of what comes from stdin. */
  readonly isReadByLine?: boolean
  /** A word after which nothing that comes from stdin is run. */
  readonly idle?: RegExp
  /** A builtin of the shell, which no other program can start. */
  readonly builtin?: boolean
}

const anything: Opaque = {
  says: /^/,
  proves: /^(?:-c|-e|-ex|-x|-o|-O|-S|-u|-es|--cmd|--eval|--ex|--execute|--command|--one-line)(?:=|$)|^\+./,
}
/** An editor with a file is in front of a person, as a pager is: words that bring a command, and what is typed into it, are not. */
const editor: Opaque = {
  ...anything,
  reads: true,
  says: /^\+(?!\d*$)|^-(?!-?$|-?(?:nw|help|version)$|[RnbdoOp]\d*$)/,
}
const anyBuiltin: Opaque = { says: /^/, builtin: true }
const sql: Opaque = {
  reads: true,
  isReadByLine: true,
  says: /\\[!ogw]|\\copy(?!\s[^\\;]*\b(?:to|from)\s+(?:'[\w./-]+\.(?:csv|tsv|txt|json)'|p?stdin|p?stdout)[\w\s,'()]*$)|program|\bsystem\b|^\s*!|\.(?:sh|sy|import|once|output|read|load|pipe)\b|\.(?:sh|sy)|load_extension|\bload\s+'|^-init$|!!|\bhost\b|\bedit\s*\(|\bexecutable\s*\(/i,
}

/** Programs that run commands of their own language, from wherever: what they do is not seen. */
export const OPAQUE: Readonly<Record<string, Opaque>> = {
  ...shareRow('ex ed red emacsclient kak gdb lldb cgdb rr-gdb login at batch newgrp', anything),
  ...shareRow('vi vim nvim gvim view emacs nano micro hx joe jed pico', editor),
  ...shareRow('ftp lftp sftp telnet mutt neomutt mailx mail', { says: /^/, proves: /!/ }),
  ...shareRow('fc compgen complete', anyBuiltin),
  ...shareRow('source .', { says: /^(?!(?:[\w.~/-]*\/)?bin\/activate(?:\.fish|\.csh)?$)/, builtin: true }),
  hash: { says: /^-[a-z]*p/, builtin: true },
  enable: { says: /^-[a-z]*f/, builtin: true },
  bind: { says: /^-[a-z]*x/, builtin: true },
  mapfile: { says: /^-[a-z]*C/, builtin: true },
  readarray: { says: /^-[a-z]*C/, builtin: true },
  crontab: { says: /^(?!-l$)/, proves: /^-$/ },
  apt: { says: /::/ },
  'apt-get': { says: /::/ },
  dpkg: { says: /invoke/ },
  rpm: { says: /%\(|^--(?:eval|pipe|define)|^-[a-zA-Z]*E/ },
  wget: { says: /askpass|^-e|^--execute/ },
  ag: { says: /^--pager/ },
  ack: { says: /^--pager/ },
  ...shareRow('make gmake bmake pmake remake nmake', {
    says: /<\(|^--eval|^\.?SHELL(?:FLAGS)?[:+?]*=|(?<!^-j)\$[({]|`|^-f-$|^-$|^\/dev\/|^--(?:file|makefile)=(?:-|\/dev)|^-E|!=/,
  }),
  ...shareRow(
    'sqlite3 sqlite psql mysql mariadb duckdb mycli pgcli litecli usql sqlcmd isql sqlplus snowsql cockroach clickhouse clickhouse-client clickhouse-local mysqlslap',
    sql,
  ),
  ...shareRow('gcc g++ cc c++ clang clang++ gfortran tcc cpp ld gold lld', {
    says: /^-{1,2}(?:wrapper|B|fplugin|iplugindir|specs|plugin|load|fpass-plugin|config(?:=|$)|fuse-ld=[.~/]|run$)|^@|^-Wl,.*plugin/,
    reads: true,
    idle: /^-(?:E|M+|c|S|dM|fsyntax-only|v|o\/dev\/null)$|\.(?:c|cc|cpp|cxx|m|f90|o|a|s)$/i,
  }),
  ...shareRow('ssh scp slogin autossh mosh sshfs', {
    says: /^-F|(?:Proxy|Local|KnownHosts|Remote|AuthorizedKeys)Command|Match\s.*exec|PKCS11Provider|SecurityKeyProvider|XAuthLocation|Include/i,
  }),
  go: { says: /^-$|^-{1,2}(?:toolexec|exec|vettool|overlay)|-extld/ },
  cargo: { says: /^--config|runner|linker|wrapper|^-e$|^--expr/ },
  rustc: { says: /linker|^-Zcodegen|^-C$/ },
  java: { says: /^-(?:javaagent|agent|XX:On|XX:Flags|Xbootclasspath)|^@/ },
  cmake: { says: /^-[PC]$|LAUNCHER|_INCLUDE(?:_\w+)?=|^-E$/ },
  socat: { says: /(?:exec|system|shell):/i },
  ...shareRow('nc ncat netcat', { says: /^-[a-z]*[ec]|^--(?:sh-|lua-)?exec/ }),
  ...shareRow('openssl', { says: /^-?engine$|^-provider(?:-path)?$/ }),
  ...shareRow('pdflatex latex tex xelatex lualatex luatex pdftex latexmk', {
    says: /shell-escape|write18|directlua|^-e$|\\input\s*\|/,
  }),
  ...shareRow('gs ghostscript', { says: /NOSAFER|^-c$|%pipe/ }),
  ...shareRow('hg svn jj', { says: /^--config|-cmd|alias\.|hooks?\./ }),
  ...shareRow('nix nix-instantiate nix-build nix-env', { says: /^-E$|^--(?:expr|eval)/ }),
  pandoc: { says: /^-[FL]|filter/ },
  tcpdump: { says: /^-z/ },
  nmap: { says: /^--script(?!-help)/ },
  ...shareRow('mvn mvnw gradle gradlew ant', { says: /exec\.|^-I|^--init-script/ }),
  ...shareRow('npm pnpm', { says: /script-?shell|^--node-options|^--shell/i }),
  m4: { says: /syscmd/, reads: true },
  blender: { says: /^--python-expr/ },
  ...shareRow('gimp gimp-console', { says: /^-b$|^--batch(?:=|$)/ }),
  pylint: { says: /^--init-hook/ },
  mlr: { says: /(?<!\w)(?:system|exec)\s*\(|\|\s*"/ },
  uwsgi: { says: /^--?[\w-]*(?:eval|exec|daemon|cron)/ },
  ...shareRow('scons task go-task ninja just', { says: /^-$|^\/dev\// }),
  frida: { says: /^-e$|^--eval/ },
  scrapy: { says: /^-c$/ },
  ...shareRow('ranger broot', { says: /^--cmd|^-c$/ }),
  ...shareRow('lf vifm subl', { says: /^-{1,2}command|^-c$|^\+/ }),
  percol: { says: /^--eval/ },
  ...shareRow('ugrep ug', { says: /^--(?:filter|pager|view)/ }),
  brew: { says: /^-[ec]$/ },
  tmux: { says: /run-shell|if-shell|pipe-pane|^set-hook$|^source(?:-file)?$|^-f$/ },
  screen: { says: /^-c$|^source$/ },
  virsh: { says: /agent-command/ },
  ...shareRow('claude codex gemini qwen copilot opencode droid kimi', {
    says: /^--(?:mcp-config|settings|agents|config|additional-mcp-config)(?:=|$)|^-c$|dangerously|bypass|yolo|full-auto|allow-all|skip-permissions/,
  }),
  zip: { says: /^-TT|unzip-command/ },
  ...shareRow('less more most bat delta', { says: /^\+(?!(?:[FGg]|\d+|\/.*)$)|^--(?:pager|lesskey)/ }),
  split: { says: /^--filter/ },
  gpg: { says: /photo-viewer|program/ },
  ...shareRow('ansible ansible-playbook ansible-console salt', {
    says: /^-[ama]$|cmd\.|^-e$|^-$|^\/dev\//,
    reads: true,
  }),
  ...shareRow('manage.py django-admin flask', { says: /^shell(?:_plus)?$/ }),
  artisan: { says: /^tinker$/ },
  wp: { says: /^(?:eval|shell)$|^--exec=/ },
  drush: { says: /^(?:php[:-](?:eval|cli|script)|php|eval|ev|scr|core[:-]cli)$/ },
  ...shareRow('spark-shell pyspark impala-shell spark-sql', { says: /^-e$|!|\bshell\b/, reads: true }),
  ...shareRow('stack cabal', { says: /^--(?:ghci|repl)-options/ }),
  rebar3: { says: /^--eval|^--script/ },
  sbt: { says: /^eval\b|!/ },
  mina: { says: /^run\[/ },
  deno: { says: /^--eval$/ },
  dotnet: { says: /^eval$/ },
  ...shareRow('libreoffice soffice', { says: /^(?:macro|vnd\.sun\.star\.script):/ }),
  ...shareRow('groff troff', { says: /^-[a-zA-Z]*U/ }),
  systemctl: { says: /^--stdin$/ },
  open: { says: /^(?:Terminal|iTerm)/ },
  ...shareRow('dbus-send gdbus busctl qdbus launchctl schtasks', { says: /Exec|StartTransientUnit|submit|create/i }),
  xdotool: { says: /^(?:exec|type|key)$/ },
  'yt-dlp': { says: /^--exec|-command/ },
  'youtube-dl': { says: /^--exec/ },
  aria2c: { says: /^--on-/ },
  helm: { says: /post-renderer/ },
  ...shareRow('docker podman', { says: /^-$/ }),
  kubectl: { says: /exec-command|^--overrides|^--kubeconfig=\/dev/ },
  aws: { says: /credential_process|^send-command$|AWS-(?:Run|Start)/ },
}
