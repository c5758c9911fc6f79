/** `~`, `$VAR` and `${VAR}` in path arguments, the way the original expands them. */

export interface ExpandOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly platform?: string;
}

/** Expands; an unset variable stays as written, `~user` is never touched. */
export function expandPath(path: string, options: ExpandOptions): string {
  const windows = (options.platform ?? process.platform) === 'win32';
  let text = path.replace(
    /\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g,
    (whole, braced, bare) => lookUp(options.env, (braced ?? bare) as string, windows) ?? whole,
  );
  if (windows)
    text = text.replace(/%([A-Za-z_][A-Za-z0-9_()]*)%/g, (whole, name) => lookUp(options.env, name as string, true) ?? whole);
  if (path === '~') return options.home;
  if (path.startsWith('~/') || (windows && path.startsWith('~\\'))) return options.home + text.slice(1);
  return text;
}

function lookUp(env: Readonly<Record<string, string>>, name: string, windows: boolean): string | undefined {
  if (Object.hasOwn(env, name)) return env[name];
  if (!windows) return undefined;
  const key = Object.keys(env).find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : env[key];
}
