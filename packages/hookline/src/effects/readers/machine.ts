import {
  type Context,
  enterStep,
  fetchFrom,
  listRunnable,
  lowerCertainty,
  note,
  noteChange,
  noteFlows,
  noteUnseen,
  readPath,
  writePath,
} from '../context.ts'
import { quotePowerShell, readPowerShell } from '../powershell.ts'
import { runRow } from '../program.ts'
import { runFile } from '../run-file.ts'
import {
  type Content,
  EMPTY_CONTENT,
  join,
  mergeCarried,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { noteSource } from '../variables.ts'
import type { Certainty } from '../view.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'
import { showAll, showSecret } from './printed.ts'

/** Readers of programs that change the machine: disks, power, processes, services, packages. */
const MACHINE_READERS: Readonly<Record<string, Reader>> = {
  pm2: readPm2,
  disk: readDisk,
  mount: readMount,
  power: readPower,
  kill: readKill,
  killall: readKillall,
  crontab: readCrontab,
  at: readAtCommand,
  systemctl: readSystemctl,
  sysctl: readSysctl,
  firewall: readFirewall,
  packages: readPackages,
  tmux: readTmux,
  powershell: readPowerShellProgram,
  capsh: readCapsh,
  'windows-download': readWindowsDownload,
  windows: readWindowsProgram,
}

/** Reads a call by the one of them that its row names. */
export const readMachineCall: Reader = (call) => readByRow(MACHINE_READERS, call)

/** Reads `pm2`: `start` runs a file, or a line of the shell. */
function readPm2(call: Call): Content {
  const { operands } = parseCall(call, '-n --name -i --instances --interpreter -o -e -l --cron --max-memory-restart')
  const [verb, file] = operands
  const line = file ? readWord(file) : null
  if (/^(?:start|restart|reload)$/.test(readWord(verb ?? toKnownWord('')) ?? '') && file && line !== null) {
    if (/\s/.test(line)) call.context.reading.runScript(enterStep(call.context), line)
    else if (/[./]/.test(line)) runFile(enterStep(call.context), file, [])
  }
  return runRow(call.context, call.row, call.name, call.words, call.input)
}

function readDisk({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  const line = texts.join(' ')
  const isStopping = name === 'mdadm' && /(?:^|\s)(?:--stop|-S)\b/.test(line)
  const isAsking =
    texts.length === 0 ||
    /^(?:list|status|get|show|history|info|print|-l|--list|-a?l|scan|events|iostat|version|help)\b|(?:^|\s)(?:-l|--list|--help|-n|--no-act|--dry-run|--print|-p|--scan|--examine|--detail|print|--verify|--info|luksDump|isLuks|subvolume (?:list|show)|filesystem (?:show|df|usage)|device stats)(?:\s|$)/.test(
      line,
    )
  const isReader =
    /^(?:smartctl|hdparm|nvme|e?2?fsck(?:\.\w+)?|reiserfsck|badblocks)$/.test(name) &&
    !/(?:--security-erase|format|-w\b|sanitize|-y\b|-s off\b|--trim-sector|write-zeroes)/.test(line)
  if (name === 'wipefs' && !/(?:^|\s)(?:-\w*[af]|--all|-o|--offset)/.test(line)) return UNKNOWN_CONTENT
  if ((isAsking && !isStopping) || isReader) return UNKNOWN_CONTENT
  if (
    /^(?:zfs|zpool|btrfs|diskutil)$/.test(name) &&
    !/\b(?:destroy|delete|erase\w*|partition\w*|rollback|labelclear|remove|detach|offline|zero\w*|secureErase|reformat|resize|apfs delete\w*|replace|format)\b/i.test(
      line,
    )
  ) {
    if (!/\b(?:snapshot|scrub|send|mount|create|import|export)\b/.test(line)) return UNKNOWN_CONTENT
    noteChange(context, 'machine', 'disk', `${name} ${line}`, 'likely')
    return UNKNOWN_CONTENT
  }
  noteChange(context, 'machine', 'disk', `${name} ${line}`)
  return UNKNOWN_CONTENT
}

function readMount({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  if (
    texts.length === 0 ||
    (name === 'umount' && texts.every((text) => /^(?:--help|--version|-V)$/.test(text))) ||
    texts.some(
      (text) => name !== 'umount' && /^(?:-l|--help|--version|-V|-a?l|--show|-s|--list|--summary)$/.test(text),
    ) ||
    (name === 'losetup' && texts.every((text) => /^(?:-a|-O|-j|--all|--output|--json|--raw|--associated)$/.test(text)))
  )
    return UNKNOWN_CONTENT
  noteChange(context, 'machine', 'mount', `${name} ${texts.join(' ')}`)
  return UNKNOWN_CONTENT
}

function readPower({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  if (texts.some((text) => text === '-c' || text === '--help' || text === '--version')) return UNKNOWN_CONTENT
  if (/^(?:init|telinit)$/.test(name) && !/^[016sS]$/.test(texts[0] ?? '')) {
    noteUnseen(context, 'program', name)
    return UNKNOWN_CONTENT
  }
  noteChange(context, 'machine', 'power', `${name} ${texts.join(' ')}`)
  return UNKNOWN_CONTENT
}

/** Names of processes that guard this session, and of the one that started this shell. */
const IS_GUARDING = /\bhookline\b|\bguard\.(?:sh|py|rb|[cm]?[jt]s)\b|\.claude\/|^\$PPID$/

/** Processes of the system, as substitutions name them. */
const ROOTS_PROCESSES = /\bpgrep\b.*-u\s*(?:root|0)\b|\bpidof\s+(?:sshd|systemd|init|dbus-daemon|Xorg)\b/

/** True for the numbers of all processes, as programs or the folder of processes list them. */
function hasAllProcesses(word: Value): boolean {
  return word.carries.has('processes') || /^\/proc(?:\/|$)|^\[0-9\]\*?$/.test(showValue(word))
}

function readKill({ context, words }: Call): Content {
  const texts = readCallWords(words)
  if (texts[0] === '-l' || texts[0] === '-L') return UNKNOWN_CONTENT
  const own = words.map(showValue).find((text) => IS_GUARDING.test(text))
  if (own) noteChange(context, 'agent', 'loosen', `kill ${own}`)
  const isSignal = /^-(?:\d+|[A-Z]+\d*|SIG\w+)$/i.test(texts[0] ?? '') && texts.length > 1
  const isNamed = texts[0] === '-s' || texts[0] === '-n'
  const start = Number(isSignal) + Number(isNamed)
  const targets = texts.slice(start).filter((text) => text !== '--')
  if (words.some((word) => hasAllProcesses(word)))
    noteChange(context, 'machine', 'process', 'kill of all processes that ps lists')
  if (words.some((word) => ROOTS_PROCESSES.test(showValue(word))))
    noteChange(context, 'machine', 'process', `kill ${words.map(showValue).join(' ')}`, 'likely')
  if (targets.some((text) => text === '-1' || text === '1' || text === '0'))
    noteChange(context, 'machine', 'process', `kill ${texts.join(' ')}`, targets.includes('0') ? 'possible' : 'certain')
  return EMPTY_CONTENT
}

/** Sureness that processes end which the agent did not start: a name is one of many, and one that is killed at once more so. */
function chooseCertainty({ name, words }: Call, names: readonly string[], isPrecise: boolean): Certainty {
  if (name === 'killall' || names.some((text) => text === '.' || text === '')) return 'certain'
  const texts = readCallWords(words)
  const isKilled = texts.some(
    (text) => /^-(?:9|KILL|SIGKILL)$/.test(text) || /^--signal=(?:9|(?:SIG)?KILL)$/.test(text),
  )
  const isFull = texts.some((text) => /^-\w*f$|^--full$/.test(text))
  return isKilled && !isFull && !isPrecise ? 'likely' : 'possible'
}

function readKillall(call: Call): Content {
  const { context, name } = call
  const parsed = parseCall(call, '-s -u -U -g -G -P -t --signal --user --group --parent --terminal -o-x -y')
  if (parsed.has('--help', '-l', '--list', '-V')) return UNKNOWN_CONTENT
  const users = parsed.values('-u', '-U', '--user').length > 0
  const names = parsed.operands.map((each) => readWord(each) ?? '?')
  if (names.some((text) => IS_GUARDING.test(text))) noteChange(context, 'agent', 'loosen', `${name} ${names.join(' ')}`)
  if (
    names.some((text) =>
      /^(?:falcon-sensor|auditd|osqueryd|wazuh-agentd?|clamd|crowdstrike|santad|sentinelone|mdatp|firewalld|sshd|systemd)$/.test(
        text,
      ),
    )
  )
    noteChange(context, 'machine', 'process', `${name} ${names.join(' ')}`)
  if (name === 'pkill' && parsed.has('-v', '--inverse'))
    noteChange(context, 'machine', 'process', `${name} ${showAll(call.words)}`)
  const isPrecise = parsed.has('-f', '--full') && names.some((text) => /[\s/]/.test(text))
  if (users && names.length === 0) noteChange(context, 'machine', 'process', `${name} ${showAll(call.words)}`)
  else if (name === 'killall' || !isPrecise)
    noteChange(context, 'machine', 'process', `${name} ${showAll(call.words)}`, chooseCertainty(call, names, isPrecise))
  return EMPTY_CONTENT
}

/** Lines of a crontab that are looked at. */
const MAX_CRONTAB_LINES = 40

/** Runs the commands of a crontab, which the service starts later. */
function runCrontabLines(context: Context, text: string): void {
  for (const line of text.split('\n', MAX_CRONTAB_LINES)) {
    const command = /^\s*(?:@\w+|(?:[\d*,/A-Za-z-]+\s+){4}[\d*,/A-Za-z-]+)\s+(.+)$/.exec(line)?.[1]
    if (command) context.reading.runScript(lowerCertainty(enterStep(context), 'likely'), command)
  }
}

function readCrontab(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, '-u')
  if (parsed.has('-l')) return UNKNOWN_CONTENT
  if (parsed.has('-r')) {
    noteChange(context, 'machine', 'cron', 'crontab -r')
    return EMPTY_CONTENT
  }
  const variable = context.shell.variables.get('EDITOR') ?? context.shell.variables.get('VISUAL')
  if (parsed.has('-e')) {
    const text = variable ? readWord(variable) : null
    if (text !== null) context.reading.runScript(enterStep(context), text)
    noteChange(context, 'machine', 'startup', 'crontab -e', text === null ? 'possible' : 'certain')
    return EMPTY_CONTENT
  }
  const tables = parsed.operands.map((each) => (readWord(each) === '-' ? input : readPath(context, each)))
  for (const { text } of tables.length > 0 ? tables : [input]) runCrontabLines(context, text ?? '')
  if (parsed.operands.length > 0 || input !== EMPTY_CONTENT) noteChange(context, 'machine', 'startup', 'crontab')
  return EMPTY_CONTENT
}

function readAtCommand(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, '-f -q -t')
  if (parsed.has('-l', '-c', '-r', '-d', '-V')) return UNKNOWN_CONTENT
  noteChange(context, 'machine', 'startup', `${call.name} ${showAll(call.words)}`)
  if (input.text) context.reading.runScript(enterStep(context), input.text)
  return EMPTY_CONTENT
}

function readSystemctl({ context, name, words }: Call): Content {
  const texts = readCallWords(words).filter((text) => !text.startsWith('-'))
  const verb = (name === 'service' ? texts[1] : texts[0]) ?? ''
  const target = `${name} ${readCallWords(words).join(' ')}`
  if (
    /^(?:enable|enable-linger|link|add-wants|preset|reenable|edit|set-default|import-environment|set-environment)$/.test(
      verb,
    )
  )
    noteChange(context, 'machine', 'startup', target)
  else if (verb === 'show-environment') showSecret(context, target)
  else if (/^(?:poweroff|reboot|halt|suspend|hibernate|kexec|rescue|emergency|isolate|exit|soft-reboot)$/.test(verb))
    noteChange(context, 'machine', 'power', target)
  else if (/^(?:stop|disable|mask|kill|revert|terminate-session|terminate-user|kill-user|remove|clean)$/.test(verb))
    noteChange(context, 'service', 'stop', target)
  else if (
    /^(?:start|restart|reload|try-restart|force-reload|daemon-reload|reset-failed|unmask|reload-or-restart|update|add)$/.test(
      verb,
    )
  )
    noteChange(context, 'service', 'restart', target, 'possible')
  return UNKNOWN_CONTENT
}

function readSysctl(call: Call): Content {
  const parsed = parseCall(call, '-p -f --load --pattern -r')
  const isWriting =
    parsed.has('-w', '--write', '-p', '--load', '--system') ||
    parsed.operands.some((each) => readKnownStart(each).includes('='))
  if (isWriting) noteChange(call.context, 'machine', 'settings', `sysctl ${showAll(call.words)}`)
  return UNKNOWN_CONTENT
}

function readFirewall({ context, name, words }: Call): Content {
  const line = readCallWords(words).join(' ')
  const isAsking =
    line === '' ||
    /(?:^|\s)(?:-[nvx]*[LS]|--list\S*|list|status|show|--state|--get\S*|-s\s|-sr|-n$|--version|--help)/.test(line)
  if (!isAsking || name.endsWith('-restore')) noteChange(context, 'machine', 'firewall', `${name} ${line}`)
  return UNKNOWN_CONTENT
}

function readPackages({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  const line = texts.filter((text) => !text.startsWith('-')).join(' ')
  const flags = texts.filter((text) => text.startsWith('-')).join(' ')
  const target = `${name} ${texts.join(' ')}`
  if (/--(?:dry-run|simulate|help|version)|(?:^|\s)-s(?:\s|$)/.test(flags) && name !== 'pacman') return UNKNOWN_CONTENT
  const carried = mergeCarried(words.map(({ carries }) => carries))
  noteFlows(context, listRunnable(carried), 'run', target)
  const isRemoving =
    /^(?:remove|purge|uninstall|autoremove|erase|del|rm|unmerge|delete)\b/.test(line) ||
    (name === 'pacman' && /(?:^|\s)-R/.test(flags)) ||
    (/^(?:dpkg|rpm)$/.test(name) && /(?:^|\s)(?:-[rPe]\b|--remove|--purge|--erase)/.test(flags)) ||
    name === 'xbps-remove' ||
    (name === 'nix-env' && /(?:^|\s)(?:-e|--uninstall)/.test(flags)) ||
    (name === 'emerge' && /(?:^|\s)(?:-C|--unmerge|-c|--depclean|--prune)(?:\s|$)/.test(flags))
  if (isRemoving)
    noteChange(
      context,
      'machine',
      'uninstall',
      target,
      name === 'brew' && !/--force|--ignore-dependencies|--zap/.test(flags) ? 'likely' : 'certain',
    )
  else if (
    /^(?:install|add|upgrade|dist-upgrade|full-upgrade|localinstall|reinstall)\b/.test(line) ||
    (/^(?:dpkg|rpm|pacman)$/.test(name) && /(?:^|\s)(?:-[iUS]|--install|--upgrade)/.test(flags))
  ) {
    const address = texts.find((text) => /^https?:\/\//.test(text))
    if (address) {
      noteFlows(context, ['fetch'], 'run', address)
      note(context, { does: 'fetch', host: address.split('/')[2] ?? '' })
    }
    const isForced =
      /--force(?:-\w+)?|--nodeps|--allow-downgrades|--allow-remove-essential|--replacefiles|--oldpackage/.test(flags)
    if (isForced && /^(?:dpkg|rpm|apt|apt-get|dnf|yum|zypper|pacman)$/.test(name))
      noteChange(context, 'machine', 'settings', target, 'likely')
    noteChange(context, 'machine', 'install', target, 'possible')
  } else if (
    /^(?:tap|repository|config-manager|add-apt-repository|remote-add|addrepo|ar)\b/.test(line) ||
    /--add-repo/.test(flags)
  ) {
    const address = texts.find((text) => /^https?:\/\//.test(text))
    if (address) noteSource(lowerCertainty(context, 'likely'), name, address)
    noteChange(context, 'machine', 'install', target, 'possible')
  }
  return UNKNOWN_CONTENT
}

/** Reads `pwsh -c …` and `cmd /c …` of a shell: the words become a script of PowerShell again. */
function readPowerShellProgram({ context, name, words, input }: Call): Content {
  const texts = words.map((word) => readWord(word) ?? showValue(word))
  const isFromInput = words.length === 0 || texts.at(-1) === '-'
  if (isFromInput && input !== EMPTY_CONTENT) {
    noteFlows(context, listRunnable(input.carries), 'run', name)
    if (input.text === null) noteUnseen(context, 'code', name, 'run')
    return readPowerShell(enterStep(context), input.text ?? '')
  }
  const program = name.replace(/\.exe$/, '')
  return readPowerShell(enterStep(context), [program, ...texts.map(quotePowerShell)].join(' '))
}

function readCapsh({ context, words }: Call): Content {
  const texts = readCallWords(words)
  if (texts.every((text) => /^--(?:print|help|version|supports)/.test(text))) return UNKNOWN_CONTENT
  noteChange(context, 'machine', 'root-shell', `capsh ${texts.join(' ')}`)
  const shell = texts.indexOf('--')
  if (shell !== -1)
    context.reading.runWords(enterStep(context), [toKnownWord('bash'), ...words.slice(shell + 1)], EMPTY_CONTENT)
  return UNKNOWN_CONTENT
}

/** Reads a program of Windows, as the shell of that system does. */
function readWindowsProgram({ context, name, words }: Call): Content {
  const texts = words.map((word) => readWord(word) ?? showValue(word))
  return readPowerShell(context, [name, ...texts.map(quotePowerShell)].join(' '))
}

/** Reads programs of Windows that fetch files: what they write is code of the network. */
function readWindowsDownload({ context, words }: Call): Content {
  const texts = readCallWords(words)
  const address = texts.find((text) => /^https?:/.test(text))
  if (!address) return UNKNOWN_CONTENT
  const content = fetchFrom(context, toKnownWord(address))
  const file = texts.at(-1) ?? ''
  if (file !== address) writePath(context, toKnownWord(file.replaceAll('\\', '/')), 'replace', content)
  return UNKNOWN_CONTENT
}

function readTmux(call: Call): Content {
  const { context, words } = call
  const texts = readCallWords(words)
  const verb = texts.find((text) => !text.startsWith('-')) ?? ''
  if (/^(?:kill-server|kill-session)$/.test(verb))
    noteChange(context, 'machine', 'process', texts.join(' '), 'possible')
  if (/^(?:set-hook|bind-key|bind|if-shell|if|pipe-pane|confirm-before)$/.test(verb))
    for (const text of texts) {
      const script = /^(?:run-shell|run)?\s*["']?(.*\s.*?)["']?$/.exec(text)?.[1]
      if (script)
        context.reading.runScript(enterStep(context), script.replace(/^run-shell\s+/, '').replace(/^["']|["']$/g, ''))
    }
  const keys = texts.findIndex((text) => text === 'send-keys' || text === 'send')
  if (keys !== -1) {
    const typed = parseCall({ ...call, words: words.slice(keys + 1) }, '-t').operands.map(
      (each) => readWord(each) ?? '',
    )
    context.reading.runScript(
      enterStep(context),
      typed.filter((text) => !/^(?:Enter|C-\w|Escape|Space|Tab)$/.test(text)).join(' '),
    )
  }
  const start = texts.findIndex((text) =>
    /^(?:new-session|new|new-window|neww|split-window|splitw|run-shell|run|respawn-pane|-dmS|-dm|-S|-m)$/.test(text),
  )
  if (start !== -1) {
    const rest = parseCall({ ...call, words: words.slice(start + 1) }, '-s -n -c -t -x -y -e -F -l -S', {
      stopAtOperand: true,
    }).operands
    const command = /^-dmS$/.test(texts[start] ?? '') ? words.slice(start + 2) : rest
    if (call.name === 'screen' && command.length > 1)
      return context.reading.runWords(enterStep(context), command, EMPTY_CONTENT)
    // Several words are a program and its arguments, one is a script.
    if (command.length > 1) return context.reading.runWords(enterStep(context), command, EMPTY_CONTENT)
    const text = readWord(join(command, ' '))
    if (command.length > 0 && text !== null) context.reading.runScript(enterStep(context), text)
  }
  return UNKNOWN_CONTENT
}
