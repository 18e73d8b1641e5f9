import { readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { makeAboveNotice } from '../../config/stray-files.ts'
import { findHooksElsewhere, type HooksElsewhere } from '../../engine/hooks-elsewhere.ts'
import type { EngineOptions } from '../../engine/options.ts'
import { formatPath } from '../../files/paths.ts'
import type { ComponentScope } from '../../protocol/scope.ts'
import { toShellWord } from '../../text/quote.ts'

/** Cause that keeps hooks silent: what it is called, what it is in one sentence, and what to do about it. */
export interface Cause {
  readonly cause: string
  readonly because: string
  readonly fix: string
  /** The file that it is about, for programs. */
  readonly file?: string | undefined
}

/** Reason why hooks may not be found where a command works: they stand in other files, or in the settings of another folder. */
export async function findCausesElsewhere(options: EngineOptions, event?: string): Promise<Cause[]> {
  const found = await findHooksElsewhere(options)
  return [
    ...listBrokenLinkCauses(found),
    ...listStrayCauses(found),
    ...listPluginCauses(found, event),
    ...listAboveCauses(found, event),
    ...listComponentCauses(found, event),
    ...listBelowCauses(found, event),
  ]
}

const UNREAD_CAUSES: ReadonlySet<string> = new Set(['stray-file', 'plugin-component', 'plugin-untrusted'])

/** True if hooks run in no case where they stand, or wait for the user, and no one chose that. */
export function isNeverRead({ cause }: Cause): boolean {
  return UNREAD_CAUSES.has(cause)
}

/** Files near the right names, which nothing reads. */
function listStrayCauses({ strays }: Pick<HooksElsewhere, 'strays'>): Cause[] {
  return strays.map(({ file, path, because, fix }) => ({
    cause: 'stray-file',
    because: `${file} holds hooks, and nothing reads it: ${because}.`,
    fix,
    file: path,
  }))
}

function listBrokenLinkCauses({ project, brokenLinks }: HooksElsewhere): Cause[] {
  return brokenLinks.map((path) => {
    const file = formatPath(path, project)
    const target = readlinkSync(path)
    return {
      cause: 'broken-link',
      because: `${file} is a link to ${target}, and there is no such file: nothing is read.`,
      fix: `Put the file there, or lead the link to it: ln -sfn FILE ${toShellWord(file)}`,
      file: path,
    }
  })
}

/** Hooks of plugins that Claude Code does not load, or does not run. */
function listPluginCauses(
  { project, idlePlugins, waitingHooks, pluginComponents }: HooksElsewhere,
  event: string | undefined,
): Cause[] {
  const off = idlePlugins.filter(({ events }) => isForEvent(events, event))
  const unrun = pluginComponents.filter(
    ({ hooks }) => event === undefined || hooks.some((hook) => hook.event === event),
  )
  const waiting = waitingHooks.filter(({ listed }) => event === undefined || listed.hook.event === event)
  return [
    ...[...new Map(waiting.map((one) => [one.plugin, one])).values()].map(({ plugin, root }) => ({
      cause: 'plugin-untrusted',
      because: `The plugin ${plugin} has hooks, and is enabled by this project, which is not trusted in Hookline: they do not run.`,
      fix: 'Look at it with hookline trust, then run hookline trust accept',
      file: join(root, 'hooks', 'hooks.json'),
    })),
    ...off.map(({ id, root }) => ({
      cause: 'plugin-off',
      because: `The plugin ${id} has hooks, and is not enabled: its hooks are not read.`,
      fix: `claude plugin enable ${toShellWord(id)}`,
      file: join(root, 'hooks', 'hooks.json'),
    })),
    ...unrun.map(({ path, kind, pluginRoot }) => ({
      cause: 'plugin-component',
      because: `${formatPath(path, project)} has hooks, and Claude Code does not run those of a plugin's ${KINDS[kind]}.`,
      fix: `Move its "hooks" into ${formatPath(join(pluginRoot ?? project, 'hooks/hooks.json'), project)}`,
      file: path,
    })),
  ]
}

function listAboveCauses({ project, above }: HooksElsewhere, event: string | undefined): Cause[] {
  if (above === null || !isForEvent(above.events, event)) return []
  return [{ cause: 'project-above', ...makeAboveNotice(above, project), file: above.files[0] }]
}

function listBelowCauses({ project, below }: HooksElsewhere, event: string | undefined): Cause[] {
  const [first, ...others] = below.filter(({ events }) => isForEvent(events, event))
  if (!first) return []
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return [
    {
      cause: 'project-below',
      because: `${first.folder}${more} has hooks, but the project here is ${project}: settings of folders below are not read.`,
      fix: `cd ${toShellWord(first.folder)}, or add --project ${toShellWord(first.folder)}`,
      file: first.files[0],
    },
  ]
}

/** Hooks that stand in a narrower scope than their author may think. */
function listComponentCauses({ project, components }: HooksElsewhere, event: string | undefined): Cause[] {
  const concerned = components.filter(({ hooks }) => event === undefined || hooks.some((hook) => hook.event === event))
  return concerned.map(({ path, kind }) => ({
    cause: 'component',
    because: `${formatPath(path, project)} has hooks that run only while this ${KINDS[kind]} is active.`,
    fix: `Move its "hooks" into .claude/settings.json to have them run always, or see them with --component ${toShellWord(formatPath(path, project))}`,
    file: path,
  }))
}

const KINDS: Readonly<Record<ComponentScope, string>> = { skill: 'skill', agent: 'agent', command: 'slash command' }

const isForEvent = (events: readonly string[], event: string | undefined): boolean =>
  event === undefined ? events.length > 0 : events.includes(event)
