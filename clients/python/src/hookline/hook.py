"""Hooks in Python: a function for an event makes the program a hook.

Generated from the event tables by `npm run generate`.
"""

from __future__ import annotations

from ._answers import (
    Accept as Accept,
    Allow as Allow,
    Ask as Ask,
    Block as Block,
    Cancel as Cancel,
    ClassifierContext as ClassifierContext,
    Context as Context,
    Decline as Decline,
    Defer as Defer,
    Deny as Deny,
    DisplayContent as DisplayContent,
    Halt as Halt,
    InitialUserMessage as InitialUserMessage,
    Instructions as Instructions,
    ReloadSkills as ReloadSkills,
    ReplaceOutput as ReplaceOutput,
    Retry as Retry,
    Rewrite as Rewrite,
    SessionTitle as SessionTitle,
    Warn as Warn,
    WatchPaths as WatchPaths,
    WorktreePath as WorktreePath,
    accept as accept,
    allow as allow,
    ask as ask,
    block as block,
    cancel as cancel,
    classifier_context as classifier_context,
    context as context,
    decline as decline,
    defer as defer,
    deny as deny,
    display_content as display_content,
    halt as halt,
    initial_user_message as initial_user_message,
    instructions as instructions,
    reload_skills as reload_skills,
    replace_output as replace_output,
    retry as retry,
    rewrite as rewrite,
    session_title as session_title,
    warn as warn,
    watch_paths as watch_paths,
    worktree_path as worktree_path,
)
from ._hook_run import Event as Event
from ._hook_run import register as _register

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Awaitable, Callable, Dict, List, Optional, Union

    SessionStartHandler = Callable[["SessionStart"], Union[Union[Context, Halt, Warn, InitialUserMessage, SessionTitle, WatchPaths, ReloadSkills, None], Awaitable[Union[Context, Halt, Warn, InitialUserMessage, SessionTitle, WatchPaths, ReloadSkills, None]]]]
    UserPromptSubmitHandler = Callable[["UserPromptSubmit"], Union[Union[Block, Context, Halt, Warn, SessionTitle, None], Awaitable[Union[Block, Context, Halt, Warn, SessionTitle, None]]]]
    PreToolUseHandler = Callable[["PreToolUse"], Union[Union[Allow, Deny, Ask, Rewrite, Context, Halt, Warn, Defer, None], Awaitable[Union[Allow, Deny, Ask, Rewrite, Context, Halt, Warn, Defer, None]]]]
    PermissionRequestHandler = Callable[["PermissionRequest"], Union[Union[Allow, Deny, Halt, Warn, None], Awaitable[Union[Allow, Deny, Halt, Warn, None]]]]
    PostToolUseHandler = Callable[["PostToolUse"], Union[Union[Block, ReplaceOutput, Context, Halt, Warn, ClassifierContext, None], Awaitable[Union[Block, ReplaceOutput, Context, Halt, Warn, ClassifierContext, None]]]]
    PostToolUseFailureHandler = Callable[["PostToolUseFailure"], Union[Union[Block, Context, Halt, Warn, None], Awaitable[Union[Block, Context, Halt, Warn, None]]]]
    NotificationHandler = Callable[["Notification"], Union[Union[Context, Halt, Warn, None], Awaitable[Union[Context, Halt, Warn, None]]]]
    SubagentStartHandler = Callable[["SubagentStart"], Union[Union[Context, Halt, Warn, None], Awaitable[Union[Context, Halt, Warn, None]]]]
    SubagentStopHandler = Callable[["SubagentStop"], Union[Union[Block, Halt, Warn, Context, None], Awaitable[Union[Block, Halt, Warn, Context, None]]]]
    StopHandler = Callable[["Stop"], Union[Union[Block, Halt, Warn, Context, None], Awaitable[Union[Block, Halt, Warn, Context, None]]]]
    TeammateIdleHandler = Callable[["TeammateIdle"], Union[Union[Block, Halt, Warn, None], Awaitable[Union[Block, Halt, Warn, None]]]]
    TaskCompletedHandler = Callable[["TaskCompleted"], Union[Union[Block, Halt, Warn, None], Awaitable[Union[Block, Halt, Warn, None]]]]
    PreCompactHandler = Callable[["PreCompact"], Union[Union[Instructions, Halt, Warn, Block, None], Awaitable[Union[Instructions, Halt, Warn, Block, None]]]]
    SessionEndHandler = Callable[["SessionEnd"], Union[Union[Halt, Warn, None], Awaitable[Union[Halt, Warn, None]]]]
    SetupHandler = Callable[["Setup"], Union[Union[Warn, None], Awaitable[Union[Warn, None]]]]
    InstructionsLoadedHandler = Callable[["InstructionsLoaded"], Union[Union[Warn, None], Awaitable[Union[Warn, None]]]]
    UserPromptExpansionHandler = Callable[["UserPromptExpansion"], Union[Union[Block, Context, Halt, Warn, None], Awaitable[Union[Block, Context, Halt, Warn, None]]]]
    MessageDisplayHandler = Callable[["MessageDisplay"], Union[Union[DisplayContent, None], Awaitable[Union[DisplayContent, None]]]]
    PermissionDeniedHandler = Callable[["PermissionDenied"], Union[Union[Retry, Warn, None], Awaitable[Union[Retry, Warn, None]]]]
    PostToolBatchHandler = Callable[["PostToolBatch"], Union[Union[Block, Context, Halt, Warn, None], Awaitable[Union[Block, Context, Halt, Warn, None]]]]
    TaskCreatedHandler = Callable[["TaskCreated"], Union[Union[Block, Warn, None], Awaitable[Union[Block, Warn, None]]]]
    StopFailureHandler = Callable[["StopFailure"], Union[Union[Warn, None], Awaitable[Union[Warn, None]]]]
    ConfigChangeHandler = Callable[["ConfigChange"], Union[Union[Block, None], Awaitable[Union[Block, None]]]]
    CwdChangedHandler = Callable[["CwdChanged"], Union[Union[WatchPaths, Warn, None], Awaitable[Union[WatchPaths, Warn, None]]]]
    DirectoryAddedHandler = Callable[["DirectoryAdded"], Union[Union[Warn, None], Awaitable[Union[Warn, None]]]]
    FileChangedHandler = Callable[["FileChanged"], Union[Union[WatchPaths, None], Awaitable[Union[WatchPaths, None]]]]
    WorktreeCreateHandler = Callable[["WorktreeCreate"], Union[Union[Block, WorktreePath, Warn, None], Awaitable[Union[Block, WorktreePath, Warn, None]]]]
    WorktreeRemoveHandler = Callable[["WorktreeRemove"], Union[Union[Block, Warn, None], Awaitable[Union[Block, Warn, None]]]]
    PostCompactHandler = Callable[["PostCompact"], Union[Union[Warn, None], Awaitable[Union[Warn, None]]]]
    PreModelSwitchHandler = Callable[["PreModelSwitch"], Union[Union[Allow, Deny, Ask, Halt, Warn, None], Awaitable[Union[Allow, Deny, Ask, Halt, Warn, None]]]]
    PostModelSwitchHandler = Callable[["PostModelSwitch"], Union[Union[Context, Warn, None], Awaitable[Union[Context, Warn, None]]]]
    ElicitationHandler = Callable[["Elicitation"], Union[Union[Block, Accept, Decline, Cancel, Warn, None], Awaitable[Union[Block, Accept, Decline, Cancel, Warn, None]]]]
    ElicitationResultHandler = Callable[["ElicitationResult"], Union[Union[Block, Accept, Decline, Cancel, Warn, None], Awaitable[Union[Block, Accept, Decline, Cancel, Warn, None]]]]


class SessionStart(Event):
    """A session starts or resumes."""

    _name = "SessionStart"
    _answers = (Context, Halt, Warn, InitialUserMessage, SessionTitle, WatchPaths, ReloadSkills,)
    _merges = "nothing"
    _exit_decides = False
    source: str = ""
    model: Optional[str] = None
    agent_type: Optional[str] = None
    session_title: Optional[str] = None
    seconds_since_last_response: Optional[float] = None
    context_tokens: Optional[float] = None
    prompt_cache_likely_expired: Optional[bool] = None
    estimated_cache_write_usd: Optional[float] = None
    agent_id: Optional[str] = None


class UserPromptSubmit(Event):
    """The user sent a prompt, before the model sees it."""

    _name = "UserPromptSubmit"
    _answers = (Block, Context, Halt, Warn, SessionTitle,)
    _merges = "block"
    _exit_decides = False
    prompt: str = ""
    session_title: Optional[str] = None
    source: Optional[str] = None
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class PreToolUse(Event):
    """A tool call is ready, before it runs."""

    _name = "PreToolUse"
    _answers = (Allow, Deny, Ask, Rewrite, Context, Halt, Warn, Defer,)
    _merges = "permission"
    _exit_decides = False
    tool_name: str = ""
    tool_input: Dict[str, Any] = {}
    tool_use_id: str = ""
    mcp_server: Optional[Dict[str, Any]] = None
    effort: Dict[str, Any] = {}
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class PermissionRequest(Event):
    """A permission dialog is about to open."""

    _name = "PermissionRequest"
    _answers = (Allow, Deny, Halt, Warn,)
    _merges = "dialog"
    _exit_decides = False
    tool_name: str = ""
    tool_input: Dict[str, Any] = {}
    permission_suggestions: Optional[List[Any]] = None
    mcp_server: Optional[Dict[str, Any]] = None
    effort: Dict[str, Any] = {}
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class PostToolUse(Event):
    """A tool succeeded."""

    _name = "PostToolUse"
    _answers = (Block, ReplaceOutput, Context, Halt, Warn, ClassifierContext,)
    _merges = "block"
    _exit_decides = False
    tool_name: str = ""
    tool_input: Dict[str, Any] = {}
    tool_use_id: str = ""
    tool_response: Any = None
    mcp_server: Optional[Dict[str, Any]] = None
    effort: Dict[str, Any] = {}
    duration_ms: float = 0
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class PostToolUseFailure(Event):
    """A tool failed."""

    _name = "PostToolUseFailure"
    _answers = (Block, Context, Halt, Warn,)
    _merges = "block"
    _exit_decides = False
    tool_name: str = ""
    tool_input: Dict[str, Any] = {}
    tool_use_id: str = ""
    error: str = ""
    is_interrupt: bool = False
    mcp_server: Optional[Dict[str, Any]] = None
    effort: Dict[str, Any] = {}
    duration_ms: float = 0
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class Notification(Event):
    """The host notifies the user."""

    _name = "Notification"
    _answers = (Context, Halt, Warn,)
    _merges = "nothing"
    _exit_decides = False
    message: str = ""
    title: Optional[str] = None
    notification_type: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class SubagentStart(Event):
    """A subagent starts."""

    _name = "SubagentStart"
    _answers = (Context, Halt, Warn,)
    _merges = "nothing"
    _exit_decides = False
    agent_id: str = ""
    agent_type: str = ""


class SubagentStop(Event):
    """A subagent finished."""

    _name = "SubagentStop"
    _answers = (Block, Halt, Warn, Context,)
    _merges = "block"
    _exit_decides = False
    agent_id: str = ""
    agent_type: str = ""
    stop_hook_active: bool = False
    agent_transcript_path: str = ""
    last_assistant_message: str = ""
    background_tasks: List[Any] = []
    session_crons: List[Any] = []
    effort: Dict[str, Any] = {}


class Stop(Event):
    """The main agent finished its answer; not after a user interrupt."""

    _name = "Stop"
    _answers = (Block, Halt, Warn, Context,)
    _merges = "block"
    _exit_decides = False
    stop_hook_active: bool = False
    last_assistant_message: str = ""
    background_tasks: List[Any] = []
    session_crons: List[Any] = []
    effort: Dict[str, Any] = {}
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class TeammateIdle(Event):
    """A teammate is about to go idle."""

    _name = "TeammateIdle"
    _answers = (Block, Halt, Warn,)
    _merges = "exit-code"
    _exit_decides = True
    teammate_name: str = ""
    team_name: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class TaskCompleted(Event):
    """A shared task is being marked done."""

    _name = "TaskCompleted"
    _answers = (Block, Halt, Warn,)
    _merges = "exit-code"
    _exit_decides = True
    task_id: str = ""
    task_subject: str = ""
    task_description: Optional[str] = None
    teammate_name: Optional[str] = None
    team_name: Optional[str] = None
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class PreCompact(Event):
    """Before the context is compacted."""

    _name = "PreCompact"
    _answers = (Instructions, Halt, Warn, Block,)
    _merges = "block"
    _exit_decides = False
    trigger: str = ""
    custom_instructions: Any = None
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class SessionEnd(Event):
    """The session ends."""

    _name = "SessionEnd"
    _answers = (Halt, Warn,)
    _merges = "nothing"
    _exit_decides = False
    reason: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class Setup(Event):
    """The host is started to prepare or maintain the project, before SessionStart."""

    _name = "Setup"
    _answers = (Warn,)
    _merges = "nothing"
    _exit_decides = False
    trigger: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class InstructionsLoaded(Event):
    """A file of instructions enters the context."""

    _name = "InstructionsLoaded"
    _answers = (Warn,)
    _merges = "nothing"
    _exit_decides = False
    file_path: str = ""
    memory_type: str = ""
    load_reason: str = ""
    globs: Optional[List[Any]] = None
    trigger_file_path: Optional[str] = None
    parent_file_path: Optional[str] = None
    effort: Optional[Dict[str, Any]] = None
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class UserPromptExpansion(Event):
    """A typed slash command is about to be expanded, after UserPromptSubmit."""

    _name = "UserPromptExpansion"
    _answers = (Block, Context, Halt, Warn,)
    _merges = "block"
    _exit_decides = False
    expansion_type: str = ""
    command_name: str = ""
    command_args: str = ""
    command_source: Optional[str] = None
    prompt: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class MessageDisplay(Event):
    """Text of the assistant is about to be shown."""

    _name = "MessageDisplay"
    _answers = (DisplayContent,)
    _merges = "nothing"
    _exit_decides = False
    turn_id: str = ""
    message_id: str = ""
    index: float = 0
    final: bool = False
    delta: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class PermissionDenied(Event):
    """A call was denied without asking the user."""

    _name = "PermissionDenied"
    _answers = (Retry, Warn,)
    _merges = "nothing"
    _exit_decides = False
    tool_name: str = ""
    tool_input: Dict[str, Any] = {}
    mcp_server: Optional[Dict[str, Any]] = None
    effort: Dict[str, Any] = {}
    tool_use_id: str = ""
    reason: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class PostToolBatch(Event):
    """All calls of one answer of the model are done, before the next request."""

    _name = "PostToolBatch"
    _answers = (Block, Context, Halt, Warn,)
    _merges = "block"
    _exit_decides = False
    tool_calls: List[Any] = []
    effort: Dict[str, Any] = {}
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class TaskCreated(Event):
    """A task is created."""

    _name = "TaskCreated"
    _answers = (Block, Warn,)
    _merges = "block"
    _exit_decides = False
    task_id: str = ""
    task_subject: str = ""
    task_description: Optional[str] = None
    teammate_name: Optional[str] = None
    team_name: Optional[str] = None
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class StopFailure(Event):
    """A turn ended by an error of the model provider."""

    _name = "StopFailure"
    _answers = (Warn,)
    _merges = "nothing"
    _exit_decides = False
    error: str = ""
    error_details: Optional[str] = None
    last_assistant_message: str = ""
    effort: Dict[str, Any] = {}
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class ConfigChange(Event):
    """A file of settings or skills changed on disk."""

    _name = "ConfigChange"
    _answers = (Block,)
    _merges = "block"
    _exit_decides = False
    source: str = ""
    file_path: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class CwdChanged(Event):
    """A command changed the current directory."""

    _name = "CwdChanged"
    _answers = (WatchPaths, Warn,)
    _merges = "nothing"
    _exit_decides = False
    old_cwd: str = ""
    new_cwd: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class DirectoryAdded(Event):
    """A folder was added to the session."""

    _name = "DirectoryAdded"
    _answers = (Warn,)
    _merges = "nothing"
    _exit_decides = False
    directory: str = ""
    source: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class FileChanged(Event):
    """A watched file changed, appeared or went."""

    _name = "FileChanged"
    _answers = (WatchPaths,)
    _merges = "nothing"
    _exit_decides = False
    file_path: str = ""
    event: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class WorktreeCreate(Event):
    """A worktree is needed; the hook makes it in place of the host."""

    _name = "WorktreeCreate"
    _answers = (Block, WorktreePath, Warn,)
    _merges = "exit-code"
    _exit_decides = True
    name: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class WorktreeRemove(Event):
    """A worktree is removed; the hook removes it in place of the host."""

    _name = "WorktreeRemove"
    _answers = (Block, Warn,)
    _merges = "exit-code"
    _exit_decides = True
    worktree_path: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class PostCompact(Event):
    """The context was compacted."""

    _name = "PostCompact"
    _answers = (Warn,)
    _merges = "nothing"
    _exit_decides = False
    trigger: str = ""
    compact_summary: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class PreModelSwitch(Event):
    """The user or the host asks for another model."""

    _name = "PreModelSwitch"
    _answers = (Allow, Deny, Ask, Halt, Warn,)
    _merges = "permission"
    _exit_decides = False
    from_model: str = ""
    to_model: str = ""
    requested_model: Any = None
    source: str = ""
    context_tokens: float = 0
    prompt_cache_warm: bool = False
    cache_ttl: str = ""
    estimated_cache_write_usd: float = 0
    pricing: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class PostModelSwitch(Event):
    """The model has changed."""

    _name = "PostModelSwitch"
    _answers = (Context, Warn,)
    _merges = "nothing"
    _exit_decides = False
    from_model: str = ""
    to_model: str = ""
    requested_model: Any = None
    source: str = ""
    context_tokens: float = 0
    prompt_cache_warm: bool = False
    cache_ttl: str = ""
    estimated_cache_write_usd: float = 0
    pricing: str = ""
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class Elicitation(Event):
    """An MCP server asks the user for something."""

    _name = "Elicitation"
    _answers = (Block, Accept, Decline, Cancel, Warn,)
    _merges = "exit-code"
    _exit_decides = True
    mcp_server_name: str = ""
    mode: str = ""
    elicitation_id: Optional[str] = None
    message: str = ""
    url: Optional[str] = None
    requested_schema: Dict[str, Any] = {}
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


class ElicitationResult(Event):
    """An answer is about to be sent to an MCP server that asked for it."""

    _name = "ElicitationResult"
    _answers = (Block, Accept, Decline, Cancel, Warn,)
    _merges = "exit-code"
    _exit_decides = True
    mcp_server_name: str = ""
    mode: str = ""
    elicitation_id: Optional[str] = None
    action: str = ""
    content: Dict[str, Any] = {}
    agent_id: Optional[str] = None
    agent_type: Optional[str] = None


def session_start(handler: SessionStartHandler) -> SessionStartHandler:
    """Has a function hear SessionStart."""
    return _register(SessionStart, handler)


def user_prompt_submit(handler: UserPromptSubmitHandler) -> UserPromptSubmitHandler:
    """Has a function hear UserPromptSubmit."""
    return _register(UserPromptSubmit, handler)


def pre_tool_use(handler: PreToolUseHandler) -> PreToolUseHandler:
    """Has a function hear PreToolUse."""
    return _register(PreToolUse, handler)


def permission_request(handler: PermissionRequestHandler) -> PermissionRequestHandler:
    """Has a function hear PermissionRequest."""
    return _register(PermissionRequest, handler)


def post_tool_use(handler: PostToolUseHandler) -> PostToolUseHandler:
    """Has a function hear PostToolUse."""
    return _register(PostToolUse, handler)


def post_tool_use_failure(handler: PostToolUseFailureHandler) -> PostToolUseFailureHandler:
    """Has a function hear PostToolUseFailure."""
    return _register(PostToolUseFailure, handler)


def notification(handler: NotificationHandler) -> NotificationHandler:
    """Has a function hear Notification."""
    return _register(Notification, handler)


def subagent_start(handler: SubagentStartHandler) -> SubagentStartHandler:
    """Has a function hear SubagentStart."""
    return _register(SubagentStart, handler)


def subagent_stop(handler: SubagentStopHandler) -> SubagentStopHandler:
    """Has a function hear SubagentStop."""
    return _register(SubagentStop, handler)


def stop(handler: StopHandler) -> StopHandler:
    """Has a function hear Stop."""
    return _register(Stop, handler)


def teammate_idle(handler: TeammateIdleHandler) -> TeammateIdleHandler:
    """Has a function hear TeammateIdle."""
    return _register(TeammateIdle, handler)


def task_completed(handler: TaskCompletedHandler) -> TaskCompletedHandler:
    """Has a function hear TaskCompleted."""
    return _register(TaskCompleted, handler)


def pre_compact(handler: PreCompactHandler) -> PreCompactHandler:
    """Has a function hear PreCompact."""
    return _register(PreCompact, handler)


def session_end(handler: SessionEndHandler) -> SessionEndHandler:
    """Has a function hear SessionEnd."""
    return _register(SessionEnd, handler)


def setup(handler: SetupHandler) -> SetupHandler:
    """Has a function hear Setup."""
    return _register(Setup, handler)


def instructions_loaded(handler: InstructionsLoadedHandler) -> InstructionsLoadedHandler:
    """Has a function hear InstructionsLoaded."""
    return _register(InstructionsLoaded, handler)


def user_prompt_expansion(handler: UserPromptExpansionHandler) -> UserPromptExpansionHandler:
    """Has a function hear UserPromptExpansion."""
    return _register(UserPromptExpansion, handler)


def message_display(handler: MessageDisplayHandler) -> MessageDisplayHandler:
    """Has a function hear MessageDisplay."""
    return _register(MessageDisplay, handler)


def permission_denied(handler: PermissionDeniedHandler) -> PermissionDeniedHandler:
    """Has a function hear PermissionDenied."""
    return _register(PermissionDenied, handler)


def post_tool_batch(handler: PostToolBatchHandler) -> PostToolBatchHandler:
    """Has a function hear PostToolBatch."""
    return _register(PostToolBatch, handler)


def task_created(handler: TaskCreatedHandler) -> TaskCreatedHandler:
    """Has a function hear TaskCreated."""
    return _register(TaskCreated, handler)


def stop_failure(handler: StopFailureHandler) -> StopFailureHandler:
    """Has a function hear StopFailure."""
    return _register(StopFailure, handler)


def config_change(handler: ConfigChangeHandler) -> ConfigChangeHandler:
    """Has a function hear ConfigChange."""
    return _register(ConfigChange, handler)


def cwd_changed(handler: CwdChangedHandler) -> CwdChangedHandler:
    """Has a function hear CwdChanged."""
    return _register(CwdChanged, handler)


def directory_added(handler: DirectoryAddedHandler) -> DirectoryAddedHandler:
    """Has a function hear DirectoryAdded."""
    return _register(DirectoryAdded, handler)


def file_changed(handler: FileChangedHandler) -> FileChangedHandler:
    """Has a function hear FileChanged."""
    return _register(FileChanged, handler)


def worktree_create(handler: WorktreeCreateHandler) -> WorktreeCreateHandler:
    """Has a function hear WorktreeCreate."""
    return _register(WorktreeCreate, handler)


def worktree_remove(handler: WorktreeRemoveHandler) -> WorktreeRemoveHandler:
    """Has a function hear WorktreeRemove."""
    return _register(WorktreeRemove, handler)


def post_compact(handler: PostCompactHandler) -> PostCompactHandler:
    """Has a function hear PostCompact."""
    return _register(PostCompact, handler)


def pre_model_switch(handler: PreModelSwitchHandler) -> PreModelSwitchHandler:
    """Has a function hear PreModelSwitch."""
    return _register(PreModelSwitch, handler)


def post_model_switch(handler: PostModelSwitchHandler) -> PostModelSwitchHandler:
    """Has a function hear PostModelSwitch."""
    return _register(PostModelSwitch, handler)


def elicitation(handler: ElicitationHandler) -> ElicitationHandler:
    """Has a function hear Elicitation."""
    return _register(Elicitation, handler)


def elicitation_result(handler: ElicitationResultHandler) -> ElicitationResultHandler:
    """Has a function hear ElicitationResult."""
    return _register(ElicitationResult, handler)
