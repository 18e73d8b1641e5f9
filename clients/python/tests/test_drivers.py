"""Drivers that are not what they should be: each is named in a sentence, and nothing hangs."""

import os
import signal
import unittest
from unittest import mock

from hookline import Call, HooklineError, Session, guard
from support import Project

#: Answers the first line once it has come: an answer that nobody asked for yet belongs to no call.
HELLO = (
    "sys.stdin.readline()\n"
    "print(json.dumps({'id': 1, 'hello': {'hookline': '9', 'session': 3, 'speaks': [2, 3], 'sessionId': 's'}}), flush=True)\n"
)


class Drivers(Project):
    def use(self, code):
        patch = mock.patch.dict(os.environ, {"HOOKLINE": self.driver(code)})
        patch.start()
        self.addCleanup(patch.stop)

    def test_15_an_older_driver_is_named(self):
        self.use("sys.stdin.readline()\nprint(json.dumps({'id': 1, 'hello': {'hookline': '0.0.9', 'session': 2}}), flush=True)\nsys.stdin.read()")
        with self.assertRaisesRegex(HooklineError, "hookline 0.0.9 is too old .*npm install"):
            Session()

    def test_16_a_driver_without_a_hello_is_named(self):
        self.use("sys.stdin.readline()\nprint(json.dumps({'id': 1, 'error': 'not a control'}), flush=True)\nsys.stdin.read()")
        with self.assertRaisesRegex(HooklineError, "cannot be used: not a control"):
            Session()

    def test_17_a_driver_that_never_says_hello_is_given_up(self):
        self.use("sys.stdin.read()")
        with mock.patch("hookline._driver.HELLO_TIMEOUT_S", 0.5):
            with self.assertRaisesRegex(HooklineError, "did not say hello"):
                Session()

    def test_18_another_program_is_named(self):
        self.use("print('Welcome!', flush=True)\nsys.stdin.read()")
        with self.assertRaisesRegex(HooklineError, "not an answer"):
            Session()

    def test_19_a_driver_that_died_mid_call_fails_that_call_and_refuses_later_ones(self):
        self.use(HELLO + "sys.stdin.readline()\nsys.exit(7)")
        hooks = Session()
        with self.assertRaisesRegex(HooklineError, "ended with code 7"):
            hooks.fire("Stop")
        verdict = guard(hooks, Call("Bash", {}))
        self.assertEqual((verdict.ended, verdict.by), ("refused", "session"))
        self.assertIn("ended with code 7", verdict.reason)
        hooks.close()

    def test_20_a_driver_that_stops_reading_holds_up_no_call_longer_than_its_timeout(self):
        self.use(HELLO + "time.sleep(600)")
        with mock.patch("hookline._driver.CLOSE_TIMEOUT_S", 0.2):
            with Session() as hooks:
                for _ in range(3):
                    with self.assertRaises(TimeoutError):
                        hooks.fire("Stop", note="x" * 1_000_000, timeout=0.1)

    def test_21_a_driver_that_does_not_end_is_ended(self):
        self.use("import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + HELLO + "time.sleep(600)")
        with mock.patch("hookline._driver.CLOSE_TIMEOUT_S", 0.2), mock.patch("hookline._driver.KILL_TIMEOUT_S", 0.2):
            hooks = Session()
            hooks.close()
        self.assertEqual(hooks._starter.driver()._process.returncode, -signal.SIGKILL)

    def test_22_no_hookline_at_all_is_a_sentence(self):
        with mock.patch.dict(os.environ, {"HOOKLINE": "", "PATH": str(self.root)}):
            with self.assertRaisesRegex(HooklineError, "npm install -g hookline"):
                Session()
        with mock.patch.dict(os.environ, {"HOOKLINE": "/nowhere/hookline"}):
            with self.assertRaisesRegex(HooklineError, "cannot be started"):
                Session()


    def test_27_programs_that_are_not_drivers_are_named_at_once(self):
        programs = {
            "begins with": "import os\nwhile True: os.write(1, b'x' * 65536)",
            r"begins with b'\\x00": "sys.stdout.buffer.write(bytes(range(256)))\nsys.stdout.flush()\nsys.stdin.read()",
            "not an answer": "print('{}[', flush=True)\nsys.stdin.read()",
            "answers line 7, which was never written": "print('{\"id\": 7}', flush=True)\nsys.stdin.read()",
            "answers line 'x'": "print('{\"id\": \"x\"}', flush=True)\nsys.stdin.read()",
            "without 'hello'": "sys.stdin.readline()\nprint('{\"id\": 1}', flush=True)\nsys.stdin.read()",
            "too old": "sys.stdin.readline()\nprint('{\"id\": 1, \"hello\": {\"speaks\": 3}}', flush=True)\nsys.stdin.read()",
            "ended with code 4": "sys.exit(4)",
        }
        for sentence, program in programs.items():
            with self.subTest(sentence):
                self.use(program)
                with self.assertRaisesRegex(HooklineError, sentence):
                    Session()

    def test_28_answers_that_lack_what_was_asked_for_refuse(self):
        for answer in ({}, {"before": [1]}, {"before": {}}):
            with self.subTest(answer):
                self.use(HELLO + f"sys.stdin.readline()\nprint(json.dumps({{'id': 2, **{answer}}}), flush=True)")
                with Session() as hooks:
                    verdict = guard(hooks, Call("Bash", {}))
                self.assertEqual((verdict.ended, verdict.by), ("refused", "session"))
                self.assertIn("answered without", verdict.reason)

    def test_29_an_answer_that_python_cannot_read_fails_its_own_call_alone(self):
        for odd in ("'[' * 100_000 + ']' * 100_000", "'9' * 5000 + ('' if sys.version_info > (3, 11) else '!')"):
            answers = (
                "for line in sys.stdin:\n"
                "    at = json.loads(line)['id']\n"
                f"    print('{{\"id\":2,\"record\":' + {odd} + '}}' if at == 2 else json.dumps({{'id': at, 'hello': {{}}}}), flush=True)\n"
            )
            self.use(HELLO + answers)
            with Session() as hooks:
                with self.assertRaisesRegex(HooklineError, "cannot be read"):
                    hooks.fire("Stop")
                self.assertEqual(hooks.hello(), {})

    def test_30_a_driver_that_died_or_closed_its_stdout_fails_calls_although_a_process_lives_on(self):
        ends = ("subprocess.Popen(['sleep', '60']); os._exit(3)", "os.close(1); time.sleep(60)")
        for end in ends:
            self.use(HELLO + f"import os, subprocess\nsys.stdin.readline()\n{end}")
            with self.subTest(end), mock.patch("hookline._driver.KILL_TIMEOUT_S", 0.2), Session() as hooks:
                with self.assertRaisesRegex(HooklineError, "ended with code"):
                    hooks.fire("Stop")


if __name__ == "__main__":
    unittest.main()
