import { readAgentCall } from './agents.ts'
import { readArchiveCall } from './archives.ts'
import { findInRooms, type Reader, type Room } from './call.ts'
import { readCopyCall } from './copies.ts'
import { readFindCall } from './find.ts'
import { readKeyCall } from './keys.ts'
import { readRecipeCall } from './recipes.ts'
import { readTidyCall } from './tidy.ts'
import { readTransferCall } from './transfer.ts'

/** Rooms that few calls need, each with the names by which rows ask for one of its readers. */
const RARE_ROOMS: readonly Room[] = [
  ['compress tar zip unzip copy-in', readArchiveCall],
  ['rsync scp rclone', readCopyCall],
  ['find fd locate', readFindCall],
  ['openssl gpg decrypt ssh-keygen', readKeyCall],
  ['agent hookline', readAgentCall],
  ['transfer upload', readTransferCall],
  ['duplicates rename tidy-up keep-same backups in-place patch converter kde-files', readTidyCall],
  ['just', readRecipeCall],
]

/** The reader of a name in a row, of the rooms that few calls need; undefined for a name that none of them knows. */
export function findRareReader(name: string): Reader | undefined {
  return findInRooms(RARE_ROOMS, name)
}
