/** What agents from files may do, and what of a file cannot be used, in Brazilian Portuguese; a part of the reasons. */

export const ptBrRights: Readonly<Record<string, string>> = {
  'the call could not be compared with what the agent {0} may do: {1}':
    'não foi possível comparar a chamada com o que o agente {0} pode fazer: {1}',
  'the agent {0} may only run: {1}. What {2} would run is not among them':
    'o agente {0} só pode executar: {1}. O que {2} executaria não está entre eles',
  'the agent {0} may only run: {1}. {2} is not among them': 'o agente {0} só pode executar: {1}. {2} não está entre eles',
  'the agent {0} may only run: {1}. {2} does more than read by an option that is not in the list':
    'o agente {0} só pode executar: {1}. {2} faz mais do que ler, por uma opção que não está na lista',
  'the agent {0} may use {1} only on: {2}. {3} is not among them':
    'o agente {0} só pode usar {1} em: {2}. {3} não está entre eles',
  '{0} was taken from the agent {1} by its file': '{0} foi retirado do agente {1} pelo arquivo dele',
  'permissionMode {0} changes nothing: only plan does, otherwise the rights of the run hold':
    'permissionMode {0} não muda nada: só plan muda; nos outros casos valem os direitos da execução',
  'maxTurns is no whole number from 1 to {0}, so it does not count':
    'maxTurns não é um número inteiro de 1 a {0}, por isso não vale',
  'disallowedTools is no list of names, so the agent may only read':
    'disallowedTools não é uma lista de nomes, por isso o agente só pode ler',
  'these fields mean nothing here: {0}': 'estes campos não significam nada aqui: {0}',
  'a part of a tool cannot be taken away, so for {0} all of it is':
    'não é possível retirar parte de uma ferramenta, por isso, com {0}, ela sai inteira',
  'the tool {0} that is to be taken away is not known': 'a ferramenta {0}, que deveria ser retirada, não é conhecida',
  'the person stopped this agent alone, the run goes on': 'a pessoa interrompeu só este agente, a execução continua',
  'it was cancelled by a call': 'foi cancelado por uma chamada',
  'the agent is gone': 'o agente não existe mais',
  'the agent {0} has no script {1}: that is its own work, so give it a task without skill. Its scripts: {2}':
    'o agente {0} não tem o roteiro {1}: isso é trabalho dele mesmo, por isso dê a ele uma tarefa sem skill. Roteiros dele: {2}',
  '{0} ({1})': '{0} ({1})',
  'the agent {0} is read-only, and no sandbox is in force that would keep this command from writing':
    'o agente {0} só lê, e não há sandbox em vigor que impeça este comando de escrever',
  'it holds {0} entries; those behind the first {1} are left out':
    'tem {0} entradas; as que vêm depois das primeiras {1} ficam de fora',
  'it is no text in UTF-8': 'não é um texto em UTF-8',
  '{0} is a family of models and no model, so the model in use is taken':
    '{0} é uma família de modelos e não um modelo, por isso vale o modelo em uso',
  'the isolation {0} is not known; there is worktree': 'o isolamento {0} não é conhecido; existe worktree',
  'it holds {0} files of agents; those behind the first {1} are left out':
    'tem {0} arquivos de agentes; os que vêm depois dos primeiros {1} ficam de fora',
  'the limit of {0} cannot be kept, so the tool is left out':
    'não é possível manter o limite de {0}, por isso a ferramenta fica de fora',
  '{0} names nothing, so the tool is left out': '{0} não indica nada, por isso a ferramenta fica de fora',
};
