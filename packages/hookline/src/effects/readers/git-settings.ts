import { posix } from 'node:path'
import { type Context, enterStep, noteChange, writePath } from '../context.ts'
import { parseArguments, toSet } from '../program.ts'
import { type Content, EMPTY_CONTENT, readWord, showValue, toKnownWord, UNKNOWN_CONTENT } from '../value.ts'
import type { Call } from './call.ts'

/** Settings of git that name a program. */
const RUNS_PROGRAM =
  /^(?:alias\.|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.(?:external|.*\.(?:command|textconv))|filter\.|merge\..*\.driver|.*tool\..*(?:cmd|path)|credential\.|gpg\.(?:program|.*\.program)|uploadpack\.|receive\.procreceiverefs|remote\..*\.(?:uploadpack|receivepack|vcs)|pager\.|sendemail\.|interactive\.difffilter|init\.templatedir|include(?:if)?\.|protocol\.|url\.|http\..*proxy|http\.proxy|http\.sslverify|browser\.|man\.|trailer\.|tar\.|submodule\..*\.update)/i

/** Settings of git that speak of what people see alone. */
const HARMLESS_SETTING = /^(?:alias\.\S+$|core\.pager$|core\.editor$|pager\.|credential\.helper$)/i
const HARMLESS_VALUE =
  /^(?:(?:vim?|nvim|nano|emacs|code(?: --wait)?|less(?: -\w+)*|cat|delta|more|true|false|osxkeychain|cache(?: --timeout=\d+)?|manager(?:-core)?|libsecret|bat|subl -w|0|1|)$)/i

/** Settings of git that say when it forgets what nothing leads to. */
const FORGETS = /^gc\.(?:prune|reflog|worktreePrune)Expire(?:Unreachable)?$|^gc\.[^=]+\.reflogExpire/i
const AT_ONCE = /^(?:now|all|0|today|\d+[. ](?:seconds?|minutes?|hours?)(?:[. ]ago)?)$/i

/** Variables that make git run a program. */
export function readGitVariables(context: Context): void {
  for (const name of [
    'GIT_SSH_COMMAND',
    'GIT_EDITOR',
    'GIT_SEQUENCE_EDITOR',
    'GIT_PAGER',
    'GIT_EXTERNAL_DIFF',
    'GIT_ASKPASS',
    'GIT_PROXY_COMMAND',
    'EDITOR',
    'VISUAL',
    'PAGER',
  ]) {
    const value = context.shell.variables.get(name)
    const text = value ? readWord(value) : null
    if (text && !/^(?:ssh(?:\s|$)|true$|cat$|:$|vim?$|less|false$|echo$)/.test(text))
      context.reading.runScript(enterStep(context), text)
  }
}

/** Settings in variables: `GIT_CONFIG_KEY_0` and `GIT_CONFIG_VALUE_0`. */
export function readVariableSettings(context: Context): void {
  for (let at = 0; at < 8; at++) {
    const key = context.shell.variables.get(`GIT_CONFIG_KEY_${at}`)
    const value = context.shell.variables.get(`GIT_CONFIG_VALUE_${at}`)
    if (!key || !value) return
    readInlineSetting(context, `${showValue(key)}=${showValue(value)}`)
  }
}

/** Notes what a setting of one call does: `-c NAME=VALUE`. */
export function readInlineSetting(context: Context, setting: string): void {
  const [name = '', ...value] = setting.split('=')
  const text = value.join('=')
  if (/^alias\./i.test(name)) {
    context.reading.settings.set(name, text)
    return
  }
  if (/^remote\.[^.]+\.(?:push)?url$/i.test(name))
    context.reading.settings.set(`remote.${name.split('.')[1] ?? ''}`, text)
  if (FORGETS.test(name) && AT_ONCE.test(text)) noteChange(context, 'git', 'destroy-recovery', `git -c ${setting}`)
  if (!RUNS_PROGRAM.test(name)) return
  if (/^core\.hookspath$/i.test(name)) {
    if (text !== '/dev/null' && text !== '') noteChange(context, 'machine', 'startup', `git -c ${setting}`, 'likely')
  } else if (text !== '' && !HARMLESS_VALUE.test(text))
    context.reading.runScript(enterStep(context), text.replace(/^!/, ''))
  else if (
    /sshcommand|fsmonitor|external|proxy/i.test(name) &&
    text !== 'false' &&
    text !== 'true' &&
    text !== '' &&
    !/^ssh\b/.test(text)
  )
    context.reading.runScript(enterStep(context), text)
}

/** A setting of the repository or of the user, as their files say. */
export function readSetting({ reading }: Context, name: string): string | null {
  const { world } = reading
  const files = [
    posix.join(world.project, '.git/config'),
    posix.join(world.home, '.gitconfig'),
    posix.join(world.home, '.config/git/config'),
  ]
  const [section = '', ...key] = name.split('.')
  for (const file of files) {
    const text = reading.files.get(file)?.text ?? world.readFile(file)
    const found = text ? findSetting(text, section, key.join('.')) : null
    if (found !== null) return found
  }
  return null
}

function findSetting(text: string, section: string, key: string): string | null {
  let isHere = false
  for (const line of text.split('\n')) {
    const head = /^\s*\[\s*([\w.-]+)(?:\s+"([^"]*)")?\s*\]/.exec(line)
    if (head) isHere = head[1]?.toLowerCase() === section.toLowerCase() && head[2] === undefined
    const pair = isHere ? /^\s*([\w-]+)\s*=\s*(.*)$/.exec(line) : null
    if (pair && pair[1]?.toLowerCase() === key.toLowerCase()) {
      const value = (pair[2] ?? '').trim()
      return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1).replaceAll('\\"', '"') : value
    }
  }
  return null
}

/** Reads `git config`: settings that stay. */
export function readConfig({ context, words }: Pick<Call, 'context' | 'words'>): Content {
  const parsed = parseArguments(words, toSet('-f --file --blob --type --default -t --comment --value'))
  const operands = [...parsed.operands]
  const verb = readWord(operands[0] ?? toKnownWord('')) ?? ''
  if (/^(?:set|unset|get|list|edit|rename-section|remove-section)$/.test(verb)) operands.shift()
  const isReading =
    parsed.has(
      '--get',
      '--get-all',
      '--get-regexp',
      '-l',
      '--list',
      '--get-urlmatch',
      '--show-origin',
      '--get-color',
    ) ||
    verb === 'get' ||
    verb === 'list'
  if (isReading) {
    const key = operands
      .map((each) => readWord(each) ?? '')
      .find((text) => /extraheader|token|passw|secret/i.test(text))
    if (key) noteChange(context, 'cloud', 'secret', `git config ${key}`, 'likely')
    return UNKNOWN_CONTENT
  }
  const name = readWord(operands[0] ?? toKnownWord('')) ?? ''
  const isUnset =
    parsed.has('--unset', '--unset-all', '--remove-section') || verb === 'unset' || verb === 'remove-section'
  if (isUnset || operands.length < 2) return UNKNOWN_CONTENT
  const value = readWord(operands[1] ?? toKnownWord(''))
  context.reading.settings.set(name, value ?? '')
  const file = parsed.value('-f', '--file')
  if (file) writePath(context, file, 'edit')
  if (FORGETS.test(name) && AT_ONCE.test(value ?? ''))
    noteChange(context, 'git', 'destroy-recovery', `git config ${name} ${value ?? ''}`)
  if (RUNS_PROGRAM.test(name) && !isHarmlessSetting(name, value))
    noteChange(context, 'machine', 'startup', `git config ${name}`)
  return EMPTY_CONTENT
}

function isHarmlessSetting(name: string, value: string | null): boolean {
  if (/^alias\./i.test(name)) return value !== null && !value.startsWith('!')
  if (/^core\.hookspath$/i.test(name))
    return value !== null && /^(?:\.husky(?:\/_)?|\.githooks|githooks|\.git\/hooks|hooks)\/?$/.test(value)
  if (/^http\.sslverify$/i.test(name)) return value !== 'false' && value !== '0'
  if (/^(?:protocol|trailer)\./i.test(name)) return value !== 'always'
  if (/^submodule\./i.test(name)) return !/^!/.test(value ?? '')
  return HARMLESS_SETTING.test(name) && value !== null && HARMLESS_VALUE.test(value)
}
