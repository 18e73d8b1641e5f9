import { BEHAVIORS } from 'hookline/rules'
import { Box } from 'ink'
import type { ReactNode } from 'react'
import { applyPress, type Editor, EMPTY, makeEditor } from '../keys/editor.ts'
import type { Dialog } from '../state/dialog.ts'
import { ChoiceList, moveChoice } from '../views/choice-list.tsx'
import { EditorView } from '../views/editor-view.tsx'
import { Frame } from '../views/frame.tsx'
import { usePresses, useTerminal } from '../views/terminal-context.ts'
import { Text } from '../views/text.tsx'
import { useValue } from '../views/use-value.ts'
import { addRule, formatRuleLine, type ListedRule, listRules, removeRule, replaceRule } from './rule-changes.ts'

/** Page of the rules. */
type Page =
  | { readonly page: 'list' }
  /** A rule is typed: a new one, or one in the place of another. */
  | { readonly page: 'type'; readonly behavior: ListedRule['behavior']; readonly instead: ListedRule | null }
  | { readonly page: 'remove'; readonly listed: ListedRule }

/** The rules of the session: to look at, to add, to edit and to remove. */
export function PermissionsDialog({ answer }: Extract<Dialog, { kind: 'permissions' }>): ReactNode {
  const { host, rows } = useTerminal()
  const [page, open] = useValue<Page>({ page: 'list' })
  const [at, setAt] = useValue(0)
  const [editor, setEditor] = useValue<Editor>(EMPTY)
  const [said, say] = useValue<string | null>(null)
  const permissions = host.agent?.permissions
  const listed = permissions === undefined ? [] : listRules(permissions)
  const chosen = listed[Math.min(at, listed.length - 1)]
  const goBackTo = (text: string | null): void => {
    say(text)
    open({ page: 'list' })
  }
  const typeRule = (behavior: ListedRule['behavior'], instead: ListedRule | null): void => {
    setEditor(makeEditor(instead?.rule.text ?? ''))
    open({ page: 'type', behavior, instead })
  }
  usePresses((press) => {
    if (permissions === undefined) return answer(null)
    if (page.page === 'type') {
      if (press.key === 'escape') return goBackTo(null)
      if (press.key === 'tab') return open({ ...page, behavior: findNextBehavior(page.behavior) })
      if (press.key !== 'enter') return setEditor(applyPress(editor, press) ?? editor)
      const { behavior, instead } = page
      const done =
        instead === null
          ? addRule(permissions, { behavior, text: editor.text }).then((result) => result.said)
          : replaceRule(permissions, instead, editor.text)
      return void done.then(goBackTo)
    }
    if (page.page === 'remove') {
      if (press.key === 'text' && press.text === 'y') return void removeRule(permissions, page.listed).then(goBackTo)
      return goBackTo(null)
    }
    if (press.key === 'escape') return answer(null)
    if (press.key === 'text' && press.text === 'a') return typeRule('allow', null)
    if (chosen === undefined) return
    if (press.key === 'text' && press.text === 'x') return open({ page: 'remove', listed: chosen })
    const next = moveChoice(press, at, listed.length)
    if (typeof next === 'number') return setAt(next)
    if (next === 'take' || (press.key === 'text' && press.text === 'e')) typeRule(chosen.behavior, chosen)
  })
  if (page.page === 'type') {
    const keys =
      page.instead === null ? 'Enter adds it, Tab: allow, ask or deny, Esc cancels' : 'Enter saves, Esc cancels'
    return (
      <Frame title={page.instead === null ? 'A new rule, such as Bash(npm test:*)' : 'Edit the rule'} keys={keys}>
        <Box>
          <Text>{`${page.behavior} `}</Text>
          <EditorView editor={editor} />
        </Box>
      </Frame>
    )
  }
  if (page.page === 'remove') {
    return (
      <Frame title="Remove this rule?" keys="y removes it, any other key keeps it">
        <Text>{formatRuleLine(page.listed)}</Text>
      </Frame>
    )
  }
  return (
    <Frame
      title={`Permissions, mode ${permissions?.mode ?? 'default'}`}
      keys="Enter edits, a: add, x: remove, Esc closes"
    >
      {listed.length === 0 ? <Text>There is no rule.</Text> : null}
      <ChoiceList
        choices={listed.map(formatRuleLine)}
        at={Math.min(at, listed.length - 1)}
        most={Math.max(3, rows - 10)}
      />
      {said === null ? null : <Text>{said}</Text>}
    </Frame>
  )
}

/** The next of what a rule can do. */
function findNextBehavior(behavior: ListedRule['behavior']): ListedRule['behavior'] {
  return BEHAVIORS[(BEHAVIORS.indexOf(behavior) + 1) % BEHAVIORS.length] ?? behavior
}
