/** Every example call of the product's documents, text as it stands there: what it means, on what it runs, what must come out. */
import type { JsonObject } from '../../src/types/json.js';
import type { ToolResult } from '../../src/types/tool.js';

export interface SeedCall {
  /** The JSON form: a tag, or the JSON block of the documents (given to the tool named). */
  readonly json?: string;
  readonly tool?: string;
  /** The CLI-style line. */
  readonly cli?: string;
  /** The canonical call. */
  readonly call: readonly [string, JsonObject];
  /** What the line means where the documents' two forms differ in a value. */
  readonly cliArgs?: JsonObject;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** `git`: a repository with one commit of the files, and then `changed` written over them. */
  readonly git?: boolean;
  readonly changed?: Readonly<Record<string, string>>;
  /** Programs that must be there. */
  readonly needs?: readonly string[];
  /** Calls made before this one. */
  readonly before?: readonly string[];
  /** `Code` for an error with that code; undefined for a success. */
  readonly code?: string;
  readonly output?: RegExp;
  /** Files afterwards; null: gone. */
  readonly after?: Readonly<Record<string, string | null>>;
  readonly check?: (result: ToolResult) => void;
}

const lines = (count: number, text = 'line') => Array.from({ length: count }, (_, i) => `${text} ${i + 1}\n`).join('');
const GO = 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("old")\n}\n';
const GO_MOD = 'module example.com/sample\n\ngo 1.18\n';
const GO_TEST = 'package pkg\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {}\n';
const TREE = { 'main.go': 'package main\n', 'internal/a.go': 'package internal\n', 'notes.md': '# x\n' };
const HANDLER = 'package main\n\nfunc HandleRequest(name string) error {\n\treturn nil\n}\n';

const read: readonly SeedCall[] = [
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

const write: readonly SeedCall[] = [
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

const PATCHED = GO.replace('"old"', '"new"');
const patch: readonly SeedCall[] = [
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

const looking: readonly SeedCall[] = [
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
    code: 'Failed',
    output: /not in this version/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"map","args":{"dir":"."}}'/>`,
    call: ['@coder map', { dir: '.' }],
    files: TREE,
    code: 'Failed',
    output: /not in this version/,
  },
  {
    cli: 'map --dir . --budget 8000',
    call: ['@coder map', { dir: '.', budget: 8000 }],
    code: 'Failed',
    output: /not in this version/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"map","args":{"dir":"./cli","budget":16000}}'/>`,
    cli: 'map --dir ./cli --budget 16000',
    call: ['@coder map', { dir: './cli', budget: 16_000 }],
    files: { 'cli/cli.go': GO },
    code: 'Failed',
    output: /not in this version/,
  },
];

const running: readonly SeedCall[] = [
  {
    json: `<tool_call name="@coder" args='{"cmd":"exec","args":{"cmd":"go build ./..."}}'/>`,
    cli: 'exec --cmd "go build ./..."',
    call: ['@coder exec', { cmd: 'go build ./...' }],
    needs: ['go'],
    files: { 'go.mod': GO_MOD, 'pkg/a.go': 'package pkg\n' },
    output: /\$ go build \.\/\.\.\./,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"exec","args":{"cmd":"ps aux | grep myapp"}}'/>`,
    cli: 'exec --cmd "ps aux | grep myapp"',
    call: ['@coder exec', { cmd: 'ps aux | grep myapp' }],
    needs: ['ps'],
    output: /grep myapp/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"exec","args":{"command":"ls -la"}}'/>`,
    cli: 'exec --command "ls -la"',
    call: ['@coder exec', { cmd: 'ls -la' }],
    files: { 'here.txt': '' },
    output: /here\.txt/,
  },
  {
    cli: 'exec --cmd "echo \\"hello\\""',
    call: ['@coder exec', { cmd: 'echo "hello"' }],
    output: /^hello$/m,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"test","args":{"dir":"."}}'/>`,
    cli: 'test --dir .',
    call: ['@coder test', { dir: '.' }],
    files: { 'package.json': '{"scripts":{"test":"node --test"}}', 'a.test.js': "require('node:test')('one', () => {});\n" },
    output: /1 passed/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"test","args":{"dir":"./pkg","pattern":"*_test.go","timeout":60}}'/>`,
    cli: 'test --dir ./pkg --pattern "*_test.go" --timeout 60',
    call: ['@coder test', { dir: './pkg', pattern: '*_test.go', timeout: 60 }],
    needs: ['go'],
    files: { 'go.mod': GO_MOD, 'pkg/a.go': 'package pkg\n', 'pkg/a_test.go': GO_TEST },
    output: /1 passed/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"test","args":{"dir":".","timeout":60}}'/>`,
    call: ['@coder test', { dir: '.', timeout: 60 }],
    files: {
      'package.json': '{"scripts":{"test":"node --test"}}',
      'a.test.js': "require('node:test')('one', () => { throw new Error('red'); });\n",
    },
    code: 'ExitCode:1',
    output: /1 failed/,
  },
];

const REPO = { git: true, files: { 'main.go': GO, 'b.txt': 'b\n' }, changed: { 'main.go': PATCHED } } as const;
const git: readonly SeedCall[] = [
  {
    json: `<tool_call name="@coder" args='{"cmd":"git-status","args":{}}'/>`,
    cli: 'git-status',
    call: ['@coder git-status', {}],
    ...REPO,
    output: /main\.go/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"git-diff","args":{}}'/>`,
    cli: 'git-diff',
    call: ['@coder git-diff', {}],
    ...REPO,
    output: /\+\tfmt\.Println\("new"\)/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"git-diff","args":{"file":"main.go"}}'/>`,
    cli: 'git-diff --file main.go',
    call: ['@coder git-diff', { file: 'main.go' }],
    ...REPO,
    output: /\+\tfmt\.Println\("new"\)/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"git-diff","args":{"staged":true}}'/>`,
    cli: 'git-diff --staged',
    call: ['@coder git-diff', { staged: true }],
    ...REPO,
    output: /^(?![\s\S]*new)/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"git-log","args":{}}'/>`,
    cli: 'git-log',
    call: ['@coder git-log', {}],
    ...REPO,
    output: /commit [0-9a-f]{40}[\s\S]*first/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"git-log","args":{"oneline":true,"limit":5}}'/>`,
    cli: 'git-log --oneline --limit 5',
    call: ['@coder git-log', { oneline: true, limit: 5 }],
    ...REPO,
    output: /^[0-9a-f]{7,}.* first/m,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"git-changed","args":{}}'/>`,
    cli: 'git-changed',
    call: ['@coder git-changed', {}],
    ...REPO,
    output: /M\s+main\.go/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"git-changed","args":{"staged":true}}'/>`,
    cli: 'git-changed --staged',
    call: ['@coder git-changed', { staged: true }],
    ...REPO,
    output: /^(?![\s\S]*main\.go)/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"git-branch","args":{}}'/>`,
    cli: 'git-branch',
    call: ['@coder git-branch', {}],
    ...REPO,
    output: /\* trunk/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"git-branch","args":{"all":true}}'/>`,
    cli: 'git-branch --all',
    call: ['@coder git-branch', { all: true }],
    ...REPO,
    output: /\* trunk/,
  },
];

const WRITE_MAIN = 'write --file main.go --content "package changed"';
const undoing: readonly SeedCall[] = [
  {
    json: `<tool_call name="@coder" args='{"cmd":"rollback","args":{"file":"main.go"}}'/>`,
    cli: 'rollback --file main.go',
    call: ['@coder rollback', { file: 'main.go' }],
    files: { 'main.go': GO },
    before: [WRITE_MAIN],
    after: { 'main.go': GO },
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"clean","args":{}}'/>`,
    cli: 'clean',
    call: ['@coder clean', {}],
    files: { 'main.go': GO, 'mine.bak': 'not ours' },
    before: [WRITE_MAIN],
    after: { 'main.go': 'package changed', 'main.go.bak': null, 'mine.bak': 'not ours' },
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"checkpoint","args":{"list":true}}'/>`,
    cli: 'checkpoint --list',
    call: ['@coder checkpoint', { list: true }],
    files: { 'main.go': GO },
    before: ['checkpoint --create --label "before refactor"'],
    output: /before refactor/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"checkpoint","args":{"create":true,"label":"before refactor"}}'/>`,
    cli: 'checkpoint --create --label "before refactor"',
    call: ['@coder checkpoint', { create: true, label: 'before refactor' }],
    files: { 'main.go': GO },
    output: /[0-9a-f]{7,}/,
  },
  {
    // No snapshot has the hash of the documents; the restore of one that is there belongs to the tests of checkpoint.
    json: `<tool_call name="@coder" args='{"cmd":"checkpoint","args":{"restore":"a1b2c3d"}}'/>`,
    cli: 'checkpoint --restore a1b2c3d',
    call: ['@coder checkpoint', { restore: 'a1b2c3d' }],
    files: { 'main.go': GO },
    code: 'NotFound',
    output: /a1b2c3d/,
    after: { 'main.go': GO },
  },
  {
    tool: '@coder',
    json: `{"cmd":"multipatch","args":{"edits":[
  {"file":"a.go","search":"old","replace":"new"},
  {"file":"b.go","search":"foo","replace":"bar"}
]}}`,
    call: [
      '@coder multipatch',
      {
        edits: [
          { file: 'a.go', search: 'old', replace: 'new' },
          { file: 'b.go', search: 'foo', replace: 'bar' },
        ],
      },
    ],
    files: { 'a.go': 'old old\n', 'b.go': 'foo\n' },
    after: { 'a.go': 'new old\n', 'b.go': 'bar\n' },
  },
  {
    tool: '@coder',
    json: `{
  "cmd": "multipatch",
  "args": {
    "edits": [
      {"file": "internal/auth/login.go", "search": "loginV1", "replace": "loginV2"},
      {"file": "internal/auth/login_test.go", "search": "loginV1", "replace": "loginV2"},
      {"file": "cmd/server/main.go", "search": "auth.loginV1", "replace": "auth.loginV2"}
    ]
  }
}`,
    call: [
      '@coder multipatch',
      {
        edits: [
          { file: 'internal/auth/login.go', search: 'loginV1', replace: 'loginV2' },
          { file: 'internal/auth/login_test.go', search: 'loginV1', replace: 'loginV2' },
          { file: 'cmd/server/main.go', search: 'auth.loginV1', replace: 'auth.loginV2' },
        ],
      },
    ],
    files: {
      'internal/auth/login.go': 'func loginV1() {}\n',
      'internal/auth/login_test.go': 'loginV1()\n',
      'cmd/server/main.go': 'auth.loginV1()\n',
    },
    after: {
      'internal/auth/login.go': 'func loginV2() {}\n',
      'internal/auth/login_test.go': 'loginV2()\n',
      'cmd/server/main.go': 'auth.loginV2()\n',
    },
  },
];

const workflow: readonly SeedCall[] = [
  {
    json: `<tool_call name="@coder" args='{"cmd":"search","args":{"term":"func HandleRequest","dir":".","glob":"*.go"}}'/>`,
    call: ['@coder search', { term: 'func HandleRequest', dir: '.', include: '*.go' }],
    files: { 'handler.go': HANDLER },
    output: /handler\.go[\s\S]*func HandleRequest/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"read","args":{"file":"handler.go","start":15,"end":45}}'/>`,
    call: ['@coder read', { file: 'handler.go', start: 15, end: 45 }],
    files: { 'handler.go': lines(50) },
    output: /15 \| line 15[\s\S]*45 \| line 45/,
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"patch","args":{"file":"handler.go","search":"return nil","replace":"return fmt.Errorf(\\"missing parameter: %s\\", name)"}}'/>`,
    call: [
      '@coder patch',
      { file: 'handler.go', search: 'return nil', replace: 'return fmt.Errorf("missing parameter: %s", name)' },
    ],
    files: { 'handler.go': HANDLER },
    after: { 'handler.go': HANDLER.replace('return nil', 'return fmt.Errorf("missing parameter: %s", name)') },
  },
  {
    json: `<tool_call name="@coder" args='{"cmd":"rollback","args":{"file":"handler.go"}}'/>`,
    call: ['@coder rollback', { file: 'handler.go' }],
    files: { 'handler.go': HANDLER },
    before: ['write --file handler.go --content x'],
    after: { 'handler.go': HANDLER },
  },
];

const PLAN = [
  { description: 'Investigar bug', status: 'completed' },
  { description: 'Aplicar fix', status: 'in_progress' },
  { description: 'Adicionar testes', status: 'pending' },
];
const PLAN_TEXT = `{"cmd":"write","args":{"todos":[
  {"description":"Investigar bug","status":"completed"},
  {"description":"Aplicar fix","status":"in_progress"},
  {"description":"Adicionar testes","status":"pending"}
]}}`;
const plan: readonly SeedCall[] = [
  {
    tool: '@todo',
    json: `// Substitui o plano completo (canonical TodoWrite)\n${PLAN_TEXT}`,
    call: ['@todo', { cmd: 'write', todos: PLAN }],
    output: /\[x\] 1\. Investigar bug\n> \[>\] 2\. Aplicar fix\n {2}\[ \] 3\. Adicionar testes/,
  },
  { tool: '@todo', json: '{"cmd":"list"}', call: ['@todo', { cmd: 'list' }], output: /The plan is empty/ },
  {
    tool: '@todo',
    json: '{"cmd":"mark","args":{"id":2,"status":"completed"}}',
    call: ['@todo', { cmd: 'mark', id: 2, status: 'completed' }],
    before: [PLAN_TEXT],
    output: /\[x\] 2\. Aplicar fix/,
  },
];

export const SEED_CALLS: readonly SeedCall[] = [
  ...read,
  ...write,
  ...patch,
  ...looking,
  ...running,
  ...git,
  ...undoing,
  ...workflow,
  ...plan,
];

/** What the documents say the tools of other agents are here. */
export const SEED_NAMES: readonly (readonly [string, JsonObject, string])[] = [
  ['Read', { file_path: 'a' }, 'read'],
  ['Grep', { pattern: 'a' }, 'search'],
  ['Glob', { pattern: '*.go' }, 'tree'],
  ['Bash', { command: 'ls' }, 'exec'],
  ['Write', { file_path: 'a', content: 'b' }, 'write'],
  ['Edit', { file_path: 'a', old_string: 'b', new_string: 'c' }, 'patch'],
];
