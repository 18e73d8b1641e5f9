import type { ProgramText } from '../../../../text/program-text.ts'
import { formatGithub } from './github.ts'
import { formatJson } from './json.ts'
import { formatJunit } from './junit.ts'
import { formatPretty } from './pretty.ts'
import type { Report } from './report.ts'
import { formatSarif } from './sarif.ts'

/** Formats of findings. */
export const FORMATS: Readonly<Record<string, (report: Report) => string | ProgramText>> = {
  pretty: formatPretty,
  json: formatJson,
  sarif: formatSarif,
  github: formatGithub,
  junit: formatJunit,
}
