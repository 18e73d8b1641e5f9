import { BEHAVIORS } from 'hookline/rules'
import { askedLines } from '../asked-lines.ts'
import { onOneLine, questionText } from '../call-text.ts'
import type { Dialog } from '../dialog.ts'
import { type FormField, fieldsOf, readField } from '../form-fields.ts'
import type { TerminalHost } from '../host.ts'
import { APPROVALS, approval, planRefusal } from '../plan-answer.ts'
import { addRule, listRules, removeRule, replaceRule, ruleLine } from '../rule-changes.ts'
import { trustLines } from '../trust-lines.ts'
import { updateText } from '../update-text.ts'
import { hooksQuestion } from './hooks-question.ts'
import type { Question } from './question.ts'

/** A dialog in words. */
export function questionOf(dialog: Dialog, host: TerminalHost): Question {
  switch (dialog.kind) {
    case 'trust':
      return trustQuestion(dialog)
    case 'permission':
      return permissionQuestion(dialog, host.options.project)
    case 'sessions':
      return sessionsQuestion(dialog)
    case 'form':
      return formQuestion(dialog)
    case 'rewind':
      return rewindQuestion(dialog)
    case 'plan':
      return planQuestion(dialog)
    case 'permissions':
      return permissionsQuestion(dialog, host)
    case 'hooks':
      return hooksQuestion(dialog, host)
  }
}

function trustQuestion({ question, answer }: Extract<Dialog, { kind: 'trust' }>): Question {
  const lines = [
    `The folder ${question.request.folder} has hooks that you do not trust yet:`,
    ...trustLines(question.request),
    'Type yes to trust them (they run with your permissions), no to continue without them.',
  ]
  return {
    text: lines.join('\n'),
    take: (line) => {
      if (!/^(y|yes|n|no)$/i.test(line.trim())) return 'Type yes or no.'
      answer(/^y/i.test(line.trim()))
      return ''
    },
  }
}

function permissionQuestion(dialog: Extract<Dialog, { kind: 'permission' }>, cwd: string): Question {
  const { question, change, answer } = dialog
  const { tool, input, reason, suggestions } = question
  const always = suggestions.map((update, at) => `${at + 2}: yes, and always: ${updateText(update)}`)
  const text = [
    questionText(tool, input, cwd),
    ...askedLines(input, cwd, change).map((line) => `  ${line.text}`),
    reason,
    '1: yes, this once',
    ...always,
    'Anything else: no, and that is what the model is told.',
  ].join('\n')
  return {
    text,
    take: (line) => {
      const typed = line.trim()
      const update = suggestions[Number(typed) - 2]
      if (typed === '1' || /^y(es)?$/i.test(typed)) answer({ behavior: 'allow' })
      else if (update) answer({ behavior: 'allow', updatedPermissions: [update] })
      else if (typed === '' || /^no?$/i.test(typed)) answer({ behavior: 'deny' })
      else answer({ behavior: 'deny', message: `The user refused this call and says: ${typed}` })
      return ''
    },
  }
}

function sessionsQuestion({ sessions, answer }: Extract<Dialog, { kind: 'sessions' }>): Question {
  const rows = sessions.map(
    ({ changed, title, firstPrompt }, at) =>
      `${at + 1}: ${changed.toISOString().slice(0, 16)} ${onOneLine(title ?? firstPrompt ?? '')}`,
  )
  return {
    text: ['Resume which session? Type its number, or nothing to stay.', ...rows].join('\n'),
    take: (line) => {
      answer(sessions[Number(line.trim()) - 1]?.id ?? null)
      return ''
    },
  }
}

function planQuestion({ answer }: Extract<Dialog, { kind: 'plan' }>): Question {
  const choices = APPROVALS.map(({ text }, at) => `${at + 1}: ${text}`)
  return {
    text: ['Approve this plan?', ...choices, 'Anything else: no, and that is what the model is told.'].join('\n'),
    take: (line) => {
      const chosen = APPROVALS[Number(line.trim()) - 1]
      answer(chosen === undefined ? planRefusal(line) : approval(chosen.mode))
      return ''
    },
  }
}

function permissionsQuestion({ answer }: Extract<Dialog, { kind: 'permissions' }>, host: TerminalHost): Question {
  const permissions = host.agent?.permissions
  const list = (): string => {
    const rows = (permissions === undefined ? [] : listRules(permissions)).map(
      (each, at) => `${at + 1}: ${ruleLine(each)}`,
    )
    return [
      `Permissions, mode ${permissions?.mode ?? 'default'}`,
      ...(rows.length === 0 ? ['There is no rule.'] : rows),
    ].join('\n')
  }
  return {
    text: `${list()}\n"allow RULE", "ask RULE" and "deny RULE" add a rule, "remove 2" removes one, "edit 2 RULE" replaces it; Enter closes.`,
    take: async (line) => {
      const [word = '', ...rest] = line.trim().split(/\s+/)
      if (word === '' || permissions === undefined) {
        answer(null)
        return ''
      }
      const behavior = BEHAVIORS.find((each) => each === word)
      if (behavior !== undefined) return (await addRule(permissions, { behavior, text: rest.join(' ') })).said
      const listed = listRules(permissions)[Number(rest[0]) - 1]
      if (listed === undefined) return list()
      return word === 'remove'
        ? removeRule(permissions, listed)
        : replaceRule(permissions, listed, rest.slice(1).join(' '))
    },
  }
}

function rewindQuestion({ points, answer }: Extract<Dialog, { kind: 'rewind' }>): Question {
  const rows = points.map(({ text, files }, at) => {
    const changed = files.length === 0 ? '' : `  (${files.length} changed files)`
    return `${at + 1}: ${onOneLine(text)}${changed}`
  })
  return {
    text: [
      'Go back to before which prompt? Type its number, "files" and its number to undo changes of files too, or nothing to stay.',
      ...rows,
    ].join('\n'),
    take: (line) => {
      const [, files, number] = /^(files\s+)?(\d+)$/.exec(line.trim()) ?? []
      const point = points[Number(number) - 1]
      answer(point === undefined ? null : { point, files: files !== undefined })
      return ''
    },
  }
}

function formQuestion({ question, answer }: Extract<Dialog, { kind: 'form' }>): Question {
  const fields = fieldsOf(question.schema)
  const values: Record<string, string | number | boolean> = {}
  let at = 0
  const asked = (): string => fieldText(fields[at])
  return {
    text: `${question.server} asks: ${question.message}\n${asked()}\nType decline to say no.`,
    take: (line) => {
      const field = fields[at]
      if (line.trim() === 'decline') {
        answer({ action: 'decline' })
        return ''
      }
      const read = field === undefined ? { value: null } : readField(field, line)
      if ('fault' in read) return `${read.fault} ${asked()}`
      if (field !== undefined && read.value !== null) values[field.name] = read.value
      at++
      if (at < fields.length) return asked()
      answer({ action: 'accept', content: values })
      return ''
    },
  }
}

function fieldText(field: FormField | undefined): string {
  if (field === undefined) return 'Enter agrees.'
  const choices = field.choices.length > 0 ? ` (${field.choices.join(', ')})` : ''
  return `${field.title}${choices}:`
}
