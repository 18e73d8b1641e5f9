import type { Component } from '../config/component.ts'
import type { ConfiguredHook } from '../config/hook.ts'
import type { Problem } from '../config/problem.ts'
import type { GroupCounter } from '../config/read-hooks.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'

/** The loop of the session itself, as opposed to a subagent's. */
export const MAIN_LOOP = ''

interface RegisteredHooks {
  /** The loop it belongs to: a subagent's id, or the main one. */
  readonly loop: string
  readonly component: Component | null
  readonly hooks: readonly ConfiguredHook[]
}

/** Session and component hooks: each belongs to the loop it was registered for and is seen by that loop's events alone. */
export class LoopHooks {
  readonly #registered: RegisteredHooks[] = []
  /** Numbers the groups registered in memory. */
  readonly counter: GroupCounter = new Map()

  /** Adds hooks; the answer takes them away again. */
  add(registered: RegisteredHooks): () => void {
    this.#registered.push(registered)
    return () => this.#remove(registered)
  }

  /** Takes a component away from a loop; whether it was there. */
  removeComponent(path: string, loop: string): boolean {
    const found = this.#registered.find((one) => one.component?.path === path && one.loop === loop)
    if (found) this.#remove(found)
    return found !== undefined
  }

  /** True if a loop has hooks of its own. */
  has(loop: string): boolean {
    return this.#registered.some((one) => one.loop === loop)
  }

  /** Ids of the subagents that have hooks of their own. */
  listAgents(): string[] {
    return [...new Set(this.#registered.map(({ loop }) => loop))].filter((loop) => loop !== MAIN_LOOP)
  }

  /** Problems of the components that are active. */
  listProblems(): Problem[] {
    return this.#registered.flatMap(({ component }) => component?.problems ?? [])
  }

  /** Every hook of every loop. */
  listAll(): ConfiguredHook[] {
    return this.#registered.flatMap(({ hooks }) => hooks)
  }

  /** Names of what is active, as `kind:name`. */
  listActive(): string[] {
    return this.#registered.flatMap(({ component }) => (component ? `${component.kind}:${component.name}` : []))
  }

  /** The hooks that some loops see of an event, as they came. */
  listVisible(loops: readonly string[], event: string): ConfiguredHook[] {
    const seen = this.#registered.filter(({ loop }) => loops.includes(loop))
    return seen.flatMap(({ hooks }) => hooks.filter((hook) => hook.event === event))
  }

  /** Takes away what was registered in memory; components stay. Answers with it. */
  endSession(): ConfiguredHook[] {
    const ended = this.#registered.filter(({ component }) => component === null)
    for (const one of ended) this.#remove(one)
    return ended.flatMap(({ hooks }) => hooks)
  }

  clear(): void {
    this.#registered.length = 0
  }

  #remove(registered: RegisteredHooks): void {
    const at = this.#registered.indexOf(registered)
    if (at >= 0) this.#registered.splice(at, 1)
  }
}

/** Lists the loops whose hooks an event concerns: those of the loop that fires it; an agent's own stop concerns its parent too. */
export function listLoops(row: EventRow, { agent_id: agent }: EventInput): string[] {
  if (typeof agent !== 'string') return [MAIN_LOOP]
  return row.agentId === 'subject' ? [agent, MAIN_LOOP] : [agent]
}
