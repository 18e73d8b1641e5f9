import type { Baseline, KnownFinding } from '../../../../check/baseline.ts'
import { readText } from '../../../../files/read.ts'
import { UsageError } from '../../../start/flags.ts'

/** Reads a baseline. Throws a UsageError when there is none to be had. */
export async function readBaseline(path: string): Promise<Baseline> {
  const content = await readText(path)
  if (content.read === 'missing') throw new UsageError(`${path} does not exist; --write-baseline makes it.`)
  if (content.read === 'unreadable') throw new UsageError(`${path} ${content.reason}.`)
  const findings = findingsIn(content.text)
  if (!findings) throw new UsageError(`${path} is no baseline; --write-baseline makes one.`)
  return { findings }
}

function findingsIn(text: string): KnownFinding[] | null {
  try {
    const { findings } = JSON.parse(text)
    return Array.isArray(findings) && findings.every(isKnownFinding) ? findings : null
  } catch {
    return null // not JSON
  }
}

function isKnownFinding(value: unknown): value is KnownFinding {
  if (typeof value !== 'object' || value === null) return false
  const { rule, file, message } = value as Partial<Record<keyof KnownFinding, unknown>> // looked at before it is used
  return [rule, file, message].every((part) => typeof part === 'string')
}
