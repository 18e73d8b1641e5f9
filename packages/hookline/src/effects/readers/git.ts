import { posix } from 'node:path'
import { findOwn } from '../../text/table.ts'
import {
  type Context,
  copyShell,
  deletePath,
  enterStep,
  fetchFrom,
  note,
  noteChange,
  noteFlows,
  noteSmallChange,
  noteUnseen,
  readPath,
  resolveOne,
  sendTo,
  writePath,
} from '../context.ts'
import { changeFolder } from '../folder.ts'
import { type Arguments, parseArguments, toSet } from '../program.ts'
import { showFile } from '../run-file.ts'
import {
  type Content,
  carry,
  EMPTY_CONTENT,
  join,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toPatternWord,
  toUnknownWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { type Call, type Reader, readByRow, readCallWords } from './call.ts'
import { readConfig, readGitVariables, readInlineSetting, readSetting, readVariableSettings } from './git-settings.ts'

/** Readers of version control. */
const GIT_READERS: Readonly<Record<string, Reader>> = { git: readGit }

/** Reads a call by the one of them that its row names. */
export const readGitCall: Reader = (call) => readByRow(GIT_READERS, call)

/** Branches that others work on too. */
const SHARED =
  /^(?:refs\/heads\/)?(?:main|master|trunk|develop|development|dev|release|production|prod|staging|stable|next|release[/-].*|hotfix\/.*|v?\d+\.\d+.*)$/

interface GitCall {
  readonly context: Context
  readonly words: readonly Value[]
  readonly input: Content
}

function readGit({ context, words, input }: Call): Content {
  const shell = copyShell(context.shell)
  const inner = { ...context, shell }
  let at = 0
  const texts = readCallWords(words)
  while (at < words.length && (texts[at] ?? '').startsWith('-')) {
    const text = texts[at] ?? ''
    at += 1
    if (text === '--version' || text === '--help' || text === '--exec-path' || text === '--html-path')
      return UNKNOWN_CONTENT
    if (text === '-C') changeFolder(inner, words[at++] ?? toKnownWord('.'))
    else if (text === '-c' || text === '--config-env') readInlineSetting(inner, texts[at++] ?? '')
    else if (/^--(?:git-dir|work-tree|namespace|super-prefix|exec-path|attr-source)$/.test(text)) at += 1
  }
  const name = texts[at] ?? ''
  const rest = words.slice(at + 1).map(writeOutOption)
  if (words[at] && readWord(words[at] ?? toKnownWord('')) === null) {
    noteUnseen(inner, 'value', showValue(words[at] ?? toKnownWord('')), 'run')
    return UNKNOWN_CONTENT
  }
  if (texts.slice(at + 1).some((text) => text === '--help' || text === '-h') && name !== 'grep') return UNKNOWN_CONTENT
  readGitVariables(inner)
  readVariableSettings(inner)
  const alias = context.reading.settings.get(`alias.${name}`) ?? readSetting(inner, `alias.${name}`)
  const command = findOwn(SUBCOMMANDS, name)
  if (command) return command({ context: inner, words: rest, input })
  if (alias !== null && !context.inside.includes(`git ${name}`)) return runAlias(inner, name, alias, rest, input)
  if (!CALM.has(name) && name !== '') noteUnseen(inner, 'program', `git ${name}`)
  return { ...UNKNOWN_CONTENT, carries: carry('project') }
}

/** Beginnings of long options by which something is lost: git takes them for the whole. */
const SHORTENED: readonly (readonly [RegExp, string])[] = [
  [/^--har?$/, '--hard'],
  [/^--forc?$/, '--force'],
  [/^--dele?t?$/, '--delete'],
  [/^--mirr?o?$/, '--mirror'],
  [/^--disc[a-z-]*$/, '--discard-changes'],
]

/** An option as git writes it out. */
function writeOutOption(word: Value): Value {
  const found = SHORTENED.find(([shape]) => shape.test(readWord(word) ?? ''))
  return found ? toKnownWord(found[1]) : word
}

function runAlias(context: Context, name: string, alias: string, rest: readonly Value[], input: Content): Content {
  const inner = {
    ...enterStep(context, { text: `git ${name}`, at: showFile(context, '.git/config') }),
    inside: [...context.inside, `git ${name}`],
  }
  if (alias.startsWith('!'))
    return context.reading.runScript(inner, `${alias.slice(1)} ${rest.map((word) => readWord(word) ?? '').join(' ')}`)
  return context.reading.runWords(
    inner,
    [toKnownWord('git'), ...alias.split(/\s+/).map((word) => toKnownWord(word)), ...rest],
    input,
  )
}

/** Subcommands that change nothing that cannot be had again. */
const CALM = toSet(
  'status log show diff blame annotate shortlog describe rev-parse rev-list ls-files ls-tree ls-remote name-rev merge-base for-each-ref show-ref show-branch whatchanged cherry count-objects fsck verify-commit verify-tag verify-pack check-ignore check-attr check-mailmap check-ref-format grep help version var init format-patch request-pull range-diff diff-tree diff-files diff-index mergetool merge-tree merge-file patch-id stripspace interpret-trailers mailinfo mailsplit column maintenance commit-graph multi-pack-index pack-objects pack-refs index-pack repack mktree mktag write-tree commit-tree bugreport diagnose sparse-checkout lfs annotate instaweb gui gitk citool am cherry-pick revert merge pull mv rerere credential-cache get-tar-commit-id unpack-file flow absorb town machete branchless stack ps fork review delta',
)

type Subcommand = (call: GitCall) => Content

const parse = (words: readonly Value[], valued = ''): Arguments => parseArguments(words, toSet(valued))

function has(words: readonly Value[], ...names: readonly string[]): boolean {
  return readCallWords(words).some((text) => names.includes(text))
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  reset: readReset,
  checkout: readCheckout,
  switch: readSwitch,
  restore: readRestore,
  clean: readClean,
  stash: readStash,
  branch: readBranch,
  tag: readTag,
  push: readPush,
  commit: readCommit,
  add: readAdd,
  stage: readAdd,
  rm: readRemove,
  reflog: readReflog,
  gc: (call) => readPrune(call),
  prune: (call) => readPrune(call),
  'filter-branch': (call) => readFilter(call),
  'filter-repo': (call) => readFilter(call),
  rebase: readRebase,
  worktree: readWorktree,
  submodule: readSubmodule,
  'update-ref': readUpdateRef,
  'symbolic-ref': ({ context, words }) => {
    if (has(words, '-d', '--delete')) noteChange(context, 'git', 'delete-ref', 'git symbolic-ref -d')
    const [ref, target] = parse(words, '-m').operands
    if (ref && target && readWord(ref) === 'HEAD')
      noteChange(context, 'git', 'discard-work', `git symbolic-ref ${words.map(showValue).join(' ')}`, 'likely')
    return UNKNOWN_CONTENT
  },
  'fast-import': ({ context, words }) => {
    if (has(words, '--force')) noteChange(context, 'git', 'rewrite-history', 'git fast-import --force')
    return UNKNOWN_CONTENT
  },
  apply: readApply,
  'hash-object': ({ context, words }) => {
    for (const each of parse(words, '-t --path').operands)
      if (has(words, '-w') && resolveOne(context, each)?.place === 'secret') readPath(context, each)
    return UNKNOWN_CONTENT
  },
  notes: ({ context, words }) => {
    readMessages(context, parse(words, '-m -F --message --file --ref -s -C -c'))
    return UNKNOWN_CONTENT
  },
  lfs: ({ context, words }) => {
    const line = readCallWords(words).join(' ')
    if (/^migrate (?:import|export)\b/.test(line)) noteChange(context, 'git', 'rewrite-history', `git lfs ${line}`)
    if (/^prune\b(?!.*(?:--dry-run|-d\b))/.test(line)) noteChange(context, 'git', 'destroy-recovery', `git lfs ${line}`)
    return UNKNOWN_CONTENT
  },
  pull: readFetch,
  'merge-file': ({ context, words }) => {
    const [file] = parse(words, '-L --diff-algorithm').operands
    if (file && !has(words, '-p', '--stdout')) writePath(context, file, 'edit')
    return UNKNOWN_CONTENT
  },
  daemon: ({ context, words }) => {
    const isLocal = readCallWords(words).some((text) => /^--listen=(?:127\.|localhost|::1)|^--inetd$/.test(text))
    if (!isLocal) note(context, { does: 'listen', on: 'git daemon' })
    return UNKNOWN_CONTENT
  },
  archive: (call) => {
    for (const each of parse(call.words, '-o --output --format --prefix --remote --exec --add-file').operands.slice(1))
      if (resolveOne(call.context, each)?.place === 'secret') readPath(call.context, each)
    return readExport(call)
  },
  'cat-file': (call) => readShow(call),
  bundle: readExport,
  fetch: readFetch,
  'read-tree': ({ context, words }) => {
    if (has(words, '-u', '--reset')) noteChange(context, 'git', 'discard-work', 'git read-tree')
    return UNKNOWN_CONTENT
  },
  'checkout-index': ({ context, words }) => {
    if (has(words, '-f', '--force', '-af', '-fa')) noteChange(context, 'git', 'discard-work', 'git checkout-index')
    return UNKNOWN_CONTENT
  },
  config: readConfig,
  remote: readRemote,
  clone: readClone,
  bisect: readBisect,
  'for-each-repo': ({ context, words }) =>
    context.reading.runWords(
      enterStep(context),
      [toKnownWord('git'), ...parse(words, '--config').operands],
      EMPTY_CONTENT,
    ),
  difftool: ({ context, words }) => {
    for (const each of parse(words, '-x --extcmd -t --tool').values('-x', '--extcmd'))
      context.reading.runScript(enterStep(context), showValue(each))
    return UNKNOWN_CONTENT
  },
  grep: ({ context, words }) => {
    for (const text of readCallWords(words)) {
      const program = /^(?:-O|--open-files-in-pager=)(.+)$/.exec(text)?.[1]
      if (program) context.reading.runScript(enterStep(context), program)
    }
    const dashes = readCallWords(words).indexOf('--')
    const isNames = has(words, '-l', '-L', '-c', '-q', '--files-with-matches', '--name-only', '--count', '--quiet')
    // Outside of the index a search reads what it is given, as grep does.
    const isAnywhere = has(words, '--no-index', '--untracked')
    const behind = dashes === -1 && isAnywhere ? words : words.slice(dashes === -1 ? words.length : dashes + 1)
    for (const each of isNames ? [] : behind) if (resolveOne(context, each)?.place === 'secret') readPath(context, each)
    return { ...UNKNOWN_CONTENT, carries: carry('project') }
  },
  log: readShow,
  show: readShow,
  diff: readShow,
  'ls-files': readLsFiles,
  'rev-parse': readRevParse,
  credential: ({ context, words }) => {
    if (has(words, 'fill'))
      note(context, { does: 'read', path: { text: 'git credential', place: 'secret', exists: true }, what: 'content' })
    return { ...UNKNOWN_CONTENT, carries: carry('secret') }
  },
  'send-email': ({ context, words }) => {
    if (has(words, '--dry-run')) return EMPTY_CONTENT
    const to = parse(words, '--to --cc --subject').value('--to')
    sendTo(
      context,
      toKnownWord(
        showValue(to ?? toKnownWord('unknown'))
          .split('@')
          .at(-1) ?? '',
      ),
      { carries: carry('project') },
    )
    return UNKNOWN_CONTENT
  },
  svn: ({ context, words }) => {
    if (has(words, 'dcommit')) noteChange(context, 'git', 'commit', 'git svn dcommit')
    if (has(words, 'reset')) noteChange(context, 'git', 'rewrite-history', 'git svn reset')
    return UNKNOWN_CONTENT
  },
  replace: ({ context }) => {
    noteChange(context, 'git', 'rewrite-history', 'git replace', 'likely')
    return UNKNOWN_CONTENT
  },
}

/** Reads `git apply`: what it changes lies in the project, unless it is told another folder. */
function readApply({ context, words, input }: GitCall): Content {
  // A reversed patch that comes from `git diff` takes away what was just done.
  const isOwnDiff = input.carries.has('project') || words.some(({ carries }) => carries.has('project'))
  if (has(words, '-R', '--reverse') && isOwnDiff && !has(words, '--check', '--stat', '--cached'))
    noteChange(context, 'git', 'discard-work', 'git apply -R')
  for (const match of (input.text ?? '').matchAll(/^\+\+\+ (?:b\/)?(\S+)/gm))
    if (!has(words, '--check', '--stat')) writePath(context, toKnownWord(match[1] ?? ''), 'edit')
  const parsed = parse(words, '--directory --exclude --include -p -C')
  // Files that a patch is kept to are taken for the ones in it.
  for (const each of has(words, '--check', '--stat') ? [] : parsed.values('--include'))
    if (!/^(?:project|built)$/.test(resolveOne(context, toPatternWord(showValue(each)))?.place ?? ''))
      writePath(context, toPatternWord(showValue(each)), 'edit')
  const folder = parsed.value('--directory')
  if (folder && has(words, '--unsafe-paths')) writePath(context, join([folder, toPatternWord('/**')]), 'edit')
  return UNKNOWN_CONTENT
}

/** Reads `git archive` and `git bundle create`: a copy of the project, in a file or printed. */
function readExport({ context, words }: GitCall): Content {
  const parsed = parse(words, '-o --output --format --prefix --remote --exec --add-file')
  const copy = { ...UNKNOWN_CONTENT, carries: carry('project') }
  const file =
    parsed.value('-o', '--output') ??
    (readWord(parsed.operands[0] ?? toKnownWord('')) === 'create' ? parsed.operands[1] : null)
  if (file) writePath(context, file, 'replace', copy)
  return copy
}

/** Reads `git fetch`: it takes nothing away, unless a branch of one's own is told to be what the remote has. */
function readFetch({ context, words }: GitCall): Content {
  const parsed = parse(words, '--upload-pack -j --depth --deepen --refmap -o --filter --negotiation-tip')
  const isForced = parsed.has('-f', '--force')
  for (const each of parsed.operands.slice(1)) {
    const spec = readWord(each) ?? ''
    const target = /^\+?[^:]*:(.+)$/.exec(spec)?.[1] ?? ''
    if ((isForced || spec.startsWith('+')) && target !== '' && !/^refs\/(?:remotes|pull|tags)\//.test(target))
      noteChange(context, 'git', 'rewrite-history', `git fetch ${spec}`)
  }
  return UNKNOWN_CONTENT
}

function readReset({ context, words }: GitCall): Content {
  const unknowns = words.some((word) => readWord(word) === null)
  if (has(words, '--hard', '--merge', '--keep'))
    noteChange(
      context,
      'git',
      'discard-work',
      `git reset ${words.map(showValue).join(' ')}`,
      has(words, '--keep') ? 'likely' : 'certain',
    )
  else if (unknowns) noteUnseen(context, 'value', words.map(showValue).join(' '))
  return EMPTY_CONTENT
}

function readCheckout({ context, words }: GitCall): Content {
  const texts = readCallWords(words)
  const parsed = parse(words, '-b -B --orphan --pathspec-from-file')
  const dashes = texts.indexOf('--')
  const paths =
    dashes === -1 ? parsed.operands.slice(parsed.has('-b', '-B', '--orphan') ? 2 : 0) : words.slice(dashes + 1)
  if (isOfLockFiles(paths)) return EMPTY_CONTENT
  for (const each of parsed.values('-b', '-B', '--orphan')) noteChange(context, 'git', 'branch', showValue(each))
  if (parsed.has('-f', '--force')) noteChange(context, 'git', 'discard-work', `git checkout ${texts.join(' ')}`)
  else if (parsed.values('-B').some((name) => SHARED.test(readWord(name) ?? '')))
    noteChange(context, 'git', 'rewrite-history', `git checkout ${texts.join(' ')}`, 'likely')
  else if (parsed.has('-B'))
    noteSmallChange(context, 'git', 'discard-work', `git checkout ${texts.join(' ')}`, 'possible')
  else if (dashes !== -1 && paths.length > 0)
    noteChange(context, 'git', 'discard-work', `git checkout ${texts.join(' ')}`)
  else if (
    parsed.has('--pathspec-from-file', '--ours', '--theirs') ||
    (!parsed.has('-b') && hasFileOperands(context, paths))
  )
    noteChange(context, 'git', 'discard-work', `git checkout ${texts.join(' ')}`)
  return EMPTY_CONTENT
}

/** True for operands of checkout that are files, by themselves or behind a commit. */
function hasFileOperands(context: Context, operands: readonly Value[]): boolean {
  const files = operands.length > 1 ? operands.slice(1) : operands
  return files.some((each) => {
    const text = readWord(each)
    if (text === null) return false
    if (text === '.' || /^(?:\.\/|:\/|\*)/.test(text)) return true
    const path = resolveOne(context, each)
    return path?.exists === true && (operands.length > 1 || text.includes('.') || text.includes('/'))
  })
}

function readSwitch({ context, words }: GitCall): Content {
  const parsed = parse(words, '-c -C --create --force-create --orphan')
  for (const each of parsed.values('-c', '-C', '--create', '--force-create', '--orphan'))
    noteChange(context, 'git', 'branch', showValue(each))
  if (parsed.has('-f', '--force', '--discard-changes')) noteChange(context, 'git', 'discard-work', 'git switch')
  else if (parsed.values('-C', '--force-create').some((name) => SHARED.test(readWord(name) ?? '')))
    noteChange(context, 'git', 'rewrite-history', `git switch ${words.map(showValue).join(' ')}`, 'likely')
  return EMPTY_CONTENT
}

/** True for files that a package manager writes anew. */
function isOfLockFiles(paths: readonly Value[]): boolean {
  const names = paths.map((path) => posix.basename(readWord(path) ?? ''))
  return names.length > 0 && names.every((name) => LOCK_FILES.test(name))
}

const LOCK_FILES =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb?|go\.sum|(?:yarn|Cargo|poetry|uv|pdm|Pipfile|composer|Gemfile|flake|mix|pubspec|Podfile)[.]lock)$/

function readRestore({ context, words }: GitCall): Content {
  const parsed = parse(words, '-s --source --pathspec-from-file')
  if (isOfLockFiles(parsed.operands)) return EMPTY_CONTENT
  const isStagedOnly = parsed.has('-S', '--staged') && !parsed.has('-W', '--worktree')
  if (!isStagedOnly && (parsed.operands.length > 0 || parsed.has('--pathspec-from-file', '-p')))
    noteChange(context, 'git', 'discard-work', `git restore ${words.map(showValue).join(' ')}`)
  return EMPTY_CONTENT
}

function readClean({ context, words, input }: GitCall): Content {
  const parsed = parse(words, '-e --exclude')
  if (parsed.has('-n', '--dry-run')) return UNKNOWN_CONTENT
  if (parsed.has('-i', '--interactive')) {
    // A pipe answers its questions.
    if (input !== EMPTY_CONTENT) noteChange(context, 'git', 'discard-work', 'git clean -i', 'likely')
    return UNKNOWN_CONTENT
  }
  if (!parsed.has('-f', '--force')) return UNKNOWN_CONTENT
  const onlyBuilt = parsed.has('-X') && !parsed.has('-x')
  const isNarrow =
    parsed.operands.length > 0 && parsed.operands.every((each) => resolveOne(context, each)?.place === 'built')
  noteSmallChange(
    context,
    'git',
    isNarrow ? 'clean-built' : 'discard-work',
    `git clean ${words.map(showValue).join(' ')}`,
    onlyBuilt ? 'likely' : 'certain',
  )
  return EMPTY_CONTENT
}

function readStash({ context, words }: GitCall): Content {
  const name = readCallWords(words)[0] ?? ''
  if (name === 'show') return readShow({ context, words: words.slice(1), input: EMPTY_CONTENT })
  // Files that are named go back to what is committed; those of an agent are its guards.
  const named = parse(words, '-m --message --pathspec-from-file').operands.slice(/^(?:push|save)$/.test(name) ? 1 : 0)
  const isTaking = name === 'push' || name.startsWith('-')
  for (const each of isTaking ? named : []) {
    const path = resolveOne(context, each)
    if (path?.place === 'agent') writePath(context, each, 'replace')
  }
  if (name === 'drop' || name === 'clear')
    noteChange(context, 'git', 'discard-work', `git stash ${words.map(showValue).join(' ')}`)
  return EMPTY_CONTENT
}

function readBranch({ context, words }: GitCall): Content {
  const parsed = parse(words, '-u --set-upstream-to --contains --merged --no-merged --sort --format --points-at')
  const isForced = parsed.has('-D') || (parsed.has('-d', '--delete') && parsed.has('-f', '--force'))
  const names = parsed.operands.map((each) => readWord(each))
  if (isForced) {
    const isCurrent = names.some(
      (name) =>
        name === null ||
        SHARED.test(name) ||
        name === readCurrentBranch(context) ||
        !/^(?:tmp|temp|wip|test|experiment|scratch)/.test(name),
    )
    noteSmallChange(
      context,
      'git',
      'delete-ref',
      names.map((name) => name ?? '?').join(' '),
      isCurrent ? 'certain' : 'likely',
    )
  } else if (parsed.has('-d', '--delete') && names.some((name) => name !== null && SHARED.test(name)))
    noteChange(context, 'git', 'delete-ref', names.join(' '), 'likely')
  else if (parsed.has('-f', '--force') && names.length > 0)
    noteChange(context, 'git', 'rewrite-history', `git branch -f ${names.join(' ')}`, 'likely')
  else if (parsed.has('-M') && names.some((name) => name !== null && SHARED.test(name)) && names.length > 1)
    noteChange(context, 'git', 'rewrite-history', `git branch -M ${names.join(' ')}`, 'likely')
  if (names.length > 0 && !parsed.has('-d', '-D')) noteChange(context, 'git', 'branch', names.join(' '))
  return { ...UNKNOWN_CONTENT, carries: carry('project') }
}

function readCurrentBranch({ reading }: Context): string {
  const head = reading.world.readFile(posix.join(reading.world.project, '.git/HEAD')) ?? ''
  return /ref: refs\/heads\/(.+)/.exec(head)?.[1]?.trim() ?? ''
}

function readTag({ context, words }: GitCall): Content {
  const parsed = parse(words, '-m -F -u --message --file --sort --format --contains --points-at -n')
  readMessages(context, parsed)
  if (parsed.has('-d', '--delete'))
    noteSmallChange(context, 'git', 'delete-ref', `tag ${parsed.operands.map(showValue).join(' ')}`, 'likely')
  else if (parsed.has('-f', '--force'))
    noteSmallChange(context, 'git', 'rewrite-history', `tag ${parsed.operands.map(showValue).join(' ')}`, 'likely')
  return UNKNOWN_CONTENT
}

function readPush({ context, words }: GitCall): Content {
  const parsed = parse(words, '-o --push-option --repo --receive-pack --exec')
  for (const each of parsed.values('--receive-pack', '--exec'))
    context.reading.runScript(enterStep(context), showValue(each))
  if (parsed.has('-n', '--dry-run')) return UNKNOWN_CONTENT
  const [remote, ...refs] = parsed.operands
  const targets = refs.map((each) => showValue(each))
  const names = targets.map((each) => (each.split(':').at(-1) ?? each).replace(/^\+/, ''))
  const isLease = [...parsed.options.keys()].some((option) => option.startsWith('--force-with-lease'))
  const isForced = parsed.has('-f', '--force') || targets.some((each) => each.startsWith('+'))
  const isShared = names.some(
    (name) => SHARED.test(name) || (name === 'HEAD' && SHARED.test(readCurrentBranch(context))),
  )
  const target = [remote ? showValue(remote) : '', ...names].join(' ').trim()
  if (parsed.has('--mirror', '--prune')) noteChange(context, 'git', 'rewrite-remote', `${target} (all refs)`)
  if (isForced) noteChange(context, 'git', 'rewrite-remote', target || readCurrentBranch(context))
  else if (isLease)
    noteChange(
      context,
      'git',
      'rewrite-remote',
      `${target || readCurrentBranch(context)} (with lease${isShared || (refs.length === 0 && SHARED.test(readCurrentBranch(context))) ? ', shared' : ''})`,
    )
  const isDeleting = parsed.has('-d', '--delete') || targets.some((each) => /^\+?:./.test(each))
  if (isDeleting) noteSmallChange(context, 'git', 'delete-ref', `remote ${target}`, isShared ? 'certain' : 'likely')
  readPushTarget(context, remote ?? null)
  return UNKNOWN_CONTENT
}

/** A push to an address, or to a remote that this very call adds, sends the project there. */
function readPushTarget(context: Context, remote: Value | null): void {
  // A push that names no remote goes to the usual one.
  const text = readWord(remote ?? toKnownWord('origin'))
  if (text === null) {
    if (remote) noteUnseen(context, 'value', showValue(remote))
    return
  }
  const added = context.reading.settings.get(`remote.${text}`)
  const address = added ?? (/^(?:https?|ssh|git|ftps?):\/\/|^[\w.-]+@[\w.-]+:/.test(text) ? text : null)
  // Services that build and run what is pushed to them.
  if (/^(?:heroku|dokku|piku|gigalixir|production|prod|live|deploy)$/.test(text))
    noteChange(context, 'cloud', 'change', `git push ${text}`)
  if (address === null) return
  const host = /^[\w.-]+@([\w.-]+):/.exec(address)?.[1]
  sendTo(context, host ? toKnownWord(host) : toKnownWord(address), { carries: carry('project') })
}

function readCommit({ context, words }: GitCall): Content {
  const parsed = parse(
    words,
    '-m -F -C -c -t --message --file --author --date --fixup --squash --trailer --template --reuse-message',
  )
  if (parsed.has('--dry-run')) return UNKNOWN_CONTENT
  readMessages(context, parsed)
  noteChange(context, 'git', 'commit', 'git commit')
  return UNKNOWN_CONTENT
}

/** Reads the files that a message is taken from. */
function readMessages(context: Context, parsed: Arguments): void {
  for (const each of parsed.values('-F', '--file')) if (readWord(each) !== '-') readPath(context, each)
}

/** Secrets of a project that git leaves out as long as nothing forces it. */
const LEFT_OUT = ['.env', '.env.local', '.env.production', '.env.development', '.npmrc', '.dev.vars']

function readAdd({ context, words }: GitCall): Content {
  const parsed = parse(words, '--chmod --pathspec-from-file')
  if (parsed.has('-n', '--dry-run')) return UNKNOWN_CONTENT
  const isAll =
    parsed.has('-A', '--all') || parsed.operands.some((each) => /^(?:\.|\*|:\/)$/.test(readWord(each) ?? ''))
  const forced = isAll && parsed.has('-f', '--force') ? LEFT_OUT.map((name) => toKnownWord(name)) : []
  for (const each of [...parsed.operands, ...forced.filter((name) => resolveOne(context, name)?.exists)]) {
    const path = resolveOne(context, each)
    if (path?.place === 'secret') {
      noteChange(context, 'git', 'stage-secret', path.text)
      noteFlows(context, ['secret'], 'write', 'the git repository')
    }
  }
  return EMPTY_CONTENT
}

function readRemove({ context, words }: GitCall): Content {
  const parsed = parse(words, '--pathspec-from-file')
  if (parsed.has('-n', '--dry-run')) return EMPTY_CONTENT
  if (parsed.has('--cached')) {
    // Settings of agents that are taken out of the repository are gone for everyone else.
    for (const each of parsed.operands)
      if (resolveOne(context, each)?.place === 'agent') deletePath(context, each, 'move-away')
    return EMPTY_CONTENT
  }
  // Named files need no force where they are as they were committed, and habit gives it: a folder is lost as a whole.
  const isNamed = !parsed.has('-r') && parsed.operands.every(({ pieces }) => pieces.every(({ is }) => is === 'text'))
  if (parsed.has('-f', '--force'))
    noteSmallChange(
      context,
      'git',
      'discard-work',
      `git rm ${words.map(showValue).join(' ')}`,
      isNamed ? 'likely' : 'certain',
    )
  for (const each of parsed.operands) deletePath(context, each, parsed.has('-r') ? 'tree' : 'file')
  return EMPTY_CONTENT
}

function readReflog({ context, words }: GitCall): Content {
  const name = readCallWords(words)[0]
  if (name === 'expire' || name === 'delete') {
    if (!has(words, '-n', '--dry-run'))
      noteChange(context, 'git', 'destroy-recovery', `git reflog ${words.map(showValue).join(' ')}`)
  }
  return UNKNOWN_CONTENT
}

function readPrune({ context, words }: GitCall): Content {
  const texts = readCallWords(words)
  if (texts.some((text) => /^--prune=(?:now|all)|^--expire=(?:now|all)|^--expire$/.test(text)))
    noteChange(context, 'git', 'destroy-recovery', `git gc ${texts.join(' ')}`)
  return EMPTY_CONTENT
}

function readFilter({ context, words }: GitCall): Content {
  if (has(words, '--dry-run', '--analyze')) return UNKNOWN_CONTENT
  noteChange(context, 'git', 'rewrite-history', 'git filter')
  const parsed = parse(
    words,
    '--index-filter --tree-filter --msg-filter --env-filter --commit-filter --parent-filter --tag-name-filter --setup -d',
  )
  for (const each of parsed.values(
    '--index-filter',
    '--tree-filter',
    '--msg-filter',
    '--env-filter',
    '--setup',
    '--commit-filter',
  )) {
    const text = readWord(each)
    if (text !== null && !/^git rm\b/.test(text)) context.reading.runScript(enterStep(context), text)
  }
  return UNKNOWN_CONTENT
}

function readRebase({ context, words }: GitCall): Content {
  const parsed = parse(words, '-x --exec --onto -s -X --strategy --strategy-option -C')
  for (const each of parsed.values('-x', '--exec')) {
    const text = readWord(each)
    if (text === null) noteUnseen(context, 'value', showValue(each), 'run')
    else context.reading.runScript(enterStep(context), text)
  }
  return UNKNOWN_CONTENT
}

function readWorktree({ context, words }: GitCall): Content {
  const parsed = parse(words.slice(1), '-b -B --reason --expire')
  const name = readCallWords(words)[0]
  if (name === 'add' && parsed.operands[0]) {
    const path = resolveOne(context, parsed.operands[0])
    if (path) context.reading.folders.add(path.text)
    noteChange(context, 'git', 'branch', 'git worktree add')
  }
  if (name === 'remove' && parsed.has('-f', '--force'))
    noteChange(context, 'git', 'discard-work', `git worktree remove ${parsed.operands.map(showValue).join(' ')}`)
  return EMPTY_CONTENT
}

function readSubmodule({ context, words }: GitCall): Content {
  const texts = readCallWords(words)
  const at = texts.indexOf('foreach')
  if (at !== -1) {
    const own = parseArguments(words.slice(at + 1), toSet(''), { stopAtOperand: true })
    // Several words are a program and its arguments, one is a script.
    if (own.operands.length > 1) return context.reading.runWords(enterStep(context), own.operands, EMPTY_CONTENT)
    const [script = toKnownWord('')] = own.operands
    const text = readWord(script)
    if (text === null) noteUnseen(context, 'value', showValue(script), 'run')
    else context.reading.runScript(enterStep(context), text)
  }
  if (texts.includes('deinit') && texts.some((text) => /^(?:-f|--force)$/.test(text)))
    noteChange(context, 'git', 'discard-work', 'git submodule deinit --force')
  if (texts.includes('update') && texts.some((text) => /^(?:-f|--force)$/.test(text)))
    noteChange(context, 'git', 'discard-work', 'git submodule update --force', 'likely')
  return UNKNOWN_CONTENT
}

function readUpdateRef({ context, words }: GitCall): Content {
  const parsed = parse(words, '-m')
  noteChange(
    context,
    'git',
    parsed.has('-d', '--delete') || parsed.has('--stdin') ? 'delete-ref' : 'rewrite-history',
    `git update-ref ${parsed.operands.map(showValue).join(' ')}`,
  )
  return EMPTY_CONTENT
}

function readRemote({ context, words }: GitCall): Content {
  const [name, remote, address] = parse(words, '-t -m').operands
  const verb = readWord(name ?? toKnownWord(''))
  if ((verb === 'add' || verb === 'set-url') && remote && address) {
    const text = readWord(address)
    context.reading.settings.set(`remote.${showValue(remote)}`, text ?? showValue(address))
    if (address.carries.size > 0) sendTo(context, address, { carries: address.carries })
  }
  return UNKNOWN_CONTENT
}

/** Hosts of repositories that people work with every day. */
const HUBS =
  /^(?:(?:https?|ssh|git):\/\/)?(?:[\w.-]+@)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|git\.sr\.ht)[/:]/

function readClone({ context, words }: GitCall): Content {
  const parsed = parse(
    words,
    '-b -o -u -c -j --branch --origin --upload-pack --depth --template --reference --config --filter --separate-git-dir',
  )
  for (const each of parsed.values('-c', '--config')) readInlineSetting(context, showValue(each))
  for (const each of parsed.values('-u', '--upload-pack'))
    context.reading.runScript(enterStep(context), showValue(each))
  const template = parsed.value('--template')
  if (template && readWord(template) !== '')
    noteChange(context, 'machine', 'startup', `git clone --template ${showValue(template)}`)
  const [address, folder] = parsed.operands
  if (!address) return UNKNOWN_CONTENT
  const text = showValue(address)
  const remote = /^[\w.-]+@([\w.-]+):/.exec(text)?.[1]
  if (/^ext::/.test(text)) {
    const command = text.slice(5).match(/(?:%.|\S)+/g) ?? []
    context.reading.runWords(
      enterStep(context),
      command.map((word) => toKnownWord(word.replaceAll(/%(.)/g, '$1'))),
      EMPTY_CONTENT,
    )
  }
  const isRemote = /:\/\//.test(text) || remote !== undefined
  const content = isRemote
    ? fetchFrom(context, remote ? toKnownWord(remote) : address)
    : readPath(context, address, 'tree')
  const target = folder ?? toKnownWord(posix.basename(text).replace(/\.git$/, ''))
  writePath(context, target, 'create', content)
  const path = resolveOne(context, target)
  if (path) {
    context.reading.folders.add(path.text)
    context.reading.files.delete(path.text)
    if (isRemote && !HUBS.test(text)) context.reading.settings.set(`fetched ${path.text}`, text)
  }
  return UNKNOWN_CONTENT
}

function readBisect({ context, words }: GitCall): Content {
  const texts = readCallWords(words)
  const at = texts.indexOf('run')
  return at === -1 ? UNKNOWN_CONTENT : context.reading.runWords(enterStep(context), words.slice(at + 1), EMPTY_CONTENT)
}

/** Reads `show`, `log` and `diff`: a secret that was committed is as secret as the file. */
function readShow({ context, words }: GitCall): Content {
  const texts = readCallWords(words)
  const dashes = texts.indexOf('--')
  const paths = dashes === -1 ? words.filter((word) => /^[^-]/.test(readKnownStart(word))) : words.slice(dashes + 1)
  const isContent =
    has(words, '-p', '--patch', '-u') || texts.every((text) => !/^--(?:stat|name-only|oneline|name-status)/.test(text))
  const named = texts.flatMap((text) =>
    /^(?!-)[^:]*:(?:[0-3]:)?[^:/(]/.test(text) ? [text.slice(text.lastIndexOf(':') + 1)] : [],
  )
  for (const each of [...paths, ...named.map((name) => toKnownWord(name))]) {
    const path = resolveOne(context, each)
    if (path?.place === 'secret' && isContent) readPath(context, each)
  }
  for (const text of texts) if (text.startsWith('--output=')) writePath(context, toKnownWord(text.slice(9)), 'replace')
  if (has(words, '--no-index')) for (const each of parse(words, '').operands) readPath(context, each)
  return { ...UNKNOWN_CONTENT, carries: carry('project') }
}

function readLsFiles({ context, words }: GitCall): Content {
  const parsed = parse(words, '-x -X --exclude --exclude-from')
  const { project } = context.reading.world
  // Files that are gone already.
  if (parsed.has('-d', '--deleted')) return { ...UNKNOWN_CONTENT, lists: [toUnknownWord('deleted', { empty: false })] }
  const only = parsed.operands.map((each) => readKnownStart(each))
  return {
    ...UNKNOWN_CONTENT,
    lists:
      only.length > 0
        ? only.map((each) =>
            toPatternWord(/[*?]/.test(each) ? posix.join(project, '**', each) : posix.join(project, each, '**')),
          )
        : [toPatternWord(posix.join(project, '**'))],
  }
}

function readRevParse({ context, words }: GitCall): Content {
  const { project } = context.reading.world
  if (has(words, '--show-toplevel')) return { ...EMPTY_CONTENT, text: `${project}\n` }
  if (has(words, '--git-dir', '--absolute-git-dir'))
    return { ...EMPTY_CONTENT, text: `${posix.join(project, '.git')}\n` }
  if (has(words, '--abbrev-ref')) return { ...EMPTY_CONTENT, text: `${readCurrentBranch(context) || 'HEAD'}\n` }
  return UNKNOWN_CONTENT
}
