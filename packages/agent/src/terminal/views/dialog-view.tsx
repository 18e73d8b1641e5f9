import type { ReactNode } from 'react'
import type { Dialog } from '../dialog.ts'
import { FormDialog } from './form-dialog.tsx'
import { HooksDialog } from './hooks-dialog.tsx'
import { PermissionDialog } from './permission-dialog.tsx'
import { SessionsDialog } from './sessions-dialog.tsx'
import { TrustDialog } from './trust-dialog.tsx'

/** A dialog, by its kind. */
export function DialogView({ dialog }: { readonly dialog: Dialog }): ReactNode {
  switch (dialog.kind) {
    case 'trust':
      return <TrustDialog {...dialog} />
    case 'permission':
      return <PermissionDialog {...dialog} />
    case 'form':
      return <FormDialog {...dialog} />
    case 'sessions':
      return <SessionsDialog {...dialog} />
    case 'hooks':
      return <HooksDialog {...dialog} />
  }
}
