import type { Engine } from 'hookline'
import { hasEvent } from '../hooks/fire.ts'
import { type Component, findCommands, findSkills } from '../skills/component.ts'
import { makeSkillTool } from '../skills/skill-tool.ts'
import { type Instructions, readProjectNotes } from '../turn/instructions.ts'
import type { Session } from '../turn/loop-state.ts'
import type { SettledOptions } from './options.ts'

/** Additions of the project, the user and plugins to a session, besides hooks; read once, when it begins. */
export interface Extensions {
  /** Instructions of files. */
  readonly notes: string
  /** The skills that the model may load. */
  readonly skills: readonly Component[]
  /** Slash commands of the project, the user and plugins, by name. */
  readonly commands: ReadonlyMap<string, Component>
}

type ReadingOptions = Pick<SettledOptions, 'places' | 'emit'>

/** Reads them; what is wrong in their files is told. */
export async function readExtensions(
  options: ReadingOptions,
  engine: Engine,
  instructions: Instructions,
): Promise<Extensions> {
  const { places, emit } = options
  const tell = (text: string): void => emit({ type: 'told', to: 'user', text })
  const [skills, commands] = await Promise.all([readSkills(options, engine), findCommands({ ...places, engine })])
  for (const text of commands.problems) tell(text)
  const notes = hasEvent({ engine }, 'InstructionsLoaded')
    ? await instructions.load()
    : await readProjectNotes(places.project, tell)
  return { notes, skills, commands: commands.components }
}

/** The skills that the model may load; what is wrong in their files is told. */
export async function readSkills({ places, emit }: ReadingOptions, engine: Engine): Promise<Component[]> {
  const { components, problems } = await findSkills({ ...places, engine })
  for (const text of problems) emit({ type: 'told', to: 'user', text })
  return [...components.values()].filter(({ forModel }) => forModel)
}

/** Puts the skills in the place of those that were offered before. */
export function offerSkills(
  session: Session,
  skills: readonly Component[],
  { deny }: Pick<SettledOptions, 'deny'>,
): void {
  for (const { tools } of session.loops.values()) {
    tools.delete('Skill')
    if (skills.length > 0 && !deny.includes('Skill')) tools.set('Skill', makeSkillTool(skills, session.engine))
  }
}
