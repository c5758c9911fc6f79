/** The files one server has open: opened, changed and closed in the versions the protocol wants. */
import { createHash } from 'node:crypto';
import type { Connection } from './connection.js';
import { uriOf } from './uris.js';

export interface OpenDocument {
  readonly path: string;
  readonly uri: string;
  readonly version: number;
  readonly text: string;
}

export interface Documents {
  get(path: string): OpenDocument | undefined;
  /** Makes this the text of the file; true when the server was told something. `again`: also when it has that text already. */
  set(path: string, text: string, language: string, again?: boolean): boolean;
  /** Tells that the text is on the disk now. */
  saved(path: string): void;
  close(path: string): void;
  /** Open files, last used first. */
  all(): readonly OpenDocument[];
  /** Closes the ones not used for longest beyond so many. */
  trim(most: number): void;
}

/** What a server said about the changes it wants to hear of. */
export interface SyncWishes {
  readonly save: boolean;
  readonly saveText: boolean;
}

export function createDocuments(connection: Connection, wishes: () => SyncWishes): Documents {
  const open = new Map<string, OpenDocument>();
  // Versions go on counting after a file was closed, so that an old answer is never taken for a new one.
  let version = 0;
  const use = (document: OpenDocument) => {
    open.delete(document.path);
    open.set(document.path, document);
  };
  const close = (path: string) => {
    const document = open.get(path);
    if (document === undefined) return;
    open.delete(path);
    connection.notify('textDocument/didClose', { textDocument: { uri: document.uri } });
  };
  return {
    get: (path) => open.get(path),
    set(path, text, language, again = false) {
      const known = open.get(path);
      if (known?.text === text && !again) {
        use(known);
        return false;
      }
      version += 1;
      const document = { path, uri: uriOf(path), version, text };
      use(document);
      const { uri } = document;
      if (known === undefined)
        connection.notify('textDocument/didOpen', { textDocument: { uri, languageId: language, version, text } });
      else connection.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
      return true;
    },
    saved(path) {
      const document = open.get(path);
      const { save, saveText } = wishes();
      if (document === undefined || !save) return;
      const { uri, text } = document;
      connection.notify('textDocument/didSave', { textDocument: { uri }, ...(saveText ? { text } : {}) });
    },
    close,
    all: () => [...open.values()].reverse(),
    trim(most) {
      for (const path of [...open.keys()].slice(0, Math.max(0, open.size - most))) close(path);
    },
  };
}

/** Names a text. */
export function nameOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
