/** The command line: one tree of commands, each importing its mode only when chosen. */
import { Command, CommanderError, Option } from 'commander';
import { createText, type Text } from '../ui/text/index.js';
import { addPluginCommand } from './cli-plugin.js';
import { addConfigCommand, addSessionsCommand } from './cli-saved.js';
import { environmentLanguage, isDumb } from './config.js';
import { EXIT_USAGE } from './exit-codes.js';
import { addPlaceOptions, addRunOptions, type RunFlags, type Translate } from './flags.js';
import { mergedFlags } from './merged-flags.js';
import { parseFaultLines } from './parse-fault.js';
import { UsageError } from './usage-error.js';
import { VERSION } from './version.js';

/** Sets the exit code of the process through its result. */
type Exit = (code: number) => void;

/** Runs one command line; gives the exit code. Faults of the call are told on stderr, never as a stack. */
export async function runCli(argv: readonly string[]): Promise<number> {
  const text = createText(languageOf(argv));
  let code = 0;
  const program = buildProgram(text.t, (value) => {
    code = value;
  });
  const output = watchOutput(text);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return output.lost() && code === 0 ? 1 : code;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      // A group of commands called without one shows its help.
      if (error.code !== 'commander.help') process.stderr.write(`chatcli: ${parseFaultLines(error, text, argv[0]).join('\n')}\n`);
      return EXIT_USAGE;
    }
    if (error instanceof UsageError) {
      process.stderr.write(`chatcli: ${error.lines(text).join('\n')}\n`);
      return EXIT_USAGE;
    }
    const { code: faultCode, message } = error as { code?: unknown; message?: string };
    process.stderr.write(`chatcli: ${typeof faultCode === 'string' ? `[${faultCode}] ` : ''}${message ?? String(error)}\n`);
    return 1;
  }
}

/** A full disk or a closed pipe behind standard output is told once; the exit code says that the result was lost. */
function watchOutput(text: Text): { lost(): boolean } {
  let lost = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (lost) return;
    lost = true;
    process.exitCode ||= 1;
    if (error.code !== 'EPIPE') process.stderr.write(`chatcli: ${text.t('cli.outputLost', { reason: error.message })}\n`);
  });
  process.stderr.on('error', () => undefined);
  return { lost: () => lost };
}

function languageOf(argv: readonly string[]) {
  const at = argv.indexOf('--lang');
  const value = at >= 0 ? argv[at + 1] : argv.find((word) => word.startsWith('--lang='))?.slice(7);
  return value === undefined ? environmentLanguage() : /^pt/i.test(value) ? 'pt-BR' : 'en';
}

function buildProgram(t: Translate, exit: Exit): Command {
  const headings: Readonly<Record<string, string>> = {
    'Usage:': t('help.usage'),
    'Options:': t('help.options'),
    'Arguments:': t('help.arguments'),
    'Commands:': t('help.commands'),
  };
  const program = new Command('chatcli')
    .description(t('cli.about'))
    .version(`chatcli ${VERSION}`, '-v, --version', t('option.version'))
    .argument('[words...]')
    .addOption(new Option('-p, --prompt [text]', t('option.prompt')))
    .helpOption('-h, --help', t('option.help'))
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .enablePositionalOptions()
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ styleTitle: (title) => headings[title] ?? title })
    .exitOverride();
  addRunOptions(program, t)
    .option('--plain', t('option.plain'))
    .action(async (words: string[], flags: RunFlags & { prompt?: string | true }) => exit(await plainCall(words, flags)));
  for (const mode of ['coder', 'agent'] as const) {
    const command = program
      .command(mode)
      .description(t(`cli.${mode}`))
      .argument('[task...]', t('cli.task'));
    addRunOptions(inherit(command, t), t).action(async (words: string[], _flags: RunFlags, self: Command) => {
      const { runHeadless } = await import('./modes/headless.js');
      const flags = mergedFlags<RunFlags>(self);
      exit(await runHeadless(mode, words.length > 0 ? words.join(' ') : flags.prompt, flags));
    });
  }
  addToolCommand(program, t, exit);
  addPolicyCommand(program, t, exit);
  addTrustCommand(program, t, exit);
  addAgentsCommand(program, t, exit);
  addPluginCommand(program, t, exit, inherit);
  addDoctorCommand(program, t, exit);
  addConfigCommand(program, t, exit, inherit);
  addSessionsCommand(program, t, exit, inherit);
  const replay = inherit(program.command('replay').description(t('cli.replay')).argument('<file>'), t);
  addPlaceOptions(replay, t)
    .option('--execute', t('option.execute'))
    .option('--diff', t('option.diff'))
    .action(async (file: string, _flags: unknown, self: Command) => {
      const { replayMode } = await import('./modes/replay.js');
      exit(await replayMode(file, mergedFlags(self)));
    });
  inherit(program.command('demo').description(t('cli.demo')), t)
    .option('--lang <lang>', t('option.lang'))
    .action(async (_flags: unknown, self: Command) => {
      const { demoMode } = await import('./modes/demo.js');
      exit(await demoMode(mergedFlags(self)));
    });
  return program;
}

function inherit(command: Command, t: Translate): Command {
  return command.exitOverride().helpCommand(false).helpOption('-h, --help', t('option.help')).showSuggestionAfterError(true);
}

/** `chatcli`, `chatcli -p TEXT`, or a pipe. A stray word is a mistyped command, not a prompt. */
async function plainCall(words: readonly string[], flags: RunFlags & { prompt?: string | true }): Promise<number> {
  if (words.length > 0 && flags.prompt === undefined) {
    throw new UsageError('usage.unknownCommand', { name: words[0] ?? '' }, 'usage.unknownCommandHint');
  }
  const { prompt, ...rest } = flags;
  if (prompt === undefined && process.stdin.isTTY) {
    if (process.stdout.isTTY && !rest.plain && !isDumb()) {
      const { shellMode } = await import('./modes/shell.js');
      return shellMode(rest);
    }
    const { interactive } = await import('./modes/interactive.js');
    return interactive(rest);
  }
  const text = typeof prompt === 'string' ? [prompt, ...words].join(' ') : words.length > 0 ? words.join(' ') : undefined;
  if (/^\s*\/(?:undo|redo|diff)(?:\s|$)/i.test(text ?? '')) {
    const { undoCommand } = await import('./undo-command.js');
    return undoCommand(text ?? '', rest);
  }
  const { runHeadless } = await import('./modes/headless.js');
  const slash = /^\/(coder|agent|run)\s+([\s\S]+)$/.exec(text ?? '');
  if (slash) return runHeadless(slash[1] === 'coder' ? 'coder' : 'agent', slash[2], rest);
  return runHeadless('chat', text, rest);
}

function addToolCommand(program: Command, t: Translate, exit: Exit): void {
  const command = inherit(
    program
      .command('tool')
      .description(t('cli.tool'))
      .argument('<name>', t('cli.toolName'))
      .argument('[args...]', t('cli.toolArgs')),
    t,
  );
  addPlaceOptions(command, t)
    .option('--json', t('option.json'))
    .option('--session <id>', t('option.toolSession'))
    .action(async (name: string, words: string[], _flags: unknown, self: Command) => {
      const { toolMode } = await import('./modes/tool.js');
      exit(await toolMode(name, words, mergedFlags(self)));
    });
}

function addDoctorCommand(program: Command, t: Translate, exit: Exit): void {
  addPlaceOptions(inherit(program.command('doctor').description(t('cli.doctor')), t), t)
    .option('--json', t('option.json'))
    .action(async (_flags: unknown, self: Command) => {
      const { doctorMode } = await import('./modes/doctor.js');
      exit(await doctorMode(mergedFlags(self)));
    });
}

function addTrustCommand(program: Command, t: Translate, exit: Exit): void {
  inherit(program.command('trust').description(t('cli.trust')).argument('[dir]', t('cli.trustDir')), t)
    .option('--show', t('option.trustShow'))
    .option('--list', t('option.trustList'))
    .option('--remove', t('option.trustRemove'))
    .option('--lang <lang>', t('option.lang'))
    .action(async (dir: string | undefined, _flags: unknown, self: Command) => {
      const { trustMode } = await import('./modes/trust.js');
      exit(await trustMode(dir, mergedFlags(self), t));
    });
}

function addAgentsCommand(program: Command, t: Translate, exit: Exit): void {
  const agents = inherit(program.command('agents').description(t('cli.agents')), t);
  addPlaceOptions(inherit(agents.command('list').description(t('cli.agentsList')), t), t)
    .option('--json', t('option.json'))
    .action(async (_flags: unknown, self: Command) => {
      const { agentsList } = await import('./modes/agents.js');
      exit(await agentsList(mergedFlags(self), t));
    });
}

function addPolicyCommand(program: Command, t: Translate, exit: Exit): void {
  const policy = inherit(program.command('policy').description(t('cli.policy')), t);
  const check = inherit(
    policy.command('check').description(t('cli.policyCheck')).argument('[words...]', t('cli.policyWords')),
    t,
  );
  addPlaceOptions(check, t)
    .option('--json', t('option.json'))
    .option('--tool <name>', t('option.checkTool'))
    .action(async (words: string[], _flags: unknown, self: Command) => {
      const { policyCheck } = await import('./modes/policy-check.js');
      exit(await policyCheck(words, mergedFlags(self)));
    });
  const explained = inherit(
    policy.command('explain').description(t('cli.policyExplain')).argument('[words...]', t('cli.policyWords')),
    t,
  );
  addPlaceOptions(explained, t)
    .option('--json', t('option.json'))
    .option('--tool <name>', t('option.checkTool'))
    .action(async (words: string[], _flags: unknown, self: Command) => {
      const { policyExplain } = await import('./modes/policy-check.js');
      exit(await policyExplain(words, mergedFlags(self), t));
    });
  const tested = inherit(policy.command('test').description(t('cli.policyTest')).argument('<file>', t('cli.policyTestFile')), t);
  addPlaceOptions(tested, t).action(async (file: string, _flags: unknown, self: Command) => {
    const { policyTest } = await import('./modes/policy-test.js');
    exit(await policyTest(file, mergedFlags(self), t));
  });
  const removal = inherit(
    policy.command('remove').description(t('cli.policyRemove')).argument('<pattern...>', t('cli.policyPattern')),
    t,
  );
  addPlaceOptions(removal, t).action(async (words: string[], _flags: unknown, self: Command) => {
    const { policyRemove } = await import('./modes/policy-check.js');
    exit(await policyRemove(words.join(' '), mergedFlags(self), t));
  });
  addPlaceOptions(inherit(policy.command('list').description(t('cli.policyList')), t), t).action(
    async (_flags: unknown, self: Command) => {
      const { policyList } = await import('./modes/policy-check.js');
      exit(await policyList(mergedFlags(self), t));
    },
  );
}
