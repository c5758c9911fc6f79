/** What there is of skills, as lines for people. */
import { loadSkillPackages } from '../../skills/packages.js';
import { SCRIPT_SKILLS } from '../../skills/registry.js';
import type { Text } from '../../ui/text/index.js';
import type { Config } from '../config.js';
import { currentTrust } from '../current-trust.js';
import { skillFolders, warningText } from '../custom-agents.js';
import { fileReason } from '../file-reason.js';

const MOST_WARNINGS = 10;

/** Scripts first, then packages with their folder, then what could not be read. */
export async function skillLines(config: Config, { t }: Text): Promise<readonly string[]> {
  const folders = skillFolders(config, currentTrust(config));
  const { skills, warnings } = await loadSkillPackages(folders, fileReason);
  const width = Math.max(...SCRIPT_SKILLS.map(({ name }) => name.length), ...[...skills.keys()].map((name) => name.length));
  const scripts = SCRIPT_SKILLS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  const packages = [...skills.values()].map(
    (one) => `  ${one.name.padEnd(width)}  ${one.description}${one.folder ? `  (${one.folder})` : ''}`,
  );
  return [
    t('skills.scripts'),
    ...scripts,
    '',
    t(packages.length > 0 ? 'skills.packages' : 'skills.noPackages', {
      folders: folders
        .map(({ path }) => path)
        .slice(0, 5)
        .join(', '),
    }),
    ...packages,
    ...warnings.slice(0, MOST_WARNINGS).map(warningText),
  ];
}
