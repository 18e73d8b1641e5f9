import type { ReactNode } from 'react'
import type { Dialog } from '../dialog.ts'
import type { HooksPage } from '../hooks-page.ts'
import { AddHook } from './add-hook.tsx'
import { HookDetail } from './hook-detail.tsx'
import { HookList } from './hook-list.tsx'
import { ReviewChanges } from './review-changes.tsx'
import { useTerminal } from './terminal-context.ts'
import { useValue } from './use-value.ts'

/** The hooks of the session: to look at, to add to, to switch off, to review. */
export function HooksDialog({ answer }: Extract<Dialog, { kind: 'hooks' }>): ReactNode {
  const engine = useTerminal().host.agent?.engine
  const [page, open] = useValue<HooksPage>({ page: 'list' })
  const [said, say] = useValue<string | null>(null)
  if (engine === undefined) return null
  const back = (text: string | null = null): void => {
    say(text)
    open({ page: 'list' })
  }
  switch (page.page) {
    case 'list':
      return <HookList engine={engine} said={said} open={open} close={() => answer(null)} />
    case 'detail':
      return <HookDetail engine={engine} id={page.listed.hook.id} listed={page.listed} back={back} />
    case 'add':
      return <AddHook engine={engine} back={back} />
    case 'review':
      return <ReviewChanges engine={engine} changes={page.changes} back={back} />
  }
}
