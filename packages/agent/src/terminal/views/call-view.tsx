import { Box } from 'ink'
import type { ReactNode } from 'react'
import { isRefused } from '../state/hook-work.ts'
import type { FinishedCall } from '../state/item.ts'
import { formatInput } from '../text/call-text.ts'
import { toDiffLines } from '../text/diff-lines.ts'
import { chooseColour, type Tone } from '../text/look.ts'
import { FoldedLines } from './folded-lines.tsx'
import { Marked } from './marked.tsx'
import { useTerminal, useTerminalState } from './terminal-context.ts'
import { Text } from './text.tsx'
import { WorkView } from './work-view.tsx'

/** Lines of a result that are shown before it is unfolded. */
const MAX_FOLDED_LINES = 4
/** Lines of a change that are shown before it is unfolded. */
const FOLDED_CHANGE_LINES = 12

/** A call with its input and what became of it. */
export function CallView({ call }: { readonly call: FinishedCall }): ReactNode {
  const { name, input, hunks, failed, result, agent, work } = call
  const { verbose } = useTerminalState()
  return (
    <Box flexDirection="column" marginLeft={agent === null ? 0 : 2}>
      <CallHead name={name} input={input} agent={agent} tone={failed ? 'bad' : 'good'} />
      {hunks.length === 0 || failed ? (
        <ResultView text={result} failed={failed} unfolded={verbose || isRefused(work)} />
      ) : (
        <Box paddingLeft={2}>
          <FoldedLines lines={toDiffLines(hunks)} folded={FOLDED_CHANGE_LINES} />
        </Box>
      )}
      {work === null ? null : (
        <Box paddingLeft={2}>
          <WorkView work={work} />
        </Box>
      )}
    </Box>
  )
}

interface Head {
  readonly name: string
  readonly input: unknown
  readonly agent: string | null
  /** Of the sign before it. */
  readonly tone?: Tone
  /** In a single line, whatever the view. */
  readonly short?: boolean
}

/** Shows what is called, in a line. */
export function CallHead({ name, input, agent, tone, short = false }: Head): ReactNode {
  const { signs, host } = useTerminal()
  const verbose = useTerminalState().verbose && !short
  const text = verbose ? JSON.stringify(input) : formatInput(input, host.options.project)
  return (
    <Marked sign={signs.call} {...(tone === undefined ? {} : { tone })}>
      <Text wrap={verbose ? 'wrap' : 'truncate-end'}>
        {agent === null ? '' : `${agent}: `}
        <Text bold>{name}</Text>
        {text === '' ? '' : `(${text})`}
      </Text>
    </Marked>
  )
}

function ResultView({ text, failed, unfolded }: { text: string; failed: boolean; unfolded: boolean }): ReactNode {
  const { look, signs } = useTerminal()
  const lines = text.replaceAll('\t', '    ').split('\n')
  const shown = unfolded ? lines : lines.slice(0, MAX_FOLDED_LINES)
  const more = lines.length - shown.length
  return (
    <Box paddingLeft={2}>
      <Marked sign={signs.result}>
        <Text dimColor={!failed} {...(failed ? chooseColour(look, 'bad') : {})}>
          {shown.join('\n') || ' '}
        </Text>
        {more === 0 ? null : <Text dimColor>{`${signs.ellipsis} ${more} more lines (Ctrl+O shows them)`}</Text>}
      </Marked>
    </Box>
  )
}
