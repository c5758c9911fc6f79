/** Where a name stands in its tree: the nodes above it, and what they make of it. */
import type { Node } from '../parse/language.js';
import { familyOf } from './words.js';

export interface Frame {
  readonly node: Node;
  readonly type: string;
  readonly field: string;
}

/** Nodes whose text is a name. Strings and comments are of other kinds. */
export const NAME_NODES: ReadonlySet<string> = new Set(
  'identifier type_identifier field_identifier property_identifier private_property_identifier shorthand_property_identifier shorthand_property_identifier_pattern shorthand_field_identifier statement_identifier label_name namespace_identifier package_identifier name constant simple_identifier variable_name word simple_symbol hash_key_symbol instance_variable global_variable class_variable'.split(
    ' ',
  ),
);

const FUNCTIONS =
  /^(?:(?:generator_)?function(?:_declaration|_definition|_item|_expression)?|arrow_function|method(?:_definition|_declaration)?|singleton_method|constructor_declaration|func_literal|lambda(?:_expression|_literal)?|closure_expression|init_declaration|local_function_statement|secondary_constructor|anonymous_function|compact_constructor_declaration|accessor_declaration|computed_property|function_signature|method_signature)$/;
const BLOCKS =
  /^(?:block|statement_block|compound_statement|for_statement|for_in_statement|enhanced_for_statement|foreach_statement|for_expression|if_statement|if_expression|if_let_expression|while_expression|match_arm|catch_clause|catch_block|statements|control_structure_body|expression_case|type_case|default_case|communication_case|case_clause|switch_block_statement_group|try_with_resources_statement|using_statement)$/;
const TYPES =
  /^(?:(?:abstract_)?class(?:_declaration|_definition|_specifier)?|struct_(?:specifier|declaration|item)|union_(?:specifier|item)|enum_(?:specifier|declaration|item|definition)|interface_declaration|record_declaration|trait_(?:declaration|definition|item)|object_(?:declaration|definition|type)|companion_object|impl_item|protocol_declaration|annotation_type_declaration|type_spec|type_alias_declaration|module|singleton_class|package_object)$/;
/** Here blocks have no names of their own. */
const BY_FUNCTION: ReadonlySet<string> = new Set(['python', 'php', 'ruby']);

export const isFunction = (type: string, language: string): boolean =>
  FUNCTIONS.test(type) &&
  !(type === 'lambda' && language === 'ruby') &&
  !(/^(?:anonymous|arrow)_function$/.test(type) && language === 'php');

export function isType(frame: Frame, language: string): boolean {
  if (frame.type === 'module') return language === 'ruby';
  return TYPES.test(frame.type) && !(frame.type === 'class' && frame.node.childCount === 0);
}

/** Offsets of the scopes around the last frame; without the function or type that is named by it. */
export function scopesOf(frames: readonly Frame[], language: string, isDeclared: boolean): number[] {
  if (language === 'shell') return [];
  const names = isDeclared ? namedBy(frames, language) : -1;
  const blocks = !BY_FUNCTION.has(language);
  return frames.flatMap(({ node, type }, index) => {
    if (index === 0 || index === frames.length - 1 || index === names) return [];
    const counts = isFunction(type, language) || (blocks && BLOCKS.test(type));
    return counts ? [node.startIndex * 4 + (isFunction(type, language) ? 1 : 2)] : [];
  });
}

/** Index of the function or type whose own name the last frame is, or -1. */
export function namedBy(frames: readonly Frame[], language: string): number {
  let index = frames.length - 1;
  const family = familyOf(language);
  if (family === 'c' || family === 'cpp')
    while (index > 0 && /declarator$|^qualified_identifier$/.test(frames[index - 1]?.type ?? '')) index--;
  const [leaf, above] = [frames[index], frames[index - 1]];
  if (!leaf || !above || !(isFunction(above.type, language) || isType(above, language))) return -1;
  return leaf.field === 'name' || leaf.field === 'declarator' ? index - 1 : -1;
}

/** Index of the innermost function or type around the last frame that is not named by it, or -1. */
export function innermost(frames: readonly Frame[], language: string): number {
  const names = namedBy(frames, language);
  for (let index = frames.length - 2; index > 0; index--) {
    const frame = frames[index];
    if (frame && index !== names && (isFunction(frame.type, language) || isType(frame, language))) return index;
  }
  return -1;
}

/** The name of a function or type, without what it is applied to; empty for one without. */
export function nameOf(node: Node, text: string): string {
  const field = node.type === 'impl_item' ? 'type' : 'name';
  const found = node.childForFieldName(field);
  if (found) return /[\p{L}_$][\p{L}\p{N}_$]*/u.exec(text.slice(found.startIndex, found.endIndex))?.[0] ?? '';
  const declarator = node.childForFieldName('declarator');
  const head = declarator ? text.slice(declarator.startIndex, Math.min(declarator.endIndex, declarator.startIndex + 400)) : '';
  return /([\p{L}_$][\p{L}\p{N}_$]*)\s*\(/u.exec(head)?.[1] ?? '';
}
