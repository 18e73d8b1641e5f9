import type { EventFacts } from './event-row.ts'
import type { CommonField, NameList, ProtocolRules } from './rules.ts'

/** A rule or fact in words: what it is about, and what each of its choices or values says. */
export interface InWords<Value> {
  readonly about: string
  readonly says: string extends Value
    ? (value: Value) => string
    : [Value] extends [string]
      ? Readonly<Record<Value, string>>
      : (value: Value) => string
}

/** Rules in words, group by group; one without words does not compile. */
type GroupInWords<Rules> = {
  readonly [Rule in keyof Rules]: IsGroup<Rules[Rule]> extends true
    ? { readonly about: string } & GroupInWords<Rules[Rule]>
    : InWords<Rules[Rule]>
}

type IsGroup<Rule> = Rule extends readonly unknown[] | string | number | boolean | null
  ? false
  : string extends keyof Rule
    ? false
    : true

const joinWords = (items: readonly string[]): string => items.map((item) => `\`${item}\``).join(', ') || 'none'

const choose = (about: string, otherwise: string) => (is: boolean) => (is ? about : otherwise)

const NAME_LIST_WORDS: Readonly<Record<NameList, string>> = {
  bars: 'letters, digits, `_` and `-`, separated by bars',
  'bars-and-commas': 'letters, digits, `_`, `-` and spaces, separated by bars or commas',
  'bars-without-hyphens': 'letters, digits and `_`, separated by bars',
}

const describeStanding = (field: CommonField, means: string) => ({
  about: `\`${field}\` at the top level`,
  says: { read: means, accepted: 'may be there, and does nothing', unknown: 'is not a field' },
})

/** The rules of a protocol in words, for the page that compares profiles. */
export const RULES_IN_WORDS: GroupInWords<ProtocolRules> = {
  answers: {
    about: 'Reading an answer',
    count: {
      about: 'an answer on stdout counts',
      says: { 'at-exit-0': 'with exit code 0', 'at-any-exit': 'with every exit code; it cannot undo exit code 2' },
    },
    form: {
      about: 'stdout is meant as an answer when',
      says: { 'opening-brace': 'it begins with `{`', 'braces-around': 'it begins with `{` and ends with `}`' },
    },
    unreadable: {
      about: 'an answer that cannot be read or does not fit',
      says: {
        'plain-text': 'is plain text, with a warning',
        failure: 'is an error that blocks nothing; nothing of it counts',
      },
    },
    nullFields: {
      about: 'a field that is `null`',
      says: { absent: 'is as if it were not there', misfit: 'makes the answer one that does not fit' },
    },
    decisionWords: { about: '`decision` at the top level may be', says: joinWords },
    bothForms: {
      about: 'of `permissionDecision` and the older `decision` in one answer',
      says: { stricter: 'the stricter one counts', new: '`permissionDecision` counts' },
    },
    commonFields: {
      about: 'Fields of any answer',
      continue: describeStanding('continue', '`false` halts the agent, where the event can be halted'),
      stopReason: describeStanding('stopReason', 'why the agent halts'),
      suppressOutput: describeStanding('suppressOutput', "hides the hook's stdout from the verbose view"),
      systemMessage: describeStanding('systemMessage', 'a warning to the user'),
      decision: describeStanding('decision', 'decides, where the event can be blocked'),
      reason: describeStanding('reason', 'why'),
      async: describeStanding('async', 'sends the hook to the background'),
      additionalContext: describeStanding('additionalContext', 'text for the model, where the event takes it'),
      asyncTimeout: describeStanding('asyncTimeout', 'how long a background hook may take'),
      terminalSequence: describeStanding('terminalSequence', 'a title, notification or bell for the terminal'),
    },
    stopReasonTo: {
      about: '`stopReason` is told to',
      says: { host: 'the host, for the user', model: 'the host, and the model' },
    },
  },
  verdicts: {
    about: 'Verdicts of prompt and agent hooks',
    words: {
      about: 'a model answers',
      says: { 'ok-or-decision': '`{"ok": …}`, or the older `{"decision": …}`', ok: '`{"ok": …}` alone' },
    },
    reason: {
      about: 'the reason of a condition that is not met begins',
      says: {
        'condition-not-met': '`Condition not met:`',
        'named-after-hook': 'with the prompt, `[<prompt>]:`, or of an agent hook `Agent hook condition was not met:`',
      },
    },
    placeholders: {
      about: '`$ARGUMENTS` in a prompt',
      says: {
        all: 'stands for the event',
        'unless-escaped': 'stands for the event, and `\\$ARGUMENTS` for itself',
      },
    },
    impossible: {
      about: '`"impossible": true` beside `"ok": false`',
      says: { unknown: 'means nothing', 'ends-loops': 'lets the agent stop where a block would send it on' },
    },
  },
  matchers: {
    about: 'Matchers',
    names: { about: 'a list of exact names is made of', says: NAME_LIST_WORDS },
    expressions: {
      about: '`tool == "Bash" && …`',
      says: {
        read: 'is an expression over the event',
        unknown: 'is a regular expression, which hardly ever matches; `if` says what a call has to be like',
      },
    },
    nulls: {
      about: 'a matcher that is `null`',
      says: { absent: 'is as if it were not there', invalid: 'makes the group invalid' },
    },
    lookAround: {
      about: 'look-ahead and look-behind in a pattern',
      says: { bounded: 'work, as in `^(?!mcp__)`', none: 'make the group invalid' },
    },
    aliases: {
      about: 'older names',
      says: (aliases) =>
        Object.values(aliases)
          .flatMap((values) => Object.entries(values))
          .map(([value, names]) => `${joinWords(names)} also matches \`${value}\``)
          .join('; ') || 'none',
    },
    alsoShownAs: {
      about: 'calls that hooks for another tool see too',
      says: (shapes) =>
        Object.values(shapes)
          .flatMap((byValue) => Object.entries(byValue))
          .map(([value, { value: other }]) => `\`${value}\` as \`${other}\``)
          .join(', ') || 'none',
    },
  },
  scopes: {
    about: 'Scopes',
    order: { about: 'hooks are started, read and merged in the order', says: joinWords },
    settings: { about: 'a setting beside the hooks is that of the first of', says: joinWords },
    policy: { about: 'policy may leave only some hooks running with', says: joinWords },
    mainAgent: {
      about: "Stop in the frontmatter of an agent that is the session's own",
      says: { 'as-subagent': 'becomes SubagentStop all the same', 'as-itself': 'stays Stop' },
    },
  },
  duplicates: {
    about: 'of several hooks that would run the same',
    says: {
      'first-with-longest-timeout': 'the first runs, with the longest timeout of all',
      'last-never-weaker':
        'the last runs, and is never weaker than any copy; hooks of policy, plugins and components are no duplicates',
    },
  },
  seconds: {
    about: 'seconds that a hook may take which sets no `timeout`',
    says: (seconds) =>
      Object.entries(seconds)
        .map(([type, each]) => `${type} ${each}`)
        .join(', '),
  },
  once: {
    about: 'Hooks that run once in a session',
    countsIn: { about: '`once` counts in hooks of a', says: joinWords },
    openedBy: {
      about: 'it counts when the component was opened by',
      says: { anyone: 'the user or the model', model: 'the model alone; elsewhere the hook runs each time' },
    },
    spent: {
      about: 'the one run is used up',
      says: { 'when-started': 'when it starts', 'when-succeeded': 'when it ends with exit code 0' },
    },
  },
  commandHooks: {
    about: 'hooks of a slash command that the user typed stay',
    says: { 'until-turn-ends': 'until its turn ends', 'until-session-ends': 'until the session ends' },
  },
  background: {
    about: 'Background hooks',
    systemMessageTo: { about: 'a late `systemMessage` goes to', says: { user: 'the user', model: 'the model' } },
    objections: {
      about: 'an objection that comes too late',
      says: { told: 'is told to the user', dropped: 'does nothing' },
    },
    plainStdout: {
      about: 'late plain stdout, and the words of a hook that failed, go to',
      says: { model: 'the model, as context', none: 'the verbose view alone' },
    },
    timeout: { about: 'its `timeout`', says: { ends: 'ends it', ignored: 'does not end it' } },
  },
  longTexts: {
    about: 'Long texts',
    longest: { about: 'characters that go into the conversation', says: (longest) => longest.toLocaleString('en') },
    of: { about: 'what is written to a file when it is longer', says: joinWords },
    replacedBy: {
      about: 'what is written in its place',
      says: {
        'preview-and-place': 'its beginning, and the path of the file',
        'persisted-output': '`<persisted-output>` with its size, the path of the file and its beginning',
      },
    },
  },
  environment: { about: 'variables that every command finds', says: joinWords },
  hostFields: { about: 'the host also sends, where it knows it', says: joinWords },
  pluginOptions: {
    about: 'options and data folder of a plugin',
    says: {
      'passed-on': 'are passed to its hooks, as `CLAUDE_PLUGIN_OPTION_<KEY>` and `CLAUDE_PLUGIN_DATA`',
      unknown: 'are not passed on',
    },
  },
  misfits: {
    about: 'a wrong type in a file, to `hookline validate`',
    says: { entry: 'costs its entry', 'as-the-client': 'costs what Claude Code drops: the entry, or the whole file' },
  },
  ignoredFields: {
    about: 'a field that means nothing on a hook or group',
    says: { error: 'is an error', warning: 'is a warning, unless it is a near miss' },
  },
  repeatedHooks: {
    about: "`hooks` or an event that stands twice in a user's file",
    says: { last: 'counts as the last copy says', all: 'has the groups of all copies' },
  },
  repeatedFields: {
    about: "a hook of a user's file that holds a field twice",
    says: { last: 'runs as the last one says', 'set-aside': 'is set aside' },
  },
  repeatedPolicy: {
    about: 'a policy whose hooks hold a key twice',
    says: {
      refused: 'keeps every session from starting',
      counted: "is read as a user's file; where a guard of calls is set aside, these calls are refused",
    },
  },
  skillRoot: {
    about: '`CLAUDE_PLUGIN_ROOT` of a skill outside of plugins',
    says: { 'own-folder': "is the skill's folder", none: 'is not set' },
  },
  flatHooks: {
    about: 'a hook among the groups, with its matcher on itself',
    says: { read: 'is read as a group with one hook', invalid: 'is invalid: hooks belong under `hooks` of a group' },
  },
  hookFields: {
    about: 'a field that only hooks of another type have',
    says: { 'of-any-type': 'is ignored', 'of-its-type': 'is reported as unknown; the hook runs' },
  },
}

/** The facts of an event in words, for the same page; null: pages say it elsewhere. */
export const FACTS_IN_WORDS: { readonly [Fact in keyof EventFacts]: InWords<EventFacts[Fact]> | null } = {
  when: { about: 'fires when', says: (when) => when },
  matchOn: { about: 'matchers are tested against', says: (field) => (field === null ? 'nothing' : `\`${field}\``) },
  matchValue: {
    about: 'what of that field is tested',
    says: { field: 'all of it', basename: 'the last part of the path' },
  },
  matcherNames: {
    about: 'a list of exact names in its matchers',
    says: (names) => (names === null ? 'as on other events' : NAME_LIST_WORDS[names]),
  },
  unattended: { about: 'where there is no user to ask', says: choose('it fires', 'it does not fire') },
  takesIf: { about: '`if`', says: choose('is checked against the call', 'keeps a hook from running') },
  values: { about: 'values of that field known today', says: joinWords },
  permissionMode: { about: '`permission_mode` in the input', says: choose('yes', 'no') },
  merges: {
    about: 'answers decide by',
    says: {
      permission: '`permissionDecision`',
      dialog: '`decision.behavior`',
      block: '`decision: "block"`',
      'exit-code': 'the exit code alone',
      nothing: 'nothing: it cannot be blocked',
    },
  },
  blocksOn: {
    about: 'exit codes that block',
    says: { 'exit-2': '2', 'any-failure': 'every one but 0', never: 'none' },
  },
  reasonTo: {
    about: 'the reason of a block goes to',
    says: { model: 'the model', user: 'the user', none: 'no one' },
  },
  harmlessExit2To: {
    about: 'stderr of exit code 2 where that blocks nothing goes to',
    says: { user: 'the user', none: 'no one' },
  },
  onTimeout: { about: 'a hook that takes too long', says: { cancel: 'is cancelled', block: 'blocks' } },
  missingFileIsHarmless: {
    about: 'exit code 2 of an interpreter that cannot find its script',
    says: choose('is an error that blocks nothing', 'blocks'),
  },
  unmetPrompt: {
    about: 'a prompt hook whose condition is not met',
    says: {
      blocks: 'blocks',
      halts: 'ends the turn',
      'blocks-and-halts': 'blocks, and ends the turn',
      'has-no-effect': 'does nothing',
    },
  },
  failureBlocks: { about: '`onFailure: "block"`', says: choose('counts', 'is ignored') },
  onBlock: { about: 'a block', says: (onBlock) => onBlock },
  canHalt: { about: '`continue: false`', says: choose('halts the agent', 'does nothing') },
  specificOnlyAtExit0: {
    about: '`hookSpecificOutput` counts',
    says: choose('with exit code 0 alone', 'as the rules for answers say'),
  },
  systemMessageTo: {
    about: '`systemMessage` goes to',
    says: { user: 'the user', model: 'the model', none: 'no one' },
  },
  plainStdout: {
    about: 'plain stdout',
    says: {
      verbose: 'is shown in the verbose view',
      context: 'is context for the model',
      instructions: 'is added to the instructions of the compaction',
      path: 'gives the path, in its last line',
    },
  },
  effects: null, // the fields of its answers and plain stdout say what hooks can ask for
  rewrites: {
    about: '`updatedInput` replaces',
    says: (field) => (field === null ? 'nothing' : `\`${field}\``),
  },
  replaces: {
    about: 'a replaced output is in',
    says: (field) => (field === null ? 'nothing' : `\`${field}\``),
  },
  announces: {
    about: 'a block keeps an edit from counting of the settings file in',
    says: (field) => (field === null ? 'nothing' : `\`${field}\``),
  },
  erases: { about: 'a block erases', says: (field) => (field === null ? 'nothing' : `\`${field}\``) },
  loopField: {
    about: 'a hook that has sent the agent on already finds it in',
    says: (field) => (field === null ? 'nothing' : `\`${field}\``),
  },
  reasonRequired: { about: 'a block without a reason', says: choose('is warned about', 'is fine') },
  noReason: { about: 'the reason of a block that gives none', says: (text) => `\`${text}\`` },
  hookTypes: {
    about: 'hook types that run',
    says: (types) => (types === 'all' ? 'all' : joinWords(types.filter((type) => type !== 'function'))),
  },
  seconds: {
    about: 'seconds for a hook that sets no `timeout`',
    says: ({ function: _inMemory, ...seconds }) =>
      Object.entries(seconds)
        .map(([type, each]) => `${type} ${each}`)
        .join(', ') || 'as on other events',
  },
  secondsTogether: {
    about: 'all hooks together',
    says: (together) => (together === null ? 'have no limit' : `may take ${together} seconds`),
  },
  endsSession: { about: 'hooks that are registered for the session', says: choose('are gone after it', 'stay') },
  component: { about: 'in the frontmatter of skills, agents and slash commands', says: choose('yes', 'no') },
  inAgents: { about: 'in the frontmatter of agents, where it can be used at all', says: choose('yes', 'no') },
  inAgent: {
    about: 'in the frontmatter of an agent it becomes',
    says: (event) => (event === null ? 'itself' : `\`${event}\``),
  },
  agentId: {
    about: '`agent_id` names',
    says: { loop: 'the subagent that fires it', subject: 'the subagent that it is about' },
  },
  envFile: {
    about: 'what a hook writes into `CLAUDE_ENV_FILE` counts',
    says: (kept) => {
      if (kept === null) return 'not at all: there is no such file'
      return kept === 'kept' ? 'for the rest of the session' : 'until the event fires again'
    },
  },
  example: null, // the pages of events show it
}
