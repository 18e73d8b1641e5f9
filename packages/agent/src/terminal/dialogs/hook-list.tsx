import type { Engine } from 'hookline'
import type { ReactNode } from 'react'
import { formatHookLines, GROUPINGS, nameGroup } from '../state/hook-text.ts'
import type { HooksPage } from '../state/hooks-page.ts'
import { chooseColour } from '../text/look.ts'
import { ChoiceList, moveChoice } from '../views/choice-list.tsx'
import { Frame } from '../views/frame.tsx'
import { usePresses, useTerminal } from '../views/terminal-context.ts'
import { Text } from '../views/text.tsx'
import { useValue } from '../views/use-value.ts'

/** Of what cannot even be listed as a hook, such as a misspelt event. */
const MAX_FAULTS_SHOWN = 3

interface Props {
  readonly engine: Engine
  /** Message about what was done last. */
  readonly said: string | null
  readonly open: (page: HooksPage) => void
  readonly close: () => void
}

/** Every hook, in an order that Tab changes. */
export function HookList({ engine, said, open, close }: Props): ReactNode {
  const { rows, look } = useTerminal()
  const [at, setAt] = useValue(0)
  const [order, setOrder] = useValue(0)
  const grouping = GROUPINGS[order % GROUPINGS.length] ?? 'event'
  const listed = engine
    .list()
    .toSorted((one, other) => nameGroup(one, grouping).localeCompare(nameGroup(other, grouping)))
  const faults = engine.faults.flatMap(({ hook, text }) => (hook === null ? [text] : []))
  usePresses((press) => {
    if (press.key === 'escape') return close()
    if (press.key === 'tab') return setOrder(order + 1)
    if (press.key === 'text' && press.text === 'a') return open({ page: 'add' })
    if (press.key === 'text' && press.text === 'r') return void openReview(engine, open)
    if (listed.length === 0) return
    const next = moveChoice(press, at, listed.length)
    const chosen = listed[at]
    if (next === 'take' && chosen) open({ page: 'detail', listed: chosen })
    else if (typeof next === 'number') setAt(next)
  })
  return (
    <Frame title={`Hooks by ${grouping}`} keys="Enter opens, Tab: order, a: add, r: review changes, Esc closes">
      {faults.slice(0, MAX_FAULTS_SHOWN).map((text) => (
        <Text key={text} {...chooseColour(look, 'bad')}>
          {text}
        </Text>
      ))}
      {faults.length > MAX_FAULTS_SHOWN ? (
        <Text>{`and ${faults.length - MAX_FAULTS_SHOWN} more: hookline validate`}</Text>
      ) : null}
      {listed.length === 0 ? <Text>No hook is configured.</Text> : null}
      <ChoiceList
        choices={formatHookLines(listed)}
        at={at}
        most={Math.max(3, rows - 10 - 2 * Math.min(faults.length, MAX_FAULTS_SHOWN))}
      />
      {said === null ? null : <Text>{said}</Text>}
    </Frame>
  )
}

async function openReview(engine: Engine, open: (page: HooksPage) => void): Promise<void> {
  open({ page: 'review', changes: await engine.listChanges() })
}
