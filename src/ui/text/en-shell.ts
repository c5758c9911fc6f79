/** What the interactive shell says, in English; a part of the catalogue. */

export const enShell = {
  'shell.hint': '/help for commands · @ names a file · ! runs a command · Ctrl+C twice leaves',
  'shell.placeholder': 'Ask, or say what to change',
  'shell.moreWorkers': { one: '{count} more agent', other: '{count} more agents' },
  'shell.waitsForYou': 'waits for your answer',
  'shell.moreCalls': { one: '{count} more call', other: '{count} more calls' },
  'shell.moreSteps': { one: '{count} more step', other: '{count} more steps' },
  'shell.moreQueued': { one: '{count} more waits', other: '{count} more wait' },
  'shell.thinking': 'Thinking',
  'shell.thought': 'Thought for {time} · Ctrl+O shows it',
  'shell.thoughtBriefly': 'Thought · Ctrl+O shows it',
  'shell.contextShort': 'context {percent} %',
  'shell.sandboxShort': 'sandbox: {level}',
  'shell.nothingFolded': 'Nothing is folded.',
  'shell.search': 'Search what was typed: {query}',
  'shell.searchNone': 'nothing found',
  'shell.pasted': { one: '[paste {number}: {count} line]', other: '[paste {number}: {count} lines]' },
  'shell.placeholderBusy': 'Type ahead: it is read at the next step · Esc stops',
  'shell.ownCut': {
    one: '… {count} character is not shown',
    other: '… {count} characters are not shown',
  },
  'shell.ownEnded': 'Ended with {code}.',
  'shell.editorEnded': 'The editor ended with an error: the text is as it was.',
  'shell.runEnded': 'ChatCLI is done',
  'option.plain': 'the conversation line by line, for screen readers',
} as const;
