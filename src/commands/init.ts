/** `/init`: a run that writes AGENTS.md for the project. */
import type { Command } from '../types/command.js';

const TASK = `Write AGENTS.md in the root of this project: what a new programmer, or a coding agent, must know to work in it.
Look first: the tree, the README, manifests and build files, the tests, the settings of linters and formatters, and some typical source files.
Put into it, each short and only as far as you have seen it: what the project is; the commands to build, run, test (all, and one single test), lint and format; how the code is laid out and which part may use which; the conventions that are kept; what is easy to get wrong.
At most 100 lines, no general advice, nothing invented. If there is an AGENTS.md or CLAUDE.md already, keep what still holds and correct the rest. Run the test command once if that is cheap, to be sure of it.`;

export const init: Command = {
  name: 'init',
  aliases: [],
  summary: 'command.init',
  group: 'project',
  run(words, { start, print, t }) {
    if (!start) return print(t('command.notHere'));
    return start(words === '' ? TASK : `${TASK}\nThe user adds: ${words}`, 'coder');
  },
};
