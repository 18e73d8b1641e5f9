/** Folders that programs print when they are asked where they keep what they install, behind the names of these programs; `~` stands for the home. */
const PRINTED: readonly (readonly [programs: string, words: () => RegExp, folder: string])[] = [
  ['npm pnpm', () => /^(?:root|r) (?:-g|--global|--location=global)$/, '/usr/lib/node_modules'],
  ['npm pnpm', () => /^(?:prefix|bin) (?:-g|--global|--location=global)$|^config get prefix\b/, '/usr/local'],
  ['yarn', () => /^global (?:dir|bin)$/, '~/.config/yarn/global'],
  ['brew', () => /^--(?:prefix|cellar|caskroom|repository|repo)$/, '/usr/local/Homebrew'],
  ['brew', () => /^--(?:prefix|cellar) [\w@.-]+$/, '/usr/local/opt/formula'],
  ['pyenv rbenv nodenv goenv jenv plenv', () => /^root$/, '~/.pyenv'],
  ['go', () => /^env GOROOT$/, '/usr/local/go'],
  ['nvm fnm volta', () => /^(?:dir|which default)$/, '~/.nvm'],
  ['go', () => /^env GOPATH$/, '~/go'],
  ['rustc', () => /^--print[ =]sysroot$/, '~/.rustup/toolchains/stable'],
  ['conda mamba', () => /^info --base$/, '~/miniconda3'],
  ['python', () => /^-m site --user-base$/, '~/.local'],
  ['gem', () => /^env (?:home|gemdir|user_gemhome)$/, '/usr/lib/ruby/gems'],
  ['xcode-select', () => /^(?:-p|--print-path)$/, '/Applications/Xcode.app/Contents/Developer'],
]

/** Words of a call that asks for a folder. */
const MAX_WORDS = 5

/** The folder that a call of a program prints; null where none is known. */
export function findPrintedFolder(words: readonly string[], home: string): string | null {
  if (words.length > MAX_WORDS) return null
  const [program = '', ...rest] = words
  const name = program.startsWith('python') ? program.replace(/[\d.]+$/, '') : program
  const line = rest.join(' ')
  const found = PRINTED.find(([programs, shape]) => ` ${programs} `.includes(` ${name} `) && shape().test(line))
  return found ? found[2].replace(/^~/, home) : null
}
