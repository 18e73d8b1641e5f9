"""Hooks in Python: what a program says that uses `hook`."""

import json
import subprocess
import sys

from hookline import Call, guard, hook
from support import Project, commands

PRE = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/", "tool_name": "Bash", "tool_input": {"command": "rm x"}}

GUARD = """
from hookline import hook

@hook.pre_tool_use
def guard(event: hook.PreToolUse):
    %s
"""


class Hooks(Project):
    def run_hook(self, source, event=PRE):
        script = self.project / "guard.py"
        script.write_text(source)
        sent = event if isinstance(event, bytes) else json.dumps(event).encode()
        ran = subprocess.run([sys.executable, str(script)], input=sent, capture_output=True, timeout=60)
        return ran.returncode, ran.stdout.decode(), ran.stderr.decode()

    def answer(self, body, event=PRE, source=GUARD):
        code, stdout, stderr = self.run_hook(source % body, event)
        self.assertEqual((code, stderr), (0, ""))
        return json.loads(stdout)

    def test_say_each_answer_as_clients_read_it(self):
        specific = {"hookEventName": "PreToolUse"}
        rows = [
            ("hook.deny('no')", {"permissionDecision": "deny", "permissionDecisionReason": "no"}),
            ("hook.ask('sure?')", {"permissionDecision": "ask", "permissionDecisionReason": "sure?"}),
            ("hook.allow()", {"permissionDecision": "allow"}),
            ("hook.rewrite({**event.tool_input, 'n': 1.0})", {"updatedInput": {"command": "rm x", "n": 1.0}}),
            ("hook.context('note')", {"additionalContext": "note"}),
        ]
        for reply, fields in rows:
            with self.subTest(reply):
                self.assertEqual(self.answer(f"return {reply}"), {"hookSpecificOutput": {**specific, **fields}})
        self.assertEqual(self.answer("return hook.halt('enough')"), {"continue": False, "stopReason": "enough"})

    def test_rewrites_keep_numbers_that_no_float_holds(self):
        event = json.dumps(PRE).replace('"rm x"', '1e400, "low": -1E999').encode()
        code, stdout, _ = self.run_hook(GUARD % "return hook.rewrite({**event.tool_input, 'n': 1})", event)
        self.assertEqual(code, 0)
        self.assertIn('{"command": 1e999, "low": -1e999, "n": 1}', stdout)

    def test_block_where_the_event_has_that(self):
        source = GUARD.replace("pre_tool_use", "stop").replace("PreToolUse", "Stop")
        self.assertEqual(
            self.answer("return hook.block('tests fail')", {"hook_event_name": "Stop"}, source),
            {"decision": "block", "reason": "tests fail"},
        )

    def test_answer_a_dialog_in_its_own_words(self):
        source = GUARD.replace("pre_tool_use", "permission_request").replace("PreToolUse", "PermissionRequest")
        said = self.answer("return hook.deny('no')", {**PRE, "hook_event_name": "PermissionRequest"}, source)
        self.assertEqual(said["hookSpecificOutput"]["decision"], {"behavior": "deny", "message": "no"})

    def test_are_silent_without_an_answer_and_about_other_events(self):
        self.assertEqual(self.run_hook(GUARD % "return None"), (0, "", ""))
        self.assertEqual(self.run_hook(GUARD % "1 / 0", {"hook_event_name": "Stop"}), (0, "", ""))

    def test_refuse_when_they_raise_with_the_traceback_on_stderr(self):
        for body in ("1 / 0", "return hook.block('x')", "return 'deny'", "raise SystemExit(1)", "return event.nothing"):
            with self.subTest(body):
                code, stdout, stderr = self.run_hook(GUARD % body)
                self.assertEqual((code, stdout), (2, ""))
                self.assertIn("Traceback", stderr)
        self.assertIn("PreToolUse does not know block; it knows allow, deny", self.run_hook(GUARD % "return hook.block('x')")[2])
        self.assertIn("guard.py failed: ZeroDivisionError", self.run_hook(GUARD % "1 / 0")[2])

    def test_refuse_when_the_program_itself_fails_or_the_event_cannot_be_read(self):
        code, stdout, stderr = self.run_hook(GUARD % "return None" + "\nundefined_name\n")
        self.assertEqual((code, stdout), (2, ""))
        self.assertIn("NameError", stderr)
        for bad in (b"", b"{", b"[]", b"\xff"):
            self.assertEqual(self.run_hook(GUARD % "return None", bad)[:2], (2, ""))

    def test_say_nothing_but_the_answer_on_stdout(self):
        body = "print('mine'); import os; os.system('echo child'); return hook.context('note')"
        code, stdout, stderr = self.run_hook(GUARD % body)
        self.assertEqual((code, json.loads(stdout)["hookSpecificOutput"]["additionalContext"]), (0, "note"))
        self.assertIn("mine", stderr)
        self.assertIn("child", stderr)

    def test_may_be_async(self):
        source = GUARD.replace("def guard", "async def guard")
        self.assertIn("permissionDecision", self.answer("return hook.deny('no')", source=source)["hookSpecificOutput"])

    def test_may_use_threads_pools_and_processes(self):
        body = """
    import asyncio, concurrent.futures, multiprocessing, threading
    told = []
    thread = threading.Thread(target=told.append, args=("thread",))
    thread.start()
    thread.join()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        told.append(pool.submit(str, "pool").result())
    worker = multiprocessing.get_context("spawn" if os.name == "nt" else "fork").Process(target=int)
    worker.start()
    worker.join()
    async def later():
        return await asyncio.to_thread(str, "later")
    return hook.context(" ".join([*told, asyncio.run(later())]))"""
        self.assertEqual(self.answer(body, source="import os\n" + GUARD)["hookSpecificOutput"]["additionalContext"], "thread pool later")

    def test_run_when_the_program_is_done_however_it_ends(self):
        ends = ["helper = 1", "try:\n    1 / 0\nexcept ZeroDivisionError:\n    pass", "import sys\nsys.exit(0)", "import contextlib\nwith contextlib.suppress(ZeroDivisionError): 1 / 0"]
        for end in ends:
            with self.subTest(end):
                code, stdout, stderr = self.run_hook(GUARD % "return hook.deny('no')" + end + "\n")
                self.assertEqual((code, stderr), (0, ""))
                self.assertIn("deny", stdout)

    def test_are_functions_for_a_test_of_their_own(self):
        @hook.pre_tool_use
        def guarding(event):
            return hook.deny("no") if "rm" in event.tool_input["command"] else None

        self.assertIsInstance(guarding(hook.PreToolUse(PRE)), hook.Deny)

    def test_guard_calls_of_a_session(self):
        (self.project / "guard.py").write_text(GUARD % "return hook.deny('not ' + event.tool_input['command'])")
        self.write({"PreToolUse": [commands(f"'{sys.executable}' guard.py")]})
        with self.open() as hooks:
            verdict = guard(hooks, Call("Bash", {"command": "this"}))
        self.assertEqual(verdict.ended, "refused")
        self.assertIn("not this", verdict.reason)
