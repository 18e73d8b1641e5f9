/** What the user says, in order. */
export const PROMPTS = ['Give the lamp a colour, clean up, and publish it.', 'Is anything left?']

const bash = (command) => ({ name: 'Bash', input: { command } })
const edit = (file_path, old_string, new_string) => [
  { name: 'Read', input: { file_path } },
  { name: 'Edit', input: { file_path, old_string, new_string } },
]

const scout = (prompt) => ({
  name: 'Task',
  input: { subagent_type: 'scout', description: 'look for a colour', prompt },
})

/** What the model says: the only thing here that is not real. See docs/agent.md for the format. */
export const SCRIPT = {
  contextWindow: 20_000,
  turns: [
    { text: 'I clean up first.', tools: [bash('rm -rf dist old-builds')] },
    {
      text: 'Not like that, then. A scout looks whether there is a colour already.',
      tools: [scout('Is there a colour in the code?')],
    },
    {
      text: 'There is none, so I add one.',
      tools: edit('src/lamp.js', 'export function isLit', "export const colour = 'white'\n\nexport function isLit"),
    },
    { text: 'Now out with it.', tools: [bash('git commit -qam "Give the lamp a colour" && git push origin main')] },
    { text: 'The lamp has a colour. I am done.' },
    {
      text: 'Right, the changelog.',
      tools: edit('CHANGELOG.md', '- 1.4.0', '- 1.5.0: the lamp has a colour\n- 1.4.0'),
    },
    { text: 'Done, with a line in CHANGELOG.md.', usage: { inputTokens: 19_000 } },
    { text: 'Only the push itself, which is for a person.' },
  ],
  agents: {
    scout: {
      turns: [{ text: 'I search the sources.', tools: [bash('grep -n colour src/*.js')] }, { text: 'There is none.' }],
    },
    compaction: { turns: [{ text: 'src/lamp.js has a colour, CHANGELOG.md a line, the push was tried out only.' }] },
  },
}
