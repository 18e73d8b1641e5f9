import { shareRow } from '../programs/code-programs.ts'
import type { Word } from './shell-commands.ts'

/** Path of a program that is none of the system's, or a command behind a bar. */
const OWN_PROGRAM = /^(?:exec=)?(?:\||\.{1,2}\/|~\/|\/(?!(?:(?:usr(?:\/local)?|opt\/homebrew)\/)?s?bin\/|dev\/))/

/** Options whose names say that a program or a part of one is handed over, whatever takes them. */
const HANDS_OVER =
  /^--?(?:\w+-)*(?:command|cmd|pager|editor|program|rsh|shell|plugins?|preload|askpass|wrapper|runner|engine|load)(?:-\w+)*$/

/** Options of single programs that hand one over and whose names do not say so. */
const HANDING_OPTIONS: Readonly<Record<string, string>> = {
  tar: '-I -F --info-script --checkpoint-action',
  rsync: '-e --rsync-path',
  ...shareRow('scp sftp', '-S'),
  man: '-P -H',
  rg: '--pre --hostname-bin',
  ssh: '-I',
  'scan-build': '--use-cc --use-c++',
  ...shareRow('ocamlc ocamlopt ocamlfind', '-pp -ppx'),
  git: '-x --extcmd',
  strace: '-o',
  'ssh-keygen': '-D -w',
  'ssh-add': '-s',
  openvpn: '--up --down',
  dhclient: '-sf',
  cvs: '-e',
  cmake: '-DCMAKE_C_COMPILER -DCMAKE_CXX_COMPILER -DCMAKE_LINKER -DCMAKE_MAKE_PROGRAM',
}

/** Programs that start ssh with the options they are given, and options of ssh that run a command. */
const STARTS_SSH = /^(?:rsync|unison|borg|restic|sshuttle|git-annex)$/
const SSH_COMMAND = /(?:Proxy|Local|KnownHosts)Command/i

/** True if an option hands a program over by its path: what it does there is not seen. */
export function isHandingProgram(name: string, rest: readonly Word[]): boolean {
  const own = (Object.hasOwn(HANDING_OPTIONS, name) ? HANDING_OPTIONS[name] : '')?.split(' ') ?? []
  return rest.some(({ value }, at) => {
    if (STARTS_SSH.test(name) && SSH_COMMAND.test(value)) return true
    const [, option = value, attached] = /^(--?[\w-]+)=(.*)$/s.exec(value) ?? []
    const isHanding = HANDS_OVER.test(option) || own.includes(option)
    const isAttached = own.some(
      (each) => each.length === 2 && value.startsWith(each) && OWN_PROGRAM.test(value.slice(2)),
    )
    return isAttached || (isHanding && OWN_PROGRAM.test(attached ?? rest[at + 1]?.value ?? ''))
  })
}

/** Folders with programs that are the user's or the system's, or that a project's tools were installed in. */
const USUAL_FOLDERS = [
  /^\/(?!tmp\/|var\/tmp\/|dev\/|proc\/).*s?bin$/,
  /^(?:~|\$\{?(?!PWD|OLDPWD|TMP|TEMP)\w+\}?)\/(?:.*\/)?s?bin$/,
  /^\$\((?!pwd)[^)]*\)\/(?:.*\/)?bin$/,
  /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)$/,
]

/**
 * True if a PATH puts folders alone before the present ones in which programs are installed: what others hold in place of a
 * program is not seen.
 */
export function isUsualPath(text: string): boolean {
  if (/^:|::/.test(text)) return false // the folder of the moment
  const [before = ''] = text.split(/(?:^|:)\$\{?PATH\}?(?:$|:)/, 1)
  const entries = before === '' ? [] : before.replace(/(?<!\/)\/+(?=:|$)/g, '').split(':')
  return entries.every((entry) => USUAL_FOLDERS.some((pattern) => pattern.test(entry)))
}
