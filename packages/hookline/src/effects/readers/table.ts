import type { Reader } from './call.ts'
import { FILE_READERS } from './files.ts'
import { GIT_READERS } from './git.ts'
import { NETWORK_READERS } from './network.ts'
import { BUILTIN_READERS } from './shell-builtins.ts'
import { SYSTEM_READERS } from './systems.ts'
import { TASK_READERS } from './task-files.ts'
import { TIDY_READERS } from './tidy.ts'
import { TRANSFER_READERS } from './transfer.ts'
import { WORK_READERS } from './work.ts'

/** Readers by the names that rows use. */
export const READERS: Readonly<Record<string, Reader>> = {
  ...FILE_READERS,
  ...BUILTIN_READERS,
  ...NETWORK_READERS,
  ...GIT_READERS,
  ...SYSTEM_READERS,
  ...WORK_READERS,
  ...TASK_READERS,
  ...TIDY_READERS,
  ...TRANSFER_READERS,
}
