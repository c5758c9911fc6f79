/** Agents and skills that the user and the project bring, put together for one conversation. */
import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type AgentRegistry, RESERVED } from '../agents/registry.js';
import { type AgentFolder, type FileWarning, loadCustomAgents } from '../agents/shared/load.js';
import { oneLine, shortProse } from '../base/one-line.js';
import type { Redact } from '../base/secret-text.js';
import { AGENT_FOLDERS, hashOf, SKILL_FOLDERS, sealOf } from '../policy/brought-prompts.js';
import { accepts, type FolderTrust, NO_TRUST } from '../policy/trust.js';
import { which } from '../process/which.js';
import { packageScript, runnerOf } from '../skills/package-script.js';
import { loadSkillPackages, type SkillFolder, type SkillPackage, type SkillSeal } from '../skills/packages.js';
import { SCRIPT_SKILLS } from '../skills/registry.js';
import { because, english } from '../types/reason.js';
import type { ScriptSkill } from '../types/skill.js';
import type { WorkerAgent } from '../types/worker.js';
import type { Config } from './config.js';
import { fileReason } from './file-reason.js';
import { providerKeys, textRedactor } from './redact.js';

/** Where agents are looked for, first found first: the project's, file by file as they were trusted, then the user's. */
function agentFolders(config: Config, trust: FolderTrust): readonly AgentFolder[] {
  const project = projectFolders(config, trust, AGENT_FOLDERS).map((dir) => ({
    path: join(config.root, dir),
    accepts: (name: string, bytes: Uint8Array) => accepts(trust, `${dir}/${name}`, bytes),
  }));
  return [...project, { path: join(config.state, 'agents') }, { path: join(config.home, '.claude/agents') }];
}

/** Where skill packages are looked for, the project's first as they were trusted. */
export function skillFolders(config: Config, trust: FolderTrust): readonly SkillFolder[] {
  const project = projectFolders(config, trust, SKILL_FOLDERS).map((dir) => ({
    path: join(config.root, dir),
    seal: (entry: string) => sealIn(config.root, `${dir}/${entry}`, trust),
  }));
  return [
    ...project,
    { path: join(config.state, 'skills') },
    { path: join(config.home, '.claude/skills') },
    { path: join(config.home, '.agents/skills') },
  ];
}

/** In the home folder they are the user's own; a folder that lies elsewhere, by a link, is nobody's. */
function projectFolders(config: Config, trust: FolderTrust, dirs: readonly string[]): readonly string[] {
  // Nothing is said of single files before it is trusted at all.
  if (trust === NO_TRUST) return [];
  const root = realOf(config.root);
  if (root === realOf(config.home)) return [];
  return dirs.filter((dir) => isBelow(realOf(join(config.root, dir)), root));
}

/** Undefined: not trusted as it is now. */
function sealIn(root: string, path: string, trust: FolderTrust): SkillSeal | undefined {
  const pin = Object.hasOwn(trust.pins, path) ? trust.pins[path] : undefined;
  if (pin === undefined) return undefined;
  const seal = sealOf(join(root, path));
  if ('fault' in seal || seal.sha256 !== pin) return undefined;
  return {
    holds: (file, bytes) => seal.files.get(file) === hashOf(bytes),
    intact() {
      const now = sealOf(join(root, path));
      return !('fault' in now) && now.sha256 === pin;
    },
  };
}

export interface BroughtAgents {
  readonly warnings: readonly FileWarning[];
  /** Folders of skills that agents may read in, never write. Real paths. */
  readonly readable: readonly string[];
  /** Scripts of skill packages, as skills. */
  readonly scripts: readonly ScriptSkill[];
}

/** Reads all of it anew into the registry. Never throws. */
export async function bringAgents(config: Config, trust: FolderTrust, registry: AgentRegistry): Promise<BroughtAgents> {
  const { agents, warnings } = await loadCustomAgents(agentFolders(config, trust), RESERVED, fileReason);
  const needed = agents.some((agent) => agent.skills.length > 0);
  const loaded = needed
    ? await loadSkillPackages(skillFolders(config, trust), fileReason)
    : { skills: new Map<string, SkillPackage>(), warnings: [] };
  const all = [...warnings, ...loaded.warnings];
  const redact = textRedactor(providerKeys(config));
  const readable = new Set<string>();
  const used = new Map<string, SkillPackage>();
  registry.setCustom(
    agents.map((agent) => {
      const found = agent.skills.flatMap((name) => loaded.skills.get(name.toLowerCase()) ?? []);
      for (const skill of found) {
        if (!skill.folder) {
          // Only what is cut is ever read again.
          const file = skill.content.length > LONGEST_SKILL ? ownFolder(skill.file, config) : undefined;
          if (file !== undefined) readable.add(file);
          continue;
        }
        const folder = ownFolder(skill.folder, config);
        if (folder === undefined)
          all.push({ file: oneLine(skill.folder), why: because`it leads out of where skills lie, so nothing in it can be read` });
        else readable.add(folder);
        if (folder !== undefined) used.set(skill.name, skill);
      }
      for (const name of agent.skills)
        if (!loaded.skills.has(name.toLowerCase()) && !SCRIPTS.has(name.toLowerCase()))
          all.push({ file: agent.origin ?? agent.name, why: because`there is no skill ${shortProse(name, 100)}` });
      return withoutKeys(withSkills(agent, found), redact);
    }),
  );
  const isThere = (program: string) => which(program, config.childEnv) !== undefined;
  const scripts = [...used.values()].flatMap((skill) =>
    skill.scripts.map((script) => packageScript(script, runnerOf(script, isThere))),
  );
  return { warnings: once(all), readable: [...readable], scripts };
}

/** Several agents may need the same skill. */
function once(warnings: readonly FileWarning[]): FileWarning[] {
  return [...new Map(warnings.map((warning) => [warningText(warning), warning])).values()];
}

/** In English, with its file. */
export function warningText({ file, why }: FileWarning): string {
  return `${file}: ${english(why)}`;
}

const SCRIPTS: ReadonlySet<string> = new Set(SCRIPT_SKILLS.map(({ name }) => name));

/** The real folder of a package; undefined when a link makes it the home folder, our own state, or what holds them. */
function ownFolder(folder: string, config: Config): string | undefined {
  try {
    const real = realpathSync(folder);
    const state = realOf(config.state);
    if (isBelow(realpathSync(config.home), real) || isBelow(state, real)) return undefined;
    return isBelow(real, state) && !isBelow(real, join(state, 'skills')) ? undefined : real;
  } catch {
    return undefined;
  }
}

function isBelow(path: string, top: string): boolean {
  return path === top || path.startsWith(top.endsWith(sep) ? top : `${top}${sep}`);
}

/** As it is written where there is no such path. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** What is sent of a file holds no keys. */
function withoutKeys(agent: WorkerAgent, redact: Redact): WorkerAgent {
  return { ...agent, prompt: redact(agent.prompt), description: redact(agent.description) };
}

/** Characters of one skill's text, and of all skills of an agent, that stand in every request of it. */
const LONGEST_SKILL = 16_000;
const LONGEST_SKILLS = 48_000;
/** Further files and scripts that are named. */
const MOST_NAMED = 40;

/** The agent with its skills in its prompt: their text, where more can be read, what can be run. */
function withSkills(agent: WorkerAgent, skills: readonly SkillPackage[]): WorkerAgent {
  if (skills.length === 0) return agent;
  let room = LONGEST_SKILLS;
  const texts = skills.map((skill) => {
    const text = skillText(agent, skill, Math.min(LONGEST_SKILL, Math.max(room, 0)));
    room -= Math.min(skill.content.length, LONGEST_SKILL);
    return text;
  });
  return { ...agent, prompt: [agent.prompt, '# Skills', ...texts].join('\n\n') };
}

/** The text up to a line end within the room, and where the rest can be read. */
function cutContent({ content, file }: SkillPackage, room: number): string {
  if (content.length <= room) return content;
  const cut = content.slice(0, room).replace(/[\ud800-\udbff]$/, '');
  const line = cut.lastIndexOf('\n');
  const kept = line > room / 2 ? cut.slice(0, line) : cut;
  return `${kept}\n[${content.length - kept.length} characters more: read ${file} for the rest]`;
}

function skillText(agent: WorkerAgent, skill: SkillPackage, room: number): string {
  const { name, texts, scripts } = skill;
  const rows = [`## ${name}`, cutContent(skill, room)];
  const more = (count: number) => (count > MOST_NAMED ? `\n- … and ${count - MOST_NAMED} more` : '');
  const named = texts.slice(0, MOST_NAMED).map(({ path }) => `- ${path}`);
  if (texts.length > 0) rows.push(`More to read when you need it:\n${named.join('\n')}${more(texts.length)}`);
  const runs = agent.tools === undefined || agent.tools.includes('exec');
  if (scripts.length > 0 && runs) {
    const lines = scripts
      .slice(0, MOST_NAMED)
      .map((script) => `- skill {"name":"${script.name.toLowerCase()}","args":{"args":["…"]}}, the file ${script.path}`);
    // One that is bound by trust is looked at again before it runs; exec would not.
    const how = scripts[0]?.intact ? '' : ' or with exec';
    rows.push(`Scripts, run with skill (their words in args)${how}:\n${lines.join('\n')}${more(scripts.length)}`);
  }
  return rows.join('\n\n');
}
