import type { Engine } from 'hookline'
import { type Component, findCommands, findSkills } from '../skills/component.ts'
import { projectNotes } from '../turn/system-prompt.ts'
import type { SettledOptions } from './options.ts'

/** What the project, the person and plugins add to a session, besides hooks; read once, when it begins. */
export interface Extensions {
  /** What the project wants agents to know; see `projectNotes`. */
  readonly notes: string
  /** The skills that the model may load. */
  readonly skills: readonly Component[]
  /** Slash commands that somebody wrote, by name. */
  readonly commands: ReadonlyMap<string, Component>
}

/** Reads them; what is wrong in their files is told. */
export async function readExtensions(
  { places, emit }: Pick<SettledOptions, 'places' | 'emit'>,
  engine: Engine,
): Promise<Extensions> {
  const [skills, commands] = await Promise.all([findSkills({ ...places, engine }), findCommands({ ...places, engine })])
  const tell = (text: string): void => emit({ type: 'told', to: 'user', text })
  for (const text of [...skills.problems, ...commands.problems]) tell(text)
  return {
    notes: await projectNotes(places.project, tell),
    skills: [...skills.components.values()].filter(({ forModel }) => forModel),
    commands: commands.components,
  }
}
