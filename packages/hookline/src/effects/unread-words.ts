import { posix } from 'node:path'
import { READS_FILES, TAKES_WORDS, TEXT_LETTERS, TEXT_OPTIONS } from '../programs/command-table.ts'
import type { Program } from '../programs/program.ts'
import { isSystemRow } from '../programs/table.ts'
import { findOwn } from '../text/table.ts'
import { noteHarm, readAside } from './aside.ts'
import { noteBroughtFiles } from './brought-files.ts'
import { runByShape } from './code-shape.ts'
import {
  type Context,
  deletePath,
  lowerCertainty,
  note,
  noteChange,
  noteFlows,
  readHost,
  readPath,
  resolveOne,
  takeFirst,
  writePath,
} from './context.ts'
import { isCommandLine, MAX_HANDED_WORDS, runHandedScript } from './handed-commands.ts'
import { isLookedFor, isTold, noteNamedPlaces } from './named-places.ts'
import { isCache, isHarmlessDevice } from './places.ts'
import { toSet } from './program.ts'
import { readCallWords } from './readers/call.ts'
import { noteSql } from './readers/databases.ts'
import { runContent } from './run-file.ts'
import { dropStart, readWord, toKnownWord, type Value } from './value.ts'
import { noteSource } from './variables.ts'
import { isDestroying, isDryWords, isOpening, isScalingDown, isWithdrawing } from './verbs.ts'
import type { Path } from './view.ts'

/** Readers that take all words of their programs apart by themselves. */
const READS_ALL: ReadonlySet<string> = new Set([
  'git',
  'docker',
  'gh',
  'grep',
  'find',
  'list',
  'tar',
  'hookline',
  'power',
  'rsync',
])

/** Programs that keep machines of their own on this one: what they stop, they start again. */
const IS_LOCAL =
  /^(?:vagrant|limac?t?l?|colima|multipass|hdiutil|minikube|kind|k3d|tilt|skaffold|VBoxManage|prlctl|vmrun)$/

/** Readers of programs for services, which know some words of many. */
const READS_SERVICES: ReadonlySet<string> = new Set(['aws', 'keeper', 'database-shell', 'tunnel'])

/** Programs for which a path is a text like any other: they show nothing of what it names. */
const TAKES_TEXT: ReadonlySet<string> = toSet(
  'test [ [[ echo printf basename dirname which type whereis expr seq export unset alias declare local set read logger notify-send git-check-ignore',
)

/** Options whose value is a key, a certificate or variables for the program itself. */
export const OWN_FILE =
  /^--?(?:[\w-]*(?:env|key|cert\w*|ca|cacert|identity|kubeconfig|netrc|password|passphrase|credentials?|account|auth|token|config|tls|ssl|keyfile|secret)(?:-?file)?|[\w-]*(?:env|key|netrc|password|token|credentials?)-?file|[\w-]*(?:exclude|ignore|skip|not|omit)[\w-]*)$/i

/** Letters for the same, of programs that go to other machines. */
const OWN_LETTER = /^-[iceEnFK]$/

/** Programs that go to other machines with a key of their own. */
const TAKES_KEYS: ReadonlySet<string> = toSet(
  'ssh scp sftp rsync mosh autossh sshfs ssh-add ssh-copy-id ansible ansible-playbook docker podman kubectl helm curl wget aws gcloud az openssl gpg node deno bun terraform vault psql mysql git npx bunx npm pnpm yarn dotenv dotenv-cli env-cmd',
)

/** Words by which programs remove what they are given. */
const REMOVING =
  /^-{0,2}(?:[a-z]+[-_])?(?:delete\w*|remove\w*|rm|rmdir|rmtree|purge\w*|wipe\w*|erase\w*|shred\w*|destroy\w*|overwrite|truncate|trash|flush|discard|nuke|obliterate|unlink|evict|clobber|uninstall)(?:[-_](?:all|files?|source|original|after|empty|duplicates|dirs?|folders?))?$/i

/** Words by which programs change what they are given. */
const SETTING =
  /^-{0,2}(?:set|put|add|del|delete|remove|rm|edit|update|patch|merge|replace|write|append|insert|in-?place|fix|apply|import|install|enable|disable|toggle|register|sync|restore|cp|copy|download|mv|move|rename|checkout|stash|i|w|o)$/i

/** Options whose value is a file that is written. */
const OUTPUT =
  /^(?:-o[A-Z]?|-L|-W|-l|--?(?:out\w*|output[\w-]*|log-?(?:file|out)?|logfile|dump[\w-]*|save[\w-]*|write[\w-]*|dest\w*|target|trace[\w-]*|export[\w-]*|report[\w-]*))$/i

/** Programs that look at disks and change none. */
const LOOKS_AT_DISKS =
  /^(?:lsblk|blkid|smartctl|hdparm|fdisk|sfdisk|sgdisk|gdisk|parted|udevadm|df|findmnt|mount|umount|eject|cryptsetup|dumpe2fs|tune2fs|xfs_info|nvme|iostat|iotop|stty|screen|minicom|picocom|cu|tio|alsamixer|ffmpeg|ffplay|v4l2-ctl|docker|podman|qemu-system-x86_64|test|\[|esptool|esptool\.py|avrdude|openocd|adb|fastboot)$/

/** Options by which programs take packages that nobody signed. */
const UNVERIFIED =
  /^--(?:dangerous|allow-unauthenticated|allow-untrusted|no-?gpg-?checks?|nosignature|force-yes|no-check-signatures?|allow-unsigned|skip-signature\S*)$/

/** Expressions of Nix from an address, and archives of them. */
const NIX_FETCHES =
  /\bfetch(?:Tarball|Git|url|zip|Tree)\b[\s\S]{0,80}https?:|^https?:\/\/(?!(?:github\.com\/NixOS|nixos\.org|channels\.nixos\.org)\/)\S+\.(?:tar\S*|zip|tgz|nix)$/

/** Notes expressions of Nix that come from an address. */
export function noteNixSources(context: Context, name: string, texts: readonly string[]): void {
  if (name.startsWith('nix') && texts.some((text) => NIX_FETCHES.test(text)))
    noteFlows(context, ['fetch'], 'run', [name, ...texts].join(' '))
}

/** Options by which programs show secrets that they would hide. */
const REVEALING =
  /^--?(?:show-secrets?|reveal|show-values?|with-decryption|decrypt(?:ed)?|unmask(?:ed)?|show-sensitive|D?show-?passwords?)$/i

/** Words by which programs show what is kept secret: `secrets get`, `functions:config:get`. */
const SHOWING_SECRETS =
  /\b(?:secrets?|tokens?|credentials?|passwords?|passphrases?|api-?keys?)(?:[: ]+[\w-]+)?[: ](?:get|show|read|reveal|export|print|dump|access|view|pull|download|decrypt)\b|\bauth[: ](?:print-)?(?:access-)?token\b|\benv[: ]list\b.* --(?:plain|json|show-values?)\b|\b(?:config|env|vars?):(?:pull|show|export|get(?!\s+\w*(?:ENV|PORT|HOST|NAME|LEVEL|REGION|VERSION|DEBUG)\b))/i

/** Names of secrets behind a word that shows what is named. */
const SHOWN_SECRET =
  /\b(?:get|read|output|print|reveal|access)[: ](?:\S+ ){0,2}[\w.:/-]*(?:secret|token|passw(?:or)?d|api_?-?key|private_?-?key|credential)/i

/** Words by which programs bring files to others. */
const UPLOADING =
  /^(?:upload(?:[-_]\w+)*|(?:\w+[-_:])?put(?:[-_]\w+)*|send(?:[-_]\w+)*|share|attach|push-files|import-files|bulk-upload|(?:snippets?|gist|paste):?(?:create)?|update-function-code)$/i

/** Words by which programs copy files either way: the last word says where to. */
const COPYING = /^(?:cp|copy|copyto|sync|mirror|mv|move|rsync)$/i

/** A place of another machine among the words: a bucket, an address. */
const ELSEWHERE = /^[a-z][\w+-]*:\/\/(?!localhost|127\.|\/)/i

/** Options whose value is code of the language of a program. */
const CODE_OPTION = /^-{0,2}(?:e|x|ex|g|eval\w*|exec\w*|expr\w*|code|script|cmd|command|batch|do)$/

/**
 * Notes harm in those words of a known program of which its row and its reader have said nothing, all of it as likely:
 * an option in no row, a subcommand that nobody wrote down, a path that no effect names.
 * `since`: number of effects of the call before the program was read.
 */
export function noteUnreadWords(
  context: Context,
  row: Program,
  name: string,
  args: readonly Value[],
  since: number,
): void {
  if (TAKES_TEXT.has(name)) return
  const words = takeFirst(context, args, MAX_HANDED_WORDS, name)
  const texts = readCallWords(words)
  const isOutward = isSystemRow(row)
  // Behind `-n` services have a name.
  const isDry = isDryWords(
    isOutward && !/(?:^|\s)-n(?:\s|$)/.test(row.dry ?? '') ? texts.filter((text) => text !== '-n') : texts,
  )
  const options = texts.filter((text) => text.startsWith('--') || (text.startsWith('-') && text.length > 6))
  if (options.some((text) => REVEALING.test(text.split('=', 1)[0] ?? '')))
    noteChange(context, 'cloud', 'secret', [name, ...texts].join(' '), 'likely')
  noteSources(context, texts)
  noteInstalled(context, name, texts, true)
  if (texts.includes('--grant-all-permissions'))
    noteChange(context, 'machine', 'privilege', [name, ...texts].join(' '), 'likely')
  noteNixSources(context, name, texts)
  const first = texts.slice(0, 6).join(' ')
  if (
    (isOutward || row.reader === 'gh') &&
    (SHOWING_SECRETS.test(first) || (row.reader !== 'kubectl' && SHOWN_SECRET.test(first)))
  )
    noteChange(context, 'cloud', 'secret', [name, ...texts].join(' '), 'likely')
  if (isOutward || row.reader === 'gh') noteUpload(context, name, words)
  if ((isOutward || KEEPS_ELSEWHERE.test(name)) && !isDry) noteBroughtFiles(context, words, since)
  if (isOutward && !isDry) noteReach(context, name, texts, since)
  if (isOutward && !isDry && row.reader !== 'sql' && row.reader !== 'database-shell')
    noteStatements(context, name, texts, since)
  if (options.some((text) => UNVERIFIED.test(text)) && name !== 'gcloud')
    noteFlows(
      lowerCertainty(context, 'likely'),
      ['fetch'],
      'run',
      `${name} ${texts[0] ?? ''} without a check of who made it`,
    )
  const readsAll = row.reader !== undefined && (READS_ALL.has(row.reader) || row.reader === 'git')
  if (!readsAll || row.reader === 'git') noteUnreadPaths(context, name, words, since)
  if (
    isOutward &&
    row.verbs &&
    !IS_LOCAL.test(name) &&
    isUnsaid(context, row, texts, since) &&
    isWithdrawing(texts) &&
    !isDry
  )
    noteChange(context, 'cloud', 'delete', [name, ...texts].join(' '), 'likely')
  // The program that a launcher starts has its words read on its own.
  if (readsAll || row.reader === 'npx' || TAKES_WORDS.has(name)) return
  if (isUnsaid(context, row, texts, since) && isDestroying(texts) && !isDry)
    noteChange(context, 'cloud', 'delete', [name, ...texts].join(' '), 'likely')
  if (!READS_FILES.has(name)) for (const word of words) runMadeFile(context, name, word)
  const isToldAlready = context.reading.effects.slice(since).some(({ does }) => does === 'delete' || does === 'change')
  if (isToldAlready) return
  const letters = (findOwn(TEXT_LETTERS, name) ?? '-m').split(' ')
  for (const [at, text] of texts.entries()) {
    if (!/[\s{(]/.test(text)) continue
    const before = texts[at - 1] ?? ''
    const isProse =
      TEXT_OPTIONS.test(before) || letters.includes(before) || TEXT_OPTIONS.test(text.split('=', 1)[0] ?? '')
    if (isProse) continue
    if (!/^[-+]?\S*=?\s*https?:/.test(text)) noteNamedPlaces(context, text, since)
    if (!/\s/.test(text)) continue
    const line = text.replace(/^-{0,2}[\w:.-]+=+/, '').replace(/^%[({](.*)[)}]$/s, '$1')
    if (isCommandLine(line))
      noteHarm(
        context,
        readAside(context, (inner) => runHandedScript(inner, line)),
      )
    else if (row.reader === undefined && CODE_OPTION.test(before))
      noteHarm(
        context,
        readAside(context, (inner) => runByShape(inner, name, text)),
      )
  }
}

/** Programs whose services run on this machine, where one that is scaled down is started again. */
const SCALES_HERE = /^(?:docker|podman|nerdctl|docker-compose|podman-compose|gh|glab|curl|wget)$/

/** Notes that a service is scaled down to nothing, or opened to everybody. */
function noteReach(context: Context, name: string, texts: readonly string[], since: number): void {
  const isTold = context.reading.effects
    .slice(since)
    .some((effect) => effect.does === 'change' && effect.certainty === 'certain' && effect.judgedAs === undefined)
  if (isTold || IS_LOCAL.test(name) || SCALES_HERE.test(name)) return
  const target = [name, ...texts].join(' ')
  if (isScalingDown(texts)) noteChange(context, 'cloud', 'delete', target)
  else if (isOpening(texts)) noteChange(context, 'cloud', 'change', target)
}

/** Programs beside those for services that bring what a server of theirs keeps. */
const KEEPS_ELSEWHERE = /^(?:gh|glab|svn|hg|fossil|bzr)$/

/** Options whose value is a statement for a database. */
const STATEMENT_OPTION = /^--?(?:q|e|c|sql|query(?:-?string)?|statement|execute|command|cmd|sql-?text)$/i

/** Subcommands behind which a statement stands. */
const STATEMENT_VERB = /^(?:query|sql|execute-sql|execute|shell|exec)$/

/** Notes statements of SQL among the words of a program for services. */
function noteStatements(context: Context, name: string, texts: readonly string[], since: number): void {
  const isTold = context.reading.effects
    .slice(since)
    .some((effect) => effect.does === 'change' && effect.system === 'database')
  if (isTold) return
  for (const [at, text] of texts.entries()) {
    const [, option = '', attached] = /^(--?[\w-]+)=(.*)$/s.exec(text) ?? []
    const isStated = attached !== undefined ? STATEMENT_OPTION.test(option) : STATEMENT_OPTION.test(texts[at - 1] ?? '')
    const isBehind = texts.slice(0, Math.min(at, 4)).some((word) => STATEMENT_VERB.test(word))
    const statement = attached ?? text
    if ((isStated || isBehind) && /^\s*(?:drop|truncate|delete|update|alter|grant|with|begin)\s/i.test(statement))
      noteSql(context, statement, name)
  }
}

/**
 * Notes files that are brought to others: the project as a whole, and any file of another place that stands beside a word that
 * sends, or before the place of another machine where it is copied to.
 */
export function noteUpload(context: Context, name: string, words: readonly Value[]): void {
  const texts = readCallWords(words)
  const isUploading = texts.slice(0, 5).some((text) => UPLOADING.test(text))
  const isCopying = texts.slice(0, 4).some((text) => COPYING.test(text)) && ELSEWHERE.test(findGoal(texts))
  const isNoted = context.reading.flows.some(({ to }) => to === 'send')
  // `-n` is a name for many services.
  if (isNoted || !(isUploading || isCopying) || isDryWords(texts.filter((text) => text !== '-n'))) return
  const goal = isCopying ? readHost(findGoal(texts)) : null
  if (goal !== null) note(context, { does: 'send', host: goal })
  const likely = lowerCertainty(context, 'likely')
  for (const [at, word] of words.entries()) {
    const value = takePath(word, texts[at - 1] ?? '')
    const path = value ? resolveOne(context, value) : null
    if (!value || !path || ELSEWHERE.test(texts[at] ?? '')) continue
    if (path.text === context.reading.world.project) noteFlows(likely, ['project'], 'send', name)
    else if (/^(?:home|neighbour|system|secret)$/.test(path.place))
      noteFlows(likely, readPath(goal === null ? likely : context, value, 'tree').carries, 'send', name)
  }
}

/** The last word that is no option: the place that programs copy to. */
function findGoal(texts: readonly string[]): string {
  return texts.findLast((text) => !text.startsWith('-')) ?? ''
}

/** Options whose value is where packages come from. */
const SOURCE_OPTION =
  /^--?(?:(?:extra-|default-)?index(?:-url)?|registry|source|find-links|mirror|channel-url|add-source|feed|repository-url|manifest-url|fetch-keys|import|from-module|hosted-url|D?remoteRepositories|Source)$/

/** Settings whose value is where packages come from. */
const SOURCE_SETTING =
  /(?:^|[-_.:])(?:registry|npmregistryserver|index-url|index|mirror|source|sources|repositories|goproxy|channel)(?:$|[.:=])/i

/** Notes places that packages are to come from, in the options of a program or among the words with which it is set. */
export function noteSources(context: Context, given: readonly string[]): void {
  if (!given.some((text) => text.includes('://'))) return
  const texts = given.flatMap((text) => (/^--?[\w-]+[ =]\S+$/.test(text) ? text.split(' ') : [text]))
  const sets = texts
    .slice(0, 3)
    .some((text) => /^(?:config|set|source|sources|add|registry|mirror|feed|repo|tap)$/.test(text))
  for (const [at, text] of texts.entries()) {
    const [option = '', value] = text.split(/=(.*)/s)
    const address = value ?? texts[at + 1] ?? ''
    if (!/^https?:\/\//.test(address)) continue
    if (SOURCE_OPTION.test(option) || (sets && (SOURCE_SETTING.test(option) || texts[0] === 'tap')))
      noteSource(context, option, address)
  }
}

/** Notes a plugin, or anything for a program that is not known, that is installed from an address. */
export function noteInstalled(context: Context, name: string, texts: readonly string[], isKnown: boolean): void {
  const first = texts.slice(0, 4)
  const isPlugin = first.some((text) => /^(?:plugins?|extensions?|addons?)$/.test(text))
  if (!(isKnown ? isPlugin : true) || !first.some((text) => text === 'install' || (isPlugin && text === 'add'))) return
  const address = texts.find((text) => /^https?:\/\//.test(text))
  if (address) noteSource(lowerCertainty(context, 'likely'), name, address)
}

/** Notes paths that no effect names: secrets may be read, devices and settings changed, other places removed beside a word that removes. */
function noteUnreadPaths(context: Context, name: string, words: readonly Value[], since: number): void {
  const likely = lowerCertainty(context, 'likely')
  const texts = readCallWords(words)
  const isRemoving = () => !isDryWords(texts) && texts.some((text) => REMOVING.test(text.split('=', 1)[0] ?? ''))
  const isSetting = () =>
    name === 'git'
      ? /^(?:mv|rm|checkout|restore|stash|update-index|apply)$/.test(texts[0] ?? '')
      : texts.some((text) => SETTING.test(text.split('=', 1)[0] ?? ''))
  for (const [at, word] of words.entries()) {
    const before = texts[at - 1] ?? ''
    const value = TAKES_KEYS.has(name) && OWN_LETTER.test(before) ? null : takePath(word, before)
    const path = value ? resolveOne(context, value) : null
    if (!value || !path || !isLookedFor(context, path) || isTold(context, path, since)) continue
    if (name === 'git' && path.place !== 'agent' && !isShownByGit(path, texts)) continue
    if (path.place === 'secret') readPath(likely, value)
    else if (path.place === 'device') {
      if (!isHarmlessDevice(path.text) && !LOOKS_AT_DISKS.test(name)) writePath(likely, value, 'replace')
    } else if (/^(?:agent|startup)$/.test(path.place)) {
      const option = texts[at]?.startsWith('-') ? (texts[at]?.split('=', 1)[0] ?? '') : before
      if (isSetting() || OUTPUT.test(option)) writePath(likely, value, 'edit')
    } else if (
      /^(?:home|neighbour|system)$/.test(path.place) &&
      !isCache(context.reading.world, path.text) &&
      isRemoving()
    )
      deletePath(likely, value, 'tree')
  }
}

/** True for a secret outside of the repository that git shows: `diff --no-index`, `hash-object`, `blame`. */
function isShownByGit({ place, text }: Path, [command = '']: readonly string[]): boolean {
  return place === 'secret' && /^(?:diff|hash-object|blame|cat-file|apply|am)$/.test(command) && text.startsWith('/')
}

/** The path in a word: an operand, or the value of an option that is no file of the program's own. */
function takePath(word: Value, before: string): Value | null {
  const text = readWord(word)
  if (text === null || text === '' || /\s/.test(text)) return null
  if (!text.startsWith('-'))
    return !/[./~]/.test(text) || (before.startsWith('-') && OWN_FILE.test(before))
      ? null
      : toKnownWord(text.replace(/^(?:@|fileb?:\/\/)/, ''))
  const equals = text.indexOf('=')
  return equals === -1 || OWN_FILE.test(text.slice(0, equals)) ? null : dropStart(word, equals + 1)
}

/** True where a row that tells its changes by words has no word for these. */
function isUnsaid(
  { reading }: Context,
  { verbs, under, reader }: Program,
  texts: readonly string[],
  since: number,
): boolean {
  if (reader !== undefined ? !READS_SERVICES.has(reader) : !verbs && !under) return false
  const line = texts.join(' ')
  if (verbs?.some(([shape]) => shape.test(line))) return false
  const verb = texts.find((text) => !text.startsWith('-')) ?? ''
  if (Object.keys(under ?? {}).some((names) => names.split(' ').includes(verb))) return false
  return !reading.effects.slice(since).some(({ does }) => does === 'change')
}

/** Reads a file that the call itself wrote, and that a program is given which may run it. */
export function runMadeFile(context: Context, name: string, word: Value): void {
  const value = dropOption(word)
  const path = value ? resolveOne(context, value) : null
  const made = path ? context.reading.files.get(path.text) : undefined
  if (!path || !made?.text) return
  const { text } = made
  const found = readAside(context, (inner) => {
    if (text.startsWith('#!')) runContent(inner, made, guessByFirstLine(text), { name: posix.basename(path.text) })
    else runByShape(inner, name, text)
  })
  noteHarm(context, found)
}

function guessByFirstLine(text: string): string {
  return /^#!.*\b(python|node|ruby|perl|php|lua)/.exec(text)?.[1] ?? 'shell'
}

/** The value of an option, or the word itself. */
function dropOption(word: Value): Value | null {
  const text = readWord(word)
  if (text === null || text === '') return null
  return /^--?[\w-]+=./.test(text) ? dropStart(word, text.indexOf('=') + 1) : word
}
