/** What the interactive shell says, in Brazilian Portuguese; a part of the catalogue. */

export const ptBrShell = {
  'shell.hint': '/help: comandos · @ cita um arquivo · ! roda um comando · Ctrl+C 2x sai',
  'shell.placeholder': 'Pergunte, ou diga o que mudar',
  'shell.moreWorkers': { one: 'mais {count} agente', other: 'mais {count} agentes' },
  'shell.waitsForYou': 'espera a sua resposta',
  'shell.moreCalls': { one: 'mais {count} chamada', other: 'mais {count} chamadas' },
  'shell.moreSteps': { one: 'mais {count} passo', other: 'mais {count} passos' },
  'shell.moreQueued': { one: 'mais {count} mensagem espera', other: 'mais {count} mensagens esperam' },
  'shell.thinking': 'Pensando',
  'shell.thought': 'Pensou por {time} · Ctrl+O mostra',
  'shell.thoughtBriefly': 'Pensou · Ctrl+O mostra',
  'shell.contextShort': 'contexto {percent} %',
  'shell.sandboxShort': 'isolamento: {level}',
  'shell.nothingFolded': 'Não há nada recolhido.',
  'shell.search': 'Buscar no que foi digitado: {query}',
  'shell.searchNone': 'nada encontrado',
  'shell.pasted': { one: '[colagem {number}: {count} linha]', other: '[colagem {number}: {count} linhas]' },
  'shell.placeholderBusy': 'Pode digitar: será lido no próximo passo · Esc interrompe',
  'shell.ownCut': {
    one: '… {count} caractere não é mostrado',
    other: '… {count} caracteres não são mostrados',
  },
  'shell.ownEnded': 'Terminou com {code}.',
  'shell.editorEnded': 'O editor terminou com erro: o texto ficou como estava.',
  'shell.runEnded': 'O ChatCLI terminou',
  'option.plain': 'a conversa linha por linha, para leitores de tela',
} as const;
