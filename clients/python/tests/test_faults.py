"""What goes wrong beside hooks: each fault is an error with a sentence, or is dealt with, and nothing hangs."""

import asyncio
import copy
import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

from hookline import AsyncSession, Call, HooklineError, Session, finish, guard
from support import Project, commands

WAIT = "touch begun; sleep 60"


def until(happened):
    limit = time.monotonic() + 60
    while not happened():
        if time.monotonic() > limit:
            raise AssertionError("it did not happen within a minute")
        time.sleep(0.02)


class Values(Project):
    def test_01_nan_is_an_error_before_anything_is_sent(self):
        with self.open() as hooks:
            for bad in (float("nan"), float("inf"), -float("inf")):
                with self.assertRaisesRegex(HooklineError, "cannot be written as JSON"):
                    hooks.before(Call("Bash", {"n": bad}))
                self.assertEqual(guard(hooks, Call("Bash", {"n": [bad]})).ended, "refused")
            self.assertEqual(guard(hooks, Call("Bash", {})).ended, "cleared")

    def test_02_what_json_has_no_word_for_is_an_error(self):
        circle = {}
        circle["self"] = circle
        deep = []
        for _ in range(200_000):
            deep = [deep]
        with self.open() as hooks:
            for bad in ({1, 2}, b"bytes", object(), circle, deep):
                with self.assertRaisesRegex(HooklineError, "cannot be written as JSON"):
                    hooks.fire("PostToolUse", tool_name="T", tool_response=bad)
            self.assertTrue(hooks.hello())
        while deep:
            deep = deep.pop()

    def test_03_big_numbers_and_odd_texts_reach_the_tool_as_they_were(self):
        self.write({"PreToolUse": [commands("cat > seen")]})
        odd = {"2": 12345678901234567890, "1": 1.0, "t": "\u2028\ud800\x00", "e": 1e300}
        with self.open() as hooks:
            verdict = guard(hooks, Call("T", odd))
            self.assertEqual((verdict.ended, verdict.unchanged, list(verdict.input)), ("cleared", True, list(odd)))
            self.assertEqual(verdict.input, odd)
        seen = (self.project / "seen").read_text()
        self.assertIn('"2":12345678901234567890,"1":1.0,', seen)

    def test_04_results_of_64_mb_pass(self):
        self.write({"PostToolUse": [commands("wc -c > size")]})
        with self.open() as hooks:
            cleared = guard(hooks, Call("T", {}))
            finished = finish(hooks, cleared, "x" * (64 * 1024 * 1024))
            self.assertEqual((len(finished.output), finished.replaced), (64 * 1024 * 1024, False))
        self.assertGreater(int((self.project / "size").read_text()), 64 * 1024 * 1024)

    def test_05_what_is_longer_than_a_line_may_be_is_an_error(self):
        with self.open() as hooks, mock.patch("hookline._driver.MAX_LINE_BYTES", 1000):
            with self.assertRaisesRegex(HooklineError, "at most 1000"):
                hooks.fire("Stop", note="x" * 2000)


class Callbacks(Project):
    def test_06_a_callback_that_raises_fails_its_own_call_alone(self):
        self.write({"Stop": [commands(WAIT)]})

        def fail(step):
            raise KeyError("mine")

        with self.open() as hooks:
            with self.assertRaisesRegex(KeyError, "mine"):
                hooks.fire("Stop", on_progress=fail)
            self.assertEqual(hooks.fire("SessionEnd", reason="other").record["event"], "SessionEnd")

    def test_07_so_does_one_of_asyncio(self):
        self.write({"Stop": [commands(WAIT)]})

        def fail(step):
            raise KeyError("mine")

        async def act():
            async with AsyncSession(self.project, *self.flags) as hooks:
                with self.assertRaisesRegex(KeyError, "mine"):
                    await hooks.fire("Stop", on_progress=fail)
                return (await hooks.fire("SessionEnd", reason="other")).record["event"]

        self.assertEqual(asyncio.run(act()), "SessionEnd")

    def test_08_a_callback_may_use_the_session_and_close_it(self):
        self.write({"Stop": [commands("true")]})
        seen = []
        with self.open() as hooks:
            hooks.fire("Stop", on_progress=lambda step: seen.append(hooks.hello()["session"]))
            self.assertEqual(set(seen), {3})
            self.assertEqual(hooks.fire("Stop", on_progress=lambda step: hooks.close()).record["event"], "Stop")


class Processes(Project):
    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_09_a_forked_worker_is_told_to_open_its_own(self):
        with self.open() as hooks:
            context = multiprocessing.get_context("fork")
            answers = context.Queue()
            worker = context.Process(target=_use, args=(hooks, answers))
            worker.start()
            self.assertIn("opens a session of its own", answers.get(timeout=60))
            worker.join(60)
            self.assertEqual(worker.exitcode, 0)
            self.assertTrue(hooks.hello())

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_10_a_forked_worker_that_lives_on_does_not_keep_the_session(self):
        hooks = self.open()
        worker = os.fork()
        if worker == 0:
            signal.pause()
        try:
            started = time.monotonic()
            hooks.close()
            self.assertLess(time.monotonic() - started, 9)
        finally:
            os.kill(worker, signal.SIGKILL)
            os.waitpid(worker, 0)

    def test_11_ctrl_c_does_not_end_the_driver(self):
        self.write({"Stop": [commands("true")]})
        code = (
            "import os, signal, sys, time\n"
            "from hookline import Session\n"
            "with Session(*sys.argv[1:]) as hooks:\n"
            "    try:\n"
            "        os.killpg(0, signal.SIGINT)\n"
            "        time.sleep(60)\n"
            "    except KeyboardInterrupt:\n"
            "        print(hooks.fire('Stop').record['event'])\n"
        )
        ran = subprocess.run(
            [sys.executable, "-c", code, str(self.project), *self.flags],
            stdout=subprocess.PIPE,
            start_new_session=True,
            timeout=100,
        )
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Stop\n"))

    def test_12_ctrl_c_while_a_call_waits_cancels_its_hooks(self):
        self.write({"Stop": [commands("touch begun; trap 'touch ended' EXIT; sleep 60")]})
        with self.open() as hooks:
            def interrupt():
                until((self.project / "begun").exists)
                os.kill(os.getpid(), signal.SIGINT)

            threading.Thread(target=interrupt).start()
            with self.assertRaises(KeyboardInterrupt):
                hooks.fire("Stop")
            self.assertTrue(hooks.hello())

    def test_13_a_session_left_open_does_not_keep_the_program(self):
        code = "import sys\nfrom hookline import Session\nhooks = Session(*sys.argv[1:])\nprint('left')\n"
        command = [sys.executable, "-W", "error", "-c", code, str(self.project), *self.flags]
        ran = subprocess.run(command, capture_output=True, timeout=100)
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, b"left\n", b""))

    def test_14_a_session_that_is_forgotten_ends_its_driver(self):
        hooks = self.open()
        process = hooks._starter.driver()._process
        del hooks
        gc.collect()
        self.assertEqual(process.wait(60), 0)


class Arguments(Project):
    def test_36_keys_that_become_one_in_json_are_refused_where_a_hook_listens(self):
        self.write({"PreToolUse": [commands("cat > seen", matcher="Tool")]})
        with self.open() as session:
            verdict = guard(session, Call("Tool", {1: "a", "1": "b"}))
            self.assertEqual(verdict.ended, "refused")
            self.assertIn("stands twice", verdict.reason)
            self.assertFalse((self.project / "seen").exists())
            self.assertEqual(guard(session, Call("Other", {1: "a", "1": "b"})).ended, "cleared")

    def test_31_fields_that_lines_use_themselves_are_an_error(self):
        with self.open() as hooks:
            for name in ("id", "control"):
                with self.assertRaisesRegex(HooklineError, "cannot be a field"):
                    hooks.fire("Stop", **{name: "x"})

    def test_32_timeouts_may_be_longer_than_python_can_wait(self):
        with self.open() as hooks:
            for timeout in (1e12, float("inf")):
                self.assertEqual(guard(hooks, Call("T", {}), timeout=timeout).ended, "cleared")
            self.assertEqual(guard(hooks, Call("T", {}), timeout=-1).by, "session")

    def test_33_a_session_cannot_be_pickled_and_says_so(self):
        with self.open() as hooks:
            for copies in (pickle.dumps, copy.deepcopy):
                with self.assertRaisesRegex(TypeError, "Open one where it is needed"):
                    copies(hooks)

    def test_34_a_path_that_no_system_has_is_an_error(self):
        with self.assertRaisesRegex(HooklineError, "cannot be started"):
            Session("a\0b")

    def test_35_a_session_that_is_closed_while_it_opens_stays_closed(self):
        async def act():
            hooks = AsyncSession(self.project, *self.flags)
            opening = asyncio.ensure_future(hooks.__aenter__())
            await asyncio.sleep(0)
            opening.cancel()
            await asyncio.gather(opening, return_exceptions=True)
            await hooks.close()
            return (await guard(hooks, Call("T", {}))).by

        self.assertEqual(asyncio.run(act()), "session")


class Lives(Project):
    def test_23_restart_goes_on_with_the_same_session(self):
        with self.open(restart=True) as hooks:
            first = hooks.hello()["sessionId"]
            hooks._starter.driver()._process.kill()
            until(lambda: hooks._starter._driver.is_gone)
            self.assertEqual(hooks.hello()["sessionId"], first)
            self.assertEqual(guard(hooks, Call("Bash", {})).ended, "cleared")

    def test_24_a_closed_session_refuses_also_with_restart(self):
        for restart in (False, True):
            hooks = self.open(restart=restart)
            hooks.close()
            hooks.close()
            with self.assertRaisesRegex(HooklineError, "closed"):
                hooks.fire("Stop")
            self.assertEqual(guard(hooks, Call("Bash", {})).by, "session")

    def test_25_2000_calls_at_once_are_answered(self):
        self.write({"PreToolUse": [commands("true", matcher="Bash")]})
        with self.open() as hooks, ThreadPoolExecutor(64) as pool:
            verdicts = list(pool.map(lambda at: guard(hooks, Call("Read", {"at": at})), range(2000)))
        self.assertEqual([verdict.input["at"] for verdict in verdicts], list(range(2000)))

        async def act():
            async with AsyncSession(self.project, *self.flags) as later:
                return await asyncio.gather(*(guard(later, Call("Read", {"at": at})) for at in range(2000)))

        self.assertEqual({verdict.ended for verdict in asyncio.run(act())}, {"cleared"})

    def test_26_closing_cancels_what_is_under_way(self):
        self.write({"Stop": [commands(WAIT)]})
        hooks = self.open()
        ends = []

        def fire():
            try:
                ends.append(hooks.fire("Stop").record["hooks"][0]["outcome"])
            except HooklineError as error:
                ends.append(str(error))

        caller = threading.Thread(target=fire)
        caller.start()
        until((self.project / "begun").exists)
        hooks.close()
        caller.join(60)
        self.assertEqual(len(ends), 1)


def _use(hooks, answers):
    try:
        hooks.fire("Stop")
    except HooklineError as error:
        answers.put(str(error))


if __name__ == "__main__":
    unittest.main()
