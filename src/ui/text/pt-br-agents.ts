/** What is said of agents, in Brazilian Portuguese; a part of the catalogue. */

export const ptBrAgents = {
  'command.agents': 'Mostra agentes trabalhando e os que há; cancel ID interrompe um',
  'option.noParallel': 'sem agentes: um só trabalhador, este',
  'cli.agents': 'os agentes que podem ser chamados',
  'cli.agentsList': 'cada agente com a origem, as ferramentas e as skills',
  'agents.builtin': 'embarcado',
  'agents.readOnly': 'somente leitura',
  'agents.tools': 'ferramentas',
  'agents.allTools': 'todas',
  'agents.noTools': 'nenhuma',
  'agents.scripts': 'roteiros',
  'agents.skills': 'habilidades',
  'agents.model': 'modelo',
  'agents.atWork': 'Trabalhando:',
  'agents.waiting': 'espera',
  'agents.running': 'trabalha',
  'agents.asking': 'pergunta',
  'agents.cancelHint': 'Para interromper um: /agents cancel ID',
  'agents.cancelWhich': 'Qual? /agents cancel ID; /agents mostra os ids dos que trabalham.',
  'agents.cancelled': '{worker} está sendo interrompido.',
  'agents.notAtWork': 'Nenhum agente {worker} está trabalhando.',
  'agents.off': 'Os agentes estão desligados aqui (CHATCLI_AGENT_PARALLEL_MODE ou --no-parallel).',
  'notice.agent-branch': '{agent}: nada foi mudado na pasta de trabalho: {why}. A mudança está no branch {branch}.',
  'notice.agent-worktree':
    '{agent}: a mudança não foi trazida de volta: {why}. O trabalho dele ficou em {folder}, por uma semana.',
  'notice.agent-rest': '{agent}: mais do trabalho dele ficou em {folder}, por uma semana: {rest}',
  'notice.agent-left':
    'Uma execução que terminou antes da hora deixou trabalho do agente {agent} em {folder}; fica lá por uma semana (sessão {session}).',
} as const;
