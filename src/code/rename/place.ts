/** Makes a place of a name: its role, what it declares, and where it holds. */
import type { Node } from '../parse/language.js';
import { declaredAt, isShortVariable } from './declares.js';
import { type Frame, innermost, isFunction, isType, nameOf, scopesOf } from './frames.js';
import type { NameKind, NamePlace, NameRole } from './types.js';
import { familyOf } from './words.js';

interface At {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
  readonly isNew: boolean;
  readonly language: string;
  readonly text: string;
}

const SHORT = /^(?:shorthand_property_identifier(?:_pattern)?|shorthand_field_identifier)$/;
const LABELS = /^(?:statement_identifier|label_name)$/;
const LABELLED =
  /^(?:labeled_statement|labeled_expression|break_statement|continue_statement|label|break_expression|continue_expression|lifetime|goto_statement)$/;
const MODULES = /^(?:package_(?:declaration|clause|header|identifier)|module_name|import_spec)$/;
const IMPORTS =
  /^(?:import(?:_.*)?|using_directive|use_declaration|namespace_use_(?:declaration|clause)|extern_crate_declaration|aliased_import)$/;

export function placeAt(frames: readonly Frame[], at: At): NamePlace {
  const { from, to, line, column, isNew, language, text } = at;
  const leaf = frames.at(-1) as Frame;
  const above = frames.at(-2);
  const imported = importedAt(frames, at);
  const asDeclared = imported ? undefined : (declaredAt(frames, language, text) ?? goVariable(frames));
  const key = !asDeclared && !imported && isKey(frames, language);
  const role = imported?.role ?? roleOf(frames, at, asDeclared !== undefined);
  const accessor = leaf.type === 'simple_symbol' && /^attr_/.test(methodOf(frames, text));
  const own = accessor || (asDeclared !== undefined && role !== 'label' && role !== 'argument' && role !== 'field');
  const holder = innermost(frames, language);
  const member = own && (accessor || isMember(frames, holder, asDeclared?.kind ?? 'function', at));
  const assigned = !own && role === 'member' && isOwnAssigned(frames, at, holder);
  const kind: NameKind | undefined = member || assigned ? 'member' : asDeclared?.kind;
  return {
    from,
    to,
    line,
    column,
    isNew,
    role: member && !accessor ? 'member' : role,
    signed: leaf.type === 'variable_name' || above?.type === 'variable_name' || leaf.type === 'global_variable',
    short: (SHORT.test(leaf.type) && !isPassedOn(frames, text)) || above?.type === 'shorthand_field_initializer',
    called: isMethodSymbol(frames, text) || /^\s*(?:<[^<>()]*>)?\s*\(/.test(text.slice(to, to + 80)),
    ...(imported?.binds ? { declares: 'import' as const } : {}),
    ...(own ? { declares: 'own' as const } : assigned || key ? { declares: 'key' as const } : {}),
    ...(kind && (own || assigned) ? { kind } : {}),
    body: asDeclared?.body ?? true,
    parameter: asDeclared?.parameter === true,
    scopes: own && isExported(asDeclared?.kind ?? 'function', frames, language) ? [] : hoisted(frames, language, own),
    container: containerOf(frames, holder, { at, member: member || assigned, parameter: asDeclared?.parameter === true }),
    before: role === 'argument' ? calledAt(frames, text) : beforeOf(text, from),
    path: /::\s*$/.test(text.slice(Math.max(0, from - 20), from)),
    ...(imported?.source !== undefined ? { source: imported.source } : {}),
  };
}

/** The method whose argument the last frame is. */
function methodOf(frames: readonly Frame[], text: string): string {
  const method = frames.at(-3)?.type === 'call' ? frames.at(-3)?.node.childForFieldName('method') : undefined;
  return method ? text.slice(method.startIndex, method.endIndex) : '';
}

/** A symbol of Ruby that names a method for sure. */
const isMethodSymbol = (frames: readonly Frame[], text: string): boolean =>
  frames.at(-1)?.type === 'simple_symbol' &&
  /^(?:attr_\w+|private|public|protected|module_function|private_class_method|public_class_method|define_method|alias_method|send|public_send|__send__|method|instance_method|respond_to\?|remove_method|undef_method)$/.test(
    methodOf(frames, text),
  );

/** `{ name }` of `module.exports = { name }` or of a `require`: one name on both sides, so it stays short. */
function isPassedOn(frames: readonly Frame[], text: string): boolean {
  if (requiredAt(frames, text)) return true;
  const left = frames.at(-3)?.type === 'assignment_expression' ? frames.at(-3)?.node.childForFieldName('left') : undefined;
  return left ? /^module\s*\.\s*exports$/.test(text.slice(left.startIndex, left.endIndex)) : false;
}

const goVariable = (frames: readonly Frame[]) =>
  isShortVariable(frames) ? ({ kind: 'variable', parameter: false, body: true } as const) : undefined;

/** Functions and types of a file hold in all of it, wherever they stand, when no function is around them. */
const isExported = (kind: string, frames: readonly Frame[], language: string): boolean =>
  kind !== 'variable' && scopesOf(frames, language, true).length === 0;

/** Where a declaration holds: `var` in its function, the rest in its block. */
function hoisted(frames: readonly Frame[], language: string, own: boolean): number[] {
  const scopes = scopesOf(frames, language, own);
  const isVar = own && familyOf(language) === 'javascript' && frames.some(({ type }) => type === 'variable_declaration');
  if (!isVar) return scopes;
  const last = scopes.findLastIndex((scope) => scope % 4 === 1);
  return scopes.slice(0, last + 1);
}

/** A member is declared directly in a type. Types in types are types. */
function isMember(frames: readonly Frame[], holder: number, kind: string, { language, text, from }: At): boolean {
  if (kind === 'type') return false;
  const leaf = frames.at(-1) as Frame;
  if (/^(?:field_identifier|property_identifier|private_property_identifier)$/.test(leaf.type)) return true;
  const types = frames.map(({ type }) => type);
  if (types.includes('property_promotion_parameter')) return true;
  if (types.at(-2) === 'class_parameter') return /\b(?:val|var)\b/.test(text.slice(frames.at(-2)?.node.startIndex ?? 0, from));
  if (types.at(-2) === 'qualified_identifier') return true;
  const around = frames[holder];
  if (!around || !isType(around, language)) return false;
  return !(familyOf(language) === 'rust' && around.type === 'module');
}

/** `self.name = …` and `this.name = …` in a method: a field, where nothing else declares it. */
function isOwnAssigned(frames: readonly Frame[], { language, text, from }: At, holder: number): boolean {
  if (language !== 'python' && familyOf(language) !== 'javascript') return false;
  if (!/(?:self|this)\s*\.\s*$/.test(text.slice(Math.max(0, from - 20), from)) || holder < 0) return false;
  const access = frames.at(-2);
  return access?.field === 'left' && /^assignment/.test(frames.at(-3)?.type ?? '');
}

/** A key of an object or an attribute of an element: names a member, and declares none by itself. */
function isKey(frames: readonly Frame[], language: string): boolean {
  const [leaf, above] = [frames.at(-1), frames.at(-2)];
  return familyOf(language) === 'javascript' && above?.type === 'pair' && leaf?.field === 'key';
}

function roleOf(frames: readonly Frame[], { text, from, to, language }: At, declared: boolean): NameRole {
  const [leaf, above] = [frames.at(-1) as Frame, frames.at(-2)];
  const type = above?.type ?? '';
  if (LABELS.test(leaf.type) || (LABELLED.test(type) && isLabel(leaf, above?.node, language))) return 'label';
  if (
    MODULES.test(type) ||
    leaf.type === 'package_identifier' ||
    frames.some((each) => /^package_(?:declaration|clause|header)$/.test(each.type))
  )
    return 'module';
  if (leaf.type === 'simple_symbol') return 'symbol';
  if (/^(?:instance_variable|class_variable)$/.test(leaf.type)) return 'field';
  if (isArgument(frames, text, to)) return 'argument';
  if (leaf.type === 'hash_key_symbol') return 'symbol';
  if (declared) return 'plain';
  if (type === 'jsx_attribute' || type === 'jsx_namespace_name') return 'member';
  if (language === 'go' && isGoKey(frames)) return 'member';
  if (/^(?:property_identifier|private_property_identifier)$/.test(leaf.type)) return 'member';
  if (type === 'field_initializer' && leaf.field === 'field') return 'member';
  if (type === 'field_pattern' && leaf.field === 'name') return leaf.type === 'shorthand_field_identifier' ? 'plain' : 'member';
  if (leaf.type === 'field_identifier') return 'member';
  return /(?:(?:^|[^.])\.|\?->|->|::)\s*$/.test(text.slice(Math.max(0, from - 40), from)) ? 'member' : 'plain';
}

function isLabel(leaf: Frame, above: Node | undefined, language: string): boolean {
  if (language === 'kotlin')
    return above?.type === 'labeled_expression'
      ? above.children[0]?.type === 'label' && /^(?:break|continue|return)@/.test(above.children[0].text)
      : true;
  return (
    above?.type !== 'labeled_expression' && (above?.type !== 'labeled_statement' || leaf.node.startIndex === above.startIndex)
  );
}

/** The name of a parameter before its value. */
function isArgument(frames: readonly Frame[], text: string, to: number): boolean {
  const [leaf, above] = [frames.at(-1) as Frame, frames.at(-2)];
  const type = above?.type ?? '';
  if (type === 'keyword_argument') return leaf.field === 'name';
  if (type === 'pair' && leaf.type === 'hash_key_symbol') return /argument_list/.test(frames.at(-3)?.type ?? '');
  if (/^(?:value_argument|argument|value_argument_label)$/.test(type) || frames.at(-3)?.type === 'value_argument_label')
    return leaf.node.startIndex === above?.node.startIndex && /^\s*(?:=(?!=)|:(?!:))/.test(text.slice(to, to + 20));
  return type === 'assignment_expression' && leaf.field === 'left' && frames.at(-3)?.type === 'arguments';
}

/** A key in a composite literal of Go names a field, unless it is one of a map or a list. */
function isGoKey(frames: readonly Frame[]): boolean {
  const element = frames.findLastIndex(({ type }) => type === 'keyed_element');
  if (element < 0 || frames.length - element > 3) return false;
  if (frames[element + 1]?.field !== 'key') return false;
  const literal = frames.slice(0, element).findLast(({ type }) => type === 'composite_literal');
  return !/^(?:map|slice|array|implicit_length_array)_type$/.test(literal?.node.childForFieldName('type')?.type ?? '');
}

function containerOf(
  frames: readonly Frame[],
  holder: number,
  { at, member, parameter }: { readonly at: At; readonly member: boolean; readonly parameter: boolean },
): string {
  const { text, language } = at;
  const own = frames.at(-2);
  if (member && language === 'go' && own?.type === 'method_declaration') {
    const receiver = own.node.childForFieldName('receiver');
    return (
      /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^\]]*\])?\s*\)$/u.exec(
        receiver ? text.slice(receiver.startIndex, receiver.endIndex) : '',
      )?.[1] ?? ''
    );
  }
  if (member && own?.type === 'qualified_identifier')
    return /([\p{L}_][\p{L}\p{N}_]*)\s*(?:<[^<>]*>)?\s*::\s*$/u.exec(text.slice(Math.max(0, at.from - 200), at.from))?.[1] ?? '';
  for (let index = holder; index > 0; index--) {
    const frame = frames[index];
    if (!frame) continue;
    if (parameter && isFunction(frame.type, language)) {
      const name = nameOf(frame.node, text);
      if (!/^(?:__init__|constructor|__construct|initialize)$/.test(name)) return name;
    } else if (isType(frame, language)) return nameOf(frame.node, text);
  }
  return '';
}

/** `a.b` of `a.b.name`; undefined parts (calls, brackets) end it. */
function beforeOf(text: string, from: number): string {
  const head = text.slice(Math.max(0, from - 200), from);
  return (
    /([\p{L}_$][\p{L}\p{N}_$]*(?:\s*(?:\.|::|\\)\s*[\p{L}_$][\p{L}\p{N}_$]*)*)\s*(?:\?\.|\?->|\.|->|::)\s*$/u
      .exec(head)?.[1]
      ?.replace(/\s+/g, '') ?? ''
  );
}

/** The last word of what is called around an argument. */
function calledAt(frames: readonly Frame[], text: string): string {
  const call = frames
    .slice(0, -1)
    .findLast(({ type }) => /call|invocation|creation|new_expression|instance_expression/.test(type));
  const list = frames.slice(0, -1).findLast(({ type }) => /^(?:argument_list|arguments|value_arguments)$/.test(type));
  if (!call || !list) return '';
  return (
    /([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:<[^<>]*>)?\s*$/u.exec(text.slice(call.node.startIndex, list.node.startIndex))?.[1] ?? ''
  );
}

interface Imported {
  readonly role: NameRole;
  /** It brings a name into the file. */
  readonly binds: boolean;
  readonly source?: string;
}

/** What a name in an import, or in a passing on, is. */
function importedAt(frames: readonly Frame[], { text, language, to }: At): Imported | undefined {
  const [leaf, above] = [frames.at(-1) as Frame, frames.at(-2)];
  if (familyOf(language) === 'javascript') return ecmaImport(frames, text);
  if (language === 'python') return pythonImport(frames, text);
  if (language === 'ruby' || language === 'shell' || language === 'go') return undefined;
  const statement = frames.find(({ type }) => IMPORTS.test(type));
  if (!statement) return undefined;
  const alias = leaf.field === 'alias' || /\bas\s+$/.test(text.slice(statement.node.startIndex, leaf.node.startIndex));
  if (alias) return { role: 'plain', binds: true, source: '' };
  // A part of a path that goes on names a package or a module, in most languages one in small letters.
  const goesOn = /^\s*(?:\.|::|\\)/.test(text.slice(to, to + 10)) && above !== undefined;
  const small = /^\p{Ll}/u.test(text.slice(leaf.node.startIndex, leaf.node.endIndex));
  return {
    role: goesOn && small ? 'module' : 'plain',
    binds: !goesOn,
    source: text.slice(statement.node.startIndex, statement.node.endIndex),
  };
}

function ecmaImport(frames: readonly Frame[], text: string): Imported | undefined {
  const leaf = frames.at(-1) as Frame;
  const type = frames.at(-2)?.type ?? '';
  const statement = frames.find((each) => /^(?:import_statement|export_statement)$/.test(each.type));
  const from = statement?.node.childForFieldName('source');
  const source = from ? text.slice(from.startIndex + 1, from.endIndex - 1) : undefined;
  const where = source === undefined ? {} : { source };
  if (type === 'import_specifier') {
    const specifier = frames.at(-2)?.node;
    const hasAlias = specifier?.childForFieldName('alias') !== null;
    if (leaf.field === 'alias') return { role: 'plain', binds: true, source: '' };
    return { role: 'plain', binds: !hasAlias, ...where };
  }
  if (type === 'import_clause' || type === 'namespace_import' || type === 'import_require_clause')
    return { role: 'plain', binds: true, ...where };
  if (type === 'export_specifier' && leaf.field === 'alias') return { role: 'module', binds: false };
  if (type === 'export_specifier') return { role: 'plain', binds: false, ...where };
  const head = text.slice(Math.max(0, leaf.node.startIndex - 300), leaf.node.startIndex);
  const direct = /\b(?:import|require)\s*\(\s*(['"`])([^'"`]+)\1\s*\)\)?\s*\.\s*$/.exec(head)?.[2];
  return direct === undefined ? requiredAt(frames, text) : { role: 'plain', binds: false, source: direct };
}

/** `const { name } = require('./a')` takes as an import does. */
function requiredAt(frames: readonly Frame[], text: string): Imported | undefined {
  const [leaf, above, over] = [frames.at(-1) as Frame, frames.at(-2), frames.at(-3)];
  const pattern =
    above?.type === 'object_pattern' ? over : above?.type === 'pair_pattern' && leaf.field === 'key' ? frames.at(-4) : undefined;
  const declarator = pattern?.type === 'variable_declarator' ? pattern : undefined;
  const value = declarator?.node.childForFieldName('value');
  if (!value) return undefined;
  const source = /^(?:await\s+import|require)\s*\(\s*(['"`])([^'"`]+)\1\s*\)$/.exec(
    text.slice(value.startIndex, value.endIndex),
  )?.[2];
  return source === undefined ? undefined : { role: 'plain', binds: above?.type === 'object_pattern', source };
}

function pythonImport(frames: readonly Frame[], text: string): Imported | undefined {
  const leaf = frames.at(-1) as Frame;
  const statement = frames.find((each) => /^import_(?:from_)?statement$/.test(each.type));
  if (!statement) return undefined;
  if (leaf.field === 'alias') return { role: 'plain', binds: true, source: '' };
  const from = statement.node.childForFieldName('module_name');
  if (!from || leaf.node.startIndex < from.endIndex) return { role: 'module', binds: false };
  const alias = frames.some(({ type }) => type === 'aliased_import');
  return { role: 'plain', binds: !alias, source: text.slice(from.startIndex, from.endIndex) };
}
