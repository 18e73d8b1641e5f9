import { isHandingOption, isOwnProgram } from '../programs/handing-options.ts'
import type { Word } from './shell-commands.ts'

/** Programs that start ssh with the options they are given, and options of ssh that run a command. */
const STARTS_SSH = /^(?:rsync|unison|borg|restic|sshuttle|git-annex)$/
const SSH_COMMAND = /(?:Proxy|Local|KnownHosts)Command/i

/** True if an option hands a program over by its path: what it does there is not seen. */
export function isHandingProgram(name: string, rest: readonly Word[]): boolean {
  return rest.some(({ value }, at) => {
    if (STARTS_SSH.test(name) && SSH_COMMAND.test(value)) return true
    const [, option = value, attached] = /^(--?[\w-]+)=(.*)$/s.exec(value) ?? []
    const isAttached = /^-\w./.test(value) && isHandingOption(name, value.slice(0, 2)) && isOwnProgram(value.slice(2))
    return isAttached || (isHandingOption(name, option) && isOwnProgram(attached ?? rest[at + 1]?.value ?? ''))
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
