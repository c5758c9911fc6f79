/** The lists of paths that file tools, policy and sandbox guard, as data with pure tests: nothing here touches the disk. */

/** Never opened by file tools. A trailing `/` means the folder and all below; without it any name that begins so. */
export const SYSTEM_PATHS: readonly string[] = [
  '/etc/passwd',
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
  '/etc/security/opasswd',
  '/etc/krb5.keytab',
  '/etc/ssh/',
  '/etc/ssl/',
  '/proc/',
  '/sys/',
  '/dev/',
  '/boot/',
  '/sbin/',
  '/run/secrets/',
  '/var/run/secrets/',
  '/private/etc/passwd',
  '/private/etc/master.passwd',
  '/etc/master.passwd',
  '/private/etc/sudoers',
  '/private/etc/ssh/',
  '/private/etc/ssl/',
  '/private/var/db/',
  '/system/library/',
  'c:/windows/',
  'c:/program files/',
  'c:/program files (x86)/',
  'c:/programdata/',
  'c:/$recycle.bin/',
  'c:/boot/',
  '//./',
  '//?/',
];

/** Ordinary files although a system folder holds them. */
const SYSTEM_EXCEPTIONS: readonly string[] = ['/dev/shm/'];

/** Credentials below the home folder: a folder means all below it, a file means itself. */
export const PERSONAL_HOME_PATHS: readonly string[] = [
  '.ssh',
  '.aws',
  '.kube',
  '.gnupg',
  '.azure',
  '.oci',
  '.aliyun',
  '.bluemix',
  '.ibmcloud',
  '.password-store',
  '.vault-token',
  '.terraform.d/credentials.tfrc.json',
  '.terraformrc',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.mylogin.cnf',
  '.s3cfg',
  '.boto',
  '.databrickscfg',
  '.snowsql',
  '.snowflake',
  '.sentryclirc',
  '.heroku',
  '.fly',
  '.cloudflared',
  '.ngrok2',
  '.wrangler',
  '.kaggle/kaggle.json',
  '.huggingface/token',
  '.cache/huggingface/token',
  '.git-credentials',
  '.docker/config.json',
  '.config/containers/auth.json',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.composer/auth.json',
  '.nuget/NuGet/NuGet.Config',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.sbt/.credentials',
  '.ivy2/.credentials',
  '.config/gcloud',
  '.config/gh',
  '.config/glab-cli',
  '.config/hub',
  '.config/git/credentials',
  '.config/composer/auth.json',
  '.config/doctl',
  '.config/op',
  '.config/rclone',
  '.config/ngrok',
  '.config/github-copilot',
  '.config/pip/pip.conf',
  '.config/heroku',
  '.local/share/keyrings',
  '.local/share/opencode/auth.json',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
  'Library/Keychains',
  'Library/Application Support/com.apple.TCC',
  'AppData/Roaming/gcloud',
  'AppData/Roaming/GitHub CLI',
  'AppData/Roaming/gnupg',
  'AppData/Roaming/npm/etc/npmrc',
  'AppData/Local/Microsoft/Credentials',
  'AppData/Roaming/Microsoft/Credentials',
  'AppData/Roaming/Microsoft/Protect',
];

const HARMLESS_ENV_ENDINGS = new Set(['example', 'sample', 'template', 'dist']);

/** Entries of a project's `.chatcli` folder that hold prompts, not settings. */
const OPEN_PROJECT_FOLDERS = new Set(['agents', 'skills', 'commands']);

/** Lower case and forward slashes: the spelling all lists are compared in. */
export function foldPath(path: string): string {
  const text = /^[a-zA-Z]:|^\\\\/.test(path) ? path.replaceAll('\\', '/') : path;
  return text.toLowerCase();
}

/** Is `path` the folder `folder` or below it? Both already in the same spelling. */
export function isWithin(path: string, folder: string): boolean {
  const base = folder.endsWith('/') ? folder : `${folder}/`;
  return path === folder || path.startsWith(base) || `${path}/` === base;
}

/** On the system list? `extra` holds further spellings of the same list (after symlinks). */
export function isSystemPath(path: string, extra: readonly string[] = []): boolean {
  const folded = foldPath(path);
  if (SYSTEM_EXCEPTIONS.some((folder) => folded.startsWith(folder))) return false;
  const listed = (entry: string) =>
    folded.startsWith(entry) || (entry.endsWith('/') && folded.length === entry.length - 1 && entry.startsWith(folded));
  return SYSTEM_PATHS.some(listed) || extra.some(listed);
}

/** `.env` and `.env.*`, except the kinds that are meant to be shared. */
export function isSecretName(name: string): boolean {
  const folded = name.toLowerCase();
  if (folded === '.env' || folded === '.env~') return true;
  if (!folded.startsWith('.env.')) return false;
  return !HARMLESS_ENV_ENDINGS.has(folded.slice(folded.lastIndexOf('.') + 1));
}

/** The absolute personal paths of one home folder, folded. */
export function personalPaths(home: string): string[] {
  const base = home.replace(/[\\/]+$/, '');
  return PERSONAL_HOME_PATHS.map((entry) => foldPath(`${base}/${entry}`));
}

/** On the personal list? `personal` comes from `personalPaths`, perhaps with further spellings. */
export function isPersonalPath(path: string, personal: readonly string[]): boolean {
  const folded = foldPath(path);
  if (isSecretName(folded.slice(folded.lastIndexOf('/') + 1))) return true;
  return personal.some((entry) => isWithin(folded, entry));
}

/** Our own settings inside a project: `coder_policy.json` and `.chatcli`, but not the prompts it holds. */
export function isOwnProjectPath(relative: string): boolean {
  const parts = foldPath(relative)
    .split('/')
    .filter((part) => part !== '');
  if (parts.at(-1) === 'coder_policy.json') return true;
  const at = parts.indexOf('.chatcli');
  if (at < 0) return false;
  // The folder itself too: whoever moves a folder to its place decides what is in it.
  const next = parts[at + 1];
  return next === undefined || !OPEN_PROJECT_FOLDERS.has(next);
}

/** Does a path component name a repository's own folder, whatever its spelling? */
export function isGitName(component: string, platform: string = process.platform): boolean {
  let name = component.replace(/[\u200b-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '').toLowerCase();
  if (platform === 'win32') name = name.replace(/:.*$/, '').replace(/[. ]+$/, '');
  return name === '.git' || (platform === 'win32' && name === 'git~1');
}
