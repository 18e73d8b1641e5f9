/** Folders that programs print when they are asked where they keep what they install; `~` stands for the home. */
const PRINTED: readonly (readonly [RegExp, string])[] = [
  [/^(?:npm|pnpm) (?:root|r) (?:-g|--global|--location=global)$/, '/usr/lib/node_modules'],
  [/^(?:npm|pnpm) (?:prefix|bin) (?:-g|--global|--location=global)$|^npm config get prefix\b/, '/usr/local'],
  [/^yarn global (?:dir|bin)$/, '~/.config/yarn/global'],
  [/^brew --(?:prefix|cellar|caskroom|repository|repo)$/, '/usr/local/Homebrew'],
  [/^brew --(?:prefix|cellar) [\w@.-]+$/, '/usr/local/opt/formula'],
  [/^(?:pyenv|rbenv|nodenv|goenv|jenv|plenv) root$/, '~/.pyenv'],
  [/^go env GOROOT$/, '/usr/local/go'],
  [/^(?:nvm|fnm|volta) (?:dir|which default)$/, '~/.nvm'],
  [/^go env GOPATH$/, '~/go'],
  [/^rustc --print[ =]sysroot$/, '~/.rustup/toolchains/stable'],
  [/^(?:conda|mamba) info --base$/, '~/miniconda3'],
  [/^python[\d.]* -m site --user-base$/, '~/.local'],
  [/^gem env (?:home|gemdir|user_gemhome)$/, '/usr/lib/ruby/gems'],
  [/^xcode-select (?:-p|--print-path)$/, '/Applications/Xcode.app/Contents/Developer'],
]

/** Words of a call that asks for a folder. */
const MAX_WORDS = 5

/** The folder that a call of a program prints; null where none is known. */
export function findPrintedFolder(words: readonly string[], home: string): string | null {
  if (words.length > MAX_WORDS) return null
  const line = words.join(' ')
  const found = PRINTED.find(([shape]) => shape.test(line))
  return found ? found[1].replace(/^~/, home) : null
}
