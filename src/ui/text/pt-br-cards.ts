/** What rich cards say, in Brazilian Portuguese; a part of the catalogue. */

export const ptBrCards = {
  'card.moreChange': {
    one: '… mais {count} linha (+{added} −{removed} no total)',
    other: '… mais {count} linhas (+{added} −{removed} no total)',
  },
  'card.created': 'novo',
  'card.deleted': 'excluído',
  'card.tooLong': 'longo demais para ser mostrado aqui',
  'card.earlier': { one: '… {count} linha anterior', other: '… {count} linhas anteriores' },
  'card.moreHits': { one: '… mais {count} ocorrência', other: '… mais {count} ocorrências' },
  'card.problems': { one: '{count} problema depois desta edição', other: '{count} problemas depois desta edição' },
  'card.attached': 'anexado: {type}, {size} KB',
  'card.noOutput': 'sem saída',
} as const;
