import { COMMANDS } from '../src/cli/commands.ts'
import { GROUPS } from '../src/cli/start/call.ts'

/** The manual page `hookline(1)`, from the same table as the pages of the commands. */
export async function manPage(): Promise<string> {
  const grouped = Object.values(GROUPS).flat() as readonly string[]
  const others = Object.keys(COMMANDS).filter((name) => !grouped.includes(name))
  const groups = [...Object.entries(GROUPS), ['More', others] as const]
  const overview = groups.flatMap(([title, names]) => [`.SS ${title}`, ...names.flatMap(summaryOf)])
  const details = await Promise.all([...grouped, ...others].map(usageOf))
  return [
    '.\\" Generated from packages/hookline/src/cli by npm run generate.',
    '.TH HOOKLINE 1',
    '.SH NAME',
    'hookline \\- the hooks engine for coding agents',
    '.SH SYNOPSIS',
    '.B hookline',
    '.I command',
    '[\\fIwords\\fR] [\\fIflags\\fR]',
    '.SH DESCRIPTION',
    roff('Without a command, hookline says how it stands with the hooks of this folder. Every command has --help.'),
    '.SH COMMANDS',
    ...overview,
    ...details.flat(),
    '.SH ENVIRONMENT',
    ...Object.entries(VARIABLES).flatMap(([name, means]) => ['.TP', `.B ${roff(name)}`, roff(means)]),
    '',
  ].join('\n')
}

const VARIABLES: Readonly<Record<string, string>> = {
  HOOKLINE_LOG: 'The file that records are written to, and read from.',
  HOOKLINE_PROFILE: 'The version of the protocol.',
  HOOKLINE_MODEL: 'The model that judges prompt and agent hooks that name none.',
  NO_COLOR: 'No colours. Outranks FORCE_COLOR and CLICOLOR_FORCE, which ask for colours where there is no terminal.',
  PAGER: 'The program that shows what is longer than the terminal; default: less.',
}

function summaryOf(name: string): string[] {
  return ['.TP', `.B ${roff(name)}`, roff(COMMANDS[name]?.summary ?? '')]
}

async function usageOf(name: string): Promise<string[]> {
  const usage = (await COMMANDS[name]?.load())?.usage ?? ''
  return [`.SH ${name.toUpperCase()}`, '.nf', ...usage.trimEnd().split('\n').map(roff), '.fi']
}

/** A line as roff shows it: backslashes and hyphens as they are, and nothing taken for a request. */
function roff(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
}
