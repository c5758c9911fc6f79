/** Why a run or a call ended, in Brazilian Portuguese; a part of the reasons. */

export const ptBrEndings: Readonly<Record<string, string>> = {
  // How a run or a call ended.
  'the user said no': 'o usuário disse não',
  'refused several times in a row': 'recusado várias vezes seguidas',
  'many calls were refused in this session, so every call is asked about':
    'muitas chamadas foram recusadas nesta sessão; por isso cada chamada é perguntada',
  '1 call was not allowed': '1 chamada não foi permitida',
  '{0} calls were not allowed': '{0} chamadas não foram permitidas',
  'internal error: {0}': 'erro interno: {0}',
  'the limit of 1 turn was reached': 'o limite de 1 turno foi atingido',
  'the limit of {0} turns was reached': 'o limite de {0} turnos foi atingido',
  'the time limit was reached': 'o limite de tempo foi atingido',
  'depends on call {0}, which failed': 'depende da chamada {0}, que falhou',
  'the run was stopped': 'a execução foi interrompida',
  'the service reports no token usage, so the budget cannot be kept':
    'o serviço não informa o uso de tokens, por isso o orçamento não pode ser controlado',
  'the provider failed': 'o provedor falhou',
  'the model repeated the same fault after two corrections': 'o modelo repetiu a mesma falha depois de duas correções',
  'the same calls were sent {0} times in a row': 'as mesmas chamadas foram enviadas {0} vezes seguidas',
  'the model says it failed': 'o modelo diz que não conseguiu',
  'the last test run was red': 'os últimos testes falharam',
  "the user's check command fails": 'o comando de verificação do usuário falha',
  'the budget of {0} dollars is spent': 'o orçamento de {0} dólares se esgotou',

  // What a model service answered; its own words are not translated.
  '{0}{1}: {2}: {3}': '{0}{1}: {2}: {3}',
  '{0}: {1}: {2}': '{0}: {1}: {2}',
  '{0} Check the key in {1}.': '{0} Confira a chave em {1}.',
  '{0}: {1}. Looked in {2}.': '{0}: {1}. Procurada em {2}.',
  '{0} The service asks to wait {1} seconds; we wait at most {2}.':
    '{0} O serviço pede para esperar {1} segundos; esperamos no máximo {2}.',
  'rate limit': 'limite de uso atingido',
  'the service failed': 'o serviço falhou',
  'the connection failed': 'a conexão falhou',
  'no answer': 'sem resposta',
  'the service refused the key': 'o serviço recusou a chave',
  'the service refused the request': 'o serviço recusou o pedido',
  'the request is larger than the model accepts': 'o pedido é maior do que o modelo aceita',
  'the model accepts no functions': 'o modelo não aceita funções',
  'the answer could not be read': 'não foi possível ler a resposta',
  'the recording does not fit': 'a gravação não corresponde',

  // Rules that say less than they seem to.
  'a pattern begins with the name of a tool, as in @coder exec --cmd {0}':
    'um padrão começa com o nome de uma ferramenta, como em @coder exec --cmd {0}',
  'no tool is called {0}': 'nenhuma ferramenta se chama {0}',
  'no tool is called {0}; did you mean {1}?': 'nenhuma ferramenta se chama {0}; seria {1}?',
  'a pattern is no regular expression: only * stands for other text':
    'um padrão não é uma expressão regular: só * representa outro texto',
  '{0} is none of {1}': '{0} não é nenhum de {1}',
  '{0} is none of {1}; did you mean {2}?': '{0} não é nenhum de {1}; seria {2}?',
  'its words cannot be read: {0}': 'suas palavras não podem ser lidas: {0}',
  '{0} takes no words; name a field, as in {1} --{2} {3}': '{0} não aceita palavras; nomeie um campo, como em {1} --{2} {3}',
  'its words are {0}, so {1} is one too many; a name with spaces stands in quotes':
    'suas palavras são {0}, portanto {1} sobra; um nome com espaços fica entre aspas',
  'rules do not speak of {0}, so this never matches': 'regras não tratam de {0}, por isso esta nunca se aplica',
  '{0} has no --{1}': '{0} não tem --{1}',
  '{0} has no --{1}; did you mean --{2}?': '{0} não tem --{1}; seria --{2}?',
  'a rule speaks of one simple command, so one that joins several never matches':
    'uma regra trata de um comando simples, por isso uma que junta vários nunca se aplica',
  'this is refused, whatever the rules say': 'isto é recusado, digam o que disserem as regras',
  'this is always asked, whatever the rules say': 'isto sempre é perguntado, digam o que disserem as regras',
  'the deny rule {0} covers it': 'a regra de bloqueio {0} já cobre isto',
  'nothing is called {0} here; it counts for nothing': 'nada aqui se chama {0}; não vale nada',
  'rule {0} has an empty pattern and counts for nothing': 'a regra {0} tem um padrão vazio e não vale nada',
  'rule {0} has a key {1}, which counts for nothing': 'a regra {0} tem uma chave {1}, que não vale nada',

  // Shells and names.
  '`sh` will run it, and {0} is not plain POSIX, so it may mean something else there':
    'quem vai executar é o `sh`, e {0} não é POSIX puro, então ali pode significar outra coisa',
};
