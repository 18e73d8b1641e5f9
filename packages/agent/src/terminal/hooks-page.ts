import type { ListedHook, PendingChange } from 'hookline'

/** What of the hooks is looked at. */
export type HooksPage =
  | { readonly page: 'list' }
  | { readonly page: 'detail'; readonly listed: ListedHook }
  | { readonly page: 'add' }
  | { readonly page: 'review'; readonly changes: readonly PendingChange[] }
