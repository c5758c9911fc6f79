/** The set-up at the first start, in English; a part of the catalogue. */

export const enFirstRun = {
  'firstRun.hello': 'Welcome. ChatCLI needs a model to talk to, and none is set up yet. Which one do you have a key for?',
  'firstRun.menuLocal': 'a model on this machine: look for Ollama, LM Studio, llama.cpp',
  'firstRun.menuDemo': 'first see the demo; it needs no model',
  'firstRun.choose': 'Number or letter, then Enter (Esc leaves):',
  'firstRun.noSuch': 'Not in the list: a number from 1 to {most}, l or d.',
  'firstRun.local': 'Using {name} at {address}, model {model}.',
  'firstRun.noLocal': 'No local server answers at {addresses}. Start one and choose l again.',
  'firstRun.paste': 'Paste the key for {name}; it is not shown (Esc goes back):',
  'firstRun.oddKey': 'That holds a space or a letter no key has. Copy the key again.',
  'firstRun.checking': 'Asking {name} whether it takes the key …',
  'firstRun.refused': '{name} does not take this key: {reason}',
  'firstRun.unchecked': 'The key could not be checked: {reason}',
  'firstRun.keep': 'Keep it all the same? [y/n]',
  'firstRun.inKeychain': 'The key is kept in the keychain of your system.',
  'firstRun.inFile': 'The key is kept in {file}, which only you can read.',
  'firstRun.notSaved': 'The key could not be kept: {reason}. You can set {variable} yourself.',
} as const;
