/** What rich cards say, in English; a part of the catalogue. */

export const enCards = {
  'card.moreChange': {
    one: '… {count} more line (+{added} −{removed} in all)',
    other: '… {count} more lines (+{added} −{removed} in all)',
  },
  'card.created': 'new',
  'card.deleted': 'deleted',
  'card.tooLong': 'too long to be shown here',
  'card.earlier': { one: '… {count} earlier line', other: '… {count} earlier lines' },
  'card.moreHits': { one: '… {count} more match', other: '… {count} more matches' },
  'card.problems': { one: '{count} problem after this edit', other: '{count} problems after this edit' },
  'card.attached': 'attached: {type}, {size} KB',
  'card.noOutput': 'no output',
} as const;
