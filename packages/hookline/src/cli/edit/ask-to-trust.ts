import { storeAcceptance } from '../../config/trust.ts'
import type { TrustReview } from '../../engine/trust-review.ts'
import type { TerminalUser } from '../input/terminal-user.ts'
import { print } from '../start/print.ts'
import type { Terminal } from '../view/terminal.ts'
import { formatTrust } from '../view/trust-view.ts'

/** Shows all that a project asks for, and trusts it when the user agrees; whether they did. */
export async function askToTrust(
  review: TrustReview,
  { home, terminal, user }: { readonly home: string; readonly terminal: Terminal; readonly user: TerminalUser },
): Promise<boolean> {
  print(`${formatTrust(review, terminal).join('\n')}\n`)
  if (!(await user.confirm('\nTrust these hooks? They run with your permissions.'))) return false
  await storeAcceptance(review.request, home)
  return true
}
