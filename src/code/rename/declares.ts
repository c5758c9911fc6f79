/** Does a name at a place declare something? Told by the nodes above it, for all languages by the same table. */
import type { Frame } from './frames.js';
import { familyOf } from './words.js';

/** Patterns in which a name still is the one declared. */
const PATTERNS =
  /^(?:object_pattern|array_pattern|rest_pattern|assignment_pattern|object_assignment_pattern|pair_pattern|tuple_pattern|list_pattern|pattern_list|list_splat_pattern|dictionary_splat_pattern|slice_pattern|ref_pattern|mut_pattern|captured_pattern|reference_pattern|left_assignment_list|typed_parameter|pattern|match_pattern|tuple_struct_pattern|struct_pattern|field_pattern|as_pattern_target|variable_declaration|multi_variable_declaration|pointer_declarator|array_declarator|reference_declarator|init_declarator|function_declarator|parenthesized_declarator|variable_name|identifiers|variadic_parameter|optional_parameter|splat_parameter|hash_splat_parameter|block_parameter|rest_assignment|by_ref|qualified_identifier)$/;
/** In these only this field holds what is declared. */
const ONLY: Readonly<Record<string, string>> = {
  assignment_pattern: 'left',
  object_assignment_pattern: 'left',
  pair_pattern: 'value',
  init_declarator: 'declarator',
  function_declarator: 'declarator',
  qualified_identifier: 'name',
};
const NAMED =
  /(?:_declaration|_definition|_item|_spec|_declarator|_signature|_specifier|_element|_elem|_case|_entry|parameter|enumerator|enum_constant|enum_variant|enum_assignment|variant|class|module|method|function|function_expression|preproc_def|preproc_function_def|named_expression|_alias|companion_object|public_field_definition|static_item|enhanced_for_statement|local_function_statement)$/;
const NEVER = /^(?:import|export_specifier|jsx_|argument|keyword_argument|template_function|macro_invocation|attribute)/;
const TYPE_WORDS =
  /(?:class|interface|struct|trait|protocol|record|object|union|delegate|type_spec|type_alias|type_item|type_definition|type_parameter|alias_declaration|module|mod_item|namespace|enum_(?:declaration|specifier|item|definition)|annotation_type)/;
const FUNCTION_WORDS = /(?:function|method|constructor|macro_definition|preproc_function_def|init_declaration)/;

export interface Declared {
  readonly kind: 'type' | 'function' | 'variable';
  readonly parameter: boolean;
  readonly body: boolean;
}

/** Undefined: it only uses the name. */
export function declaredAt(frames: readonly Frame[], language: string, text: string): Declared | undefined {
  let at = frames.length - 1;
  while (at > 1) {
    const above = frames[at - 1];
    if (!above || !PATTERNS.test(above.type)) break;
    const only = ONLY[above.type];
    if (only !== undefined && frames[at]?.field !== only) return undefined;
    if (above.type === 'tuple_struct_pattern' || above.type === 'struct_pattern')
      if (frames[at]?.field === 'type') return undefined;
    at--;
  }
  const [leaf, above] = [frames[at], frames[at - 1]];
  if (!leaf || !above || NEVER.test(above.type)) return undefined;
  const word = text.slice(frames.at(-1)?.node.startIndex ?? 0, frames.at(-1)?.node.endIndex ?? 0);
  const { type } = above;
  const variable = { kind: 'variable', parameter: false, body: true } as const;
  const parameter = { kind: 'variable', parameter: true, body: true } as const;
  if (/parameters$/.test(type) && type !== 'type_parameters') return leaf.type.includes('type') ? undefined : parameter;
  if (/parameter$|^parameter_declaration$|^optional_parameter_declaration$/.test(type) && type !== 'type_parameter')
    return isParameterName(leaf, above) ? parameter : undefined;
  if (type === 'arrow_function' || type === 'lambda_expression') return /^parameters?$/.test(leaf.field) ? parameter : undefined;
  if (isLeft(leaf, above, language)) return variable;
  if (leaf.field === 'pattern' || leaf.field === 'bound_identifier')
    return language === 'rust' && /^\p{Lu}/u.test(word) ? undefined : variable;
  if (type === 'property_declaration' || (type === 'for_statement' && leaf.type === 'variable_declaration')) {
    return leaf.type === 'variable_declaration' || leaf.type === 'pattern' || leaf.field === 'name' ? variable : undefined;
  }
  if (type === 'as_pattern' && leaf.field === 'alias') return variable;
  if (type === 'enum_body' || type === 'const_element' || type === 'enum_entry' || type === 'field_definition')
    return leaf.node.startIndex === above.node.startIndex || leaf.field === 'property' || type === 'enum_body'
      ? variable
      : undefined;
  if (leaf.field === 'declarator') return declarator(frames, at, language);
  if (leaf.field !== 'name' && !(leaf.type === 'word' && type === 'function_definition')) return undefined;
  if (!NAMED.test(type)) return undefined;
  return named(leaf, above, language);
}

function isParameterName(leaf: Frame, above: Frame): boolean {
  if (/^(?:type|value|default_value|default|external_name|decorator)$/.test(leaf.field) || /type/.test(leaf.type)) return false;
  return (
    ['name', 'pattern', 'declarator'].includes(leaf.field) ||
    above.node.namedChildren.find((c) => !/modifier/.test(c.type))?.startIndex === leaf.node.startIndex
  );
}

/** The left side of what declares by assigning. */
function isLeft(leaf: Frame, above: Frame, language: string): boolean {
  const { type } = above;
  if (type === 'expression_list') return false;
  if (leaf.field === 'left' || leaf.field === 'name') {
    if (type === 'assignment') return true;
    if (type === 'assignment_expression') return language === 'php';
    if (type === 'variable_assignment' || type === 'for_in_statement') return true;
    if (type === 'for_statement' && language === 'python') return true;
    if (type === 'for_in_clause' || type === 'foreach_statement') return true;
  }
  if (type === 'foreach_statement' || type === 'foreach_pair')
    return leaf.node.startIndex !== above.node.namedChildren[0]?.startIndex;
  if (type === 'declaration_command') return true;
  return (type === 'catch_clause' && leaf.field === 'parameter') || (type === 'exception_variable' && language === 'ruby');
}

function declarator(frames: readonly Frame[], at: number, language: string): Declared | undefined {
  const above = frames[at - 1];
  const family = familyOf(language);
  if (!above || (family !== 'c' && family !== 'cpp')) return undefined;
  if (above.type === 'type_definition') return { kind: 'type', parameter: false, body: true };
  const isFunction = frames.slice(at).some(({ type }) => type === 'function_declarator');
  const body = above.type === 'function_definition' || !isFunction;
  return { kind: isFunction ? 'function' : 'variable', parameter: false, body };
}

function named(leaf: Frame, above: Frame, language: string): Declared | undefined {
  const { type, node } = above;
  const family = familyOf(language);
  if ((family === 'c' || family === 'cpp') && /_specifier$/.test(type) && !node.childForFieldName('body')) return undefined;
  if (type === 'class' && leaf.node.childCount > 0) return undefined;
  // A constructor bears the name of its type.
  if (/^(?:compact_)?constructor_declaration$|^destructor_declaration$/.test(type))
    return { kind: 'type', parameter: false, body: true };
  if (FUNCTION_WORDS.test(type)) return { kind: 'function', parameter: false, body: true };
  return { kind: TYPE_WORDS.test(type) ? 'type' : 'variable', parameter: false, body: true };
}

/** Left side of `:=` and of `for … range` in Go, where several names stand in one list. */
export function isShortVariable(frames: readonly Frame[]): boolean {
  const [leaf, list, above] = [frames.at(-1), frames.at(-2), frames.at(-3)];
  if (!leaf || !list || !above || list.type !== 'expression_list' || list.field !== 'left') return false;
  if (above.type === 'short_var_declaration') return true;
  return above.type === 'range_clause' && above.node.children.some((child) => child.type === ':=');
}
