import type { Engine, WritableScope } from 'hookline'
import { Box } from 'ink'
import type { ReactNode } from 'react'
import { applyPress, type Editor, EMPTY } from '../keys/editor.ts'
import { ChoiceList, moveChoice } from '../views/choice-list.tsx'
import { EditorView } from '../views/editor-view.tsx'
import { Frame } from '../views/frame.tsx'
import { usePresses, useTerminal } from '../views/terminal-context.ts'
import { Text } from '../views/text.tsx'
import { useValue } from '../views/use-value.ts'
import { addCommandHook } from './new-hook.ts'

const SCOPE_CHOICES: readonly { readonly scope: WritableScope; readonly text: string }[] = [
  { scope: 'local', text: 'this project, for me     .claude/settings.local.json' },
  { scope: 'project', text: 'this project, for all    .claude/settings.json' },
  { scope: 'user', text: 'all my projects          ~/.claude/settings.json' },
]

/** Answers so far. */
interface Draft {
  readonly event: string | null
  readonly matcher: string | null
  readonly command: string | null
}

type AddHookStep =
  | { readonly ask: 'choice'; readonly title: string; readonly choices: readonly string[] }
  | { readonly ask: 'text'; readonly title: string }

/** Asks for a hook, part by part; it is active at once. */
export function AddHook({
  engine,
  back,
}: {
  readonly engine: Engine
  readonly back: (said?: string) => void
}): ReactNode {
  const { rows } = useTerminal()
  const [draft, setDraft] = useValue<Draft>({ event: null, matcher: null, command: null })
  const [at, setAt] = useValue(0)
  const [editor, setEditor] = useValue<Editor>(EMPTY)
  const names = [...engine.profile.events.keys()]
  const step = findStep(draft, names)
  const takeDraft = (next: Draft): void => {
    setDraft(next)
    setAt(0)
    setEditor(EMPTY)
  }
  usePresses((press) => {
    if (press.key === 'escape') return back()
    if (step.ask === 'text') {
      if (press.key !== 'enter') return setEditor(applyPress(editor, press) ?? editor)
      if (draft.matcher === null) return takeDraft({ ...draft, matcher: editor.text.trim() })
      if (editor.text.trim() !== '') takeDraft({ ...draft, command: editor.text.trim() })
      return
    }
    const next = moveChoice(press, at, step.choices.length)
    if (typeof next === 'number') return setAt(next)
    if (next !== 'take') return
    if (draft.event === null) return takeDraft(setEvent(draft, names[at] ?? '', engine))
    const { event, matcher, command } = draft
    const hook = { event, matcher: matcher ?? '', command: command ?? '' }
    void addCommandHook(engine, SCOPE_CHOICES[at]?.scope ?? 'local', hook).then(back)
  })
  const done = [draft.event, draft.matcher, draft.command].filter((part) => part !== null && part !== '').join('  ')
  return (
    <Frame title={`A new hook: ${step.title}`} keys="Enter continues, Esc cancels">
      {done === '' ? null : <Text dimColor>{done}</Text>}
      {step.ask === 'text' ? (
        <Box>
          <EditorView editor={editor} />
        </Box>
      ) : (
        <ChoiceList choices={step.choices} at={at} most={Math.max(4, rows - 10)} />
      )}
    </Frame>
  )
}

function findStep({ event, matcher, command }: Draft, events: readonly string[]): AddHookStep {
  if (event === null) return { ask: 'choice', title: 'which event', choices: events }
  if (matcher === null) return { ask: 'text', title: 'which matcher, such as Bash or Edit|Write; empty for all' }
  if (command === null) return { ask: 'text', title: 'which command' }
  return { ask: 'choice', title: 'where it is kept', choices: SCOPE_CHOICES.map(({ text }) => text) }
}

/** Sets the event; where it takes no matcher, none is asked for. */
function setEvent(draft: Draft, event: string, { profile }: Engine): Draft {
  const takesOne = profile.events.get(event)?.matchOn !== null
  return { ...draft, event, matcher: takesOne ? null : '' }
}
