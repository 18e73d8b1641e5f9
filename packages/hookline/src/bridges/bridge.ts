import type { DataFormat } from '../files/parse-data.ts'

/** Source of a fact about a host: observed, read in what it ships, documented, told by others. */
export type Mark = 'O' | 'S' | 'D' | 'T'

/** Formats of files that an agent reads; a `program` it starts or loads. */
export type FileFormat = DataFormat | 'program'

/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Another coding agent, as tables: what it tells its hooks, and what it understands of their answers. */
export interface Bridge {
  readonly name: string
  readonly title: string
  /** The version that the tables were made for. */
  readonly seen: { readonly version: string; readonly mark: Mark }
  /** Marks that tell its payloads from those of others; any one is enough. */
  readonly detect: readonly Fingerprint[]
  /** Agents that read the same file, so that our entries are called with their payloads too. */
  readonly sharedWith?: readonly { readonly is: Fingerprint; readonly agent: string }[]
  readonly install: Install
  /** `guards`: entries of the guards alone are meant, not those that run all hooks. */
  readonly runs?: 'guards'
  /** The variable with the project's folder. */
  readonly project: string | null
  /** Fields that all events have. */
  readonly common: FieldMap
  /** Marks that tell events of a subagent from those of the agent that the user speaks to; null: they cannot be, or there are none. */
  readonly subagent: Subagent | null
  /** Permission modes by the host's word; null: it has none. */
  readonly modes: Readonly<Record<string, string>> | null
  /** Place of a tool's call in a payload. */
  readonly call: CallPlaces
  readonly mcp: McpTools
  /** Events by the host's name. */
  readonly events: Readonly<Record<string, EventRule>>
  /** The first that fits counts; a tool that none fits goes by its own name, and as every tool that its input suggests. */
  readonly tools: readonly ToolRule[]
  readonly answers: Answers
  readonly capabilities: Capabilities
  /** Recipe that leads its program to a scripted model; null: it needs its vendor's servers, or a person. */
  readonly recipe: ClientRecipe | null
}

/**
 * A run of an agent without a terminal, with a model that does as scripted. In all texts `{url}`, `{project}`, `{model}`,
 * `{prompt}` and `{command}` stand for what they name.
 */
export interface ClientRecipe {
  /** Names of its program. */
  readonly programs: readonly string[]
  readonly model: string
  /** Files in its home; anything but a string is written as JSON. */
  readonly files: Readonly<Record<string, string | JsonObject>>
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
  /** The call by which a model runs a command there. */
  readonly shell: { readonly name: string; readonly input: JsonObject }
  /** Seconds that one run may take. */
  readonly seconds: number
}

/** Keys of a payload and variables that are all there. */
export interface Fingerprint {
  readonly payload?: readonly string[]
  /** `true`: any value. */
  readonly env?: Readonly<Record<string, string | true>>
}

/** Paths into the payload of an event of a subagent. */
export interface Subagent {
  /** Id that no other event has. */
  readonly id: string
  /** The agent that started it, where it has a session of its own; null: its session is the one of the user. */
  readonly parent: string | null
}

/** Scopes of a host's own configuration. */
export type HostScope = 'user' | 'project'

/** Installation of our entries in a host. */
export interface Install {
  /** File in the user's home, and in the project. */
  readonly files: Readonly<Partial<Record<HostScope, string>>>
  /** Variables that move files of the user; of those that are set, the first that concerns a file counts. */
  readonly homes?: readonly MovedHome[]
  readonly shape: ShapeName
  /** Format in which the agent reads that file: what it cannot read, it ignores as a whole. */
  readonly reads: {
    readonly format: FileFormat
    /** The only keys that may be at the top. */
    readonly keys?: readonly string[]
    /** The only fields that entries of the list of hooks may have; one of them names an event that the agent knows. */
    readonly entries?: { readonly list: string; readonly fields: readonly string[]; readonly event: string }
    /** Fields that have to be whole numbers, wherever they are. */
    readonly whole?: readonly string[]
    readonly mark: Mark
  }
  /** Settings of the agent that turn hooks off. */
  readonly switches?: readonly Switch[]
  /** Folders that the agent has to trust before it runs hooks there. */
  readonly trust?: FolderTrust
  /** Entries that a user has to look at before the agent runs them. */
  readonly review?: HookReview
  /** The agent whose file it reads: that one is written, and has to be told apart from it by its payloads. */
  readonly through?: string
  readonly timeout: { readonly unit: 's' | 'ms'; readonly most: number | null }
  /** Files of Claude Code that it loads by itself. */
  readonly loadsClaude: {
    readonly scopes: readonly string[]
    readonly switchOff: string | null
    /** Way in which it calls the hooks of those files, where that is not as it calls its own: for hooks that are wrapped. */
    readonly calls?: Partial<Pick<Bridge, 'common' | 'subagent' | 'call' | 'events' | 'tools'>>
    /** A hook of such a type makes it ignore the whole file. */
    readonly refusesTypes?: readonly string[]
    /** An empty matcher does so too. */
    readonly refusesEmptyMatchers?: true
    /** A hook over http without encryption does so too. */
    readonly refusesPlainHttp?: true
    /** A hook of such a file that fails refuses the call. */
    readonly failuresRefuse?: true
    /** Matchers of the file are compared with its own names of MCP tools. */
    readonly matchesOwnMcpNames?: true
  } | null
  /** Steps for the user, as sentences. */
  readonly person: readonly string[]
  /** Behaviour of the agent for an entry whose program is missing, if the entry does not say otherwise. */
  readonly missing: 'passes' | 'refuses' | 'asks'
  /** The shell that runs entries, where that is not `sh`: `login` is the user's own, started as at a login. */
  readonly shell?: 'bash' | 'login'
}

/** A variable with the folder that an agent uses in place of one in the user's home. */
export interface MovedHome {
  readonly variable: string
  /** Folder below the home that the value takes the place of; empty: the home itself. */
  readonly insteadOf: string
  readonly mark: Mark
}

/** A setting that turns hooks off. Paths of the user begin with `~/`, those of the project do not. */
export type Switch = SwitchPlace & {
  /** The scope whose hooks it stops; both where there is none. */
  readonly stops?: HostScope
  readonly mark: Mark
}

/** `a.b.c`, or the steps where a name has dots in it. */
export type SettingKey = string | readonly string[]

type SwitchPlace =
  | { readonly files: readonly string[]; readonly format: DataFormat; readonly key: SettingKey; readonly is: boolean }
  /** A list of the commands that do not run. */
  | { readonly files: readonly string[]; readonly format: DataFormat; readonly key: SettingKey; readonly is: 'listed' }
  | { readonly variable: string; readonly is: readonly string[] }

/** Place where an agent keeps the folders that a user trusts. */
export interface FolderTrust {
  readonly file: string
  readonly format: DataFormat
  /** The variable with another path of that file. */
  readonly movedBy?: string
  readonly listed: TrustListName
  /** Names that the list may have in the file; the whole file where there are none. */
  readonly keys?: readonly string[]
  /** The setting without which every folder counts as trusted; the first file that has it decides. */
  readonly onlyIf?: {
    readonly files: readonly string[]
    readonly format: DataFormat
    readonly key: string
    /** Default where nobody has set it. */
    readonly usual: boolean
  }
  /** Variables of which any one is enough. */
  readonly grantedBy?: Readonly<Record<string, string>>
  /** The scopes whose hooks do not run in other folders. */
  readonly stops: readonly HostScope[]
  /** Remedy, as a sentence. */
  readonly remedy: string
  readonly mark: Mark
}

/** Lists of folders: levels of trust by path, tables of projects by path, paths, or objects by path. */
export type TrustListName = 'levels' | 'projects' | 'paths' | 'keys'

/** Place where an agent keeps which entries a user has accepted. */
export interface HookReview {
  readonly by: ReviewName
  readonly file: string
  readonly format: DataFormat
  /** Remedy, as a sentence. */
  readonly remedy: string
  readonly mark: Mark
}

/** Ways to tell an accepted entry from others. */
export type ReviewName = 'digestByPosition'

/** Kinds of files; `file-per-event`: the path is a folder, which has a program for each event. */
export type ShapeName =
  | 'claude'
  | 'events-at-top'
  | 'copilot'
  | 'cursor'
  | 'windsurf'
  | 'kiro'
  | 'antigravity'
  | 'kimi-toml'
  | 'opencode-plugin'
  | 'pi-extension'
  | 'file-per-event'

/** A field from a path of the payload, a constant, or by a named reader. */
export type FieldSource = string | { readonly value: unknown } | { readonly by: ReaderName }
/** Fields of an event by their name in Claude Code. */
export type FieldMap = Readonly<Record<string, FieldSource>>

/** Readers of fields that no path leads to. */
export type ReaderName = 'promptParts' | 'sessionEndReason' | 'stopHookActive'

/** Treatment of a host's event. */
export type EventRule =
  | {
      readonly as: string
      readonly fields?: FieldMap
      /** The event is not meant: it is dropped before any hook sees it. */
      readonly unless?: SpuriousName
      /** The host does not wait, or ignores what it is answered. */
      readonly observes?: true
      /** Occasion on which the host fires it beside what it means, with nothing in it that tells. */
      readonly alsoWhen?: string
      /** Answer that it takes for "no hook said anything", where that is not the same as for other events. */
      readonly noOpinion?: string
      /** Place of the call, when it is somewhere else than usual. */
      readonly call?: Partial<CallPlaces>
      /** Seconds that the host gives it at most, where that is less than for other events. */
      readonly most?: number
    }
  | { readonly as: null; readonly why: string }

/** Events that a host fires beside what they mean. */
export type SpuriousName = 'noSubmittedPrompt' | 'ourOwnWords' | 'refusedByUs' | 'toolOfMcp' | 'endOfSubagent'

/** Paths into the payload of a call. */
export interface CallPlaces {
  /** Or the name itself, where the event says which tool it is. */
  readonly tool: string | { readonly value: string }
  readonly input: string
  /** Null: the host has no ids. */
  readonly id: string | null
  /** Output of the tool, as text. */
  readonly output: string | null
  /** Frame around the output of a command. */
  readonly frame?: FrameName
  /** Mark that tells a failed call from one that worked, after it; null: it cannot be. */
  readonly failed: FailureName | null
  /** Place of an error that is not part of the output. */
  readonly error?: string
  /** Places of server and tool of MCP, where a payload names them. */
  readonly mcp?: { readonly server: string; readonly tool: string }
  /** The input is JSON as text. */
  readonly inputIsText?: true
  /** The folder of the payload is the one that the command runs in, not that of the session. */
  readonly folderOfCommand?: true
}

/** Names that a host gives to tools of MCP servers, and the place where it is told of the servers. */
export interface McpTools {
  /** The form of the names; null: payloads name server and tool, and nothing else does. */
  readonly style: McpNameStyle | null
  /** Files with the servers: one of the user begins with `~/`, one of the project with a name. */
  readonly files?: readonly McpServerFile[]
  /** Servers that the host has by itself. */
  readonly own?: readonly string[]
}

/** `start`, then the server, then `between`, then the tool. */
export interface McpNameStyle {
  readonly start: string
  readonly between: string
  /** A character that stands for itself, or for another that Claude Code would write. */
  readonly unsure?: { readonly written: string; readonly meant: string }
}

/** A file with an object of servers by name. */
export interface McpServerFile {
  readonly file: string
  readonly format: DataFormat
  readonly key: string
}

/** Frames that hosts put around the output of a command. */
export type FrameName = 'shellReport' | 'exitLine' | 'shellIdLine'

/** Ways to see that a call failed. */
export type FailureName = 'errorOrExitCode' | 'exitCodeInText' | 'exitNumber' | 'errorText'

/** Effect of a tool that guards are written for. */
export type ToolEffect = 'writes' | 'runs' | 'reads'

/** Rule that shows a tool of the host to hooks. */
export type ToolRule = RenamedTool | SplitTool

/** Types that the fields of a tool may have; `list`: any list. */
export type FieldType = 'string' | 'number' | 'boolean' | 'list' | 'object'

/**
 * Facts about the fields of a tool beside those that are mapped. A field that no row names stays in the input; if it
 * may move or replace what is done, the call is refused where a hook listens to the tool.
 */
export interface KnownFields {
  /** Fields of the host that must be there, beside those that the tool of Claude Code needs. */
  readonly required?: Readonly<Record<string, FieldType>>
  /** Mapped fields that the host lets a call leave out, although the tool of Claude Code needs them. */
  readonly optional?: readonly string[]
  /** Fields of the host that say nothing to guards: they stay in the input under their own names. */
  readonly harmless?: readonly string[]
  /** The field of the host with the folder that a command runs in. */
  readonly folder?: string
}

/** A tool that is another name for one of Claude Code. */
export interface RenamedTool extends KnownFields {
  readonly host: string
  /** Of several, a hook sees the first that it matches. */
  readonly claude: string | readonly [string, ...string[]]
  /** The host's field for each of Claude Code's. */
  readonly input: Readonly<Record<string, string>>
  /** Fields of Claude Code that the host has no word for. */
  readonly constant?: Readonly<Record<string, string>>
  /** The host's field that may be a list: one event for each entry. */
  readonly list?: string
  /** The host mostly does in another way what the tool of Claude Code does: a guard on that tool is not told of it. */
  readonly rare?: true
  /** Effect of a tool without a counterpart: guards on tools of Claude Code that do the same are not asked about it. */
  readonly does?: ToolEffect
  /** True if a changed input can go back. */
  readonly rewrite: 'rename' | 'never'
}

/** A tool of which one call is several of Claude Code. */
export interface SplitTool extends KnownFields {
  readonly host: string
  readonly parts: PartsName
  /** The field with what is split; null: the input itself. */
  readonly field: string | null
  /** The host's field for each of Claude Code's, where the way to split asks for it. */
  readonly input?: Readonly<Record<string, string>>
  /** The tool that each entry of a list is shown as, and its field for an entry that is a string. */
  readonly as?: { readonly tool: string; readonly field: string }
}

/** Ways to split a call. */
export type PartsName =
  | 'patch'
  | 'patchOrEdit'
  | 'shellPatch'
  | 'each'
  | 'overwrite'
  | 'writeOrEdit'
  | 'edits'
  | 'deletion'
  | 'inner'

/** A call as Claude Code would make it. */
export interface ShownCall {
  readonly tool: string
  readonly input: JsonObject
}

/** One thing that a call does. A hook sees the first of its calls that it matches. */
export interface CallPart {
  readonly label: string
  readonly calls: readonly [ShownCall, ...ShownCall[]]
  /** The folder that it is done in, where that is not the one of the session. */
  readonly cwd?: string
  /** Shell text before the host's own command; one of two parts that show the same command has it, the other an empty one. */
  readonly lead?: string
}

/** The host can be told. */
export interface Exact {
  readonly how: 'exact'
  readonly write: WriterName
  readonly mark: Mark
  /** Only where a person sits in front of it. */
  readonly attended?: true
  /** The host does more than it is asked to; the note says what. */
  readonly stricter?: true
  readonly note?: string
}
/** Statement that is at least as strong, told instead. */
export interface EmulatedAnswer<As extends string> {
  readonly how: 'emulated'
  readonly as: As
  readonly note: string
}
/** Statement that is told with the next event that can carry it. */
export interface QueuedAnswer {
  readonly how: 'queued'
  readonly note: string
}
/** Statement that cannot be told. */
export interface LostCell {
  readonly how: 'lost'
  readonly note: string
}

/** Treatment of each thing that hooks can say. A table that would be weaker where that is avoidable does not compile. */
export type Answers = Readonly<
  Record<'deny', Exact> &
    Record<'ask' | 'defer' | 'updatedInput', Exact | EmulatedAnswer<'deny'>> &
    Record<'halt' | 'haltBeforeTool', Exact | EmulatedAnswer<'refusals'>> &
    Record<
      'contextBeforeTool' | 'contextAfterTool' | 'contextAtStart' | 'promptContext',
      Exact | QueuedAnswer | LostCell
    > &
    Record<'feedbackAfterTool', Exact | EmulatedAnswer<'context'> | QueuedAnswer | LostCell> &
    Record<'environment', Exact | EmulatedAnswer<'prefix'> | LostCell> &
    Record<'allow' | 'updatedToolOutput' | 'promptBlock' | 'stopBlock' | 'dialog' | 'toUser', Exact | LostCell>
>

/** Ways to write an answer. */
export type WriterName =
  | 'nestedDeny'
  | 'nestedAsk'
  | 'nestedAllow'
  | 'nestedAllowedInput'
  | 'nestedInput'
  | 'nestedContext'
  | 'nestedDialog'
  | 'flatDeny'
  | 'flatAsk'
  | 'flatAllow'
  | 'flatInput'
  | 'flatContext'
  | 'flatOutput'
  | 'flatDialog'
  | 'topDeny'
  | 'topAsk'
  | 'topBlock'
  | 'replacedInput'
  | 'cursorDeny'
  | 'cursorAsk'
  | 'cursorAllow'
  | 'cursorInput'
  | 'cursorContext'
  | 'cursorStop'
  | 'cursorFollowUp'
  | 'cursorOutput'
  | 'cursorUser'
  | 'systemMessage'
  | 'progressLine'
  | 'stopContinuing'
  | 'exit2'
  | 'plainText'
  | 'errorText'
  | 'thrown'
  | 'changedArguments'
  | 'appended'
  | 'replacedText'
  | 'toast'
  | 'aborted'
  | 'environment'
  | 'envFile'
  | 'nestedBlock'
  | 'denyAndExit2'
  | 'forceAsk'
  | 'cancel'
  | 'contextModification'
  | 'overrideInput'

/** Abilities of a host. */
export interface Capabilities {
  /** Answer that it takes for "no hook said anything". */
  readonly noOpinion: '' | '{}'
  /** Number of times in a row it lets a Stop hook send the agent on; null: for ever, so we count. */
  readonly stopCap: number | null
  /** Treatment of a changed input: it replaces the old one, or its fields do. */
  readonly input: 'replace' | 'merge'
  /** Seconds, when the entry names none. */
  readonly limit: number
  /** Things that no hook ever sees, as sentences. */
  readonly blind: readonly string[]
  /** Tools that fire no event, and what they do. */
  readonly unseen?: Readonly<Record<string, ToolEffect>>
}

/** A row for a tool that Claude Code has no counterpart for: it is shown under its own name, with the fields that it has. */
export const makeOwnToolRow = (host: string, ...harmless: readonly string[]): RenamedTool => ({
  host,
  claude: host,
  input: {},
  harmless,
  rewrite: 'rename',
})

/** True if the tables of an agent were never tried: they say what its vendor or others say. */
export const isUnverified = ({ seen: { mark } }: Bridge): boolean => mark === 'D' || mark === 'T'

/** Makes the note for users who rely on an agent whose tables were never tried; null for the others. */
export function makeUnverifiedNote(bridge: Bridge): string | null {
  if (!isUnverified(bridge)) return null
  const from = bridge.seen.mark === 'D' ? 'what its vendor documents' : 'what others report'
  return `${bridge.title} is unverified: this was written from ${from}, and was never run in it. Try your guards there before you rely on them.`
}

/** The host can be told. */
export const makeExact = (
  write: WriterName,
  mark: Mark,
  more: Pick<Exact, 'attended' | 'stricter' | 'note'> = {},
): Exact => ({
  how: 'exact',
  write,
  mark,
  ...more,
})
/** The call is refused instead. */
export const makeRefused = (note: string): EmulatedAnswer<'deny'> => ({ how: 'emulated', as: 'deny', note })
/** Marks a statement for which this call and every later one are refused, until the next prompt. */
export const makeRefusals = (note: string): EmulatedAnswer<'refusals'> => ({ how: 'emulated', as: 'refusals', note })
/** The text goes with the context instead. */
export const makeContext = (note: string): EmulatedAnswer<'context'> => ({ how: 'emulated', as: 'context', note })
/** A shell command begins by reading the variables. */
export const makePrefixed = (note: string): EmulatedAnswer<'prefix'> => ({ how: 'emulated', as: 'prefix', note })
/** The text waits for the next event that can carry it. */
export const makeQueued = (note: string): QueuedAnswer => ({ how: 'queued', note })
/** Marks a statement that cannot be told. */
export const makeLost = (note: string): LostCell => ({ how: 'lost', note })
