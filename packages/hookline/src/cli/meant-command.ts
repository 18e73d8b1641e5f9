/** Answers to words that are not commands here, and that people try. */
const MEANT: Readonly<Record<string, string>> = {
  hooks: 'hookline list shows every hook.',
  ls: 'hookline list shows every hook.',
  show: 'hookline list shows every hook, hookline log show ID one recorded event.',
  fix: 'hookline validate --fix fixes what is safe to fix.',
  check: 'hookline validate checks files with hooks.',
  lint: 'hookline validate checks files with hooks.',
  watch:
    'hookline log --follow shows events as they happen, hookline test --watch runs cases again when a file changes.',
  tail: 'hookline log --follow shows events as they happen.',
  logs: 'hookline log shows what was recorded.',
  history: 'hookline log shows what was recorded.',
  run: 'hookline fire runs the hooks of an event, hookline test runs cases.',
  dispatch: 'hookline fire runs the hooks of an event.',
  trigger: 'hookline fire runs the hooks of an event.',
  debug: 'hookline why says why a hook does not run, hookline fire --debug shows every step.',
  status: 'hookline alone says how it stands here, hookline doctor looks at everything.',
  new: 'hookline init makes a new hook, hookline add adds one that you have.',
  create: 'hookline init makes a new hook, hookline add adds one that you have.',
  edit: 'hookline add and hookline remove edit settings files.',
  rm: 'hookline remove takes a hook out.',
  delete: 'hookline remove takes a hook out.',
  disable: 'hookline remove takes a hook out; "disableAllHooks": true in a settings file switches all off.',
  enable: 'hookline trust accept lets the hooks of a project run.',
  accept: 'hookline trust accept lets the hooks of a project run.',
  allow: 'hookline trust accept lets the hooks of a project run.',
  install:
    'hookline tap install records what Claude Code does, hookline bridge install AGENT runs hooks in another agent.',
  uninstall: 'hookline tap uninstall and hookline bridge uninstall AGENT take out what was installed.',
  record: 'hookline tap install records what Claude Code does.',
  config: 'hookline list shows every hook with its file, hookline doctor every file that is read.',
  settings: 'hookline doctor shows every settings file that is read.',
  rules: 'hookline validate --explain RULE explains a rule.',
  man: 'hookline help COMMAND tells all about a command.',
  update: 'npm installs a new version of Hookline.',
}

/** Finds what somebody most likely means who writes a word that is not a command; null: nothing is known of it. */
export function findMeantCommand(word: string): string | null {
  return Object.hasOwn(MEANT, word) ? (MEANT[word] ?? null) : null
}
