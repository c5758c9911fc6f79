/** The documents' example calls that read and change files. */
import { GO, lines, type SeedCall, TREE } from './seed-call.js';

export const read: readonly SeedCall[] = [
  {
    json: `<tool_call name="@coder" args='{"cmd":"read","args":{"file":"README.md"}}'/>`,
    cli: 'read --file README.md',
    call: ['@coder read', { file: 'README.md' }],
    files: { 'README.md': '# Title\n' },
    output: /BEGIN FILE: README\.md[\s\S]*1 \| # Title/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"read","args":{"file":"main.go","start":10,"end":50}}'/>`,
    cli: 'read --file main.go --start 10 --end 50',
    call: ['@coder read', { file: 'main.go', start: 10, end: 50 }],
    files: { 'main.go': lines(60) },
    output: /^\s*10 \| line 10$[\s\S]*^\s*50 \| line 50$(?![\s\S]*line 51)/m,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"read --file main.go --start 10 --end 50"}'/>`,
    call: ['@coder read', { file: 'main.go', start: 10, end: 50 }],
    files: { 'main.go': lines(60) },
    output: /10 \| line 10/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"read","args":{"file":"config.yaml","head":20}}'/>`,
    cli: 'read --file config.yaml --head 20',
    call: ['@coder read', { file: 'config.yaml', head: 20 }],
    files: { 'config.yaml': lines(30, 'key') },
    output: /20 \| key 20(?![\s\S]*\| key 21)/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"read","args":{"file":"app.log","tail":30}}'/>`,
    cli: 'read --file app.log --tail 30',
    call: ['@coder read', { file: 'app.log', tail: 30 }],
    files: { 'app.log': lines(100, 'event') },
    output: /71 \| event 71[\s\S]*100 \| event 100/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"read","args":{"file":"image.png","encoding":"base64","max-bytes":500000}}'/>`,
    cli: 'read --file image.png --encoding base64 --max-bytes 500000',
    call: ['@coder read', { file: 'image.png', max_bytes: 500_000, encoding: 'base64' }],
    files: { 'image.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]) },
    output: /BEGIN FILE \(base64\): image\.png[\s\S]*iVBORwD\//,
  },
  {
    tool: '@read',
    json: '{"file": "main.go", "from_line": 10, "to_line": 50}',
    call: ['@read', { file: 'main.go', from_line: 10, to_line: 50 }],
    files: { 'main.go': lines(60) },
    output: /10 \| line 10[\s\S]*50 \| line 50/,
  },
];

export const write: readonly SeedCall[] = [
  {
    json: `<tool_call name="@coder" args='{"cmd":"write","args":{"file":"hello.txt","content":"Hello, World!"}}'/>`,
    cli: 'write --file hello.txt --content "Hello, World!"',
    call: ['@coder write', { file: 'hello.txt', content: 'Hello, World!' }],
    after: { 'hello.txt': 'Hello, World!' },
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"write","args":{"file":"data.bin","content":"SGVsbG8gV29ybGQ=","encoding":"base64"}}'/>`,
    cli: 'write --file data.bin --content "SGVsbG8gV29ybGQ=" --encoding base64',
    call: ['@coder write', { file: 'data.bin', content: 'SGVsbG8gV29ybGQ=', encoding: 'base64' }],
    files: { 'data.bin': 'before' },
    after: { 'data.bin': 'Hello World', 'data.bin.bak': 'before' },
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"write","args":{"file":"notes.txt","content":"\\nNew line appended","append":true}}'/>`,
    call: ['@coder write', { file: 'notes.txt', content: '\nNew line appended', append: true }],
    files: { 'notes.txt': 'first' },
    after: { 'notes.txt': 'first\nNew line appended' },
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"write","args":{"file":"notes.txt","content":"\\nNova linha adicionada","append":true}}'/>`,
    call: ['@coder write', { file: 'notes.txt', content: '\nNova linha adicionada', append: true }],
    files: { 'notes.txt': 'a' },
    after: { 'notes.txt': 'a\nNova linha adicionada' },
  },
  {
    cli: 'write --file notes.txt --content "New line" --append',
    call: ['@coder write', { file: 'notes.txt', content: 'New line', append: true }],
    files: { 'notes.txt': 'first\n' },
    after: { 'notes.txt': 'first\nNew line' },
  },
  {
    cli: 'write --file notes.txt --content "Nova linha" --append',
    call: ['@coder write', { file: 'notes.txt', content: 'Nova linha', append: true }],
    files: { 'notes.txt': 'a\n' },
    after: { 'notes.txt': 'a\nNova linha' },
  },
];

export const PATCHED = GO.replace('"old"', '"new"');
export const patch: readonly SeedCall[] = [
  {
    json: `<tool_call name="@coder" args='{"cmd":"patch","args":{"file":"main.go","search":"fmt.Println(\\"old\\")","replace":"fmt.Println(\\"new\\")"}}'/>`,
    cli: 'patch --file main.go --search "fmt.Println(\\"old\\")" --replace "fmt.Println(\\"new\\")"',
    call: ['@coder patch', { file: 'main.go', search: 'fmt.Println("old")', replace: 'fmt.Println("new")' }],
    files: { 'main.go': GO },
    after: { 'main.go': PATCHED, 'main.go.bak': GO },
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"patch","args":{"file":"main.go","search":"Zm10LlByaW50bG4oIm9sZCIp","replace":"Zm10LlByaW50bG4oIm5ldyIp","encoding":"base64"}}'/>`,
    call: [
      '@coder patch',
      { file: 'main.go', search: 'Zm10LlByaW50bG4oIm9sZCIp', replace: 'Zm10LlByaW50bG4oIm5ldyIp', encoding: 'base64' },
    ],
    files: { 'main.go': GO },
    after: { 'main.go': PATCHED },
  },
  {
    // "base64str" stands for a text in the documents, and is itself no base64.
    cli: 'patch --file main.go --search "base64str" --replace "base64str" --encoding base64',
    call: ['@coder patch', { file: 'main.go', search: 'base64str', replace: 'base64str', encoding: 'base64' }],
    files: { 'main.go': GO },
    code: 'InvalidArgs',
    output: /base64/,
    after: { 'main.go': GO, 'main.go.bak': null },
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"patch","args":{"diff":"--- a/main.go\\n+++ b/main.go\\n@@ -5,3 +5,3 @@\\n-old line\\n+new line"}}'/>`,
    call: ['@coder patch', { diff: '--- a/main.go\n+++ b/main.go\n@@ -5,3 +5,3 @@\n-old line\n+new line' }],
    files: { 'main.go': 'a\nb\nc\nd\nold line\nf\n' },
    after: { 'main.go': 'a\nb\nc\nd\nnew line\nf\n' },
  },
  {
    cli: 'patch --diff "--- a/main.go\\n+++ b/main.go\\n@@ -5,3 +5,3 @@\\n-old\\n+new"',
    call: ['@coder patch', { diff: '--- a/main.go\n+++ b/main.go\n@@ -5,3 +5,3 @@\n-old\n+new' }],
    files: { 'main.go': 'a\nb\nc\nd\nold\nf\n' },
    after: { 'main.go': 'a\nb\nc\nd\nnew\nf\n' },
  },
  {
    // The documents cut this text short with dots.
    json: `<tool_call name="@coder" args='{"cmd":"patch","args":{"diff":"LS0tIGEvbWFpbi5nbw...","diff-encoding":"base64"}}'/>`,
    call: ['@coder patch', { diff: 'LS0tIGEvbWFpbi5nbw...', diff_encoding: 'base64' }],
    files: { 'main.go': GO },
    code: 'InvalidArgs',
    output: /base64/,
    after: { 'main.go': GO, 'main.go.bak': null },
  },
  {
    cli: 'patch --diff "base64content" --diff-encoding base64',
    call: ['@coder patch', { diff: 'base64content', diff_encoding: 'base64' }],
    code: 'InvalidArgs',
    output: /base64/,
  },
];

export const looking: readonly SeedCall[] = [
  {
    json: `<tool_call name="@coder" args='{"cmd":"tree","args":{"dir":"."}}'/>`,
    cli: 'tree --dir .',
    call: ['@coder tree', { dir: '.' }],
    files: TREE,
    output: /internal[\s\S]*a\.go[\s\S]*notes\.md/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"tree","args":{"dir":".","glob":"*.go"}}'/>`,
    cli: 'tree --dir . --glob "*.go"',
    call: ['@coder tree', { dir: '.', glob: '*.go' }],
    files: TREE,
    output: /^(?![\s\S]*notes\.md)[\s\S]*main\.go/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"tree","args":{"dir":"./internal","max-entries":500}}'/>`,
    cli: 'tree --dir ./internal --max-entries 500',
    call: ['@coder tree', { dir: './internal', max_entries: 500 }],
    files: TREE,
    output: /a\.go/,
  },
  {
    tool: '@tree',
    json: '{"dir": "./src", "depth": 3, "exclude": "node_modules"}',
    call: ['@tree', { dir: './src', depth: 3, exclude: 'node_modules' }],
    files: { 'src/a.js': '', 'src/node_modules/b.js': '' },
    output: /^(?![\s\S]*b\.js)[\s\S]*a\.js/,
  },
  { tool: '@tree', json: '{}', call: ['@tree', {}], files: TREE, output: /main\.go/ },
  {
    json: `<tool_call name="@coder" args='{"cmd":"search","args":{"term":"TODO","dir":"."}}'/>`,
    cli: 'search --term "TODO" --dir .',
    call: ['@coder search', { term: 'TODO', dir: '.' }],
    files: { 'a.txt': 'one\nTODO two\n' },
    output: /a\.txt[\s\S]*TODO two/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"search","args":{"term":"func main","dir":".","glob":"*.go","context":5}}'/>`,
    cli: 'search --term "func main" --dir . --glob "*.go" --context 5',
    call: ['@coder search', { term: 'func main', dir: '.', include: '*.go', context: 5 }],
    files: { 'main.go': GO, 'b.txt': 'func main in prose\n' },
    output: /^(?![\s\S]*in prose)[\s\S]*func main\(\)/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"search","args":{"term":"error","dir":"./pkg","max-results":20}}'/>`,
    cli: 'search --term "error" --dir ./pkg --max-results 20',
    call: ['@coder search', { term: 'error', dir: './pkg', max_results: 20 }],
    files: { 'pkg/a.txt': lines(30, 'an error') },
    output: /an error 20(?![\s\S]*an error 23)/,
  },
  {
    tool: '@search',
    json: '{"term": "Login", "dir": "./src", "include": "*.go"}',
    call: ['@search', { term: 'Login', dir: './src', include: '*.go' }],
    files: { 'src/a.go': 'func Login() {}\n', 'src/b.go': 'func login() {}\n' },
    output: /^(?![\s\S]*b\.go)[\s\S]*func Login/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"outline","args":{"file":"cli/cli.go"}}'/>`,
    cli: 'outline --file cli/cli.go',
    call: ['@coder outline', { file: 'cli/cli.go' }],
    files: { 'cli/cli.go': GO },
    output: /cli\/cli\.go[\s\S]*L\d+ func /,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"map","args":{"dir":"."}}'/>`,
    call: ['@coder map', { dir: '.' }],
    files: TREE,
    output: /./,
  },
  {
    cli: 'map --dir . --budget 8000',
    call: ['@coder map', { dir: '.', budget: 8000 }],
    files: { 'cli/cli.go': GO },
    output: /cli\/cli\.go[\s\S]*func /,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"map","args":{"dir":"./cli","budget":16000}}'/>`,
    cli: 'map --dir ./cli --budget 16000',
    call: ['@coder map', { dir: './cli', budget: 16_000 }],
    files: { 'cli/cli.go': GO },
    output: /cli\.go[\s\S]*func /,
  },
];
