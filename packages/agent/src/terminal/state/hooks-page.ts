import type { ListedHook, PendingChange } from 'hookline'

/** Page of the hooks that is looked at. */
export type HooksPage =
  | { readonly page: 'list' }
  | { readonly page: 'detail'; readonly listed: ListedHook }
  | { readonly page: 'add' }
  | { readonly page: 'review'; readonly changes: readonly PendingChange[] }
