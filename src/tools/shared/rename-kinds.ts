/** The kinds of names that `@rename` tells apart. */
export const NAME_KINDS = ['type', 'function', 'variable', 'member'] as const;
