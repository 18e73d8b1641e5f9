import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolders } from '../files/folders.ts'
import { makeTempFolder } from '../files/temp-folder.ts'

/** A folder of its own that lives as long as a test. */
export interface TemporaryProject {
  /** Real path. */
  readonly path: string
  /** Writes a file, text as it is and anything else as JSON; resolves with its path. */
  readonly write: (file: string, content: string | object) => Promise<string>
  readonly remove: () => Promise<void>
}

/** Makes a project in the system's temp folder, with these files by their relative paths. */
export async function makeTemporaryProject(
  files: Readonly<Record<string, string | object>> = {},
): Promise<TemporaryProject> {
  const { path, remove } = await makeTempFolder('project')
  const write = (file: string, content: string | object) => writeInto(join(path, file), content)
  for (const [file, content] of Object.entries(files)) await write(file, content)
  return { path, write, remove }
}

async function writeInto(target: string, content: string | object): Promise<string> {
  makeFolders(dirname(target))
  await writeFile(target, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
  return target
}
