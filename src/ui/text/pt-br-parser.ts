/** What the shell parser says of a faulty line, in Brazilian Portuguese; what it does not know stays as it is. */

const NAMES: Readonly<Record<string, string>> = {
  'single quote': 'aspa simples',
  'double quote': 'aspa dupla',
  'ANSI-C quote': "texto $'…'",
  backtick: 'crase',
  'command substitution': 'substituição de comando',
  'process substitution': 'substituição de processo',
  'parameter expansion': 'expansão de variável',
  'arithmetic expansion': 'expansão aritmética',
  'array subscript': 'índice de lista',
  'arithmetic command': 'comando aritmético',
  'arithmetic for header': 'cabeçalho de for aritmético',
  'extglob pattern': 'padrão extglob',
  subshell: 'subshell',
  'brace group': 'grupo entre chaves',
  'test group': 'grupo de teste',
};

const FORMS: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^unterminated (.+)$/i, (what = '') => `${NAMES[what] ?? what} sem fim`],
  [/^expected command (after|before|in) (.+)$/i, (where, what = '') => `falta um comando ${PLACES[where ?? ''] ?? ''} ${what}`],
  [/^expected (\S+) to close (.+)$/i, (what, open = '') => `falta ${what} para fechar ${NAMES[open] ?? open}`],
  [/^expected ('[^']+')$/i, (what) => `falta ${what}`],
  [/^unexpected token (.+)$/i, (what) => `${what} inesperado`],
  [/^unexpected (.+)$/i, (what) => `${what} inesperado`],
];
const PLACES: Readonly<Record<string, string>> = { after: 'depois de', before: 'antes de', in: 'em' };

/** The fault in Portuguese where its form is known. */
export function parserWords(fault: string): string {
  for (const [form, said] of FORMS) {
    const match = form.exec(fault);
    if (match) return said(...match.slice(1));
  }
  return fault;
}
