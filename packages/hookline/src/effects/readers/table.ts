import { AGENT_READERS } from './agents.ts'
import { ARCHIVE_READERS } from './archives.ts'
import type { Reader } from './call.ts'
import { CLOUD_READERS } from './cloud.ts'
import { CONTAINER_READERS } from './containers.ts'
import { COPY_READERS } from './copies.ts'
import { DATABASE_READERS } from './databases.ts'
import { FILE_READERS } from './files.ts'
import { FIND_READERS } from './find.ts'
import { GIT_READERS } from './git.ts'
import { INTERPRETER_READERS } from './interpreters.ts'
import { KEY_READERS } from './keys.ts'
import { MACHINE_READERS } from './machine.ts'
import { MAKE_READERS } from './make.ts'
import { NETWORK_READERS } from './network.ts'
import { NPM_READERS } from './npm.ts'
import { PACKAGE_MANAGER_READERS } from './package-managers.ts'
import { RECIPE_READERS } from './recipes.ts'
import { BUILTIN_READERS } from './shell-builtins.ts'
import { TASK_READERS } from './task-files.ts'
import { TEXT_READERS } from './text.ts'
import { TIDY_READERS } from './tidy.ts'
import { TRANSFER_READERS } from './transfer.ts'

/** Readers by the names that rows use. */
export const READERS: Readonly<Record<string, Reader>> = {
  ...INTERPRETER_READERS,
  ...NPM_READERS,
  ...PACKAGE_MANAGER_READERS,
  ...MAKE_READERS,
  ...RECIPE_READERS,
  ...AGENT_READERS,
  ...MACHINE_READERS,
  ...DATABASE_READERS,
  ...CLOUD_READERS,
  ...CONTAINER_READERS,
  ...TEXT_READERS,
  ...FILE_READERS,
  ...ARCHIVE_READERS,
  ...COPY_READERS,
  ...FIND_READERS,
  ...KEY_READERS,
  ...BUILTIN_READERS,
  ...NETWORK_READERS,
  ...GIT_READERS,
  ...TASK_READERS,
  ...TIDY_READERS,
  ...TRANSFER_READERS,
}
