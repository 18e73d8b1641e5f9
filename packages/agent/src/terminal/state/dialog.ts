import type { TrustRequest } from 'hookline'
import type { PermissionAnswer, PermissionQuestion } from '../../call/ask-user.ts'
import type { ElicitationAnswer, ElicitationQuestion } from '../../mcp/elicitation.ts'
import type { RewindPoint } from '../../session/agent.ts'
import type { StoredSession } from '../../transcript/sessions.ts'
import type { WantedChange } from '../text/hunks.ts'

/** Request of a folder to be trusted. */
export interface TrustQuestion {
  readonly request: TrustRequest
}

/** Dialog that waits for the user, in the place of the input. */
export type Dialog =
  | { readonly kind: 'trust'; readonly question: TrustQuestion; readonly answer: (accepted: boolean) => void }
  | {
      readonly kind: 'permission'
      readonly question: PermissionQuestion
      /** Change that the call would make to a file; null: it is not about one. */
      readonly change: WantedChange | null
      readonly answer: (answer: PermissionAnswer) => void
    }
  | {
      readonly kind: 'form'
      readonly question: ElicitationQuestion
      readonly answer: (answer: ElicitationAnswer) => void
    }
  | {
      readonly kind: 'sessions'
      readonly sessions: readonly StoredSession[]
      /** null: none of them. */
      readonly answer: (id: string | null) => void
    }
  | {
      readonly kind: 'rewind'
      readonly points: readonly RewindPoint[]
      /** null: none of them. */
      readonly answer: (chosen: { readonly point: RewindPoint; readonly files: boolean } | null) => void
    }
  | { readonly kind: 'plan'; readonly answer: (answer: PermissionAnswer) => void }
  | { readonly kind: 'permissions'; readonly answer: (done: null) => void }
  | { readonly kind: 'hooks'; readonly answer: (done: null) => void }
