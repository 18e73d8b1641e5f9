import type { JSONSchema7 } from 'ai'
import { findFiles } from './find-files.ts'
import { readFilePart } from './read-file-part.ts'
import type { Reach, ToolInput } from './readable-files.ts'
import { searchFiles } from './search-files.ts'

/** A tool that looks and changes nothing. What goes wrong is said to the model, as its result. */
export interface AgentTool {
  readonly description: string
  readonly properties: Readonly<Record<string, JSONSchema7>>
  readonly required: readonly string[]
  readonly run: (input: ToolInput, reach: Reach) => Promise<string>
}

const makeTextSchema = (description: string): JSONSchema7 => ({ type: 'string', description })
const makeCountSchema = (description: string): JSONSchema7 => ({ type: 'integer', description })

/** Tools of an agent hook besides giving its verdict. */
export const AGENT_TOOLS: Readonly<Record<string, AgentTool>> = {
  Read: {
    description: 'Reads a text file of the project, or the transcript by its absolute path. Lines are numbered from 1.',
    properties: {
      path: makeTextSchema('The file, relative to the project.'),
      offset: makeCountSchema('The first line to read. Default: 1.'),
      limit: makeCountSchema('How many lines to read. Default: 1000, which is also the most.'),
    },
    required: ['path'],
    run: readFilePart,
  },
  Grep: {
    description:
      'Finds lines that match a regular expression (RE2 syntax) in the files of the project, or in one file.',
    properties: {
      pattern: makeTextSchema('The regular expression.'),
      path: makeTextSchema('A folder or a file to search. Default: the project.'),
      glob: makeTextSchema('Only files whose path matches, for example src/**/*.ts.'),
    },
    required: ['pattern'],
    run: searchFiles,
  },
  Glob: {
    description: 'Finds files of the project by their paths.',
    properties: {
      pattern: makeTextSchema('For example **/*.test.ts. Without a slash it is about names in any folder.'),
      path: makeTextSchema('The folder to look in. Default: the project.'),
    },
    required: ['pattern'],
    run: findFiles,
  },
}
