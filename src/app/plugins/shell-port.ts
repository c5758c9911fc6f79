/** `/plugin` of a conversation: what changes counts from its next message on. */
import type { PluginsPort } from '../../types/plugin-port.js';
import type { Tool } from '../../types/tool.js';
import type { Text } from '../../ui/text/index.js';
import type { App } from '../create-app.js';

const ports = new WeakMap<App, PluginsPort>();

/** One for each application; the parts that read plugins are loaded with the first of these commands. */
export function shellPlugins(app: App, text: Text, signal: () => AbortSignal): PluginsPort {
  const port = ports.get(app) ?? lazyPort(app, text, signal);
  ports.set(app, port);
  return port;
}

function lazyPort(app: App, text: Text, signal: () => AbortSignal): PluginsPort {
  let made: Promise<PluginsPort> | undefined;
  let known: PluginsPort | undefined;
  const port = async (): Promise<PluginsPort> => {
    made ??= openPort(app, text, signal);
    known = await made;
    return known;
  };
  return {
    names: () => known?.names() ?? [],
    list: async () => (await port()).list(),
    inspect: async (name) => (await port()).inspect(name),
    trust: async (name) => (await port()).trust(name),
    untrust: async (name) => (await port()).untrust(name),
    uninstall: async (name) => (await port()).uninstall(name),
    reload: async () => (await port()).reload(),
  };
}

async function openPort(app: App, text: Text, signal: () => AbortSignal): Promise<PluginsPort> {
  const [{ pluginsPort }, { TOOLS }] = await Promise.all([import('./manage.js'), import('../../tools/registry.js')]);
  const own = new Set(TOOLS.map(({ name }) => name));
  const tools = (): readonly Tool[] => [
    ...TOOLS,
    ...app.ports.tools.filter(({ name, origin }) => origin === 'builtin' && !own.has(name)),
  ];
  return pluginsPort({
    config: app.config,
    text,
    tools,
    load: (anew) => app.plugins.reload({ anew, signal: signal() }),
  });
}
