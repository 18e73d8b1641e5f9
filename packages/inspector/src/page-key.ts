const NAME = 'hookline-page'

/** Key that the server asks of this page beside the cookie, which other ports of the host are sent as well; empty where it asks for none. */
export const pageKey = takeKey()

/** The link brings the key behind the #; it is kept for addresses that are opened later. */
function takeKey(): string {
  const [, brought] = /^#page=([\w-]+)$/.exec(location.hash) ?? []
  if (brought === undefined) return localStorage.getItem(NAME) ?? ''
  localStorage.setItem(NAME, brought)
  history.replaceState(null, '', location.pathname + location.search)
  return brought
}
