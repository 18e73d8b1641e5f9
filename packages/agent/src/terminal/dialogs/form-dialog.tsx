import { Box } from 'ink'
import { type ReactNode, useMemo } from 'react'
import { applyPress, type Editor, EMPTY } from '../keys/editor.ts'
import type { Dialog } from '../state/dialog.ts'
import { chooseColour } from '../text/look.ts'
import { EditorView } from '../views/editor-view.tsx'
import { Frame } from '../views/frame.tsx'
import { usePresses, useTerminal } from '../views/terminal-context.ts'
import { Text } from '../views/text.tsx'
import { useValue } from '../views/use-value.ts'
import { type FormField, readField, readFormFields } from './form-fields.ts'

type Values = Readonly<Record<string, string | number | boolean>>

/** A form of an MCP server, field by field. */
export function FormDialog({ question, answer }: Extract<Dialog, { kind: 'form' }>): ReactNode {
  const { look } = useTerminal()
  const fields = useMemo(() => readFormFields(question.schema), [question])
  const [values, setValues] = useValue<Values>({})
  const [at, setAt] = useValue(0)
  const [editor, setEditor] = useValue<Editor>(EMPTY)
  const [fault, setFault] = useValue<string | null>(null)
  const field = fields[at]
  usePresses((press) => {
    if (press.key === 'escape') return answer({ action: 'cancel' })
    if (press.key === 'ctrl' && press.letter === 'n') return answer({ action: 'decline' })
    if (press.key !== 'enter') return setEditor(applyPress(editor, press) ?? editor)
    if (field === undefined) return answer({ action: 'accept', content: values })
    const read = readField(field, editor.text)
    if ('fault' in read) return setFault(read.fault)
    const next = read.value === null ? values : { ...values, [field.name]: read.value }
    if (at + 1 === fields.length) return answer({ action: 'accept', content: next })
    setValues(next)
    setAt(at + 1)
    setEditor(EMPTY)
    setFault(null)
  })
  return (
    <Frame title={`${question.server} asks`} keys="Enter continues, Ctrl+N declines, Esc closes">
      <Text>{question.message}</Text>
      {fields.slice(0, at).map(({ name, title }) => (
        <Text key={name} dimColor>{`${title}: ${String(values[name] ?? '')}`}</Text>
      ))}
      {field === undefined ? <Text>Enter agrees.</Text> : <Question field={field} editor={editor} />}
      {fault === null ? null : <Text {...chooseColour(look, 'bad')}>{fault}</Text>}
    </Frame>
  )
}

function Question({ field, editor }: { readonly field: FormField; readonly editor: Editor }): ReactNode {
  const { title, choices, type } = field
  const hint = type === 'boolean' ? ' (yes or no)' : ''
  return (
    <Box>
      <Text bold>{`${title}${choices.length > 0 ? ` (${choices.join(', ')})` : hint}: `}</Text>
      <EditorView editor={editor} />
    </Box>
  )
}
