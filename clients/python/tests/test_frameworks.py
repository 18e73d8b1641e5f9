"""Adapters with the frameworks themselves; each is skipped, with a sentence, where its framework is not installed."""

import asyncio
import importlib.util
import json
import unittest

from hookline import HooklineError, hook  # noqa: F401  the package is there
from hookline._tools import HaltedByHook
from support import Project, answering, commands

HOOKS = {
    "PreToolUse": [
        commands("echo not allowed >&2; exit 2", matcher="refused"),
        commands(answering(permissionDecision="allow", updatedInput={"text": "changed"}), matcher="rewritten"),
        commands(answering(permissionDecision="ask", permissionDecisionReason="sure?"), matcher="asked"),
        commands("echo '{\"continue\":false,\"stopReason\":\"enough\"}'", matcher="halted"),
    ],
    "PostToolUse": [commands("echo look again >&2; exit 2", matcher="commented")],
    "PostToolUseFailure": [commands("touch failed", matcher="broken")],
    "UserPromptSubmit": [
        commands(
            "read -r event; case $event in *forbidden*) echo not this >&2; exit 2;; *remember*) echo keep in mind;;"
            " *tired*) echo '{\"continue\":false,\"stopReason\":\"that is enough\"}';; esac"
        )
    ],
    "Stop": [commands("touch stopped; test -e again || exit 0; rm again; echo one thing more >&2; exit 2")],
}


def has(name):
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


class Battery:
    """The same cases for every framework. `call(name, text)` makes a call of a tool that gives back "ran TEXT"."""

    def setUp(self):
        super().setUp()
        self.write(HOOKS)
        self.session = self.open()
        self.addCleanup(self.session.close)

    def asks(self, question):
        return question["input"].get("text") == "yes"

    def test_is_as_without_hooks_when_they_are_silent(self):
        self.assertEqual(self.call("silent", "it"), "ran it")

    def test_refuses(self):
        said = self.call("refused", "it")
        self.assertIn("not allowed", said)
        self.assertNotIn("ran", said)

    def test_rewrites(self):
        self.assertEqual(self.call("rewritten", "it"), "ran changed")

    def test_adds_what_hooks_say(self):
        said = self.call("commented", "it")
        self.assertIn("ran it", said)
        self.assertIn("look again", said)

    def test_asks_the_user(self):
        self.assertEqual(self.call("asked", "yes"), "ran yes")
        self.assertIn("did not allow", self.call("asked", "no"))

    def test_ends_the_turn(self):
        with self.assertRaises(HaltedByHook):
            self.call("halted", "it")

    def test_tells_hooks_of_a_failure(self):
        try:
            self.call("broken", "it")
        except Exception as error:
            self.assertIn("broken it", str(error))
        self.assertTrue((self.project / "failed").exists())

    def test_refuses_when_the_session_is_gone(self):
        self.session.close()
        try:
            said = self.call("silent", "it")
        except HooklineError as error:
            said = f"hooks could not be asked: {error}"
        self.assertIn("hooks could not be asked", said)
        self.assertNotIn("ran", said)


class TurnBattery:
    """The cases of a whole turn. `turn(prompt)` gives how it ended, its reason, and every text that a user sent to the model."""

    def test_a_prompt_is_as_without_hooks_when_they_are_silent(self):
        self.assertEqual(self.turn("go"), ("answered", None, ["go"]))
        self.assertTrue((self.project / "stopped").exists())

    def test_a_prompt_that_hooks_block_reaches_no_model(self):
        ended, reason, sent = self.turn("forbidden")
        self.assertEqual((ended, sent), ("blocked", []))
        self.assertIn("not this", reason)

    def test_a_prompt_has_what_hooks_add(self):
        ended, _, sent = self.turn("remember")
        self.assertEqual((ended, len(sent)), ("answered", 1))
        self.assertIn("keep in mind", sent[0])
        self.assertIn("remember", sent[0])

    def test_a_prompt_can_end_the_turn(self):
        self.assertEqual(self.turn("tired"), ("halted", "that is enough", []))

    def test_a_stop_hook_sends_the_agent_on(self):
        (self.project / "again").touch()
        ended, _, sent = self.turn("go")
        self.assertEqual((ended, sent[0], len(sent)), ("answered", "go", 2))
        self.assertIn("one thing more", sent[1])


NAMES = ["silent", "refused", "rewritten", "commented", "asked", "halted", "broken"]


def named_functions():
    def make(name):
        def tool(text: str) -> str:
            """Says that it ran."""
            if name == "broken":
                raise ValueError(f"broken {text}")
            return f"ran {text}"

        tool.__name__ = name
        return tool

    return {name: make(name) for name in NAMES}


@unittest.skipUnless(has("langchain") and has("langgraph"), "langchain is not installed here")
class LangChain(Battery, TurnBattery, Project):
    def invoke(self, agent, given):
        return agent.invoke(given)

    def call(self, name, text):
        messages = self.run_agent(name, text, "go")[0]
        content = next(one for one in messages if one.type == "tool").content
        return content if isinstance(content, str) else "\n\n".join(block["text"] for block in content)

    def turn(self, prompt):
        try:
            messages, sent = self.run_agent(None, None, prompt)
        except HaltedByHook as halted:
            return "halted", str(halted), []
        if not sent:
            self.assertNotIn(prompt, [one.content for one in messages])
            return "blocked", messages[-1].content, []
        return "answered", None, sent[-1]

    def run_agent(self, name, text, prompt):
        from hookline.langchain import HooklineMiddleware
        from langchain.agents import create_agent
        from langchain_core.language_models import BaseChatModel
        from langchain_core.messages import AIMessage, ToolMessage
        from langchain_core.outputs import ChatGeneration, ChatResult
        from langchain_core.tools import StructuredTool

        sent = []

        class Scripted(BaseChatModel):
            def bind_tools(self, tools, **more):
                return self

            @property
            def _llm_type(self):
                return "scripted"

            def _generate(self, messages, stop=None, run_manager=None, **more):
                sent.append([one.content for one in messages if one.type == "human"])
                done = name is None or isinstance(messages[-1], ToolMessage)
                calls = [] if done else [{"name": name, "args": {"text": text}, "id": "c1"}]
                return ChatResult(generations=[ChatGeneration(message=AIMessage("", tool_calls=calls))])

        tools = [StructuredTool.from_function(one) for one in named_functions().values()]
        middleware = HooklineMiddleware(self.session, on_ask=self.asks)
        agent = create_agent(Scripted(), tools, middleware=[middleware])
        return self.invoke(agent, {"messages": [{"role": "user", "content": prompt}]})["messages"], sent


class LangChainAwaited(LangChain):
    def invoke(self, agent, given):
        return asyncio.run(agent.ainvoke(given))


class LangChainStreamed(LangChain):
    def invoke(self, agent, given):
        return list(agent.stream(given, stream_mode="values"))[-1]


@unittest.skipUnless(has("agents") and has("openai"), "openai-agents is not installed here")
class OpenAiAgents(Battery, TurnBattery, Project):
    streamed = False

    def turn(self, prompt):
        from agents import Agent, Model, ModelResponse, Usage, set_tracing_disabled
        from hookline.openai_agents import run
        from openai.types.responses import Response, ResponseCompletedEvent, ResponseOutputMessage, ResponseOutputText

        set_tracing_disabled(True)
        sent, events = [], []
        text = ResponseOutputText(text="done", type="output_text", annotations=[])
        output = [
            ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        ]

        class Scripted(Model):
            async def get_response(self, system_instructions, input, *args, **more):
                sent.append([one["content"] for one in input if one.get("role") == "user"])
                return ModelResponse(output=output, usage=Usage(), response_id=None)

            async def stream_response(self, system_instructions, input, *args, **more):
                sent.append([one["content"] for one in input if one.get("role") == "user"])
                response = Response(
                    id="r",
                    created_at=0,
                    model="m",
                    object="response",
                    output=output,
                    tool_choice="auto",
                    tools=[],
                    parallel_tool_calls=False,
                )
                yield ResponseCompletedEvent(type="response.completed", response=response, sequence_number=0)

        async def hear(event):
            events.append(event)

        agent = Agent(name="tester", model=Scripted())
        end = asyncio.run(run(self.session, agent, prompt, on_event=hear if self.streamed else None))
        self.assertEqual(len(events) > 0, self.streamed and len(sent) > 0)
        return end.ended, end.reason, sent[-1] if sent else []

    def test_refuses_arguments_that_the_tool_could_read_otherwise(self):
        for arguments in ('{"text":"it","text":"other"}', "[1]", "{", '{"text":"it","\\u0074ext":"other"}'):
            self.assertIn("was not made", self.call("silent", None, arguments))

    def call(self, name, text, arguments=None):
        from agents import function_tool
        from agents.tool_context import ToolContext
        from hookline.openai_agents import guard_tools

        tool = function_tool(named_functions()[name], failure_error_function=None)
        (guarded,) = guard_tools(self.session, [tool], on_ask=self.asks)
        arguments = json.dumps({"text": text}) if arguments is None else arguments
        context = ToolContext(context=None, tool_name=name, tool_call_id="c1", tool_arguments=arguments)
        return asyncio.run(guarded.on_invoke_tool(context, arguments))


class OpenAiAgentsStreamed(OpenAiAgents):
    streamed = True


@unittest.skipUnless(has("pydantic_ai"), "pydantic-ai is not installed here")
class PydanticAi(Battery, TurnBattery, Project):
    streamed = False

    def turn(self, prompt):
        from hookline.pydantic_ai import run
        from pydantic_ai import Agent
        from pydantic_ai.messages import ModelResponse, TextPart
        from pydantic_ai.models.function import FunctionModel

        sent, events = [], []

        def note(messages):
            parts = [part for one in messages for part in one.parts]
            sent.append([part.content for part in parts if part.part_kind == "user-prompt"])

        def model(messages, info):
            note(messages)
            return ModelResponse(parts=[TextPart("done")])

        async def stream(messages, info):
            note(messages)
            yield "done"

        async def hear(event):
            events.append(event)

        agent = Agent(FunctionModel(model, stream_function=stream))
        end = asyncio.run(run(self.session, agent, prompt, on_event=hear if self.streamed else None))
        self.assertEqual(len(events) > 0, self.streamed and len(sent) > 0)
        return end.ended, end.reason, sent[-1] if sent else []

    def call(self, name, text):
        from hookline.pydantic_ai import HooklineToolset
        from pydantic_ai import Agent
        from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
        from pydantic_ai.models.function import FunctionModel
        from pydantic_ai.toolsets import FunctionToolset

        def model(messages, info):
            if len(messages) > 1:
                return ModelResponse(parts=[TextPart("done")])
            return ModelResponse(parts=[ToolCallPart(name, {"text": text})])

        toolset = FunctionToolset(list(named_functions().values()))
        agent = Agent(FunctionModel(model), toolsets=[HooklineToolset(toolset, self.session, on_ask=self.asks)])
        result = agent.run_sync("go")
        return next(part.content for one in result.all_messages() for part in one.parts if part.part_kind == "tool-return")


class PydanticAiStreamed(PydanticAi):
    streamed = True


@unittest.skipUnless(has("smolagents"), "smolagents is not installed here")
class Smolagents(Battery, TurnBattery, Project):
    streamed = False

    def turn(self, prompt):
        from hookline.smolagents import run
        from smolagents import ToolCallingAgent
        from smolagents.models import ChatMessage, ChatMessageToolCall, ChatMessageToolCallFunction, MessageRole, Model

        sent = []

        class Scripted(Model):
            def generate(self, messages, **more):
                said = [one.content for one in messages if one.role == MessageRole.USER]
                texts = [part["text"] for content in said for part in content]
                sent.append([text.removeprefix("New task:\n") for text in texts if text.startswith("New task:")])
                called = ChatMessageToolCallFunction(name="final_answer", arguments={"answer": "done"})
                call = ChatMessageToolCall(id="c", type="function", function=called)
                return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=[call])

        agent = ToolCallingAgent(tools=[], model=Scripted(), verbosity_level=0)
        end = run(self.session, agent, prompt, stream=self.streamed)
        return end.ended, end.reason, sent[-1] if sent else []

    def call(self, name, text):
        from hookline.smolagents import guard_tools
        from smolagents import Tool

        function = named_functions()[name]
        made = type(
            "Made",
            (Tool,),
            {
                "name": name,
                "description": "Says that it ran.",
                "inputs": {"text": {"type": "string", "description": "What to say."}},
                "output_type": "string",
                "forward": lambda self, text: function(text),
                "skip_forward_signature_validation": True,
            },
        )
        (guarded,) = guard_tools(self.session, [made()], on_ask=self.asks)
        return guarded(text=text)


class SmolagentsStreamed(Smolagents):
    streamed = True


@unittest.skipUnless(has("google.adk.plugins"), "google-adk is not installed here")
class Adk(Battery, TurnBattery, Project):
    test_a_stop_hook_sends_the_agent_on = None  # a runner cannot be sent on

    def call(self, name, text):
        try:
            return self.run_agent(name, text, "go")[0]
        except RuntimeError as error:  # of the runner, about a plugin
            raise error.__cause__ or error

    def turn(self, prompt):
        _, said, sent = self.run_agent(None, None, prompt)
        if sent:
            return "answered", None, ["\n\n".join(sent[-1])]
        return ("halted" if "enough" in said else "blocked"), said, []

    def test_tells_the_user_what_a_stop_hook_says(self):
        (self.project / "again").touch()
        self.run_agent(None, None, "go")
        self.assertIn("one thing more", "".join(self.notices))

    def run_agent(self, name, text, prompt):
        """What the tool gave, what the agent said, and the user's texts of each request."""
        from google.adk.agents import LlmAgent
        from google.adk.models.base_llm import BaseLlm
        from google.adk.models.llm_response import LlmResponse
        from google.adk.runners import InMemoryRunner
        from google.genai.types import Content, FunctionCall, Part
        from hookline.adk import HooklinePlugin

        sent = []
        self.notices = []

        class Scripted(BaseLlm):
            async def generate_content_async(self, llm_request, stream=False):
                parts = [part for one in llm_request.contents if one.role == "user" for part in one.parts]
                sent.append([part.text for part in parts if part.text])
                done = name is None or any(part.function_response for part in parts)
                part = Part(text="done") if done else Part(function_call=FunctionCall(name=name, args={"text": text}))
                yield LlmResponse(content=Content(role="model", parts=[part]))

        agent = LlmAgent(name="tester", model=Scripted(model="scripted"), tools=list(named_functions().values()))
        plugin = HooklinePlugin(self.session, on_ask=self.asks, on_notice=self.notices.append)
        runner = InMemoryRunner(agent=agent, app_name="test", plugins=[plugin])

        async def act():
            session = await runner.session_service.create_session(app_name="test", user_id="u")
            given, said = None, ""
            message = Content(role="user", parts=[Part(text=prompt)])
            async for event in runner.run_async(user_id="u", session_id=session.id, new_message=message):
                for part in event.content.parts if event.content else []:
                    if part.function_response:
                        given = part.function_response.response
                    said = part.text or said
            return given, said

        given, said = asyncio.run(act())
        told = given and given.get("error", given.get("result"))
        return told and "\n\n".join([told, *given.get("hooks", [])]), said, sent


if __name__ == "__main__":
    unittest.main()
