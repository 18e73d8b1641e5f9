import type { ProgramText } from '../../../../text/program-text.ts'
import { githubReport } from './github.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { prettyReport } from './pretty.ts'
import type { Report } from './report.ts'
import { sarifReport } from './sarif.ts'

/** How findings can be printed. */
export const FORMATS: Readonly<Record<string, (report: Report) => string | ProgramText>> = {
  pretty: prettyReport,
  json: jsonReport,
  sarif: sarifReport,
  github: githubReport,
  junit: junitReport,
}
