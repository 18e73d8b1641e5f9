import type { Code } from '../../../check/code.ts'
import { readCommand } from '../../../check/command.ts'
import { listBlocks, type ShellBlock } from '../../../check/shell-steps.ts'
import type { Subject } from '../../../check/subject.ts'
import type { Remark } from './fixes.ts'

/** A sign in a script that its answer is not read: what it is called, what is said of it, and whether a text has it. */
interface Sign {
  readonly name: string
  readonly message: string
  readonly inShell: (block: ShellBlock) => boolean
  readonly inOther: RegExp
}

const isAnswer = (text: string): boolean =>
  /^\s*\\?\{[\s\S]*(?:hookSpecificOutput|decision|additionalContext|"continue")/.test(text)

const SIGNS: readonly Sign[] = [
  {
    name: 'answer-on-stderr',
    message:
      'Its JSON answer goes to stderr, and Claude Code reads answers from stdout alone. Remove >&2 from the line that prints the answer.',
    inShell: ({ steps }) => steps.some((step) => step.does === 'prints' && step.to === 'stderr' && isAnswer(step.text)),
    inOther:
      /console\.error\(\s*JSON\.stringify\(|process\.stderr\.write\(\s*JSON\.stringify\(|print\(\s*json\.dumps\([^\n]*file\s*=\s*sys\.stderr|json\.dump\([^\n]*sys\.stderr/,
  },
  {
    name: 'text-before-answer',
    message:
      'It prints other text to stdout before its JSON answer, so Claude Code takes all of it for plain text and reads no answer. Send the other text to stderr: >&2.',
    inShell: ({ steps }) => {
      const printed = steps.flatMap((step) => (step.does === 'prints' && step.to === 'stdout' ? [step.text] : []))
      const at = printed.findIndex(isAnswer)
      return at > 0 && printed.slice(0, at).some((text) => text !== '' && !/^[\s{]/.test(text))
    },
    inOther:
      /(?:print|console\.log)\(\s*f?["'`][^{\n]*["'`]\s*\)[ \t]*(?:;[ \t]*)?\r?\n(?:[^\n]*\n){0,3}?\s*(?:print\(\s*json\.dumps|console\.log\(\s*JSON\.stringify)\(/,
  },
]

/** Finds hooks whose scripts answer where or how Claude Code does not read it. */
export async function findScriptFindings(subjects: readonly Subject[]): Promise<Remark[]> {
  const findings: Remark[] = []
  for (const subject of subjects) {
    for (const entry of subject.entries) {
      const command = await readCommand(entry, subject)
      const sign = SIGNS.find((one) => command?.code.some((code) => hasSign(code, one)))
      if (command === null || sign === undefined) continue
      const { line, column } = command.node
      const { file, path } = subject
      findings.push({ ...sign, rule: sign.name, severity: 'warning', link: '', file, path, line, column })
    }
  }
  return findings
}

function hasSign({ shell, syntax, text }: Code, { inShell, inOther }: Sign): boolean {
  if (shell === null) return inOther.test(text)
  return syntax !== null && listBlocks(syntax).some(inShell)
}
