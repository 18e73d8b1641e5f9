import { state } from '../live.ts'

/** Says what kept a view from its answer. */
export function Failure({ text }: { readonly text: string | null }) {
  return text === null ? null : (
    <p class="note" role="alert">
      {text}
    </p>
  )
}

/** Says why no hook is named where there are events. */
export function NoHookRecorded() {
  return (
    <p class="note">
      The recorder sees events, and no hook by its name. If Claude Code has hooks,{' '}
      <code>hookline tap install --wrap all</code> records what they do from now on, with <code>--scope project</code>{' '}
      those of the project.
    </p>
  )
}

/** Says why there is nothing to see, and what to do. */
export function NoLog() {
  const now = state.value
  if (now === null || now.reading) return <p>Reading the logs …</p>
  if (now.advice !== undefined) return <p>{now.advice}</p>
  const problems = now.logs.flatMap(({ problem }) => (problem === null ? [] : [problem]))
  if (problems.length > 0)
    return (
      <>
        <p>Nothing can be shown:</p>
        <ul>
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      </>
    )
  const missing = now.logs.filter(({ isThere }) => !isThere)
  if (missing.length > 0)
    return (
      <>
        <p>There is no file {missing.map(({ file }) => file).join(', ')} yet.</p>
        <p>
          <code>HOOKLINE_LOG=FILE</code> where hooks run makes it. What comes appears here by itself.
        </p>
      </>
    )
  if (now.logs.length > 0)
    return (
      <>
        <p>The log has no event yet: {now.logs.map(({ file }) => file).join(', ')}</p>
        <p>Events appear here by themselves as soon as hooks run.</p>
      </>
    )
  return (
    <>
      <p>There is no log in {now.places}, so nothing was recorded yet.</p>
      <p>
        For Claude Code: <code>hookline tap install</code>, then start a session. For a host of your own: set{' '}
        <code>HOOKLINE_LOG=FILE</code> where hooks run. This page shows what comes by itself.
      </p>
    </>
  )
}
