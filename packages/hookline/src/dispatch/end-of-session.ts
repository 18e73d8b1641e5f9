import type { Stage } from './pipe.ts'
import { endSessionHooks } from './session.ts'

/** Takes the hooks away that were registered for the session, once the hooks of its last event have run. */
export const endOfSession: Stage = {
  leave: endSessionHooks,
}
