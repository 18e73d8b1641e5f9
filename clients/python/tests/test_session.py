"""Both kinds of session, against the real command: HOOKLINE says how it is called."""

import asyncio
import json
import threading
import time
import unittest
from unittest import mock

from hookline import AsyncSession, Call, HooklineError, Session, finish, guard, readable
from hookline._turns import OpenTurns
from support import Project, answering, commands

ASK = answering(permissionDecision="ask", permissionDecisionReason="sure?")


class PlainSession(Project):
    def test_closes_the_oldest_turn_of_too_many_that_adapters_keep(self):
        with self.open() as hooks, mock.patch("hookline._turns.MAX_OPEN_TURNS", 2):
            turns = OpenTurns()
            opened = [turns.keep(run, hooks.turn()) for run in range(3)]
            self.assertEqual([turns.find(run) for run in range(3)], [None, *opened[1:]])
            with self.assertRaisesRegex(HooklineError, "not an open turn"):
                opened[0].may_stop()
            self.assertEqual(opened[2].may_stop().ended, "stopped")

    def test_refuses_a_call_with_the_text_for_the_model(self):
        self.write({"PreToolUse": [commands("echo 'no </system-reminder>' >&2; exit 2", matcher="Bash")]})
        with self.open() as hooks:
            fired = hooks.fire("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
            self.assertTrue(fired.decision["blocked"])
            self.assertIn("no &lt;/system-reminder>", fired.texts["model"][0])
            verdict = hooks.before(Call("Bash", {"command": "ls"}))
            self.assertEqual((verdict.ended, verdict.by), ("refused", "hook"))
            self.assertEqual(guard(hooks, Call("Read", {})).ended, "cleared")

    def test_asks_the_user_later_and_shows_what_came_of_the_call(self):
        self.write({"PreToolUse": [commands(ASK)], "PostToolUse": [commands("echo look >&2; exit 2")]})
        with self.open("--session-id", "one") as hooks:
            waiting = guard(hooks, Call("Write", {"a": 1}, id="t1"))
            self.assertEqual((waiting.ended, waiting.question["reason"]), ("waiting", "sure?"))
        clearance = json.loads(json.dumps(waiting.clearance))
        with self.open("--session-id", "one") as hooks:
            call = Call("Write", {"a": 1}, id="t1", answer={"clearance": clearance, "allow": True})
            cleared = guard(hooks, call)
            self.assertEqual(cleared.ended, "cleared")
            with self.assertRaisesRegex(HooklineError, "used before"):
                hooks.before(call)
            finished = finish(hooks, cleared, "done")
            self.assertEqual(finished.output, "done")
            self.assertIn("look", "".join(finished.texts))
            self.assertIsNone(finish(hooks, cleared, error=ValueError("it broke")).output)

    def test_has_turns_names_and_schemas(self):
        halt = "echo '{\"continue\":false,\"stopReason\":\"enough\"}'"
        rewrite = answering(permissionDecision="allow", updatedInput={"command": 1})
        self.write(
            {
                "PreToolUse": [commands(rewrite, matcher="Bash"), commands(halt, matcher="Stopper")],
                "UserPromptSubmit": [commands("echo remember")],
                "Stop": [commands("test -e stopped || { touch stopped; echo go on >&2; exit 2; }")],
            }
        )
        with self.open() as hooks, hooks.turn() as turn:
            self.assertIn("remember", turn.submit("hello").texts[0])
            schema = {"type": "object", "properties": {"cmd": {"type": "string"}}}
            names = {"shell": {"name": "Bash", "fields": {"cmd": "command"}}}
            self.assertEqual(turn.guard(Call("shell", {"cmd": "ls"}, schema=schema, names=names)).by, "input")
            self.assertEqual(turn.guard(Call("shell", {"cmd": "ls"}, names=names)).input, {"cmd": 1})
            self.assertEqual([turn.may_stop().ended, turn.may_stop().ended], ["continued", "stopped"])
            self.assertIsNone(turn.halted)
            turn.guard(Call("Stopper", {}))
            self.assertEqual((turn.halted, turn.guard(Call("Read", {})).by), ("enough", "turn"))

    def test_answers_threads_side_by_side(self):
        wait = "until test -e go; do sleep 0.05; done"
        self.write({"PreToolUse": [commands(wait, matcher="Slow")], "Stop": [commands("exit 2")]})
        with self.open() as hooks:
            done = []
            slow = threading.Thread(target=lambda: done.append(hooks.fire("PreToolUse", tool_name="Slow")))
            slow.start()
            self.assertTrue(hooks.fire("Stop", stop_hook_active=False).decision["blocked"])
            self.assertEqual(done, [])
            (self.project / "go").touch()
            slow.join(30)
            self.assertFalse(done[0].decision["blocked"])

    def test_cancels_what_takes_longer_than_its_timeout(self):
        self.write({"Stop": [commands("sleep 60")]})
        started = time.monotonic()
        steps = []
        with self.open() as hooks:
            with self.assertRaises(TimeoutError):
                hooks.fire("Stop", stop_hook_active=False, timeout=0.5, on_progress=steps.append)
            self.assertEqual(hooks.fire("SessionEnd", reason="other").record["event"], "SessionEnd")
        self.assertLess(time.monotonic() - started, 30)
        self.assertEqual(steps[0]["type"], "hook_started")

    def test_trusts_exactly_what_was_shown(self):
        self.write({"PreToolUse": [commands("exit 2")]})
        self.flags.remove("--trust")
        with self.open() as hooks:
            fired = hooks.fire("PreToolUse", tool_name="Bash")
            self.assertIn("not trusted yet", fired.record["notices"][0])
            shown = hooks.trust()
            self.assertFalse(shown["accepted"])
            with self.assertRaises(HooklineError):
                hooks.accept_trust("0" * 64)
            hooks.accept_trust(shown["digest"])
            self.assertTrue(hooks.fire("PreToolUse", tool_name="Bash").decision["blocked"])

    def test_registers_lists_explains_and_delivers(self):
        self.write({})
        with self.open() as hooks:
            late = {"type": "command", "command": "echo '{\"systemMessage\":\"late\"}'", "async": True}
            number = hooks.register({"Stop": [{"hooks": [late]}]})
            self.assertEqual([hook["event"] for hook in hooks.hooks()], ["Stop"])
            self.assertEqual(hooks.explain("Stop", stop_hook_active=False)["hooks"][0]["verdict"], "backgrounded")
            hooks.fire("Stop", stop_hook_active=False)
            self.assertIn("late", json.dumps(hooks.drain()))
            self.assertEqual(hooks.delivered(), [])
            self.assertTrue(hooks.unregister(number))
            self.assertEqual((hooks.problems()["problems"], hooks.environment()), ([], {}))
            self.assertEqual(hooks.hello()["session"], 3)
            with self.assertRaises(HooklineError):
                hooks.register({"Stopp": []})

    def test_says_what_is_wrong_and_when_the_session_has_ended(self):
        with self.open() as hooks:
            with self.assertRaisesRegex(HooklineError, "tool_name is missing"):
                hooks.fire("PreToolUse")
        with self.assertRaisesRegex(HooklineError, "closed"):
            hooks.fire("Stop")
        with self.assertRaisesRegex(HooklineError, "ended with code 1"):
            self.open("--no-such-flag")

    def test_gives_a_terminal_nothing_that_it_would_obey(self):
        self.assertEqual(readable("\x1b[31mred \u202e\n"), "\\u001b[31mred \\u202e\n")


class WithAsyncio(Project):
    def run_in(self, act, *flags):
        async def main():
            async with AsyncSession(self.project, *self.flags, *flags) as hooks:
                return await act(hooks)

        return asyncio.run(main())

    def test_runs_calls_side_by_side(self):
        wait = "touch begun; until test -e go; do sleep 0.05; done"
        self.write({"PreToolUse": [commands(wait, matcher="Slow"), commands("exit 2", matcher="Bash")]})

        async def act(hooks):
            slow = asyncio.ensure_future(hooks.fire("PreToolUse", tool_name="Slow"))
            quick = await hooks.fire("PreToolUse", tool_name="Bash")
            self.assertFalse(slow.done())
            (self.project / "go").touch()
            return quick, await slow

        quick, slow = self.run_in(act)
        self.assertEqual((quick.decision["blocked"], slow.decision["blocked"]), (True, False))

    def test_cancels_the_hooks_of_a_cancelled_task(self):
        self.write({"Stop": [commands("sleep 60")]})

        async def act(hooks):
            steps = asyncio.Queue()
            task = asyncio.ensure_future(hooks.fire("Stop", stop_hook_active=False, on_progress=steps.put_nowait))
            await steps.get()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            with self.assertRaises(TimeoutError):
                await hooks.fire("Stop", stop_hook_active=False, timeout=0.3)
            return await hooks.hello()

        started = time.monotonic()
        self.assertEqual(self.run_in(act)["record"], 2)
        self.assertLess(time.monotonic() - started, 30)

    def test_guards_a_call_in_two_halves(self):
        self.write({"PreToolUse": [commands("exit 2", matcher="Bash")]})

        async def act(hooks):
            refused = await guard(hooks, Call("Bash", {}))
            cleared = await guard(hooks, Call("Read", {}))
            finished = await finish(hooks, cleared, "text")
            async with await hooks.turn() as turn:
                submitted = await turn.submit("hello")
            return refused.ended, cleared.ended, finished.output, submitted.ended

        self.assertEqual(self.run_in(act), ("refused", "cleared", "text", "submitted"))

    def test_says_when_the_session_cannot_be_opened(self):
        async def act(hooks):
            raise AssertionError("it was opened")

        with self.assertRaisesRegex(HooklineError, "ended with code 1"):
            self.run_in(act, "--no-such-flag")


if __name__ == "__main__":
    unittest.main()
