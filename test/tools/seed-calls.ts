/** Every example call of the product's documents, text as it stands there: what it means, on what it runs, what must come out. */
import type { JsonObject } from '../../src/types/json.js';
import { GO, GO_MOD, GO_TEST, HANDLER, lines, type SeedCall } from './seed-call.js';
import { looking, PATCHED, patch, read, write } from './seed-calls-files.js';

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
