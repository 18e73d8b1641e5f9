import { dirname } from 'node:path'
import type { Engine } from 'hookline'
import * as z from 'zod'
import type { Message } from '../output/messages.ts'
import { defineTool } from '../tools/define-tool.ts'
import { type Tool, ToolError } from '../tools/tool.ts'
import type { Component } from './component.ts'
import { fillArguments } from './fill-arguments.ts'

/** Loads a skill: its text for the model, and its hooks for the loop that asked, for the rest of the session. */
export function makeSkillTool(skills: readonly Component[], engine: Pick<Engine, 'activate'>): Tool {
  const list = skills.map(({ name, description }) => `- ${name}: ${description}`).join('\n')
  return defineTool({
    name: 'Skill',
    description: `Loads the instructions of a skill. Use it before you begin a task that one of these is for:\n${list}`,
    input: z.strictObject({
      skill: z.string().min(1).describe('The name of the skill'),
      args: z.string().optional().describe('What the skill is to work on'),
    }),
    readOnly: true,
    sideBySide: false, // the skill's hooks see the calls after it, also those of the same answer
    edits: false,
    run: async ({ skill, args = '' }, { agent }) => {
      const found = skills.find(({ name }) => name === skill.replace(/^\//, ''))
      if (found === undefined) {
        const names = skills.map(({ name }) => name).join(', ')
        throw new ToolError(`There is no skill "${skill}". Skills: ${names}.`)
      }
      try {
        await engine.activate(found.path, agent === null ? {} : { agent: agent.id })
      } catch (error) {
        // the file is gone: without its hooks it is not loaded either
        throw new ToolError(`The skill "${skill}" cannot be loaded: ${error instanceof Error ? error.message : error}`)
      }
      const text = fillArguments(found.body, args)
      return {
        content: `Base folder of this skill: ${dirname(found.path)}\n\n${text}`,
        response: { skill: found.name, path: found.path },
      }
    },
  })
}

const Loaded = z.object({ skill: z.string() })

/** Makes the hooks count again of the skills that a resumed conversation has loaded: their texts are in it still. */
export async function restoreSkills(
  messages: readonly Message[],
  { skills, engine }: { readonly skills: readonly Component[]; readonly engine: Pick<Engine, 'activate'> },
): Promise<void> {
  const blocks = messages.flatMap(({ content }) => content)
  const failed = new Set(
    blocks.flatMap((block) => (block.type === 'tool_result' && block.is_error === true ? [block.tool_use_id] : [])),
  )
  const names = blocks.flatMap((block) => {
    if (block.type !== 'tool_use' || block.name !== 'Skill' || failed.has(block.id)) return []
    return Loaded.safeParse(block.input).data?.skill ?? []
  })
  for (const { path } of skills.filter(({ name }) => names.includes(name))) {
    await engine.activate(path).catch(() => []) // the file has gone since it was read
  }
}
