import { Box } from 'ink'
import { type ReactNode, useEffect, useState } from 'react'
import type { OpenCall, State } from '../state/state.ts'
import { chooseColour } from '../text/look.ts'
import { CallHead } from './call-view.tsx'
import { useTerminal, useTerminalState } from './terminal-context.ts'
import { Text } from './text.tsx'
import { WorkView } from './work-view.tsx'

const FRAME_MS = 100
/** Calls under way that are listed. */
const MAX_CALLS_SHOWN = 4
/** Lines of what a call prints that are shown while it runs. */
const LIVE_LINES = 4

/** Shows what goes on at the moment. */
export function Activity({ work }: { readonly work: string }): ReactNode {
  const { look } = useTerminal()
  const state = useTerminalState()
  const { calls, dialogs, playing } = state
  const waits = dialogs.length > 0 || (playing.length > 0 && state.hooks.length === 0)
  return (
    <Box flexDirection="column" marginTop={1}>
      {calls.slice(0, MAX_CALLS_SHOWN).map((call) => (
        <CallUnderWay key={call.id} call={call} isOnly={calls.length === 1} />
      ))}
      {calls.length > MAX_CALLS_SHOWN ? <Text dimColor>{`  and ${calls.length - MAX_CALLS_SHOWN} more`}</Text> : null}
      {waits ? null : (
        <Text wrap="truncate-end" {...chooseColour(look, 'accent')}>
          <Spinner /> {formatActivity(work, state)}
          <Facts state={state} />
        </Text>
      )}
    </Box>
  )
}

function CallUnderWay({ call, isOnly }: { readonly call: OpenCall; readonly isOnly: boolean }): ReactNode {
  const { name, input, agent, output, work } = call
  const lines = output.trimEnd().split('\n')
  const shown = isOnly ? lines.slice(-LIVE_LINES) : lines.slice(-1)
  return (
    <Box flexDirection="column">
      <CallHead name={name} input={input} agent={agent} short />
      {work === null || (!isOnly && work.refusedBy.length === 0) ? null : (
        <Box paddingLeft={2}>
          <WorkView work={{ ...work, rewrites: [] }} />
        </Box>
      )}
      {output.trim() === '' ? null : (
        <Box paddingLeft={4} flexDirection="column">
          {shown.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
            <Text key={at} dimColor wrap="truncate-end">
              {line === '' ? ' ' : line}
            </Text>
          ))}
        </Box>
      )}
    </Box>
  )
}

/** Shows how long it has taken, how much the model has said, and how to end it. */
function Facts({ state: { since, calls, streaming, hooks } }: { readonly state: State }): ReactNode {
  useTicks(1000)
  if (since === null) return ''
  const running = hooks.length > 0 ? undefined : calls.find((call) => call.startedAt !== null)
  const seconds = Math.floor((Date.now() - (running?.startedAt ?? since)) / 1000)
  const facts = [
    `${seconds} s`,
    ...(streaming === '' ? [] : [`about ${Math.ceil(streaming.length / CHARACTERS_PER_TOKEN)} tokens`]),
    'Esc interrupts',
  ]
  return ` (${facts.join(', ')})`
}

const CHARACTERS_PER_TOKEN = 4

/** The message of a hook that runs, else that hooks run, else what the agent does. */
function formatActivity(work: string, { hooks, calls }: State): string {
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
  return signs.spinner[useTicks(FRAME_MS) % signs.spinner.length]
}

/** Counts how often so many milliseconds have passed; the view is drawn anew each time. */
function useTicks(everyMs: number): number {
  const [ticks, setTicks] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTicks((now) => now + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return ticks
}
