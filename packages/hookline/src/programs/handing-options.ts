import { shareRow } from './share-row.ts'

/** Path of a program that is none of the system's, or a command behind a bar. */
const OWN_PROGRAM = /^(?:exec=)?(?:\||\.{1,2}\/|~\/|\/(?!(?:(?:usr(?:\/local)?|opt\/homebrew)\/)?s?bin\/|dev\/))/

/** Options whose names say that a program or a part of one is handed over, whatever takes them. */
const HANDS_OVER =
  /^--?(?:\w+-)*(?:command|cmd|pager|editor|program|rsh|shell|plugins?|preload|askpass|wrapper|runner|engine|load)(?:-\w+)*$/

/** Options of single programs that hand one over and whose names do not say so. */
const HANDING_OPTIONS: Readonly<Record<string, string>> = {
  tar: '-I -F --info-script --checkpoint-action',
  rsync: '-e --rsync-path',
  ...shareRow('scp sftp', '-S'),
  man: '-P -H',
  tcpdump: '-z',
  rg: '--pre --hostname-bin',
  ssh: '-I',
  'scan-build': '--use-cc --use-c++',
  ...shareRow('ocamlc ocamlopt ocamlfind', '-pp -ppx'),
  git: '-x --extcmd',
  strace: '-o',
  ...shareRow('vim nvim vi', '-u -S'),
  ...shareRow('gdb lldb', '-x -s'),
  ...shareRow('make gmake', 'SHELL='),
  'ssh-keygen': '-D -w',
  'ssh-add': '-s',
  openvpn: '--up --down',
  dhclient: '-sf',
  cvs: '-e',
  cmake: '-DCMAKE_C_COMPILER -DCMAKE_CXX_COMPILER -DCMAKE_LINKER -DCMAKE_MAKE_PROGRAM',
}

/** True for an option that hands a program over, by its name or by the program that takes it. */
export function isHandingOption(name: string, option: string): boolean {
  return (
    HANDS_OVER.test(option) ||
    (Object.hasOwn(HANDING_OPTIONS, name) && (HANDING_OPTIONS[name] ?? '').split(' ').includes(option))
  )
}

/** True for the path of a program that is none of the system's, and for a command behind a bar. */
export function isOwnProgram(text: string): boolean {
  return OWN_PROGRAM.test(text)
}
