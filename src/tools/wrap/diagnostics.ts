/** Asks language servers after an edit what it broke, and adds their answer to the result. */
import { LARGEST_TEXT, serverText } from '../../code/lsp/disk-text.js';
import type { CheckReport, LanguageServers, TouchedFile } from '../../types/language.js';
import type { Tool, ToolContext } from '../../types/tool.js';
import type { FileTarget, Workspace } from '../../types/workspace.js';
import { DIAGNOSTICS_ROOM, diagnosticsText } from '../shared/diagnostics-text.js';
import { readableText, withoutLiterals } from '../shared/hidden-text.js';
import { hiddenAmong, textsOf } from '../shared/readable-places.js';

export interface DiagnosticsWrap {
  readonly languages: LanguageServers;
  /** Milliseconds the answer is waited for, cold start included. */
  readonly budgetMs: number;
}

/** Tools whose changes are looked at. */
const EDITS: ReadonlySet<string> = new Set(['@coder write', '@coder patch', '@coder multipatch', '@lsp']);
const NOTHING: CheckReport = { files: [], unchecked: [], notes: [] };

/**
 * The same tool. An edit that succeeded is checked; what servers find too late comes with the next result, whatever tool gives
 * it. A fault of a server is never a fault of the tool.
 */
export function withDiagnostics(tool: Tool, { languages, budgetMs }: DiagnosticsWrap): Tool {
  return {
    ...tool,
    async run(args, context) {
      const { workspace, signal } = context;
      const isEdit = EDITS.has(tool.name);
      const facts = tool.facts(args);
      if (!isEdit || facts.readOnly) {
        const result = await tool.run(args, context);
        if (!facts.readOnly) languages.unsettled();
        const isRoom = result.output.length + DIAGNOSTICS_ROOM <= tool.limit;
        if (!isRoom || tool.name === '@lsp' || args['encoding'] === 'base64') return result;
        const late = await readableReport(languages.late(), context);
        return added(result, diagnosticsText({ now: NOTHING, late }, shownIn(workspace)));
      }
      const inside = facts.writes.map((path) => workspace.locate(path)).filter(({ zone }) => zone === 'inside');
      languages.warm(inside.map(({ real }) => real));
      const watched = watchedWorkspace(workspace);
      const result = await tool.run(args, { ...context, workspace: watched.workspace });
      const touched = result.isError ? [] : watched.touched();
      if (result.output.length + DIAGNOSTICS_ROOM > tool.limit) return result;
      const late = await readableReport(languages.late(touched.map(({ path }) => path)), context);
      const found = touched.length === 0 ? NOTHING : await languages.check(touched, { budgetMs, signal }).catch(() => NOTHING);
      const now = await readableReport(found, context);
      return added(result, diagnosticsText({ now, late }, shownIn(workspace)));
    },
  };
}

/** The same report without what may stem from files that must not be read: messages in shape, or only the places of a closed file. */
async function readableReport(report: CheckReport, context: ToolContext): Promise<CheckReport> {
  if (context.hidesFiles?.() !== true || report.files.length === 0) return report;
  const paths = report.files.map(({ path }) => path);
  const hidden = await hiddenAmong(paths, context);
  const texts = await textsOf(
    paths.filter((path) => hidden(path) === undefined),
    context,
  );
  const files = report.files.map((file) => {
    const why = hidden(file.path);
    const readable = readableText([texts.get(file.path) ?? '']);
    const said = (message: string) => (why === undefined ? withoutLiterals(message, readable) : `(not shown: ${why})`);
    return { ...file, fresh: file.fresh.map((finding) => ({ ...finding, message: said(finding.message) })) };
  });
  return { ...report, files };
}

function added<T extends { readonly output: string }>(result: T, text: string): T {
  if (text === '') return result;
  return { ...result, output: `${result.output}${result.output.endsWith('\n') ? '' : '\n'}${text}` };
}

const shownIn =
  (workspace: Workspace) =>
  (path: string): string => {
    try {
      return workspace.locate(path).shown;
    } catch {
      return path;
    }
  };

interface Watched {
  readonly workspace: Workspace;
  /** What was changed, each file once, as the first change found it and the last left it; texts only. */
  touched(): readonly TouchedFile[];
}

type Text = { readonly is: 'text'; readonly text: string } | { readonly is: 'absent' } | { readonly is: 'other' };

/** The same workspace; it remembers what files were before they were changed. */
function watchedWorkspace(workspace: Workspace): Watched {
  const last = new Map<string, { readonly bytes: Buffer; readonly sha256: string }>();
  const files = new Map<string, { readonly before: Text; after: Text }>();

  const before = async (path: string, expect: FileTarget['expect'] | undefined): Promise<Text> => {
    if (expect === 'absent') return { is: 'absent' };
    const read = last.get(workspace.locate(path).real);
    if (read !== undefined && expect !== undefined && expect.sha256 === read.sha256) return textOf(read.bytes);
    try {
      return textOf((await workspace.readFile(path, { maxBytes: LARGEST_TEXT })).bytes);
    } catch (error) {
      return { is: (error as { code?: unknown }).code === 'NotFound' ? 'absent' : 'other' };
    }
  };
  const note = (path: string, old: Text, bytes: Uint8Array | null) => {
    const after: Text = bytes === null ? { is: 'absent' } : textOf(Buffer.from(bytes));
    const known = files.get(path);
    if (known === undefined) files.set(path, { before: old, after });
    else known.after = after;
  };

  return {
    touched: () =>
      [...files].flatMap(([path, file]) => {
        if (file.before.is === 'other' || file.after.is === 'other') return [];
        const text = (each: Text) => (each.is === 'text' ? each.text : undefined);
        return [{ path, before: text(file.before), after: text(file.after) }];
      }),
    workspace: {
      ...workspace,
      async readFile(path, options) {
        const read = await workspace.readFile(path, options);
        last.set(read.located.real, { bytes: read.bytes, sha256: read.state.sha256 });
        return read;
      },
      async writeFile(path, bytes, options) {
        const old = await before(path, options?.expect);
        const outcome = await workspace.writeFile(path, bytes, options);
        if (outcome.located.zone === 'inside') note(outcome.located.real, old, bytes);
        return outcome;
      },
      async changeFiles(targets) {
        const olds: Text[] = [];
        for (const target of targets) olds.push(await before(target.path, target.expect));
        const outcomes = await workspace.changeFiles(targets);
        for (const [index, target] of targets.entries()) {
          const located = workspace.locate(target.path);
          if (located.zone === 'inside') note(located.real, olds[index] ?? { is: 'other' }, target.bytes);
        }
        return outcomes;
      },
    },
  };
}

function textOf(bytes: Buffer): Text {
  const text = serverText(bytes);
  return text === undefined ? { is: 'other' } : { is: 'text', text };
}
