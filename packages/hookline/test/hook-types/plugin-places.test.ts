import { join } from 'node:path'
import { expect, it } from 'vitest'
import { quotePluginPlaces } from '../../src/hook-types/plugin-places.ts'
import { bashCall, commands, makeWorld, openOn, put } from '../support/project.ts'

const ROOT = ['$', '{CLAUDE_PLUGIN_ROOT}'].join('')

/** Shell text that runs a script of a plugin with one argument, wherever the plugin lies. */
const CALLS = [
  `${ROOT}/hit.sh a`,
  `"${ROOT}/hit.sh" a`,
  `"${ROOT}"/hit.sh a`,
  `X=${ROOT}/hit.sh; "$X" a`,
  `sh ${ROOT}/hit.sh a`,
  `[ -e ${ROOT}/hit.sh ] && ${ROOT}/hit.sh a`,
  `# it's a comment\n${ROOT}/hit.sh a`,
  `cat <<END >/dev/null\nit's in a document\nEND\n${ROOT}/hit.sh a`,
  `case x in x) ${ROOT}/hit.sh a;; esac`,
  `Y=$(${ROOT}/hit.sh a 2>&1); echo "$Y" >&2; exit 2`,
  `Z="$(${ROOT}/hit.sh a 2>&1)"; echo "$Z" >&2; exit 2`,
  `sh -c '"${ROOT}/hit.sh" a'`,
  `(${ROOT}/hit.sh "a")`,
]

it.each(['plain', 'with a space', "it's $HOME `x`"])(
  'a plugin in the folder %j is one word of a command',
  async (name) => {
    const world = await makeWorld()
    await put(world, `${name}/.claude-plugin/plugin.json`, { name: 'p' })
    await put(world, `${name}/hit.sh`, '#!/bin/sh\necho "got $# $1" >&2; exit 2\n')
    await put(world, `${name}/hooks/hooks.json`, { hooks: { PreToolUse: [commands(...CALLS)] } })
    const engine = await openOn(world, { plugins: [join(world.root, name)] })
    const { decision, hooks } = await engine.dispatch(bashCall)
    expect(hooks.map(({ outcome }) => outcome)).toEqual(CALLS.map(() => 'blocking'))
    expect(decision.messages.map(({ text }) => text.split(']: ').at(-1))).toEqual(CALLS.map(() => 'got 1 a'))
  },
)

it.each([`echo 'open ${ROOT}`, `echo "open ${ROOT}`, `echo $(open ${ROOT}`])(
  'text that ends inside of quotes is left as it is: %j',
  (text) => {
    expect(quotePluginPlaces(text)).toBe(text)
  },
)
