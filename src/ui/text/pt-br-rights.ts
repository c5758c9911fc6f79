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
