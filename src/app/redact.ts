/** Takes the keys of model services out of what is written to disk. */
import { secretsOf } from '../providers/shared/redact.js';
import type { Config } from './config.js';

/** A function over one line of JSON; the line stays valid JSON. */
export function lineRedactor(config: Config): (json: string) => string {
  const secrets = secretsOf({ env: config.env, config }).map((secret) => JSON.stringify(secret).slice(1, -1));
  return (json) => secrets.reduce((line, secret) => line.replaceAll(secret, '[key]'), json);
}
