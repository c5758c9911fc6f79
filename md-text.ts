/** Lets `import text from './prompt.md'` give the file's text, in the bundle and in tests alike. */
export function mdText() {
  return {
    name: 'md-text',
    transform(code: string, id: string) {
      return id.endsWith('.md') ? { code: `export default ${JSON.stringify(code)};`, map: null, moduleType: 'js' } : null;
    },
  };
}
