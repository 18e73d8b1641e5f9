import { shareRows } from './share-row.ts'

/** Variables whose value is a command that some program runs. */
export const COMMAND_VARIABLES =
  /^(?:PS[0-4]|PROMPT_COMMAND|\w*PAGER|\w*EDITOR|FCEDIT|VISUAL|GIT_SSH(?:_COMMAND)?|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|\w*_ASKPASS|LESS(?:OPEN|CLOSE)|\w*BROWSER|\w*_RSH|\w*SHELL|\w*_(?:COMMAND|PASSCOMMAND|CMD|WRAPPER|LAUNCHER|RUNNER|LINKER|CONNECT_PROG|DRIVER)|HGMERGE|SVN_SSH|CCACHE_(?:PREFIX(?:_CPP)?|COMPILER)|(?:CARGO_BUILD_)?RUST(?:C|DOC)|RUSTFMT|NINJA|\w*_OPENER|TERMINAL|MAKE|(?:HOST)?(?:CC|CXX|CPP|LD|AR|AS|FC)|npm_config_\w+|NPM_CONFIG_\w+|YARN_\w*PATH)$/

/** Options of compilers that load no code. */
const COMPILER_OPTIONS = /^(?!.*(?:wrapper|plugin|specs|-B))/s

/** Variables whose value is options of a program, and those among them that run nothing. */
export const OPTION_VARIABLES: Readonly<Record<string, RegExp>> = shareRows({
  NODE_OPTIONS: /^(?!.*(?:-r\b|require|import|loader|eval))/s,
  MAKEFLAGS: /^(?!.*(?:f|E|I|eval))[\w\s-]*$/s,
  MFLAGS: /^(?!.*(?:f|E|I|eval))[\w\s-]*$/s,
  GNUMAKEFLAGS: /^(?!.*(?:f|E|I|eval))[\w\s-]*$/s,
  FZF_DEFAULT_OPTS: /^(?!.*(?:preview|bind|execute|become|reload))/s,
  npm_config_node_options: /^(?!.*(?:-r\b|require|import|loader|eval))/s,
  NPM_CONFIG_NODE_OPTIONS: /^(?!.*(?:-r\b|require|import|loader|eval))/s,
  TAR_OPTIONS: /^[\w\s-]*$/,
  ZIPOPT: /^(?!.*(?:T|unzip))/s,
  LESS: /^[^+]*$/,
  MANOPT: /^(?!.*(?:-P|pager))/s,
  GOFLAGS: /^(?!.*(?:exec|vettool|overlay))/s,
  RUSTFLAGS: /^(?!.*(?:linker|plugin|codegen))/s,
  'CFLAGS CXXFLAGS CPPFLAGS LDFLAGS FFLAGS CGO_CFLAGS CGO_CXXFLAGS CGO_CPPFLAGS CGO_LDFLAGS': COMPILER_OPTIONS,
  MAVEN_OPTS: /^(?!.*(?:agent|XX:On))/s,
  MAVEN_ARGS: /^(?!.*(?:exec\.|-f\b|--file))/s,
  GRADLE_OPTS: /^(?!.*(?:agent|XX:On))/s,
  JAVA_OPTS: /^(?!.*(?:agent|XX:On))/s,
  JAVA_TOOL_OPTIONS: /^(?!.*(?:agent|XX:On|XX:Flags))/s,
  PYTEST_ADDOPTS: /^(?!.*(?:-p\b|-c\b|pdbcls|override))/s,
  PYTHONWARNINGS: /^[a-z]*$/,
})

/** Variables whose value brings code into the programs that are started. */
export const CODE_VARIABLES =
  /^(?:BASH_ENV|ENV|ZDOTDIR|BASH_FUNC_.*|BASH_ALIASES|BASH_CMDS|BASH_LOADABLES_PATH|SHELLOPTS|HOME|XDG_CONFIG_HOME|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|GCONV_PATH|PYTHON(?:STARTUP|HOME|BREAKPOINT|EXECUTABLE|USERBASE|INSPECT)|PERL5(?:OPT|DB|LIB)|PERLLIB|RUBY(?:OPT|LIB)|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|NODE_REPL_EXTERNAL_MODULE|LUA_(?:INIT|PATH|CPATH)\w*|R_PROFILE\w*|R_ENVIRON\w*|JULIA_DEPOT_PATH|PHPRC|PHP_INI_SCAN_DIR|ERL_\w*FLAGS|ELIXIR_ERL_OPTIONS|EMACSLOADPATH|G?VIMINIT|EXINIT|VIMRUNTIME|INPUTRC|LESSKEY\w*|HGRCPATH|GIT_EXEC_PATH|GIT_CONFIG.*|GIT_TEMPLATE_DIR|MAKEFILES|GCC_EXEC_PREFIX|COMPILER_PATH|GCC_SPECS|OPENSSL_CONF|OPENSSL_ENGINES|GTK_MODULES|QT_PLUGIN_PATH|GST_PLUGIN_PATH|CARGO_HOME|PSQLRC|MYSQL_HOME|TCLLIBPATH|SBCL_HOME|GUILE_LOAD_PATH|RIPGREP_CONFIG_PATH|WGETRC|SCREENRC)$/

/** Files that other programs run commands from, wherever they lie. */
export const RUN_FROM =
  /(?:^|\/)(?:\.git\/.*|\.husky\/.*|\.githooks\/.*|\.gitconfig|\.config\/(?:git|fish|systemd|autostart|nvim|direnv)\/.*|\.(?:bash|zsh|ksh|csh|tcsh|mksh|sh)(?:rc|_profile|_login|_logout|_aliases|env)|\.z(?:profile|login|logout)|\.profile|\.login|\.inputrc|\.vimrc|\.exrc|\.emacs|init\.(?:vim|lua|el)|\.(?:gdb|lldb)init|\.(?:psql|sqlite|irb|pry|python|screen|wget|npm|yarn|hg|mutt|mail)rc|\.yarnrc\.yml|\.pnpmfile\.c?js|hgrc|\.Rprofile|\.tmux\.conf|\.mailcap|\.lesskey|\.envrc|\.?mise\.toml|\.ssh\/(?:config|rc|environment)|\.cargo\/config(?:\.toml)?|ansible\.cfg|crontab|(?:GNU)?[Mm]akefile|[^/]*\.mk|\.?[Jj]ustfile|Taskfile\.ya?ml|(?:Rake|Gem|Guard|Vagrant|Proc|Brew|Docker|Jenkins)file|package\.json|deno\.jsonc?|bunfig\.toml|[^/]*\.config\.[cm]?[jt]s|\.eslintrc\.c?js|(?:conftest|setup|sitecustomize|usercustomize|__main__|__init__|noxfile|tasks|fabfile|manage)\.py|tox\.ini|pyproject\.toml|Cargo\.toml|build\.rs|(?:build|settings)\.gradle(?:\.kts)?|pom\.xml|build\.xml|CMakeLists\.txt|configure|meson\.build|SConstruct|\.pre-commit-config\.yaml|(?:docker-)?compose\.ya?ml)$/

/** Files that programs run commands from by themselves: at the start of a shell, of a session or of a program, or at a commit. */
export const START_FILE =
  /(?:^|\/)(?:\.git\/(?:hooks|config|info|modules)(?:\/.*)?|\.husky(?:\/.*)?|\.githooks(?:\/.*)?|\.gitconfig|\.config\/(?:git|fish|systemd|autostart|nvim)(?:\/.*)?|\.(?:bash|zsh|ksh|csh|tcsh|mksh|sh)(?:rc|_profile|_login|_logout|_aliases|env)|\.z(?:profile|login|logout)|\.profile|\.login|\.inputrc|\.(?:vim|ex|emacs|psql|sqlite|screen|hg|mutt|mail)(?:rc)?|\.(?:gdb|lldb)init|\.Rprofile|\.tmux\.conf|\.mailcap|\.lesskey|\.ssh\/(?:config|rc|environment|authorized_keys)|\.cargo\/config(?:\.toml)?|cron(?:tab|\.\w+)(?:\/.*)?|LaunchAgents(?:\/.*)?|(?:etc\/)?(?:profile|ld\.so\.preload)(?:\.d\/.*)?)$/

/** Commands after which a file is there that was not. */
export const MAKES_FILES: ReadonlySet<string> = new Set(
  'cp mv ln install tee dd curl wget tar bsdtar unzip 7z cpio rsync scp sed patch gunzip unxz zstd xxd base64 mount openssl gpg aria2c truncate'.split(
    ' ',
  ),
)
