/** Commands that destroy or publish something elsewhere, where no undo reaches: they always ask. */
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { code } from './code.js';
import { possible, type ShellWord } from './types.js';

/** Subcommands, as the beginning of the operands. Options may stand anywhere, so up to two words may come before. */
type Verbs = RegExp;

const DESTROYS = /^((\S+ ){0,3}?)((\S*:)?(delete|destroy|rm|remove|purge|terminate|del|rb|drop|undeploy|reset)|pg:reset)( |$)/;
const CLOUDS: Verbs = /^((\S+ ){0,3}?)(delete|terminate|remove|destroy|purge|deregister|revoke|rm|rb)(-\S+)?( |$)/;
const INFRA: Verbs = /^((\S+ ){0,2}?)(destroy|state rm|workspace delete|stack rm|remove|undeploy)( |$)/;
const CLUSTER: Verbs = /^((\S+ ){0,2}?)(delete|drain)( |$)/;
const NODE_PUBLISH: Verbs =
  /^((?!run |run-script |exec |x |dlx |test |i |install |add )\S+ )?(publish|unpublish|deprecate|npm publish)( |$)/;
const CONTAINER: Verbs =
  /^((\S+ ){0,2}?)(push|(image|manifest) push|(system|volume|image|container|network|builder|buildx) prune|volume rm|volume remove)( |$)/;

const FAR: Readonly<Record<string, Verbs>> = {
  ...every('terraform tofu terragrunt pulumi cdk serverless sls', INFRA),
  ...every('kubectl oc', CLUSTER),
  helm: /^((\S+ ){0,2}?)(uninstall|delete|del|un|rollback|push)( |$)/,
  ...every('aws', CLOUDS),
  ...every(
    'gcloud az doctl ibmcloud oci linode-cli hcloud flyctl fly heroku vercel netlify railway wrangler firebase supabase eksctl gsutil s3cmd mc vault consul etcdctl nomad sam eb',
    DESTROYS,
  ),
  rclone: /^((\S+ ){0,2}?)(delete|deletefile|purge|cleanup|sync|rmdirs?)( |$)/,
  ...every('gh glab', /^((\S+ ){0,2}?)(delete|archive|transfer|pr merge|mr merge|remove)( |$)/),
  ...every('npm pnpm yarn bun lerna vsce ovsx changeset', NODE_PUBLISH),
  cargo: /^(\+\S+ )?(publish|yank)( |$)/,
  gem: /^(push|yank)( |$)/,
  twine: /^upload( |$)/,
  ...every('poetry uv flit hatch', /^publish( |$)/),
  ...every('mvn mvnw', /(^| )deploy( |$)/),
  ...every('gradle gradlew sbt', /(^| )(publish|publishSigned)( |$)/),
  mix: /^hex\.publish( |$)/,
  ...every('cabal stack luarocks', /^upload( |$)/),
  ...every('dotnet nuget', /^(nuget )?(push|delete)( |$)/),
  ...every('docker podman nerdctl', CONTAINER),
  php: /(^|\/)artisan (migrate:(fresh|reset|refresh)|db:wipe)( |$)/,
  ...every('python python3', /(^|\/)manage\.py (flush|reset_db)( |$)|^twine upload( |$)/),
};

function every(names: string, verbs: Verbs): Record<string, Verbs> {
  return Object.fromEntries(names.split(' ').map((name) => [name, verbs]));
}

/** Why a command always asks because of what it does elsewhere; undefined when it does not. */
export function farImmune(name: string, args: readonly ShellWord[]): Reason | undefined {
  const texts = args.flatMap((word) => possible(word).slice(0, 1));
  if (texts.some((text) => /^(--dry-?run(=(client|server|true))?|--help)$/.test(text))) return undefined;
  const has = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  const verbs = texts.filter((text) => !text.startsWith('-')).join(' ');
  const found = Object.hasOwn(FAR, name) ? FAR[name]?.exec(verbs)?.[0].trim() : undefined;
  if (found !== undefined) return because`${code(`${name} ${found}`)} deletes or publishes for good what lies elsewhere`;
  if (/^(terraform|tofu|terragrunt)$/.test(name) && has(/^--?(auto-approve|destroy)$/) && /(^| )(apply|up)( |$)/.test(verbs))
    return because`${code(`${name} apply`)} changes without a further look what lies elsewhere`;
  if (name === 'pulumi' && /^up(date)?( |$)/.test(verbs) && has(/^(-y|--yes)$/))
    return because`${code('pulumi up')} changes without a further look what lies elsewhere`;
  if (/^(kubectl|oc)$/.test(name) && ((/(^| )replace( |$)/.test(verbs) && has(/^--force/)) || has(/^--prune(=|$)/)))
    return because`${code(name)} with this option deletes what lies elsewhere`;
  if (name === 'aws' && /(^| )s3 sync( |$)/.test(verbs) && has(/^--delete$/))
    return because`${code('aws s3 sync --delete')} deletes or publishes for good what lies elsewhere`;
  if (
    /^docker(-compose)?$|^podman(-compose)?$/.test(name) &&
    /^(compose )?(\S+ )?down( |$)/.test(verbs) &&
    has(/^(-v|--volumes)$/)
  )
    return because`${code(name)} with this option deletes volumes and their data`;
  return undefined;
}
