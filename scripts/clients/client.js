import { fileURLToPath } from 'node:url'

/**
 * @import { ModelRequest, ScriptedToolCall, SpokenAnswer } from 'hookline/testing'
 * @import { CensusRecipe } from './census.js'
 */

/**
 * Where one run of a client happens, and which model it asks.
 * @typedef {{ home: string, project: string, url: string, model: string }} Place
 */

/**
 * A coding agent that runs without a terminal: where it comes from, how it is led to the scripted server, and the calls that
 * a model has to make for its tools.
 * @typedef {object} Client
 * @property {string} name
 * @property {string} version
 * @property {string} npm the package, without its version
 * @property {string} program in `node_modules`
 * @property {'itself' | 'node' | 'node 22'} runBy
 * @property {string} [at] its program, where that is not the installed one
 * @property {readonly string[]} [bundleNeeds] it is one bundle: what is installed beside it, in place of all that it names
 * @property {string} model
 * @property {string | null} patchModel with which it offers a patch tool instead of its edit tools
 * @property {boolean} isBridged false: it runs the hooks itself
 * @property {boolean} [isWrapped] each of them is wrapped
 * @property {string} [agent] its bridge, where that has another name
 * @property {boolean} hasProjectFile it reads hooks of a project from a file of its own
 * @property {boolean} loadsClaude it runs hooks of `.claude` by itself as well, trusted or not
 * @property {Record<string, 'refused' | 'unexplained' | 'told' | 'lost' | 'queued' | 'wrong'>} known by capability, what it is known not to do as Claude Code does
 * @property {Client['known']} [knownCold] the same of entries that never use the resident engine, where that is otherwise
 * @property {{ capabilities: readonly string[], says: RegExp }} [warned] what is otherwise than in Claude Code there, and what `hookline bridge status` says of it beforehand
 * @property {number} seconds that one run may take
 * @property {(place: Place) => Record<string, string | object>} files in its home folder; objects are written as JSON
 * @property {(place: Place) => Record<string, string>} env
 * @property {(prompt: string, place: Place) => string[]} args
 * @property {((prompt: string, place: Place) => string[]) | null} resume goes on with the last session; null: not without its id
 * @property {(command: string) => ScriptedToolCall} shell
 * @property {((file: string) => ScriptedToolCall) | null} read
 * @property {((file: string, text: string) => ScriptedToolCall) | null} write
 * @property {((file: string, from: string, to: string) => ScriptedToolCall) | null} edit
 * @property {((patch: string) => ScriptedToolCall) | null} patch
 * @property {CensusRecipe | undefined} [census] how its tools are read, where it has a bridge of this name
 * @property {(command: string, folder: string) => ScriptedToolCall} [shellIn] runs a command in a folder
 * @property {(pattern: string, folder: string) => ScriptedToolCall} [grep]
 * @property {(pattern: string, folder: string) => ScriptedToolCall} [patchModelGrep] with the model that patches, where that has another tool
 * @property {(file: string, source: string) => ScriptedToolCall} [editNotebook]
 * @property {(command: string) => ScriptedToolCall} [monitor] a tool beside the shell that runs a command
 * @property {(task: string) => ScriptedToolCall} [callAgent] starts a subagent
 * @property {(request: ModelRequest) => SpokenAnswer | null} [waitForAgent] what the model says while a subagent is at work
 * @property {{ files: (place: Place) => Record<string, string | object>, call: (tool: string) => ScriptedToolCall }} [mcp] a server called `files`
 * @property {{ variable: string, insteadOf: string }} [movedBy] a variable that moves its files
 * @property {boolean} [readsPlugins] false: it runs hooks of `.claude` itself, and none of plugins
 * @property {Partial<Client>} [untrusting] the client where nobody has reviewed hooks, or trusts the folder
 * @property {boolean} patchesInShell a command that is a patch it applies itself
 */

const SERVER = fileURLToPath(new URL('mcp-server.mjs', import.meta.url))

/**
 * Arguments with which Node starts the MCP server of a run.
 * @param {Place} place
 */
export function serverArgs({ project }) {
  return [SERVER, project]
}
