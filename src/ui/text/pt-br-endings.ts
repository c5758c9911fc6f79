/** Why a run or a call ended, in Brazilian Portuguese; a part of the reasons. */

export const ptBrEndings: Readonly<Record<string, string>> = {
  // How a run or a call ended.
  'the user said no': 'o usuário disse não',
  'the changed call is not valid': 'a chamada mudada não é válida',
  'refused in the recording': 'recusado na gravação',
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

  // How agents and scripts ended, and what they may not do.
  'the worker crashed: {0}': 'o agente parou com um erro: {0}',
  '{0}; the worker did not end by itself': '{0}; o agente não terminou sozinho',
  'there is no agent {0}. Agents: {1}': 'não existe o agente {0}. Agentes: {1}',
  'the agent {0} has no script {1}. Its scripts: {2}': 'o agente {0} não tem o script {1}. Os scripts dele: {2}',
  'no place of its own can be made for an agent here, so it was not started':
    'aqui não é possível dar a um agente um lugar só dele, por isso ele não foi iniciado',
  'no worktree could be made, so it was not started: {0}':
    'não foi possível criar uma árvore de trabalho, por isso ele não foi iniciado: {0}',
  'the arguments of the script {0} do not fit': 'os argumentos do script {0} não servem',
  'the repository has no commit yet': 'o repositório ainda não tem nenhum commit',
  'too much in the workspace is not committed to copy it': 'há coisas demais sem commit na pasta de trabalho para copiá-las',
  'the change touches too many files': 'a mudança atinge arquivos demais',
  'the change is too large': 'a mudança é grande demais',
  'the repository holds too many files to be copied': 'o repositório tem arquivos demais para serem copiados',
  'the disk was full, so files may be cut short': 'o disco ficou cheio, por isso pode haver arquivos incompletos',
  'Conflict: {0}': 'Conflito: {0}',
  '{0} was removed in the workspace meanwhile': '{0} foi removido na pasta de trabalho nesse meio-tempo',
  '{0} was changed in the workspace meanwhile': '{0} foi mudado na pasta de trabalho nesse meio-tempo',
  '{0} was changed in the workspace meanwhile, at the same place (line {1})':
    '{0} foi mudado na pasta de trabalho nesse meio-tempo, no mesmo lugar (linha {1})',
  'it was not agreed to bring it back ({0})': 'não houve acordo para trazê-la de volta ({0})',
  'it could not be brought back ({0})': 'não foi possível trazê-la de volta ({0})',
  'the agent was stopped': 'o agente foi interrompido',
  'the agent reached its time limit': 'o agente atingiu o limite de tempo',
  'the agent reached its limit of turns': 'o agente atingiu o limite de turnos',
  'the agent did not end well ({0})': 'o agente não terminou bem ({0})',
  'its change was not brought back': 'a mudança dele não foi trazida de volta',
  'the script says failed': 'o script informa que falhou',
  'the script says that something it needs is not available': 'o script informa que falta algo de que precisa',
  'the script says denied': 'o script informa que algo foi recusado',
  'it could not be started: {0}': 'não foi possível iniciar: {0}',
  'not dispatched: of one reply only the first {0} agent calls are. Send it again when you have read the reports':
    'não despachada: de uma resposta só as primeiras {0} chamadas de agentes são. Envie de novo depois de ler os relatórios',
  'the agent {0} may only run: {1}': 'o agente {0} só pode executar: {1}',
  'the agent {0} is read-only, and this call may change something': 'o agente {0} só lê, e esta chamada pode mudar algo',
  'it came in one reply with agent calls, where only read-only calls run beside them. Send it again when you have read the reports':
    'veio em uma resposta junto com chamadas de agentes, ao lado das quais só rodam chamadas que apenas leem. Envie de novo depois de ler os relatórios',

  // Files of agents and skills that cannot be used, or not whole.
  'the tool {0} is not known and is left out': 'a ferramenta {0} não é conhecida e fica de fora',
  'none of its tools is known, so it may only read, search and list':
    'nenhuma das ferramentas dele é conhecida, por isso ele só pode ler, buscar e listar',
  '{0} is no name for an agent: letters, digits, dots, dashes and underscores':
    '{0} não é nome para um agente: letras, dígitos, pontos, hífens e sublinhados',
  'there is no text behind the front matter, so the agent would have no persona':
    'não há texto depois do front matter, por isso o agente ficaria sem persona',
  'the effort {0} is not one of {1}': 'o esforço {0} não é um destes: {1}',
  'the name {0} is reserved, so it is left out': 'o nome {0} é reservado, por isso fica de fora',
  '{0} has the name {1} already': '{0} já tem o nome {1}',
  'there is no skill {0}': 'não existe a skill {0}',
  'it leads out of where skills lie, so nothing in it can be read':
    'leva para fora de onde ficam as skills, por isso nada nela pode ser lido',
  'it changed while it was read': 'mudou enquanto era lido',
  'it is a link, a pipe or something else that is no ordinary file':
    'é um link, um pipe ou outra coisa que não é um arquivo comum',
  'it is too large': 'é grande demais',
  'it may not be read': 'não há permissão para ler',
  'it could not be read: {0}': 'não foi possível ler: {0}',
  'the front matter has no closing line "---"': 'o front matter não tem a linha final "---"',
  'the front matter is longer than {0} characters': 'o front matter tem mais de {0} caracteres',
  'the front matter is no valid YAML: {0}': 'o front matter não é YAML válido: {0}',
  'the front matter must be fields with values': 'o front matter precisa ter campos com valores',

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
