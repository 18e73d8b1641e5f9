import { findInRooms, type Reader, type Room } from './call.ts'
import { readCloudCall } from './cloud.ts'
import { readContainerCall } from './containers.ts'
import { readDatabaseCall } from './databases.ts'
import { readFileCall } from './files.ts'
import { readGitCall } from './git.ts'
import { readInterpreterCall } from './interpreters.ts'
import { readMachineCall } from './machine.ts'
import { readMakeCall } from './make.ts'
import { readNetworkCall } from './network.ts'
import { readNpmCall } from './npm.ts'
import { readPackageManagerCall } from './package-managers.ts'
import { findRareReader } from './rare-rooms.ts'
import { readBuiltinCall } from './shell-builtins.ts'
import { readTaskCall } from './task-files.ts'
import { readTextCall } from './text.ts'

/** Rooms of readers, the most used first, each with the names by which rows ask for one of its readers. Nothing of a room is run before that. */
const ROOMS: readonly Room[] = [
  ['cat list mkdir rm shred truncate mv cp install ln chmod attributes tee dd', readFileCall],
  ['echo printf calm env declare set alias read trap cd popd mktemp history later which', readBuiltinCall],
  ['grep sed jq tr base64 xxd editor', readTextCall],
  ['git', readGitCall],
  ['npm npx versions workspaces npm-scripts', readNpmCall],
  ['deno node python interpreter awk server run-words shape tex artisan rails', readInterpreterCall],
  ['pip cargo go composer bundle dotnet', readPackageManagerCall],
  ['cmake make maker', readMakeCall],
  ['curl wget httpie netcat ssh network-question tunnel mail sender ansible fleet-command', readNetworkCall],
  ['docker', readContainerCall],
  ['gh aws kubectl keeper', readCloudCall],
  ['sql database-shell dropdb', readDatabaseCall],
  [
    'pm2 disk mount power kill killall crontab at systemctl sysctl firewall packages tmux powershell capsh windows-download windows',
    readMachineCall,
  ],
  ['procfile tox ant gradle pre-commit direnv act', readTaskCall],
]

/** The reader of a name in a row; undefined for a name that no room knows. */
export function findReader(name: string): Reader | undefined {
  return findInRooms(ROOMS, name) ?? findRareReader(name)
}
