import type { Engine } from 'hookline'
import * as z from 'zod'
import type { Message } from '../output/messages.ts'
import type { Component } from './component.ts'

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
    await engine.activate(path).catch(() => []) // its file has gone since it was read
  }
}
