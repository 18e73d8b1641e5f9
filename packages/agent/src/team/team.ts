import { EventEmitter, once } from 'node:events'
import type { Loop } from '../turn/loop-state.ts'

/** Name of the lead in messages. */
export const LEAD = 'lead'

/** An agent that works beside the lead. */
export interface Teammate {
  readonly name: string
  readonly loop: Loop
  /** Works until it is about to go idle; resolves with how the lead is told of it. Never rejects. */
  readonly work: (signal: AbortSignal) => Promise<string>
  readonly leave: () => Promise<void>
}

interface Member extends Teammate {
  /** Work just now; null: it is idle. */
  working: Promise<void> | null
}

/**
 * The teammates of a session. They work only while a turn of the lead is under way: its signal interrupts them, and the
 * turn ends when none of them works any more. Close it.
 */
export class Team {
  #name: string | null = null
  readonly #members = new Map<string, Member>()
  /** Names of members, and of those who are on their way in. */
  readonly #taken = new Set([LEAD])
  readonly #news = new EventEmitter()
  readonly #lead: () => { readonly loop: Loop; readonly signal: AbortSignal }

  /** The lead and the turn that is under way are asked for when they are needed. */
  constructor(lead: () => { readonly loop: Loop; readonly signal: AbortSignal }) {
    this.#lead = lead
  }

  /** Names the team; the first who names it decides. */
  nameTeam(name: string | undefined): string {
    this.#name ??= name ?? 'team'
    return this.#name
  }

  /** Keeps a name for a teammate who is about to join; false: it is taken. */
  reserve(name: string): boolean {
    const free = !this.#taken.has(name)
    this.#taken.add(name)
    return free
  }

  /** Gives a name back whose teammate did not join. */
  release(name: string): void {
    this.#taken.delete(name)
  }

  /** Every agent that can be written to. */
  get names(): string[] {
    return [LEAD, ...this.#members.keys()]
  }

  /** Names of those who work just now. */
  get working(): string[] {
    return [...this.#members.values()].filter(({ working }) => working !== null).map(({ name }) => name)
  }

  /** Takes a teammate in, who begins to work at once. */
  join(teammate: Teammate): void {
    const member: Member = { ...teammate, working: null }
    this.#members.set(teammate.name, member)
    this.#wake(member)
  }

  /** Puts a text where the receiver finds it before its next request; a teammate that is idle begins to work. */
  tell(name: string, text: string): void {
    const member = this.#members.get(name)
    const loop = name === LEAD ? this.#lead().loop : member?.loop
    loop?.inbox.push(text)
    this.#news.emit('news')
    if (member) this.#wake(member)
  }

  /** Waits while others work and have nothing to say to the lead; resolves with those who still work when the time is over. */
  async listen(withinMs: number): Promise<readonly string[]> {
    const { loop, signal } = this.#lead()
    const late = AbortSignal.timeout(withinMs)
    const until = AbortSignal.any([signal, late])
    while (loop.inbox.length === 0 && this.working.length > 0 && !until.aborted) {
      await once(this.#news, 'news', { signal: until }).catch(() => {}) // the wait is over, as the loop sees
    }
    return late.aborted ? this.working : []
  }

  /** Resolves when no teammate works. The caller interrupts those who do not end by themselves. */
  async waitUntilIdle(): Promise<void> {
    for (const { working } of this.#members.values()) await working
  }

  /** Ends all teammates, one after the other. */
  async close(): Promise<void> {
    for (const { working, leave } of this.#members.values()) {
      await working
      await leave()
    }
    this.#members.clear()
  }

  #wake(member: Member): void {
    const { signal } = this.#lead()
    if (member.working === null && !signal.aborted) member.working = this.#work(member, signal)
  }

  async #work(member: Member, signal: AbortSignal): Promise<void> {
    const words = await member.work(signal)
    member.working = null
    if (member.loop.inbox.length > 0) this.#wake(member) // a message came at the last moment
    if (member.working === null) this.tell(LEAD, words)
  }
}
