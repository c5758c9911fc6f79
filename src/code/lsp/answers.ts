/** What we say to a server: what we can do, and the answers to what it asks. */
import { basename } from 'node:path';
import type { FoundServer } from './find-server.js';
import { uriOf } from './uris.js';

export interface Greeting {
  readonly found: FoundServer;
  readonly trusted: boolean;
  /** Undefined: our number means nothing where the server runs. */
  readonly processId: number | undefined;
  readonly version: string;
}

/** Parameters of `initialize`. */
export function greeting({ found, trusted, processId, version }: Greeting): Record<string, unknown> {
  const uri = uriOf(found.root);
  return {
    processId: processId ?? null,
    clientInfo: { name: 'chatcli', version },
    rootPath: found.root,
    rootUri: uri,
    workspaceFolders: [{ uri, name: basename(found.root) || '/' }],
    capabilities: CAPABILITIES,
    initializationOptions: initialOptions(found, trusted),
    trace: 'off',
  };
}

/** Nothing is promised that is not kept: no dynamic file watching, no edits of ours made by the server, no file operations. */
const CAPABILITIES = {
  general: { positionEncodings: ['utf-16', 'utf-8', 'utf-32'], markdown: { parser: 'none' } },
  window: { workDoneProgress: true, showMessage: {}, showDocument: { support: false } },
  workspace: {
    applyEdit: false,
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true, resourceOperations: [], failureHandling: 'abort' },
    didChangeConfiguration: { dynamicRegistration: false },
    didChangeWatchedFiles: { dynamicRegistration: false },
    symbol: { dynamicRegistration: false },
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration: false, didSave: true, willSave: false, willSaveWaitUntil: false },
    publishDiagnostics: { relatedInformation: false, versionSupport: true },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
    definition: { dynamicRegistration: false, linkSupport: true },
    references: { dynamicRegistration: false },
    hover: { dynamicRegistration: false, contentFormat: ['plaintext', 'markdown'] },
    documentSymbol: { dynamicRegistration: false, hierarchicalDocumentSymbolSupport: true },
    rename: { dynamicRegistration: false, prepareSupport: true },
  },
} as const;

function initialOptions({ kind, tsserver }: FoundServer, trusted: boolean): Record<string, unknown> | undefined {
  if (kind.name === 'typescript-language-server') {
    // Otherwise it would install packages by itself, and run a second compiler for the time until the first is ready.
    const path = tsserver === undefined ? {} : { path: tsserver };
    return { disableAutomaticTypingAcquisition: true, tsserver: { useSyntaxServer: 'never', ...path } };
  }
  return trusted ? undefined : kind.cautious;
}

/** The answer to a request of a server; undefined: we do not know the method. */
export function answerTo(
  method: string,
  params: unknown,
  { found }: Pick<Greeting, 'found'>,
): { readonly result: unknown } | undefined {
  switch (method) {
    case 'workspace/configuration':
      return { result: configuration(params) };
    case 'workspace/workspaceFolders':
      return { result: [{ uri: uriOf(found.root), name: basename(found.root) || '/' }] };
    case 'workspace/applyEdit':
      return { result: { applied: false, failureReason: 'this client makes edits itself' } };
    case 'window/showDocument':
      return { result: { success: false } };
    case 'client/registerCapability':
    case 'client/unregisterCapability':
    case 'window/workDoneProgress/create':
    case 'window/showMessageRequest':
      return { result: null };
    default:
      return /^workspace\/[a-zA-Z]+\/refresh$/.test(method) ? { result: null } : undefined;
  }
}

/** No setting is ours to make; a server takes its own. */
function configuration(params: unknown): null[] {
  const { items } = (params ?? {}) as { items?: unknown };
  return Array.isArray(items) ? items.slice(0, 500).map(() => null) : [];
}
