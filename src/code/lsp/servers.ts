/** The language servers we know: for which files, by which command, with which settings. Data only. */

/** `nearest`: the closest folder that holds a marker; `outermost`: the one furthest up; always inside the workspace. */
export interface ServerKind {
  /** Name for messages, unique. */
  readonly name: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Ending of the file's name (lower case, with its dot), or the whole name -> language id of the protocol. */
  readonly languages: Readonly<Record<string, string>>;
  /** Variable that replaces the command of all servers of these languages. */
  readonly variable: string;
  readonly markers: readonly string[];
  readonly root: 'nearest' | 'outermost' | 'workspace';
  /** True: nobody can be sure that it runs no code of the project (toolchain, build scripts, plugins): for trusted folders only. */
  readonly runsProject: boolean;
  /** How to get it: one short command or address. */
  readonly install: string;
  /** Its package is a part of npm projects. */
  readonly npm?: boolean;
  /** A file of the project must be there for this server to be the right one. */
  readonly needs?: readonly string[];
  /** Further arguments in folders that are not trusted. */
  readonly cautiousArgs?: readonly string[];
  /** Options of `initialize` for folders that are not trusted. */
  readonly cautious?: Readonly<Record<string, unknown>>;
}

const JAVASCRIPT = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'typescriptreact',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'javascriptreact',
};
const PYTHON = { '.py': 'python', '.pyi': 'python' };
const NODE_MARKERS = ['tsconfig.json', 'jsconfig.json', 'package.json'];
const PYTHON_MARKERS = ['pyrightconfig.json', 'pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile'];
const CPP = { '.cpp': 'cpp', '.cc': 'cpp', '.cxx': 'cpp', '.hpp': 'cpp', '.hh': 'cpp', '.hxx': 'cpp', '.ipp': 'cpp' };
const C_MARKERS = ['compile_commands.json', 'compile_flags.txt', '.clangd', 'CMakeLists.txt', 'Makefile'];
const JAVA_MARKERS = ['pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'];

const safe = { root: 'nearest', runsProject: false } as const;
const running = { root: 'outermost', runsProject: true } as const;

/** Where several fit, the first that is installed is taken. */
export const SERVER_KINDS: readonly ServerKind[] = [
  {
    ...safe,
    name: 'tsc --lsp',
    command: ['tsc', '--lsp', '--stdio'],
    languages: JAVASCRIPT,
    variable: 'CHATCLI_LSP_TS_CMD',
    markers: NODE_MARKERS,
    root: 'outermost',
    npm: true,
    install: 'npm install -g typescript@7',
  },
  {
    ...safe,
    name: 'typescript-language-server',
    command: ['typescript-language-server', '--stdio'],
    languages: JAVASCRIPT,
    variable: 'CHATCLI_LSP_TS_CMD',
    markers: NODE_MARKERS,
    root: 'outermost',
    npm: true,
    install: 'npm install -g typescript-language-server typescript',
  },
  {
    ...safe,
    name: 'gopls',
    command: ['gopls'],
    languages: { '.go': 'go', 'go.mod': 'go.mod', 'go.work': 'go.work' },
    variable: 'CHATCLI_LSP_GO_CMD',
    markers: ['go.work', 'go.mod'],
    root: 'outermost',
    install: 'go install golang.org/x/tools/gopls@latest',
  },
  {
    ...safe,
    name: 'pyright',
    command: ['pyright-langserver', '--stdio'],
    languages: PYTHON,
    variable: 'CHATCLI_LSP_PYTHON_CMD',
    markers: PYTHON_MARKERS,
    npm: true,
    install: 'npm install -g pyright',
  },
  {
    // It looks for a Python environment in the project.
    ...running,
    name: 'basedpyright',
    command: ['basedpyright-langserver', '--stdio'],
    languages: PYTHON,
    variable: 'CHATCLI_LSP_PYTHON_CMD',
    markers: PYTHON_MARKERS,
    npm: true,
    install: 'pip install basedpyright',
  },
  {
    ...running,
    name: 'pylsp',
    command: ['pylsp'],
    languages: PYTHON,
    variable: 'CHATCLI_LSP_PYTHON_CMD',
    markers: PYTHON_MARKERS,
    install: 'pip install python-lsp-server',
  },
  {
    ...safe,
    name: 'ruff',
    command: ['ruff', 'server'],
    languages: PYTHON,
    variable: 'CHATCLI_LSP_PYTHON_CMD',
    markers: ['ruff.toml', '.ruff.toml', ...PYTHON_MARKERS],
    install: 'pip install ruff',
  },
  {
    // Toolchain, compiler, build scripts and macros are what the project says.
    ...running,
    name: 'rust-analyzer',
    command: ['rust-analyzer'],
    languages: { '.rs': 'rust' },
    variable: 'CHATCLI_LSP_RUST_CMD',
    markers: ['Cargo.toml'],
    install: 'rustup component add rust-analyzer',
  },
  {
    ...safe,
    name: 'clangd',
    command: ['clangd'],
    // `.clangd` may name a server elsewhere.
    cautiousArgs: ['--enable-config=0'],
    languages: { '.c': 'c', '.h': 'c' },
    variable: 'CHATCLI_LSP_C_CMD',
    markers: C_MARKERS,
    install: 'apt install clangd, or https://clangd.llvm.org',
  },
  {
    ...safe,
    name: 'clangd (C++)',
    command: ['clangd'],
    // `.clangd` may name a server elsewhere.
    cautiousArgs: ['--enable-config=0'],
    languages: CPP,
    variable: 'CHATCLI_LSP_CPP_CMD',
    markers: C_MARKERS,
    install: 'apt install clangd, or https://clangd.llvm.org',
  },
  {
    ...running,
    name: 'jdtls',
    command: ['jdtls'],
    languages: { '.java': 'java' },
    variable: 'CHATCLI_LSP_JAVA_CMD',
    markers: JAVA_MARKERS,
    install: 'https://github.com/eclipse-jdtls/eclipse.jdt.ls',
  },
  {
    ...running,
    name: 'kotlin-language-server',
    command: ['kotlin-language-server'],
    languages: { '.kt': 'kotlin', '.kts': 'kotlin' },
    variable: 'CHATCLI_LSP_KOTLIN_CMD',
    markers: JAVA_MARKERS,
    install: 'https://github.com/fwcd/kotlin-language-server',
  },
  {
    ...running,
    name: 'ruby-lsp',
    command: ['ruby-lsp'],
    languages: { '.rb': 'ruby', '.rake': 'ruby' },
    variable: 'CHATCLI_LSP_RUBY_CMD',
    markers: ['Gemfile'],
    needs: ['Gemfile'],
    install: 'gem install ruby-lsp',
  },
  {
    ...running,
    name: 'solargraph',
    command: ['solargraph', 'stdio'],
    languages: { '.rb': 'ruby', '.rake': 'ruby' },
    variable: 'CHATCLI_LSP_RUBY_CMD',
    markers: ['Gemfile', '.solargraph.yml'],
    install: 'gem install solargraph',
  },
  {
    ...running,
    name: 'csharp-ls',
    command: ['csharp-ls'],
    languages: { '.cs': 'csharp' },
    variable: 'CHATCLI_LSP_CSHARP_CMD',
    markers: ['global.json', 'Directory.Build.props'],
    root: 'workspace',
    install: 'dotnet tool install --global csharp-ls',
  },
  {
    ...running,
    name: 'omnisharp',
    command: ['omnisharp', '-lsp'],
    languages: { '.cs': 'csharp' },
    variable: 'CHATCLI_LSP_CSHARP_CMD',
    markers: ['global.json', 'Directory.Build.props'],
    root: 'workspace',
    install: 'https://github.com/OmniSharp/omnisharp-roslyn',
  },
  {
    // Its source is not open, so that nobody can be sure.
    ...running,
    name: 'intelephense',
    command: ['intelephense', '--stdio'],
    languages: { '.php': 'php' },
    variable: 'CHATCLI_LSP_PHP_CMD',
    markers: ['composer.json'],
    npm: true,
    install: 'npm install -g intelephense',
  },
  {
    ...running,
    name: 'phpactor',
    command: ['phpactor', 'language-server'],
    languages: { '.php': 'php' },
    variable: 'CHATCLI_LSP_PHP_CMD',
    markers: ['composer.json'],
    install: 'https://phpactor.readthedocs.io',
  },
  {
    ...safe,
    name: 'bash-language-server',
    command: ['bash-language-server', 'start'],
    languages: { '.sh': 'shellscript', '.bash': 'shellscript' },
    variable: 'CHATCLI_LSP_BASH_CMD',
    markers: [],
    npm: true,
    install: 'npm install -g bash-language-server (and shellcheck for findings)',
  },
  {
    // It asks the network for whatever a file names as its schema.
    ...running,
    name: 'yaml-language-server',
    command: ['yaml-language-server', '--stdio'],
    languages: { '.yaml': 'yaml', '.yml': 'yaml' },
    variable: 'CHATCLI_LSP_YAML_CMD',
    markers: [],
    npm: true,
    install: 'npm install -g yaml-language-server',
  },
  {
    ...safe,
    name: 'json-language-server',
    command: ['vscode-json-language-server', '--stdio'],
    languages: { '.json': 'json', '.jsonc': 'jsonc' },
    variable: 'CHATCLI_LSP_JSON_CMD',
    markers: [],
    npm: true,
    install: 'npm install -g vscode-langservers-extracted',
    // Schemas that files name are not fetched from the network.
    cautious: { handledSchemaProtocols: ['file'] },
  },
  {
    ...safe,
    name: 'css-language-server',
    command: ['vscode-css-language-server', '--stdio'],
    languages: { '.css': 'css', '.scss': 'scss', '.less': 'less' },
    variable: 'CHATCLI_LSP_CSS_CMD',
    markers: [],
    npm: true,
    install: 'npm install -g vscode-langservers-extracted',
  },
  {
    ...safe,
    name: 'html-language-server',
    command: ['vscode-html-language-server', '--stdio'],
    languages: { '.html': 'html', '.htm': 'html' },
    variable: 'CHATCLI_LSP_HTML_CMD',
    markers: [],
    npm: true,
    install: 'npm install -g vscode-langservers-extracted',
  },
  {
    ...running,
    name: 'lua-language-server',
    command: ['lua-language-server'],
    languages: { '.lua': 'lua' },
    variable: 'CHATCLI_LSP_LUA_CMD',
    markers: ['.luarc.json', '.luarc.jsonc'],
    install: 'https://luals.github.io',
  },
  {
    ...running,
    name: 'zls',
    command: ['zls'],
    languages: { '.zig': 'zig', '.zon': 'zig' },
    variable: 'CHATCLI_LSP_ZIG_CMD',
    markers: ['build.zig'],
    install: 'https://github.com/zigtools/zls',
  },
  {
    ...running,
    name: 'dart',
    command: ['dart', 'language-server', '--protocol=lsp'],
    languages: { '.dart': 'dart' },
    variable: 'CHATCLI_LSP_DART_CMD',
    markers: ['pubspec.yaml'],
    install: 'https://dart.dev/get-dart',
  },
  {
    ...running,
    name: 'elixir-ls',
    command: ['elixir-ls'],
    languages: { '.ex': 'elixir', '.exs': 'elixir' },
    variable: 'CHATCLI_LSP_ELIXIR_CMD',
    markers: ['mix.exs'],
    install: 'https://github.com/elixir-lsp/elixir-ls',
  },
  {
    ...running,
    name: 'sourcekit-lsp',
    command: ['sourcekit-lsp'],
    languages: { '.swift': 'swift' },
    variable: 'CHATCLI_LSP_SWIFT_CMD',
    markers: ['Package.swift'],
    install: 'https://www.swift.org/install',
  },
  {
    ...running,
    name: 'metals',
    command: ['metals'],
    languages: { '.scala': 'scala', '.sc': 'scala', '.sbt': 'scala' },
    variable: 'CHATCLI_LSP_SCALA_CMD',
    markers: ['build.sbt', 'build.sc', 'project.scala'],
    install: 'https://scalameta.org/metals',
  },
];

/** The language of a file by its name; undefined: the server is not for it. */
export function languageOf(kind: ServerKind, name: string): string | undefined {
  const lower = name.toLowerCase();
  if (Object.hasOwn(kind.languages, lower)) return kind.languages[lower];
  const dot = lower.lastIndexOf('.');
  const ending = dot < 0 ? '' : lower.slice(dot);
  return ending !== '' && Object.hasOwn(kind.languages, ending) ? kind.languages[ending] : undefined;
}
