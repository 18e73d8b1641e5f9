import type { ComponentChildren } from 'preact'

/** A number of a table, with the title of its column beside it where the page is too narrow for columns. */
export function Figure({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <td class="number" data-title={title}>
      {children}
    </td>
  )
}
