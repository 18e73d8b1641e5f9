import type { ReactNode } from 'react'
import type { Dialog } from '../state/dialog.ts'
import { Deciding } from '../views/text.tsx'
import { FormDialog } from './form-dialog.tsx'
import { HooksDialog } from './hooks-dialog.tsx'
import { PermissionDialog } from './permission-dialog.tsx'
import { PermissionsDialog } from './permissions-dialog.tsx'
import { PlanDialog } from './plan-dialog.tsx'
import { RewindDialog } from './rewind-dialog.tsx'
import { SessionsDialog } from './sessions-dialog.tsx'
import { TrustDialog } from './trust-dialog.tsx'

/** A dialog: all of its texts are shown with nothing hidden in them. */
export function DialogView({ dialog }: { readonly dialog: Dialog }): ReactNode {
  return (
    <Deciding.Provider value={true}>
      <ByKind key={makeDialogKey(dialog)} dialog={dialog} />
    </Deciding.Provider>
  )
}

const keys = new WeakMap<Dialog, string>()
let shown = 0

/** Each dialog begins anew: what was chosen, typed or scrolled in the one before it does not count in it. */
function makeDialogKey(dialog: Dialog): string {
  const key = keys.get(dialog) ?? String(shown++)
  keys.set(dialog, key)
  return key
}

function ByKind({ dialog }: { readonly dialog: Dialog }): ReactNode {
  switch (dialog.kind) {
    case 'trust':
      return <TrustDialog {...dialog} />
    case 'permission':
      return <PermissionDialog {...dialog} />
    case 'form':
      return <FormDialog {...dialog} />
    case 'sessions':
      return <SessionsDialog {...dialog} />
    case 'rewind':
      return <RewindDialog {...dialog} />
    case 'plan':
      return <PlanDialog {...dialog} />
    case 'permissions':
      return <PermissionsDialog {...dialog} />
    case 'hooks':
      return <HooksDialog {...dialog} />
  }
}
