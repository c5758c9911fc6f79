/** A plugin as a tool, and plugins in the places of builtin tools of their name. */
import { ArgvFault, argvOf, flagsFor } from '../../base/argv-words.js';
import { shortProse } from '../../base/one-line.js';
import type { Json, JsonObject, ObjectSchema, PropertySchema } from '../../types/json.js';
import { type Facts, type Tool, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { PLUGIN_LIMIT, runPlugin } from './run-plugin.js';
import type { LoadedPlugin } from './types.js';

/** What calls need beside the plugin. */
export interface PluginUse {
  /** Milliseconds a call may take. */
  readonly timeoutMs: number;
  /** Why a plugin must not run now, for the model: its file is gone or changed, or trust was taken back. Asked before each call. */
  refusal(plugin: LoadedPlugin): string | undefined;
}

const SUMMARY_CHARS = 79;
const WORDS: ObjectSchema = {
  type: 'object',
  properties: { argv: { type: 'array', items: { type: 'string' }, description: 'Words of its command line, each as it is' } },
  additionalProperties: false,
};

/** Equal for spellings of a tool's name that mean the same. */
const folded = (name: string): string => name.toLowerCase().replace(/[-_\s]/g, '');

/** The plugin as a tool of its own. */
export function pluginTool(plugin: LoadedPlugin, use: PluginUse): Tool {
  const { about } = plugin;
  const schema = about.schema ?? WORDS;
  return {
    name: about.name,
    aliases: [],
    summary: summaryOf(plugin),
    schema,
    ...(about.schema === undefined ? { words: true, positional: ['argv'] } : wordFields(schema)),
    fieldAliases: {},
    example: about.schema === undefined ? { argv: ['--help'] } : exampleOf(schema),
    inFull: false,
    limit: PLUGIN_LIMIT,
    cut: 'ends',
    origin: 'plugin',
    facts: () => factsFor(about.name),
    run: (args, context) => call(plugin, use, context, () => argvOf(args)),
  };
}

/** The builtin's name, schema and place; the program of the plugin. What it reads and writes by its arguments is still judged. */
function overriding(builtin: Tool, plugin: LoadedPlugin, use: PluginUse): Tool {
  const { about } = plugin;
  const isPart = folded(builtin.name) !== folded(about.name);
  const own = isPart ? undefined : about.schema;
  const { delegates, mainField, ...rest } = builtin;
  return {
    ...rest,
    summary: isPart ? builtin.summary : summaryOf(plugin),
    ...(own === undefined
      ? { ...(mainField === undefined ? {} : { mainField }) }
      : { schema: own, ...wordFields(own), fieldAliases: {}, example: exampleOf(own) }),
    limit: PLUGIN_LIMIT,
    cut: 'ends',
    origin: 'plugin',
    facts(args) {
      const facts = factsFor(`${builtin.name} (plugin ${plugin.file.path})`);
      if (own !== undefined) return facts;
      const { reads, writes, command } = builtin.facts(args);
      return { ...facts, reads, writes, ...(command === undefined ? {} : { command }) };
    },
    run: (args, context) =>
      call(plugin, use, context, () => [
        ...(isPart ? [builtin.name.split(' ').slice(1).join(' ')] : []),
        ...Object.entries(args).flatMap(([name, value]) => flagsFor(name, value)),
      ]),
  };
}

/**
 * The tools with plugins in place: one of a builtin's name prevails over it, `@coder` over all its subcommands, which also takes
 * whatever other words `@coder` is called with.
 */
export function withPlugins(tools: readonly Tool[], plugins: readonly LoadedPlugin[], use: PluginUse): Tool[] {
  const named = new Map(plugins.map((plugin) => [folded(plugin.about.name), plugin]));
  const used = new Set<LoadedPlugin>();
  const replaced = tools.map((tool) => {
    const plugin = named.get(folded(tool.name)) ?? named.get(folded(tool.name.split(' ')[0] ?? ''));
    if (!plugin) return tool;
    if (folded(plugin.about.name) === folded(tool.name)) used.add(plugin);
    return overriding(tool, plugin, use);
  });
  const further = plugins.filter((plugin) => !used.has(plugin)).map((plugin) => pluginTool(withoutSchema(plugin, tools), use));
  return [...replaced, ...further];
}

/** Of a family of builtin tools the rest of its calls are words. */
function withoutSchema(plugin: LoadedPlugin, tools: readonly Tool[]): LoadedPlugin {
  const isFamily = tools.some(({ name }) => name.includes(' ') && folded(name.split(' ')[0] ?? '') === folded(plugin.about.name));
  if (!isFamily) return plugin;
  const { schema, ...about } = plugin.about;
  return { ...plugin, about };
}

/** Builtin tools a plugin of this name stands in for; empty: it is a tool of its own. */
export function overriddenBy(name: string, tools: readonly Pick<Tool, 'name'>[]): readonly string[] {
  const wanted = folded(name);
  return tools
    .filter((tool) => [tool.name, tool.name.split(' ')[0] ?? ''].some((one) => folded(one) === wanted))
    .map((tool) => tool.name);
}

/** Do two names mean the same plugin? */
export function sameName(one: string, other: string): boolean {
  return folded(one.replace(/^@/, '')) === folded(other.replace(/^@/, ''));
}

async function call(
  plugin: LoadedPlugin,
  use: PluginUse,
  context: ToolContext,
  argv: () => readonly string[],
): Promise<ToolResult> {
  const { about, program } = plugin;
  const refusal = use.refusal(plugin);
  if (refusal !== undefined)
    return {
      output: `error [Blocked]: plugin execution failed: ${about.name} was not run: ${refusal}\n`,
      isError: true,
      code: 'Blocked',
    };
  return runPlugin({ name: about.name, program, argv: wordsFrom(argv), timeoutMs: use.timeoutMs }, context);
}

function wordsFrom(argv: () => readonly string[]): readonly string[] {
  try {
    return argv();
  } catch (error) {
    throw error instanceof ArgvFault ? new ToolFault('InvalidArgs', error.message) : error;
  }
}

/** It runs a program of somebody else: it may do anything, and runs alone. */
function factsFor(object: string): Facts {
  return {
    readOnly: false,
    reads: [],
    writes: [],
    order: 'alone',
    label: { verb: 'call', object },
    snapshot: true,
    foreign: true,
  };
}

function summaryOf({ about, file }: LoadedPlugin): string {
  return shortProse(about.description || `Plugin ${file.file}`, SUMMARY_CHARS - 1);
}

/** What words without flags mean: the required texts in their order; where there is but one, a text means it whole. */
function wordFields(schema: ObjectSchema): Pick<Tool, 'positional' | 'mainField'> {
  const isText = (name: string) => ['string', undefined].includes(schema.properties[name]?.type as string | undefined);
  const positional = (schema.required ?? []).filter((name) => Object.hasOwn(schema.properties, name) && isText(name));
  const [only] = positional;
  return only !== undefined && positional.length === 1 ? { positional, mainField: only } : { positional };
}

function exampleOf(schema: ObjectSchema): JsonObject {
  const names = schema.required ?? Object.keys(schema.properties).slice(0, 1);
  return Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      return [[name, sampleOf(property)]];
    }),
  );
}

function sampleOf(property: PropertySchema | undefined): Json {
  if (property?.enum?.[0] !== undefined) return property.enum[0];
  if (property?.default !== undefined) return property.default;
  const type = Array.isArray(property?.type) ? property?.type[0] : property?.type;
  if (type === 'integer' || type === 'number') return property?.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  return type === 'object' ? {} : 'value';
}
