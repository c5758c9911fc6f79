/** Commands that run in a container or on another host: judged too, though local paths mean nothing there. */

import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { derive } from './build-simple.js';
import { code } from './code.js';
import { optionSet, scanOptions } from './options.js';
import { no } from './readers/reader.js';
import { readTool } from './readers/tools.js';
import { whyProtected } from './targets.js';
import { only, possible, type ShellEnv, type ShellWord, type Simple } from './types.js';
import { type Script, startOf, type Unwrapped } from './unwrapped.js';

const SSH_VALUED = optionSet('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B -P');

export function unwrapSsh(simple: Simple): Unwrapped {
  const scan = scanOptions(simple.words.slice(1), { valued: SSH_VALUED, stop: true });
  const scripts: Script[] = [];
  for (const option of scan.options) {
    const local = /^(ProxyCommand|LocalCommand|KnownHostsCommand)[= ]([\s\S]+)$/i.exec(only(option.value) ?? '');
    if (local?.[2]) scripts.push({ text: local[2], start: startOf(simple, 'ssh') });
  }
  const rest = scan.operands.slice(1);
  const text = rest.map((word) => possible(word)[0] ?? word.source).join(' ');
  if (text.trim() !== '') scripts.push({ text, start: startOf(simple, 'ssh', { away: true }) });
  for (const input of rest.length === 0 ? (simple.stdin ?? []) : [])
    scripts.push({ text: input, start: startOf(simple, 'ssh', { away: true, stdin: undefined }) });
  return { inner: [], scripts, self: no(because`\`ssh\` works on another host`) };
}

const RUN_VALUED = optionSet(
  '-v --volume --mount -e --env -w --workdir -u --user --name -p --publish --network --net --entrypoint --platform -m --memory --cpus -l --label --env-file --gpus --shm-size --ipc --pid --add-host --device --cap-add --cap-drop --security-opt --tmpfs --ulimit -h --hostname --restart --pull --log-driver --log-opt --volumes-from --cidfile --detach-keys -f --file --project-name -n --namespace -c --container --context --index',
);

export function unwrapContainer(name: string, simple: Simple, env: ShellEnv): Unwrapped | undefined {
  const args = simple.words.slice(1);
  const at = args.findIndex((word) => /^(run|exec)$/.test(only(word) ?? ''));
  if (at < 0) return undefined;
  const scan = scanOptions(args.slice(at + 1), { valued: RUN_VALUED, stop: true });
  let words = scan.operands.slice(1);
  if (only(words[0]) === '--') words = words.slice(1);
  const entry = scan.options.find((option) => option.name === '--entrypoint')?.value;
  const command = entry ? [entry, ...words] : words;
  const tool = readTool(name, simple);
  return {
    inner: command.length > 0 ? [derive(simple, command, name, { away: true, cwd: undefined })] : [],
    scripts: [],
    self: tool && !tool.ok ? tool : no(because`${code(`${name} ${only(args[at]) ?? ''}`)} starts a program in a container`),
    immune: exposesHost(scan.options, env),
  };
}

/** A container that gets the whole machine. */
function exposesHost(
  options: readonly { readonly name: string; readonly value?: ShellWord }[],
  env: ShellEnv,
): Reason | undefined {
  for (const option of options) {
    if (option.name === '--privileged') return because`a privileged container has the whole machine`;
    const text = only(option.value);
    if (text === undefined) continue;
    if ((option.name === '--pid' || option.name === '--ipc') && text === 'host')
      return because`the container shares the processes of the machine`;
    if (!/^(-v|--volume|--mount)$/.test(option.name)) continue;
    const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(text)?.[1] ?? text.split(':')[0] ?? '';
    if (/docker\.sock$/.test(source)) return because`the container may control all containers of the machine`;
    const why = /^[/~.]/.test(source) ? whyProtected(source, [env.root], env) : undefined;
    if (why) return because`the container gets ${source}, ${why}`;
  }
  return undefined;
}
