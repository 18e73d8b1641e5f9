import { posix } from 'node:path'
import { noteHarm, readAside } from './aside.ts'
import {
  type Context,
  countAsideSteps,
  enterStep,
  noteChange,
  noteFlows,
  noteUnseen,
  TooMuch,
  takeFirst,
} from './context.ts'
import { isCommandLine, listMakeShells } from './handed-commands.ts'
import { showFile } from './run-file.ts'
import { noteSource } from './variables.ts'

/** Kinds of files of which tools run something by themselves. */
type Kind = 'agents-in-editor' | 'json' | 'yaml' | 'make' | 'code' | 'settings' | 'editor-tasks' | 'workflow' | 'script'

/** Names that end as files of settings and of tools do, and not as those of ordinary code. */
const UNUSUAL_NAME = /(?<!\.(?:[cm]?[jt]sx?|py|css|scss|html?|md|go|java|c|h|cpp|hpp|vue|svelte|sql|kt|cs))$/

/**
 * Files of which tools run something by themselves, by their names, each kind behind what such names have: to compile all patterns
 * would take longer than to read a call.
 */
const SELF_RUNNING: readonly (readonly [hint: RegExp, names: () => RegExp, Kind])[] = [
  [/json$|workspace$/, () => /(?:^|\/)\.vscode\/tasks\.json$|\.code-workspace$/, 'editor-tasks'],
  [
    /settings\.json$/,
    () => /(?:^|\/)(?:\.vscode|\.?(?:Code|Cursor|VSCodium|Windsurf)[\w -]*\/User|\.zed|\.config\/zed)\/settings\.json$/,
    'agents-in-editor',
  ],
  [
    /\.ya?ml$|\/\.circleci\/|\.(?:github|gitea|forgejo)\//,
    () =>
      /(?:^|\/)\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/|(?:^|\/)(?:\.gitlab-ci|azure-pipelines|bitbucket-pipelines|\.travis|appveyor|\.drone|cloudbuild)\.ya?ml$|\/\.circleci\//,
    'workflow',
  ],
  [
    /\.jsonc?$|rc$/,
    () =>
      /(?:^|\/)(?:package|composer|deno|project|nx|turbo|lerna|nodemon|devcontainer|\.lintstagedrc|\.releaserc|angular|vercel|app|\.mocharc|launch)\.jsonc?$|\.lintstagedrc$/,
    'json',
  ],
  [
    /\.ya?ml$/,
    () =>
      /(?:^|\/)(?:(?:docker-)?compose[^/]*|lefthook|\.lefthook|\.pre-commit-config|\.pre-commit-hooks|Taskfile|taskfile|\.goreleaser|mkdocs|_config|\.overcommit|pnpm-workspace|\.lintstagedrc|skaffold|Tiltfile|serverless)\.ya?ml$/,
    'yaml',
  ],
  [UNUSUAL_NAME, () => /(?:^|\/)(?:(?:GNU)?[Mm]akefile|[^/]*\.mk|\.?[Jj]ustfile)$/, 'make'],
  [
    UNUSUAL_NAME,
    () =>
      /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|\.pip\.conf|pip\.ini|\.condarc|bunfig\.toml|\.cargo\/config(?:\.toml)?|uv\.toml|poetry\.toml|\.bundle\/config|NuGet\.config|gradle\.properties|\.mvn\/(?:jvm|maven)\.config|\.gitmodules|\.editorconfig|\.?mise\.toml|Makefile\.toml|pixi\.toml|\.tool-versions|\.aws\/config|\.kube\/config|\.ssh\/config|\.docker\/config\.json|\.bazelrc|\.jvmopts|\.cargo\/config|\.my\.cnf|\.git\/config|\.gitconfig|\.hgrc|\.curlrc|\.wgetrc|\.gemrc|tox\.ini|pytest\.ini|setup\.cfg|pyproject\.toml|Cargo\.toml|Pipfile|\.flake8|\.pylintrc|ansible\.cfg|requirements[^/]*\.txt)$/,
    'settings',
  ],
  [
    /\.(?:py|pth)$/,
    () =>
      /(?:^|\/)(?:(?:conftest|sitecustomize|usercustomize|setup|noxfile|fabfile|tasks|manage|wsgi|gunicorn\.conf|__init__|__main__|dodo)\.py|[^/]*\.pth)$/,
    'code',
  ],
  [
    /\.[cm]?[jt]s$/,
    () =>
      /(?:^|\/)(?:[^/]*\.config\.[cm]?[jt]s|\.(?:eslintrc|prettierrc|babelrc|mocharc|pnpmfile|stylelintrc|commitlintrc|lintstagedrc)\.c?js|(?:gulp|grunt|jake|Grunt|Gulp)file\.[cm]?[jt]s|(?:jest|vitest|karma|global)[.-]?(?:setup|config|teardown)[^/]*\.[cm]?[jt]s)$/,
    'code',
  ],
  [
    UNUSUAL_NAME,
    () =>
      /(?:^|\/)(?:(?:gulp|grunt|jake|Grunt|Gulp)file|(?:Rake|Gem|Guard|Vagrant|Pod|Fast|Brew|Cap|Danger|Jenkins)file|[^/]*\.gemspec|config\.ru|build\.rs|(?:build|settings|init)\.gradle(?:\.kts)?|CMakeLists\.txt|meson\.build|SConstruct|configure(?:\.ac)?|flake\.nix|shell\.nix|default\.nix|build\.zig|Package\.swift|mix\.exs|rebar\.config|project\.clj|build\.sbt|Makefile\.PL|Build\.PL|extconf\.rb|\.(?:irb|pry|rdb)rc|\.Rprofile|\.gdbinit|\.lldbinit|\.exrc|\.nvimrc|\.vimrc|\.envrc|\.autoenv|\.env\.sh|binding\.gyp)$/,
    'code',
  ],
]

/** Scripts that someone starts; their harm is seen when they are run, but for what nothing brings back. */
const SCRIPT = /\.(?:sh|bash|zsh|ksh|py|rb|pl|php|[cm]?[jt]s|ps1|bat|cmd|lua)$|^[^.]+$/

/** Settings of an editor by which its agents no longer ask. */
const UNASKED_AGENT =
  /auto-?(?:approve|accept|run|confirm)\w*["']?\s*:|yolo|bypassPermissions|dangerously|always_allow\w*["']?\s*:\s*true|chat\.(?:tools|agent)\.\w*(?:terminal|approve)/i

/** Examples of what is to be recognised. */
const EXAMPLES = /(?:^|[/._-])(?:tests?|specs?|fixtures?|__tests__|examples?|samples?|mocks?|docs?|corpus)(?:[/._-]|$)/i

/** Characters of a written file that are read. What follows is unseen, but for scripts: they are read when they are run. */
const MAX_CHARS = 32 * 1024

/** Commands of one file that are read. */
const MAX_COMMANDS = 60

/** Files of one call that are looked at. */
const MAX_FILES = 40

/** Notes the harm in files that the call writes and that tools run by themselves, later and out of sight. */
export function noteSelfRunning(context: Context): void {
  const { reading } = context
  const written = [...reading.files].flatMap(([path, { text }]) => (text ? [{ path, text }] : []))
  const edited = [...reading.settings].flatMap(([key, text]) =>
    key.startsWith('edited ') ? [{ path: key.slice('edited '.length), text }] : [],
  )
  const files = takeFirst(context, [...written, ...edited], MAX_FILES, 'files of the call')
  for (const { path, text } of files) {
    if (text !== '') noteText(context, path, text)
    else if (findKind(path) === 'editor-tasks') noteChange(context, 'machine', 'startup', path, 'likely')
  }
  noteScripts(
    context,
    files.filter(({ path, text }) => text !== '' && findKind(path, reading.world.home) === 'script'),
  )
}

/** Looks through scripts that are written and not run, as far as their steps go: a call that runs one reads it again. */
function noteScripts(context: Context, files: readonly { readonly path: string; readonly text: string }[]): void {
  const { reading } = context
  const { steps } = reading
  reading.steps = countAsideSteps(reading)
  for (const { path, text } of files) {
    const step = enterStep(context, { text: posix.basename(path), at: showFile(context, path) })
    noteScript(step, path, text.slice(0, MAX_CHARS))
  }
  reading.steps = steps
}

function findKind(path: string, home = ''): Kind | null {
  const found = SELF_RUNNING.find(([hint, names]) => hint.test(path) && names().test(path))?.[2]
  if (found) return found
  if (home !== '' && path.startsWith(`${home}/.`)) return 'settings'
  return SCRIPT.test(posix.basename(path)) && !EXAMPLES.test(path) ? 'script' : null
}

function noteText(context: Context, path: string, whole: string): void {
  const kind = findKind(path, context.reading.world.home)
  if (kind === null || kind === 'script') return
  const step = enterStep(context, { text: posix.basename(path), at: showFile(context, path) })
  if (whole.length > MAX_CHARS) noteUnseen(step, 'too-much', showFile(context, path), 'run')
  const text = whole.slice(0, MAX_CHARS)
  switch (kind) {
    case 'json':
      runLater(step, listJsonCommands(text))
      return
    case 'editor-tasks':
      if (/folderOpen/.test(text) || !/["{]/.test(text)) noteChange(step, 'machine', 'startup', showFile(context, path))
      runLater(step, listJsonCommands(text))
      return
    case 'agents-in-editor':
      if (UNASKED_AGENT.test(text)) noteChange(step, 'agent', 'settings', showFile(context, path))
      return
    case 'yaml':
      runLater(step, listYamlCommands(text))
      return
    case 'workflow':
      noteWorkflow(step, text)
      return
    case 'make':
      runLater(step, listMakeCommands(text))
      return
    case 'settings':
      noteSettings(step, text)
      return
    case 'code':
      runCodeLater(step, path, text)
  }
}

/** Notes the harm in commands that an editing program puts into a file: strings of a filter, replacements. */
export function noteWrittenCommands(context: Context, text: string): void {
  if (/\bchat\.(?:tools|agent)\.[\w.]*auto-?approve\w*["'\]]*\s*\|?=/i.test(text))
    noteChange(context, 'agent', 'settings', text.slice(0, 80))
  runLater(enterStep(context), [...listJsonCommands(text), ...(isCommandLine(text) ? [text] : [])])
}

/** Reads commands that run later, and notes their harm. */
function runLater(context: Context, commands: readonly string[]): void {
  for (const command of takeFirst(context, commands, MAX_COMMANDS, 'commands of a file'))
    noteHarm(
      context,
      readAside(context, (inner) => inner.reading.runScript(inner, command)),
    )
}

/** Commands among the texts of a JSON file: `"build": "tsc -p ."`, `.scripts.build = "…"`. */
function listJsonCommands(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\\n]|\\.)*)("?)(\s*:)?/g)].flatMap((match) => {
    const value = unquote(match[1] ?? '')
    return match[2] === '"' && match[3] === undefined && isCommandLine(value) ? [value] : []
  })
}

function unquote(text: string): string {
  return text
    .replaceAll(/\\(["\\/])/g, '$1')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t')
}

const YAML_KEY =
  /(?:^[ \t]*(?:-[ \t]*)?|[{,][ \t]*)(?:run|entry|command|cmds?|script|exec|hook|before|after|args|-)(?:[ \t]*:)?(?=\s)/gm

/** Commands behind the keys of a YAML file under which tools run them. */
function listYamlCommands(text: string): readonly string[] {
  return [...text.matchAll(YAML_KEY)].flatMap(({ 0: key, index }) => {
    const [value = ''] = text
      .slice(index + key.length)
      .trimStart()
      .split(key.includes('{') || key.includes(',') ? /[,}\n]/ : '\n', 1)
    if (value.includes('#')) return []
    const bare = value.trim().replace(/^["']/, '').replace(/["']$/, '')
    const line = bare.replace(/^\[|\]$/g, '').replaceAll(/["'],\s*["']/g, ' ')
    return isCommandLine(line) ? [line] : []
  })
}

/** Secrets of a forge that a step sends somewhere else. */
function noteWorkflow(context: Context, text: string): void {
  for (const line of text.split('\n').slice(0, 2000)) {
    if (!/\$\{\{\s*(?:toJSON\(\s*)?secrets\b|\$\{?(?:GITHUB_TOKEN|CI_JOB_TOKEN|\w*SECRET\w*)/.test(line)) continue
    const [, sent = ''] = /\b(?:curl|wget|nc|http)\b(.*)/.exec(line) ?? []
    const host = /https?:\/\/([\w.-]+)/.exec(sent)?.[1]
    if (
      host &&
      !/(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|codecov\.io|npmjs\.org|slack\.com)$/.test(host)
    )
      noteFlows({ ...context, certainty: 'likely' }, ['secret'], 'send', host)
  }
}

/** Lines of recipes, and commands in `$(shell …)`. */
function listMakeCommands(text: string): readonly string[] {
  const lines = [...text.matchAll(/^(?:\t| {2,})[@+-]*(.+)$/gm)].map((match) => match[1] ?? '')
  return [...lines.filter(isCommandLine), ...listMakeShells(text)]
}

/** Keys of settings whose value is started as a program. */
const STARTING_KEY =
  /(?:^|[-_. "])(?:run|script|exec(?:-once)?|wrapper|rustc-wrapper|runner|linker|shell|script-shell|command|cmd|exec|hook|node-options|yarnpath|preload|proxy-?command|askpass|credential[-_]process|proxycommand|localcommand|knownhostscommand|credhelpers?|credsstore|pager|editor|fsmonitor|sshcommand|textconv|clean|smudge|driver|external|onload-script|init-hook|helper|hookspath)"?$/i

/** Keys of settings whose value is where packages come from. */
const SOURCE_KEY =
  /(?:^|[-_. :"])(?:registry|npmregistryserver|index-url|extra-index-url|index|find-links|trusted-host|replace-with|mirror(?:\.\S+)?|channel_alias|source|sources|url)"?$/i

/** Notes programs and sources of packages that settings name. */
function noteSettings(context: Context, text: string): void {
  // `echo 'a\nb'` breaks the line in some shells.
  for (const line of text.split(/\n|\\n/).slice(0, 2000)) {
    const option = /^\s*(--(?:index-url|extra-index-url|find-links)|-i)[= ]+(\S+)/.exec(line)
    if (option) noteSource(context, option[1] ?? '', option[2] ?? '')
    const [, key = '', written = ''] = /^\s*([@\w.:"/-][@\w."/-]*)(?:\s*[=:]|(?<=[cC]ommand)\s)(.*)$/s.exec(line) ?? []
    const value = written.trim().replace(/^["']/, '').replace(/["']$/, '')
    // A scope has its own registry: `@team:registry=…` is how private packages are named.
    if (key === '' || value === '' || key.startsWith('@')) continue
    if (SOURCE_KEY.test(key) && /^https?:\/\//.test(value)) noteSource(context, key, value)
    if (!STARTING_KEY.test(key)) continue
    if (/^!?(?:\/tmp|\/var\/tmp|\/dev\/shm|~|\/home|\/Users)\//.test(value))
      noteChange(context, 'machine', 'startup', `${key} runs ${value}`, 'likely')
    else runLater(context, [value.replace(/^!/, '')])
  }
}

const CODE_LANGUAGES: readonly (readonly [RegExp, string])[] = [
  [/\.(?:py|pth)$/, 'python'],
  [/\.[cm]?[jt]s$|(?:gulp|grunt|jake)file$/i, 'javascript'],
  [/\.rb$|(?:Rake|Gem|Guard|Vagrant|Pod|Fast|Brew|Cap|Danger)file$|\.gemspec$|\.(?:irb|pry)rc$|config\.ru$/, 'ruby'],
  [/\.(?:pl|PL)$/, 'perl'],
  [/\.php$/, 'php'],
  [/\.lua$/, 'lua'],
  [/\.(?:sh|bash|zsh|ksh)$|\.envrc$|(?:^|\/)configure$|^[^.]+$/, 'shell'],
]

function runCodeLater(context: Context, path: string, text: string): void {
  noteHarm(
    context,
    readAside(context, (inner) => runLanguage(inner, path, text)),
  )
}

function runLanguage(context: Context, path: string, text: string): void {
  const first = /^#!.*\b(python|node|ruby|perl|php|lua|(?:ba|z|k|da)?sh)/.exec(text)?.[1]
  const name = posix.basename(path)
  const language = first ?? CODE_LANGUAGES.find(([names]) => names.test(path) || names.test(name))?.[1] ?? name
  if (/sh$|^shell$/.test(language)) context.reading.runScript(context, text)
  else context.reading.runCode(context, language, text, { text: '', carries: new Set(), lists: null, source: null })
}

/** Folders without which nothing works, and a home as a whole. */
function isVital(home: string, path: string): boolean {
  return /^\/(?:\*+|\w+(?:\/\*{0,2})?)?$/.test(path) || path === home || path === `${home}/*` || path === `${home}/**`
}

/** Notes what nothing brings back in a script that is written: the home, the system, secrets that are sent. */
function noteScript(context: Context, path: string, text: string): void {
  const found = readAside(context, (inner) => {
    try {
      runLanguage(inner, path, text)
    } catch (error) {
      if (!(error instanceof TooMuch || error instanceof RangeError)) throw error
      noteUnseen(context, 'code', showFile(context, path)) // the first part was read, and nothing runs it yet
    }
  })
  const { home } = context.reading.world
  noteHarm(context, {
    ...found,
    unseen: [],
    effects: found.effects.filter(
      (effect) =>
        (effect.does === 'delete' && isVital(home, effect.path.text)) ||
        (effect.does === 'write' && effect.path.place === 'device') ||
        (effect.does === 'change' && effect.operation === 'fork-bomb'),
    ),
    flows: found.flows.filter(({ to }) => to === 'send'),
  })
}
