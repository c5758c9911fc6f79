/** A configuração na primeira vez, em português; parte do catálogo. */

export const ptBrFirstRun = {
  'firstRun.hello':
    'Olá. O ChatCLI precisa de um modelo com que falar, e nenhum está configurado ainda. Para qual deles você tem uma chave?',
  'firstRun.menuLocal': 'um modelo nesta máquina: procurar Ollama, LM Studio, llama.cpp',
  'firstRun.menuDemo': 'primeiro ver a demonstração; não precisa de modelo',
  'firstRun.choose': 'Número ou letra, depois Enter (Esc sai):',
  'firstRun.noSuch': 'Não está na lista: um número de 1 a {most}, l ou d.',
  'firstRun.local': 'Usando {name} em {address}, modelo {model}.',
  'firstRun.noLocal': 'Nenhum servidor local responde em {addresses}. Inicie um e escolha l de novo.',
  'firstRun.paste': 'Cole a chave de {name}; ela não aparece (Esc volta):',
  'firstRun.oddKey': 'Há um espaço ou uma letra que chave nenhuma tem. Copie a chave de novo.',
  'firstRun.checking': 'Perguntando a {name} se aceita a chave …',
  'firstRun.refused': '{name} não aceita esta chave: {reason}',
  'firstRun.unchecked': 'Não foi possível verificar a chave: {reason}',
  'firstRun.keep': 'Guardar mesmo assim? [s/n]',
  'firstRun.inKeychain': 'A chave está guardada no chaveiro do seu sistema.',
  'firstRun.inFile': 'A chave está guardada em {file}, que só você pode ler.',
  'firstRun.notSaved': 'Não foi possível guardar a chave: {reason}. Você mesmo pode definir {variable}.',
} as const;
