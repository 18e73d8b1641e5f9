import { homedir } from 'node:os'
import { expect, it } from 'vitest'
import { HostEnvironment } from '../../src/run/environment.ts'

const VARIABLES = ['CLAUDE_PROJECT_DIR', 'CLAUDE_CODE_SESSION_ID'] as const

function environmentOf(host: NodeJS.ProcessEnv, { ignoresCase = true } = {}): NodeJS.ProcessEnv {
  const about = { project: 'C:\\work', remote: false, variables: VARIABLES, ignoresCase }
  return new HostEnvironment(host, about).makeForEvent({ hook_event_name: 'Stop', session_id: 'one' })
}

it('the search path of Windows stays what it is, under the name that it has there', () => {
  const env = environmentOf({ Path: 'C:\\tools', SystemRoot: 'C:\\Windows' })
  expect(env).toMatchObject({ Path: 'C:\\tools', SystemRoot: 'C:\\Windows', CLAUDE_PROJECT_DIR: 'C:\\work' })
  expect(Object.keys(env).filter((name) => name.toUpperCase() === 'PATH')).toEqual(['Path'])
})

it('a variable that is set for hooks replaces that of the host in any spelling', () => {
  const host = { claude_project_dir: 'C:\\other', Claude_Code_Session_Id: 'other', Home: 'C:\\me', hookline_depth: '2' }
  expect(environmentOf(host)).toEqual({
    claude_project_dir: 'C:\\work',
    Claude_Code_Session_Id: 'one',
    Home: 'C:\\me',
    hookline_depth: '3',
  })
})

it('what hooks do not inherit they do not inherit in any spelling', () => {
  const host = { Claude_Plugin_Root: 'x', claude_plugin_option_key: 'x', Claude_Code_Messaging_Token: 'x' }
  expect(Object.keys(environmentOf(host)).sort()).toEqual([
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_PROJECT_DIR',
    'HOME',
    'HOOKLINE_DEPTH',
  ])
})

it('elsewhere a variable in another spelling is another variable', () => {
  const env = environmentOf({ Path: 'x' }, { ignoresCase: false })
  expect(env).toMatchObject({ Path: 'x', PATH: '/usr/local/bin:/usr/bin:/bin', HOME: homedir() })
})
