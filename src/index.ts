/** The library: create an application, run conversations on it, and all the types they speak. */

export { type AgentRegistry, createAgentRegistry } from './agents/registry.js';
export type { ChosenModel } from './app/chosen-model.js';
export type { Config, ConfigFlags } from './app/config.js';
export { type Conversation, type ConversationOptions, openConversation } from './app/conversation.js';
export { type App, type AppOptions, createApp } from './app/create-app.js';
export { loadConfig } from './app/load-config.js';
export { UsageError } from './app/usage-error.js';
export { VERSION } from './app/version.js';
export type { LoopPorts, RunInput, ToolMode } from './loop/ports.js';
export { runAgent } from './loop/run-agent.js';
export type * from './types/agent.js';
export type * from './types/command.js';
export type * from './types/dispatch.js';
export type * from './types/event.js';
export type * from './types/job.js';
export type * from './types/json.js';
export type * from './types/message.js';
export type * from './types/policy.js';
export type * from './types/provider.js';
export type { Reason } from './types/reason.js';
export type * from './types/session.js';
export type * from './types/skill.js';
export type * from './types/tool.js';
export { ToolFault } from './types/tool.js';
export type * from './types/undo.js';
export type * from './types/worker.js';
export type * from './types/workspace.js';
