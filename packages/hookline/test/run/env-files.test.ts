import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { commands, engineWith } from '../support/project.ts'

const writes = (value: string): string => `echo "export LAMP=${value}" >>"$CLAUDE_ENV_FILE"`

it.each([
  ['in the order of the hooks', ['startup']],
  ['in that order also when the hook that is configured first writes last', ['startup', 'compact']],
])('env files are sourced %s: the one configured last wins', async (_what, sources) => {
  const engine = await engineWith({
    SessionStart: [
      { matcher: sources.at(-1) ?? '', ...commands(writes('first')) },
      { matcher: 'startup', ...commands(writes('second')) },
    ],
  })
  for (const source of sources) await engine.dispatch({ hook_event_name: 'SessionStart', source })
  expect(engine.listEnvironmentFiles()).toHaveLength(2)
  expect(await engine.readEnvironment()).toMatchObject({ LAMP: 'second' })
  const env = { ...process.env, BASH_ENV: (await engine.writeEnvironmentScript()) ?? '' }
  const bash = process.env.CLAUDE_CODE_GIT_BASH_PATH ?? 'bash' // on Windows it is not on the PATH
  expect(execFileSync(bash, ['-c', 'echo "$LAMP"'], { env, encoding: 'utf8' })).toBe('second\n')
})
