/** A provider of ours in front of a scripted server. */
import { PROVIDERS } from '../../src/providers/registry.js';
import type { ProviderConfig } from '../../src/providers/shared/entry.js';
import type { Provider } from '../../src/types/provider.js';
import { envFor } from '../helpers/wire/env.js';
import type { Script, WireFormat } from '../helpers/wire/script.js';
import { startWireServer, type WireServer, type WireServerOptions } from '../helpers/wire/server.js';

const open: WireServer[] = [];

export interface Served {
  readonly provider: Provider;
  readonly server: WireServer;
}

/** The plain provider (no retries) for the format, against a fresh server. */
export async function serve(
  format: WireFormat,
  script: Script,
  options: Partial<WireServerOptions> & { config?: ProviderConfig; env?: Record<string, string> } = {},
): Promise<Served> {
  const { config = {}, env = {}, ...more } = options;
  const server = await startWireServer({ format, script, ...more });
  open.push(server);
  const all = { ...envFor(server), ...env };
  const entry = PROVIDERS.find(({ name }) => name === all['LLM_PROVIDER']);
  if (!entry) throw new Error(`no provider for ${format}`);
  return { server, provider: entry.create({ env: all, config }) };
}

export async function closeServers(): Promise<void> {
  await Promise.all(open.splice(0).map((server) => server.close()));
}
