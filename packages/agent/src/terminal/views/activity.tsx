import { Box } from 'ink'
import { type ReactNode, useEffect, useState } from 'react'
import { colourOf } from '../look.ts'
import type { State } from '../state.ts'
import { CallHead } from './call-view.tsx'
import { useTerminal, useTerminalState } from './terminal-context.ts'
import { Text } from './text.tsx'

const FRAME_MS = 100
/** Calls under way that are listed. */
const MOST_CALLS = 5

/** What goes on at the moment. */
export function Activity({ work }: { readonly work: string }): ReactNode {
  const { look } = useTerminal()
  const state = useTerminalState()
  const { calls, dialogs, playing } = state
  const waits = dialogs.length > 0 || (playing.length > 0 && state.hooks.length === 0)
  return (
    <Box flexDirection="column" marginTop={1}>
      {calls.slice(0, MOST_CALLS).map(({ id, name, input, agent }) => (
        <CallHead key={id} name={name} input={input} agent={agent} />
      ))}
      {calls.length > MOST_CALLS ? <Text dimColor>{`  and ${calls.length - MOST_CALLS} more`}</Text> : null}
      {waits ? null : (
        <Text {...colourOf(look, 'accent')}>
          <Spinner /> {activityText(work, state)}
        </Text>
      )}
    </Box>
  )
}

/** The message of a hook that runs, else that hooks run, else what the agent does. */
function activityText(work: string, { hooks, calls }: State): string {
  const messages = hooks.flatMap(({ statusMessage }) => statusMessage ?? [])
  if (messages.length > 0) return messages.join(', ')
  const [hook] = hooks
  if (hook !== undefined)
    return hooks.length === 1 ? `Running a ${hook.event} hook` : `Running ${hooks.length} ${hook.event} hooks`
  const running = calls.find((call) => call.running)
  return running === undefined ? work : `Running ${running.name}`
}

function Spinner(): ReactNode {
  const { signs } = useTerminal()
  const [frame, setFrame] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setFrame((now) => now + 1), FRAME_MS)
    return () => clearInterval(timer)
  }, [])
  return signs.spinner[frame % signs.spinner.length]
}
