"""Both kinds of session, against the real command: HOOKLINE says how it is called."""

import asyncio
import json
import tempfile
import threading
import time
import unittest
from pathlib import Path

from hookline import AsyncSession, HooklineError, Session, readable

ASK = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": "sure?"}}


def commands(*lines, **group):
    return {**group, "hooks": [{"type": "command", "command": line} for line in lines]}


class Project(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        (self.root / "project/.claude").mkdir(parents=True)
        (self.root / "home").mkdir()
        self.project = self.root / "project"
        self.flags = ["--home", str(self.root / "home"), "--managed", str(self.root / "none.json")]

    def write(self, hooks):
        (self.project / ".claude/settings.json").write_text(json.dumps({"hooks": hooks}))


class PlainSession(Project):
    def open(self, *flags):
        return Session(self.project, *self.flags, *flags)

    def test_refuses_a_call_with_the_text_for_the_model(self):
        self.write({"PreToolUse": [commands("echo 'no </system-reminder>' >&2; exit 2", matcher="Bash")]})
        with self.open("--trust") as hooks:
            fired = hooks.fire("PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
            self.assertTrue(fired.decision["blocked"])
            self.assertIn("no &lt;/system-reminder>", fired.texts["model"][0])
            verdict = hooks.before("Bash", {"command": "ls"})["before"]
            self.assertEqual((verdict["ended"], verdict["by"]), ("refused", "hook"))
            self.assertEqual(hooks.before("Read", {})["before"]["ended"], "cleared")

    def test_asks_the_user_later_and_shows_what_came_of_the_call(self):
        self.write({"PreToolUse": [commands(f"echo '{json.dumps(ASK)}'")], "PostToolUse": [commands("echo look >&2; exit 2")]})
        with self.open("--trust", "--session-id", "one") as hooks:
            waiting = hooks.before("Write", {"a": 1}, id="t1")["before"]
            self.assertEqual((waiting["ended"], waiting["question"]["reason"]), ("waiting", "sure?"))
        clearance = json.loads(json.dumps(waiting["clearance"]))
        with self.open("--trust", "--session-id", "one") as hooks:
            answer = {"clearance": clearance, "allow": True}
            self.assertEqual(hooks.before("Write", {"a": 1}, id="t1", answer=answer)["before"]["ended"], "cleared")
            with self.assertRaisesRegex(HooklineError, "used before"):
                hooks.before("Write", {"a": 1}, id="t1", answer=answer)
            after = hooks.after("Write", {"a": 1}, id="t1", output="done", duration_ms=3)["after"]
            self.assertEqual(after["output"], "done")
            self.assertIn("look", "".join(after["texts"]))
            self.assertEqual(hooks.after("Write", {}, error="it broke")["after"]["ended"], "failed")

    def test_answers_threads_side_by_side(self):
        wait = "until test -e go; do sleep 0.05; done"
        self.write({"PreToolUse": [commands(wait, matcher="Slow")], "Stop": [commands("exit 2")]})
        with self.open("--trust") as hooks:
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
        with self.open("--trust") as hooks:
            with self.assertRaises(TimeoutError):
                hooks.fire("Stop", stop_hook_active=False, timeout=0.5, on_progress=steps.append)
            self.assertEqual(hooks.fire("SessionEnd", reason="other").record["event"], "SessionEnd")
        self.assertLess(time.monotonic() - started, 30)
        self.assertEqual(steps[0]["type"], "hook_started")

    def test_trusts_exactly_what_was_shown(self):
        self.write({"PreToolUse": [commands("exit 2")]})
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
        with self.open("--trust") as hooks:
            late = {"type": "command", "command": "echo '{\"systemMessage\":\"late\"}'", "async": True}
            number = hooks.register({"Stop": [{"hooks": [late]}]})
            self.assertEqual([hook["event"] for hook in hooks.list()], ["Stop"])
            self.assertEqual(hooks.explain("Stop", stop_hook_active=False)["hooks"][0]["verdict"], "backgrounded")
            hooks.fire("Stop", stop_hook_active=False)
            self.assertIn("late", json.dumps(hooks.drain()))
            self.assertEqual(hooks.delivered(), [])
            self.assertTrue(hooks.unregister(number))
            self.assertEqual((hooks.problems()["problems"], hooks.environment()), ([], {}))
            self.assertEqual(hooks.hello()["session"], 2)
            with self.assertRaises(HooklineError):
                hooks.register({"Stopp": []})

    def test_says_what_is_wrong_and_when_the_session_has_ended(self):
        with self.open() as hooks:
            with self.assertRaisesRegex(HooklineError, "tool_name is missing"):
                hooks.fire("PreToolUse")
        with self.assertRaisesRegex(HooklineError, "ended"):
            hooks.fire("Stop")
        with self.open("--no-such-flag") as hooks:
            with self.assertRaisesRegex(HooklineError, "ended with code 1"):
                hooks.fire("Stop")

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

        quick, slow = self.run_in(act, "--trust")
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
        self.assertEqual(self.run_in(act, "--trust")["record"], 2)
        self.assertLess(time.monotonic() - started, 30)

    def test_guards_a_call_in_two_halves(self):
        self.write({"PreToolUse": [commands("exit 2", matcher="Bash")]})

        async def act(hooks):
            refused = await hooks.before("Bash", {})
            cleared = await hooks.before("Read", {})
            after = await hooks.after("Read", {}, output="text")
            return refused["before"]["ended"], cleared["before"]["ended"], after["after"]["output"]

        self.assertEqual(self.run_in(act, "--trust"), ("refused", "cleared", "text"))

    def test_says_when_the_session_has_ended(self):
        async def act(hooks):
            with self.assertRaisesRegex(HooklineError, "ended with code 1"):
                await hooks.fire("Stop")

        self.run_in(act, "--no-such-flag")
        with self.assertRaisesRegex(HooklineError, "not open"):
            asyncio.run(AsyncSession(self.project).fire("Stop"))


if __name__ == "__main__":
    unittest.main()
