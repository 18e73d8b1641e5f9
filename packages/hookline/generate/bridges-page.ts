import {
  type Answers,
  type Bridge,
  isUnverified,
  type Mark,
  makeUnverifiedNote,
  type PartsName,
  type ToolRule,
} from '../src/bridges/bridge.ts'
import { explainMissing } from '../src/bridges/install/entry.ts'
import { clientsTable } from './clients-table.ts'

/** What hooks can say, in the words of the pages. */
const SAID: Readonly<Record<keyof Answers, string>> = {
  deny: 'deny a call',
  ask: 'ask the user about a call',
  defer: 'defer a call',
  allow: 'allow a call',
  updatedInput: 'change the input of a call',
  contextBeforeTool: 'context before a call',
  feedbackAfterTool: 'block after a call',
  contextAfterTool: 'context after a call',
  updatedToolOutput: 'change the output of a call',
  contextAtStart: 'context at the start',
  promptBlock: 'block a prompt',
  promptContext: 'context for a prompt',
  stopBlock: 'block a stop',
  haltBeforeTool: 'halt before a call',
  halt: 'halt elsewhere',
  dialog: 'answer a permission dialog',
  environment: 'set variables by `CLAUDE_ENV_FILE`',
  toUser: 'a message for the user',
}
const ANSWERS = Object.keys(SAID) as (keyof Answers)[] // the keys of the table above

const MARKS: Readonly<Record<Mark, string>> = {
  O: 'observed',
  S: 'read in its source',
  D: 'documented by its vendor',
  T: 'reported by others',
}

const HOW = { exact: 'exact', emulated: 'stricter', queued: 'later', lost: 'lost' } as const

const NOTE = '<!-- Generated from the tables of the bridges by `npm run generate`. -->'

/** `docs/bridges.md` and a page for each agent, by their path in `docs`. */
export function bridgePages(bridges: readonly Bridge[]): Record<string, string> {
  return {
    'bridges.md': overview(bridges),
    ...Object.fromEntries(bridges.map((bridge) => [`bridges/${bridge.name}.md`, agentPage(bridge)])),
  }
}

function overview(bridges: readonly Bridge[]): string {
  const [unverified, tried] = [bridges.filter(isUnverified), bridges.filter((bridge) => !isUnverified(bridge))]
  return page([
    '# The same hooks in other agents',
    '',
    NOTE,
    '',
    'A bridge runs the hooks of your `.claude/settings.json`, as they are, in another coding agent.',
    '',
    'The agent calls Hookline for its own events; hooks get them as Claude',
    'Code would send them, and the agent gets what they decide in its own form, never milder than in Claude Code.',
    '',
    '```console',
    'hookline bridge report codex     # what of your hooks holds there',
    'hookline bridge install codex    # shows the difference, then writes it',
    'hookline bridge status           # what is installed, and whether it runs',
    'hookline bridge uninstall codex  # the file is as it was before',
    '```',
    '',
    '[The same guard in Codex](same-guard-in-codex.md) does it step by step; [`hookline bridge`](commands/bridge.md) has every flag.',
    '',
    '## Where Hookline is missing',
    '',
    'An agent whose hook cannot be started goes on in most cases, and every guard is open. So entries say what is to become of the call:',
    '',
    '```sh',
    '/home/you/.hookline/bin/hookline bridge run droid PreToolUse --proof; case $? in 86) ;; 87) exit 2 ;; *) echo hookline gave no answer, so no hook could be asked >&2; exit 2 ;; esac',
    '```',
    '',
    '- With `--proof` Hookline ends with 86 once it has answered, and with 87 to refuse. Any other end refuses the call in words: a program that is missing, cut off or without its Node, and another one of that',
    '  name, also if it ends with 0 and says nothing. It costs no start. Plugins of opencode, Kilo and Pi and programs of Cline look at the same number.',
    '- *Entries of your own* (`--scope user`) start `~/.hookline/bin/hookline`, a small shell script that `bridge install` and `doctor` write: no PATH, and no `node_modules/.bin` of a project, decides what',
    '  runs. It has the absolute paths of Node and of Hookline, looks for another Node when that one is gone (never in a project), and fails with a sentence when there is none. It must be yours alone: where',
    '  others may write to the folder, nothing is installed. Where the path of your home is not one word (a blank in it), the entries call the `hookline` of your PATH instead.',
    '- *Entries of a project* (`--scope project`) are committed, and would stop everyone without Hookline. You choose, and `install` asks: `--if-missing refuse`, or `--if-missing pass`, with which every guard',
    '  is open for those who do not have it. `bridge report` says which it is. They call the `hookline` of the PATH. `bridge status`, `bridge report` and `doctor` start',
    '  the entry and say what answers. With *pass* another program of that name opens every guard of the project too.',
    '- Only entries before a call refuse. At any other event an agent goes on: told that its end was refused, it would never end.',
    '- Entries do not change: not with the version, nor with hooks and their timeouts. An agent that has you review them (Codex) asks once. Agents are told to wait an hour, or as long as they allow; hooks end',
    '  by their own timeouts, and five seconds before the agent gives up at the latest.',
    '- On Windows entries are `hookline bridge run …` alone, since the shells there differ.',
    '',
    '## The resident engine',
    '',
    'On Linux a call of an entry of your own is answered by one process of yours that stays: the first call starts it, ten idle minutes end it. An agent no longer waits for Node to start, and guards in Node',
    'and Python find their interpreter started. Hooks are processes of their own as ever, and get the environment, folder, mask and limits of the agent that called; settings, scripts and trust count as they',
    'are when the call comes.',
    '',
    'A call takes the old way, with the same answer, where that process is gone, stopped or busy, where the caller is in a sandbox, a container or another control group, and where its limits or the variables',
    'that Node and Hookline read differ. Once a call was taken it is not made a second time: if the process dies meanwhile, a guarded call is refused. [`hookline resident status`](commands/resident.md) says how',
    'many calls it answered and why others took the old way. `HOOKLINE_RESIDENT=off`, or `"hookline": { "resident": false }` in your own settings or those of your organisation, turns it off; a project cannot.',
    '`hookline doctor` renews a launcher of an earlier version; with `hookline bridge status` it says whether the engine is in use. `hookline bridge install AGENT --no-resident` writes entries that never ask it.',
    'In Claude Code itself it answers [wrapped hooks](with-claude-code.md#make-your-hooks-faster).',
    '',
    '## Hooks that an agent loads by itself',
    '',
    'Some agents load `.claude/settings.json` themselves (below: *also loads `.claude`*), and call its hooks with payloads that these do not expect: a guard reads nothing, and lets everything',
    'through. [`hookline wrap`](commands/wrap.md) fixes the hooks of such a file one by one:',
    '',
    '```console',
    'hookline wrap install    # shows the difference, then writes it',
    'hookline wrap uninstall  # the file is as it was before, to the byte',
    '```',
    '',
    'A wrapped hook is one line of shell text, and still works for a colleague without Hookline:',
    '',
    '```sh',
    `[ -r ~/.hookline/bin/hookline ] && set -- wrap --event PreToolUse --matcher Bash -- './guard.sh' && . ~/.hookline/bin/hookline; set --; ./guard.sh`,
    '```',
    '',
    '- The shell of the hook reads the launcher, which hands over to Hookline once it knows that Node and Hookline run. Where it is missing, or finds no Node that will do, the command itself runs. Which of the two it is,',
    '  is settled before anything of the payload is read: no exit code of a hook, 126 and 127 included, starts that hook a second time. With `--no-resident` the `hookline` of the PATH is asked whether it is ready, which takes as',
    '  long as Node takes to start; one that is missing, cut off, or another program of that name leaves the call to the command.',
    '- What stands in the launcher, that shell does. One that was cut off (Hookline writes it in one step, so by a broken disk or a copy) lets the command run by itself in `bash`, and mostly refuses every call in `dash`, `sh` of Debian,',
    '  which ends at a text that it cannot read. One that says `exit 0` opens every wrapped guard: only you, and what runs as you, can write there, and could write into your settings as well. `hookline bridge status` tells of both, and',
    '  `hookline doctor` writes the launcher anew.',
    '- Under Claude Code the command runs as if it stood alone: same input, output, exit code, signals. So it does in an agent that is not known, which is said once a session.',
    '- In an agent that is recognised, by its payload or its variables, the rules of its bridge hold: the hook gets what Claude Code would send, and a refusal is one in that agent. `--agent NAME`',
    '  says who calls where nothing tells.',
    '- In Hookline itself the command runs without the wrapper. `list`, `explain`, `trust` and records show it, marked `(wrapped)`.',
    '- Copilot runs the hooks of a project, wrapped or not, in folders that it trusts. `--trust-folder` holds for one session and cannot be given to a resumed one, which then runs every call without a hook and says nothing.',
    '  Trust the folder for good (`"trusted_folders"` in `~/.copilot/config.json`), or install the bridge for the user, which does not depend on it. Hooks of types that Copilot does not have (`http`, `mcp_tool`) need the bridge too.',
    '- Matcher and `if` are asked again, since some agents ignore them. They stand in the wrapped text: run `hookline wrap install` again after you have changed one.',
    '- The agent reads the files, so it decides whether an edit counts in a session that runs. The bridge refuses calls when guards have shrunk; a wrapped hook that is not called any more cannot.',
    '- Where the bridge is installed as well, and runs the hook, a wrapped hook leaves it to the bridge: no hook runs twice.',
    '- Trust is that of the agent: it has decided to run the hook, wrapped or not. A guard that stays silent there would be weaker than without the wrapper. Wrapping changes the text of hooks, so',
    '  everyone who trusted the project before is asked again.',
    '- A hook with `args` becomes shell text that starts the same program with the same arguments, and keeps them in `_args`, of which `uninstall` makes the entry again. Wrap these above all:',
    '  Copilot drops `args`, and starts the program alone with the payload as its script.',
    '- Only commands can be wrapped: no `powershell`, no other type of hook. Those need the bridge, and so do variables by `CLAUDE_ENV_FILE`, a hook on `Write` alone where the agent',
    '  has patches (Copilot calls them `Edit`), and a hook on PostToolUseFailure for shell commands (Copilot has one event after them).',
    '- A hook that ends the turn has every later call refused until a wrapped hook sees the next prompt.',
    '- Where an agent gives hooks less time than Claude Code (Copilot: 30 seconds), a hook without an answer by then is a refusal. A `timeout` of its own holds in both.',
    '',
    '## Agents',
    '',
    ...table(['agent', 'version', 'how it is known', 'its files', 'also loads `.claude`'], bridges.map(agentRow)),
    '',
    'A page of an agent has its events, its tools, and what no hook sees there. An agent that is *unverified* was never run with its table, which says what its vendor or',
    'others say. `install`, `status` and `report` tell you so. Try your guards there before you rely on them.',
    '',
    'Gemini CLI has stopped serving free, Pro and Ultra users (June 2026); Antigravity is its successor. Devin CLI has no bridge: it loads `.claude` by itself, with matchers on its own names, so that a guard on',
    '`Bash` never fires there; [wrap](#hooks-that-an-agent-loads-by-itself) the hooks, with a matcher that names its tools too (`Bash|exec`).',
    '',
    '## Installed is not running',
    '',
    'A file with our entries is not yet a guard. `hookline bridge status`, `report` and `doctor` read what the agent itself goes by, and say *ready* only where nothing of it speaks against the entries:',
    '',
    ...table(
      ['agent', 'its file', 'hooks are off by', 'asks for trust', 'asks for a review', '`--probe`'],
      bridges.map(conditionRow),
    ),
    '',
    '- A hook whose entry nobody has reviewed, whose folder is not trusted, or that is switched off is *lost* in the report, and a guard among them makes `--strict` exit 1.',
    '- Codex runs no hook at all until its user has trusted each entry there, and `codex exec` says nothing about it. A changed entry is a new one.',
    '- Gemini CLI with `--skip-trust` runs in a folder that it does not trust, without the hooks of the project; those of the user hold.',
    '- A variable that moves an agent moves its file too. `install` writes where the variable of your shell leads, and says so: an agent that is started without it reads the other file.',
    '- A file that is there and cannot be read (cut off, empty, not UTF-8, a folder, a pipe, a link in a circle, without permission, too large) is *FILE CANNOT BE READ*, not *not installed*, with the reason and what to do; a',
    '  plugin or program of ours has to be as this version writes it. `report` counts the guards there as lost, and `doctor` ends with 1.',
    '- Entries are started a few at a time, and one that gets no answer from Hookline is *DOES NOT ANSWER*, with what becomes of guarded calls. One that does not answer within 5 seconds is ended and named; a user waits for it before every guarded call.',
    '- `hookline bridge status AGENT --probe` starts the program itself, in a scratch home, without your keys and with no network but loopback, against a scripted model that makes one guarded call. It says',
    '  *asked and refused*, *not asked*, or why it *cannot be tried*. It needs Linux with user namespaces; elsewhere nothing is started.',
    '',
    '## What hooks can say',
    '',
    ...answerTable(tried),
    '',
    'In the agents that are *unverified*, as far as is known:',
    '',
    ...answerTable(unverified),
    '',
    '- *exact*: as in Claude Code.',
    '- *stricter*: the call is refused instead, or the text comes with the context.',
    '- *attended*: only with `--attended`, where a person sits in front of the agent; else the call is refused.',
    '- *later*: the text waits for the next event that can carry it.',
    '- *lost*: the agent cannot be told. `hookline bridge report` names the hooks that this concerns, and exits 1 with `--strict` when a guard is among them.',
    '',
    'Lost in every agent: `retry`, `sessionTitle`, `initialUserMessage`, `displayContent`, `watchPaths`, `reloadSkills`, `suppressOriginalPrompt`, `terminalSequence`,',
    '`worktreePath`, answers to an elicitation and `updatedPermissions`.',
    '',
    '## Seen in real clients',
    '',
    '`npm run clients` runs these versions, without a terminal and with no network but loopback, against a scripted model: the same project and hooks in each, and once more',
    'without hooks, so that a refusal is never a client that did nothing. `claude` is Claude Code, which runs the hooks itself. Hooks of bridges and wrapped ones go by the resident engine, once a call has',
    'started it. In the rows that begin with *guard*, `hookline guard add` stands alone in the client, and harmless calls touch places that its settings name: two to refuse, one to ask about (a client without',
    'a terminal refuses it), a file tool each, and one to let pass.',
    '',
    ...clientsTable(),
    '',
    '*yes*: as in Claude Code; *refused*: the call is refused where Claude Code does more; *refused without a reason*: the guard holds, and the model does not read why; *later*: the text waits for a turn that did not come there; *told*: the guard does not',
    'hold, or something is not as in Claude Code, and `hookline bridge status` says so beforehand; *lost*: the client does not tell, or cannot be told; empty: the client has nothing of the kind, or was not asked on that day.',
    '',
    '`copilot` is as advised: the bridge, and wrapped hooks. With the bridge alone (`copilot-bridge`) Copilot also runs every hook of `.claude` by itself, as it is: each twice, one that fails refuses',
    'the call, and one with `args` refuses every call: `hookline bridge status` says so (*told*). `copilot-wrapped` has wrapped hooks alone, and `claude-wrapped` shows that Claude Code does not notice the wrapper.',
    'Wrapped hooks alone see no tool of an MCP server by its name in Claude Code, and none at all of a file that Copilot ignores: `hookline wrap install` and `hookline bridge status` say so beforehand (*told*), and the bridge serves them. Kimi fires Stop for a',
    'subagent too: while a call waits for one, it is dropped; of one in the background nothing tells it from the end of the turn, as `hookline bridge report` says.',
    '',
    '## What holds in every agent',
    '',
    '- One call of the agent can be several events: a patch over three files is shown file by file, and is refused as a whole when one file is.',
    '  The files are shown at the same time. A call that does more than 100 things is refused, and so is one whose hooks do not end in the time that the agent gives them.',
    '- Agents differ in which patches they forgive (blanks around a path, a file that is named twice). One in which an agent could find other files than hooks are shown is refused. So is a patch in a',
    "  shell command, which Codex applies by itself, unless it is the whole command (`apply_patch <<'EOF'`), after `cd FOLDER &&` at most: hooks see it in that folder.",
    '- Tools of MCP servers have the names that Claude Code gives them, whatever the agent makes of them (`files_wipe`, `files-wipe`, `mcp__my_files__wipe` for the server `my-files`): by the servers in',
    '  its own files. Where these do not tell, hooks see the call under every name that it may mean, and a refusal of one counts: a guard rather runs too often. A name that the agent has cut (at 64',
    '  characters in Copilot and Kimi Code) is told by matchers that write it out; a hook that looks at `tool_name` by itself sees it cut.',
    '- What the model says to a subagent is not a prompt, and the end of a subagent not the end of the turn: they are SubagentStart and SubagentStop, in the session of the user, with `agent_id` and',
    '  `agent_type` as in Claude Code. Prompt hooks hear what the user typed, once.',
    '- A changed input goes back only when it comes out as the hook wrote it. Else the call is refused, and the model is told how to call it instead.',
    '- Hook types, `if`, `once`, `async`, `args` and matchers work as in Claude Code, whatever the agent has: the engine runs them. One exception: a hook that goes to the',
    '  background by its answer (`{"async": true}`) is waited for, since the process that runs it ends with the event. Write `"async": true` into the settings instead.',
    '- Hooks get the payload of the agent as well, in the field `host`, and `HOOKLINE_AGENT` in their environment.',
    '- The project is the one that the agent names. Else it is the nearest folder with `.claude` or `.git`, from where the session began upwards, found once and kept for the session: an agent that makes a',
    '  repository elsewhere does not leave its guards. Your home, and what is above it, is never found this way: "inside the project" must not mean all of your files. In a session that begins in',
    '  the home it is the project, and `~/.claude` is read once, as yours.',
    '- Hooks of plugins that are installed and enabled in Claude Code (`enabledPlugins`, `~/.claude/plugins/installed_plugins.json`), and of the folders in `CLAUDE_CODE_PLUGIN_DIRS`, run too. What a project says about',
    '  plugins counts once you trust it. A plugin that lies inside of the project is read where `--plugin` or `CLAUDE_CODE_PLUGIN_DIRS` names it.',
    '- The guards of a session do not shrink. Hooks that can refuse something, and that ran when the session began, are kept by their digests. When one of them has changed, is gone, is switched off or is not',
    "  trusted any more (yours, a plugin's or the project's), calls are refused until the files are as they were, or until you have looked at the hooks and run `hookline trust accept` in a terminal",
    '  of your own; at every prompt you are told which. Hooks that are added count at once. A script that a hook starts is named when it changes; when it is gone, calls are refused.',
    '- A settings file that is there and cannot be read (yours, of policy, or of a project that you trusted) is read again twice within 300 ms. Then calls are refused until it can be read, and every other event',
    '  says which file, where, and what is wrong, to you and to the model, where the agent reads the answer to it; else the next one does.',
    '- Hooks of a folder that you did not trust do not run. Every start says so. In CI set `HOOKLINE_TRUST` to the digest that `hookline trust --json` prints.',
    '- A payload that cannot be read (not JSON, of another agent or event, too long, without a tool) is refused where a hook listens to the event, and left alone where none does.',
    '  So is a call of a tool by which another agent runs commands, such as `run_shell_command` in Codex. An event that the agent is not known to have is left alone.',
    '  Either way one sentence goes to stderr, and into the log where there is one.',
    '- An answer is in the format of the agent and holds every text as the hook wrote it, hidden characters too. Before it leaves it is read again: one that does not say what was decided is a refusal.',
    '- A mistake in the call (an unknown agent or flag, a settings file that is gone), a fault of Hookline, an answer that cannot be delivered: a call of a tool, and a question for permission, is refused by the exit code 2 and a sentence on stderr.',
    '  At any other event nothing is refused for that; the exit code is 0, and model and user are told where the agent can tell them.',
    '',
    '## Unknown tools and fields',
    '',
    'A release of an agent may bring tools and fields that its table does not have. None of them gets past a guard unseen, and none stops the agent:',
    '',
    '- A field that the table does not have stays in `tool_input` under its own name. If it may move or replace what is done (its name says folder, path, command, script, environment and the like, or its value is',
    '  a path), the call is refused where a hook listens to the tool. The reason names the field, so that the model can call without it.',
    '- A call that lacks a field which the tool needs, or has one of another type, cannot be shown, and is refused where a hook listens to the tool.',
    '- A command that the agent runs in another folder (`dir_path`, `workdir`, `cwd`) is shown twice, in the two ways in which Claude Code could run it: as `cd FOLDER && COMMAND` in the folder of the session, and as',
    '  `COMMAND` with that folder as `cwd`. A refusal of either counts, and a change of either changes the command, in its folder.',
    '- A tool that the table does not have is shown by its own name, and as every tool of Claude Code that its input suggests: a command as Bash, a path with a content as Write and Edit, a path as Read, a pattern as',
    '  Grep and Glob, an address as WebFetch. A hook sees the first that it matches, and a refusal of any counts. You are told once a session, and `hookline bridge status` lists such tools.',
    '',
    'A field that you have looked at can pass. Only a user at a terminal can say so, not a script and not an agent:',
    '',
    '```console',
    'hookline bridge allow gemini run_shell_command.foo',
    'hookline bridge status gemini                           # shows what is allowed',
    'hookline bridge disallow gemini run_shell_command.foo',
    '```',
    '',
    'It is kept in `~/.hookline/allowed-fields.json`, which counts only while nobody else may write it. In a table of your own, name the field under `harmless` instead.',
    '',
    '## Copilot: three readers of one file',
    '',
    'Copilot CLI, VS Code and the cloud agent read the same files. An entry there is called by all of them; Hookline tells them apart by what they send.',
    '',
    '```console',
    'hookline bridge install copilot                # for the command line',
    'hookline bridge install copilot --for vscode   # the same file; says what holds in VS Code',
    'hookline bridge install copilot --for cloud    # in the project, and the file that installs Hookline there',
    '```',
    '',
    'The cloud agent works on a machine of its own: `--for cloud` also writes `.github/workflows/copilot-setup-steps.yml`, unless there is one, and tells which digest to put into',
    '`HOOKLINE_TRUST` there. Neither was run in VS Code or in the cloud.',
    '',
    '## An agent that is not here',
    '',
    'A bridge is a table in JSON. Yours are in `~/.hookline/agents/`: a file `NAME.json` makes `NAME` an agent for every command, without a new version of Hookline. Begin with',
    'the one that is most like it:',
    '',
    '```console',
    'mkdir -p ~/.hookline/agents',
    'hookline bridge table gemini > ~/.hookline/agents/mine.json   # then edit it; "name" is "mine"',
    'hookline bridge report mine',
    'hookline bridge install mine',
    '```',
    '',
    'A field that is missing, unknown or of a wrong kind is told with its place, and the table is not used; `bridge run` then refuses (exit code 2). A refusal cannot be turned into',
    'something milder: `deny` must have a form that the agent understands. A table of a project is never read, and neither is one that others may write.',
    'What the fields mean is in [bridge.ts](../packages/hookline/src/bridges/bridge.ts); tables that are shipped cannot be replaced.',
  ])
}

function answerTable(bridges: readonly Bridge[]): string[] {
  const row = (answer: keyof Answers): string[] => [SAID[answer], ...bridges.map((bridge) => word(bridge, answer))]
  return table(['a hook wants to', ...bridges.map(({ name }) => `[${name}](bridges/${name}.md)`)], ANSWERS.map(row))
}

function agentRow(bridge: Bridge): string[] {
  const { name, title, seen, install } = bridge
  const files = Object.entries(install.files).map(
    ([scope, file]) => `${scope}: \`${scope === 'user' ? '~/' : ''}${file}\``,
  )
  const { loadsClaude } = install
  const moved = (install.homes ?? []).map(({ variable }) => `moved by \`${variable}\``)
  return [
    `[${title}](bridges/${name}.md)`,
    seen.version,
    knownBy(bridge),
    [...files, ...moved].join('<br>') || 'by hand',
    loadsClaude === null ? 'no' : loadsClaude.scopes.join(', '),
  ]
}

/** What an agent goes by besides our entries. */
function conditionRow({ name, title, install, recipe }: Bridge): string[] {
  const { reads, switches = [], trust, review } = install
  const names = switches.map((one) => ('variable' in one ? one.variable : [one.key].flat().join(' ')))
  const off = [...new Set(names)].map((one) => `\`${one}\``)
  return [
    `[${title}](bridges/${name}.md)`,
    READS[reads.format],
    off.join(', '),
    trust === undefined ? '' : `for the hooks of a ${trust.stops.join(', ')}: \`${trust.file}\``,
    review === undefined ? '' : `\`${review.file}\``,
    recipe === null ? 'cannot be tried' : 'yes',
  ]
}

const READS: Readonly<Record<Bridge['install']['reads']['format'], string>> = {
  json: 'plain JSON: comments void it',
  'json-with-comments': 'JSON; a trailing comma voids it',
  jsonc: 'JSON with comments',
  'json-cut-at-slashes': 'JSON; two slashes in a text void it',
  toml: 'TOML; one wrong entry voids all',
  program: 'a program',
}

/** How the tables of an agent are known, in the words of every page. */
function knownBy(bridge: Bridge): string {
  return `${isUnverified(bridge) ? '*unverified*: ' : ''}${MARKS[bridge.seen.mark]}`
}

function word({ answers, events }: Bridge, answer: keyof Answers): string {
  const cell = answers[answer]
  if (cell.how === 'emulated' && cell.as === 'prefix') return HOW.exact
  const isUnasked = answer === 'dialog' && !Object.values(events).some(({ as }) => as === 'PermissionRequest')
  if (isUnasked) return HOW.lost
  if (cell.how === 'exact' && cell.stricter) return HOW.emulated
  return cell.how === 'exact' && cell.attended ? 'attended' : HOW[cell.how]
}

/** What becomes of guarded calls without Hookline, by the two choices that a project has. */
function missingWords(bridge: Bridge): string {
  const [refuse, pass] = [explainMissing(bridge, 'refuse'), explainMissing(bridge, 'pass')]
  return refuse === pass
    ? refuse
    : `${refuse} Installed with \`--scope project --if-missing pass\`: ${pass.charAt(0).toLowerCase()}${pass.slice(1)}`
}

function mcpSentence({ title, mcp: { style, files = [], own = [] } }: Bridge): string {
  if (style === null) return `A tool of an MCP server is \`mcp__SERVER__TOOL\` to hooks: ${title} names both.`
  const name = `${style.start}SERVER${style.between}TOOL`
  const names =
    name === 'mcp__SERVER__TOOL'
      ? `is \`${name}\` in ${title} as in Claude Code`
      : `, \`${name}\` in ${title}, is \`mcp__SERVER__TOOL\` to hooks`
  const known = [...files.map(({ file }) => `\`${file}\``), ...own.map((server) => `${server} (built in)`)]
  return `A tool of an MCP server${names.startsWith(',') ? '' : ' '}${names}, by the servers that are configured: ${known.join(', ')}. Where these do not tell which one it is, hooks see it under every name that it may mean.`
}

function agentPage(bridge: Bridge): string {
  const { title, name, seen, install, events, tools, answers, capabilities } = bridge
  const { loadsClaude, person } = install
  const doubt = makeUnverifiedNote(bridge)
  return page([
    `# ${title}`,
    '',
    NOTE,
    '',
    `What of your hooks holds in ${title}, as of ${/^\d/.test(seen.version) ? 'version ' : ''}${seen.version} (${knownBy(bridge)}).`,
    '',
    'What holds in all agents is on [one page](../bridges.md).',
    '',
    ...(doubt === null ? [] : [`> ${doubt}`, '']),
    '```console',
    `hookline bridge report ${name}`,
    `hookline bridge install ${name}${install.files.user === undefined ? ' --scope project --if-missing refuse' : ''}`,
    '```',
    '',
    ...(person.length === 0 ? [] : [...person.map((sentence) => `- ${sentence}`), '']),
    ...(bridge.sharedWith === undefined
      ? []
      : [
          `Others read the same files: ${bridge.sharedWith.map(({ agent }) => `[${agent}](${agent}.md)`).join(', ')} and the cloud agent. [Three readers of one file](../bridges.md#copilot-three-readers-of-one-file) says how to install for them; neither was run here.`,
          '',
        ]),
    ...(loadsClaude === null
      ? []
      : [
          `${title} also loads the files of Claude Code by itself (${loadsClaude.scopes.join(', ')}), with payloads of its own. ${loadsClaude.switchOff === null ? 'It cannot be switched off.' : `Switch off ${loadsClaude.switchOff}.`} [Wrap the hooks](../bridges.md#hooks-that-an-agent-loads-by-itself) of those files: they then run once, here and elsewhere, with or without the bridge.`,
          ...(loadsClaude.refusesTypes === undefined
            ? []
            : [
                '',
                `A file with a hook of type ${loadsClaude.refusesTypes.map((type) => `\`${type}\``).join(', ')}${loadsClaude.refusesEmptyMatchers ? ', with an empty `matcher`' : ''}${loadsClaude.refusesPlainHttp ? ' or with an `http` hook without https' : ''} is ignored there as a whole, with all its guards: such a project needs the bridge.${loadsClaude.matchesOwnMcpNames ? ` So do guards on tools of MCP servers: matchers of the file are compared with names that ${title} has for them. \`hookline wrap install\`, \`bridge status\` and \`bridge report\` say which hooks of a file that concerns.` : ''}`,
              ]),
          '',
        ]),
    missingWords(bridge),
    '',
    '## Events',
    '',
    ...table([`${title}`, 'Claude Code', ''], Object.entries(events).map(eventRow)),
    '',
    '## Tools',
    '',
    'Fields that guards do not look at stay in the input under their own names. [Unknown tools and fields](../bridges.md#unknown-tools-and-fields) says what becomes of the rest.',
    '',
    ...table(
      [title, 'Claude Code', 'fields', 'a changed input'],
      tools.map((rule) => toolRow(rule, answers)),
    ),
    '',
    mcpSentence(bridge),
    '',
    '## Answers',
    '',
    'The words of the second column are explained [below the table of all agents](../bridges.md#what-hooks-can-say).',
    '',
    ...table(
      ['a hook wants to', 'holds', 'known', 'note'],
      ANSWERS.map((answer) => {
        const cell = answers[answer]
        return [
          SAID[answer],
          word(bridge, answer),
          cell.how === 'exact' ? MARKS[cell.mark] : '',
          ('note' in cell && cell.note) || '',
        ]
      }),
    ),
    '',
    capabilities.stopCap === null
      ? 'A Stop hook sends the agent on at most 8 times in a row (`CLAUDE_CODE_STOP_HOOK_BLOCK_CAP`): Hookline counts.'
      : `A Stop hook sends the agent on at most ${capabilities.stopCap} times in a row: ${title} counts.`,
    '',
    '## What no hook sees',
    '',
    ...capabilities.blind.map((sentence) => `- ${sentence}`),
    '',
    '## When a payload cannot be read',
    '',
    `Where a hook listens, a call is refused${word(bridge, 'dialog') === HOW.exact ? ', and a permission is denied' : ''}; at any other event ${title} goes on, and you and the model are told where it can tell you. Where no hook listens, it goes on.`,
  ])
}

function eventRow([host, rule]: [string, Bridge['events'][string]]): string[] {
  if (rule.as === null) return [`\`${host}\``, '', `nothing is done: ${rule.why}`]
  const notes = [
    ...(rule.observes ? ['the agent does not wait for the answer, or ignores it'] : []),
    ...(rule.unless === undefined ? [] : [DROPPED[rule.unless]]),
  ]
  return [`\`${host}\``, rule.as, notes.join('; ')]
}

const DROPPED = {
  noSubmittedPrompt: 'dropped where no user submitted a prompt',
  ourOwnWords: 'dropped where it repeats what the agent was sent on with',
  refusedByUs: 'dropped for a call that a hook refused',
  endOfSubagent: 'dropped where a subagent ends that a call waits for',
  toolOfMcp: 'dropped for tools of MCP servers, which have events of their own',
} as const

const SPLIT = {
  patch: ['Write, Edit, Bash', 'one event for each file of the patch'],
  patchOrEdit: ['Edit, Write, Bash', 'an edit, or one event for each file of a patch'],
  shellPatch: ['Bash, Write, Edit', 'the command, and each file of a patch in it'],
  each: ['', 'one event for each entry'],
  overwrite: ['Write, Edit', 'a hook sees the first of the two that it matches'],
  writeOrEdit: ['Write, Edit', 'Edit where it replaces a text, else the first of the two that a hook matches'],
  edits: ['Write, Edit', 'one event for each edit'],
  deletion: ['Edit, Bash', 'an edit that empties the file, or rm: a hook sees the first of the two that it matches'],
  inner: ['', 'shown as the tool that it calls'],
} as const satisfies Record<PartsName, readonly [string, string]>

function toolRow(rule: ToolRule, { updatedInput }: Answers): string[] {
  const back = updatedInput.how === 'exact' ? 'goes back' : 'refused'
  if ('parts' in rule) {
    const [claude, how] = SPLIT[rule.parts]
    return [`\`${rule.host}\``, rule.as?.tool ?? claude, how, back]
  }
  const fields = Object.entries(rule.input).map(([claude, host]) => (claude === host ? claude : `${claude}: ${host}`))
  if (rule.folder !== undefined) fields.push(`the folder: ${rule.folder}`)
  return [
    `\`${rule.host}\``,
    [rule.claude].flat().join(', '),
    fields.join(', '),
    rule.rewrite === 'never' ? 'refused' : back,
  ]
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(headings), `|${headings.map(() => '---|').join('')}`, ...rows.map(line)]
}

const page = (lines: readonly string[]): string => `${lines.join('\n')}\n`
