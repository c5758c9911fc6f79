/** Once before all tests: nothing of the user's home, keys or git configuration can be seen or touched. */
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const OURS =
  /^(CHATCLI_|LLM_|OPENAI_|CLAUDEAI_|ANTHROPIC_|GOOGLEAI_|GEMINI_|BEDROCK_|XAI_|ZAI_|MINIMAX_|MOONSHOT_|OPENROUTER_|GITHUB_|COPILOT_|OLLAMA_|LMSTUDIO_|LLAMACPP_|VLLM_)/;

let home = '';

export function setup(): void {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-test-home-')));
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\n\tname = Test\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n',
  );
  for (const name of Object.keys(process.env)) if (OURS.test(name) && name !== 'CHATCLI_TEST_LONG') delete process.env[name];
  const pyenv = join(homedir(), '.pyenv');
  if (existsSync(pyenv)) process.env.PYENV_ROOT ??= pyenv;
  Object.assign(process.env, {
    HOME: home,
    USERPROFILE: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C.UTF-8',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NO_COLOR: '1',
    // Node's own line editor does nothing in a terminal called dumb.
    TERM: 'xterm-256color',
  });
  for (const name of [
    'XDG_CONFIG_HOME',
    'XDG_CACHE_HOME',
    'FORCE_COLOR',
    'GIT_DIR',
    'GIT_WORK_TREE',
    'GIT_INDEX_FILE',
    'GIT_CONFIG_GLOBAL',
  ])
    delete process.env[name];
}

export function teardown(): void {
  if (home) rmSync(home, { recursive: true, force: true });
}
