"""Adapters with the frameworks themselves; each is skipped, with a sentence, where its framework is not installed."""

import asyncio
import importlib.util
import json
import unittest

from hookline import hook  # noqa: F401  the package is there
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
        self.assertIn("hooks could not be asked", self.call("silent", "it"))


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
class LangChain(Battery, Project):
    def call(self, name, text):
        return self.run_agent(name, text, lambda agent, given: agent.invoke(given))

    def run_agent(self, name, text, run):
        from hookline.langchain import HooklineMiddleware
        from langchain.agents import create_agent
        from langchain_core.language_models import BaseChatModel
        from langchain_core.messages import AIMessage, ToolMessage
        from langchain_core.outputs import ChatGeneration, ChatResult
        from langchain_core.tools import StructuredTool

        class Scripted(BaseChatModel):
            def bind_tools(self, tools, **more):
                return self

            @property
            def _llm_type(self):
                return "scripted"

            def _generate(self, messages, stop=None, run_manager=None, **more):
                done = isinstance(messages[-1], ToolMessage)
                calls = [] if done else [{"name": name, "args": {"text": text}, "id": "c1"}]
                return ChatResult(generations=[ChatGeneration(message=AIMessage("", tool_calls=calls))])

        tools = [StructuredTool.from_function(one) for one in named_functions().values()]
        middleware = HooklineMiddleware(self.session, on_ask=self.asks)
        agent = create_agent(Scripted(), tools, middleware=[middleware])
        messages = run(agent, {"messages": [{"role": "user", "content": "go"}]})["messages"]
        content = next(one for one in messages if isinstance(one, ToolMessage)).content
        return content if isinstance(content, str) else "\n\n".join(block["text"] for block in content)


class LangChainAwaited(LangChain):
    def call(self, name, text):
        return self.run_agent(name, text, lambda agent, given: asyncio.run(agent.ainvoke(given)))


@unittest.skipUnless(has("agents") and has("openai"), "openai-agents is not installed here")
class OpenAiAgents(Battery, Project):
    def call(self, name, text):
        from agents import function_tool
        from agents.tool_context import ToolContext
        from hookline.openai_agents import guard_tools

        tool = function_tool(named_functions()[name], failure_error_function=None)
        (guarded,) = guard_tools(self.session, [tool], on_ask=self.asks)
        arguments = json.dumps({"text": text})
        context = ToolContext(context=None, tool_name=name, tool_call_id="c1", tool_arguments=arguments)
        return asyncio.run(guarded.on_invoke_tool(context, arguments))


@unittest.skipUnless(has("pydantic_ai"), "pydantic-ai is not installed here")
class PydanticAi(Battery, Project):
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


@unittest.skipUnless(has("smolagents"), "smolagents is not installed here")
class Smolagents(Battery, Project):
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


@unittest.skipUnless(has("google.adk"), "google-adk is not installed here")
class Adk(Battery, Project):
    def call(self, name, text):
        from hookline.adk import HooklinePlugin

        plugin = HooklinePlugin(self.session, on_ask=self.asks)
        tool = type("Tool", (), {"name": name})()
        args = {"text": text}
        context = type("Context", (), {"function_call_id": "c1"})()

        async def act():
            given = {"tool": tool, "tool_args": args, "tool_context": context}
            refused = await plugin.before_tool_callback(**given)
            if refused is not None:
                return refused["error"]
            try:
                result = {"result": named_functions()[name](**args)}
            except ValueError as error:
                await plugin.on_tool_error_callback(**given, error=error)
                raise
            after = await plugin.after_tool_callback(**given, result=result)
            said = result if after is None else after
            return "\n\n".join([said["result"], *said.get("hooks", [])])

        return asyncio.run(act())


if __name__ == "__main__":
    unittest.main()
