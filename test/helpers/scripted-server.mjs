/**
 * A language server for tests, a real process: finds `BAD` in lines, renames words, and misbehaves as its argument says (JSON).
 * It writes what it got to the file `log`, one JSON object a line.
 */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const how = JSON.parse(process.argv[2] ?? '{}');
const note = (entry) => how.log && appendFileSync(how.log, `${JSON.stringify(entry)}\n`);
const texts = new Map();
const sleeping = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let number = 1000;
let root = process.cwd();

note({ pid: process.pid, cwd: process.cwd(), path: process.env.PATH });
if (how.pidFile) writeFileSync(how.pidFile, String(process.pid));
if (how.dieAtStart) {
  process.stderr.write('no license found\n');
  process.exit(3);
}
if (how.noise) process.stdout.write('Welcome to the server\nwarming up\n');
if (how.hugeHeader) process.stdout.write(`X-Pad: ${'x'.repeat(100_000)}\r\n`);
if (how.deep) process.stdout.write(`Content-Length: 9000000\r\n\r\n${'['.repeat(9_000_000)}`);
if (how.hugeLength) process.stdout.write('Content-Length: 99999999999\r\n\r\n');
if (how.child) {
  const { spawn } = await import('node:child_process');
  const child = spawn('sleep', ['987'], { stdio: 'ignore', detached: true });
  note({ child: child.pid });
}
if (how.eat) globalThis.eaten = Buffer.alloc(how.eat, 1);

function send(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

const column = (line, at) => (how.encoding === 'utf-8' ? Buffer.byteLength(line.slice(0, at)) : at);

function findings(text) {
  return text.split('\n').flatMap((line, index) => {
    const at = line.indexOf(how.bad ?? 'BAD');
    if (at < 0) return [];
    const range = { start: { line: index, character: column(line, at) }, end: { line: index, character: column(line, at + 3) } };
    return [
      {
        range,
        severity: line.includes('hint') ? 4 : line.includes('warn') ? 2 : 1,
        message: how.message ?? `bad: ${line.trim()}`,
        source: 'scripted',
      },
    ];
  });
}

async function publish(uri, version) {
  const text = texts.get(uri) ?? '';
  const diagnostics = findings(text);
  if (how.mute) return;
  if (how.earlyEmpty) send({ method: 'textDocument/publishDiagnostics', params: { uri, version, diagnostics: [] } });
  if (how.delay) await sleeping(how.delay);
  if (how.lateDelay) {
    send({ method: 'textDocument/publishDiagnostics', params: { uri, version, diagnostics: [] } });
    await sleeping(how.lateDelay);
  }
  if (texts.get(uri) !== text) return;
  send({ method: 'textDocument/publishDiagnostics', params: { uri, version, diagnostics } });
  if (how.other && text.includes('BREAK'))
    send({
      method: 'textDocument/publishDiagnostics',
      params: { uri: pathToFileURL(how.other).href, diagnostics: findings('BAD elsewhere') },
    });
  if (how.flood) for (let i = 0; i < 60_000; i++) send({ method: '$/flood', params: { i } });
}

function rename({ textDocument, position, newName }) {
  const line = (texts.get(textDocument.uri) ?? '').split('\n')[position.line] ?? '';
  const rest =
    how.encoding === 'utf-8' ? Buffer.from(line).subarray(position.character).toString() : line.slice(position.character);
  const word = /\w+/.exec(rest)?.[0] ?? '';
  const changes = {};
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    const uri = pathToFileURL(path).href;
    if (!name.endsWith('.ts')) continue;
    const text = how.staleText ?? texts.get(uri) ?? readFileSync(path, 'utf8');
    const edits = text.split('\n').flatMap((each, index) =>
      [...each.matchAll(new RegExp(`\\b${word}\\b`, 'g'))].map((match) => ({
        range: {
          start: { line: index, character: column(each, match.index) },
          end: { line: index, character: column(each, match.index + word.length) },
        },
        newText: newName,
      })),
    );
    if (edits.length > 0 && how.whole !== undefined) {
      const range = { start: { line: 0, character: 0 }, end: { line: text.split('\n').length, character: 0 } };
      const renamed = text.replace(new RegExp(`\\b${word}\\b`, 'g'), newName);
      changes[uri] = [{ range, newText: how.whole === '' ? renamed : how.whole }];
      continue;
    }
    if (edits.length > 0) changes[uri] = edits;
  }
  if (how.outside)
    changes[pathToFileURL(how.outside).href] = [
      { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, newText: 'x' },
    ];
  if (how.version !== undefined)
    return {
      documentChanges: Object.entries(changes).map(([uri, edits]) => ({ textDocument: { uri, version: how.version }, edits })),
    };
  if (how.moves) return { documentChanges: [{ kind: 'rename', oldUri: 'file:///a', newUri: 'file:///b' }] };
  return { changes };
}

async function answer({ id, method, params }) {
  if (method === 'initialize') {
    if (how.hang) return;
    root = params.rootUri ? fileURLToPath(params.rootUri) : root;
    if (how.slowStart) await sleeping(how.slowStart);
    send({
      id,
      result: {
        capabilities: {
          positionEncoding: how.encoding,
          textDocumentSync: { openClose: true, change: 1, save: true },
          renameProvider: true,
          definitionProvider: true,
          hoverProvider: true,
          workspaceSymbolProvider: true,
          ...(how.pull ? { diagnosticProvider: { interFileDependencies: true } } : {}),
        },
      },
    });
  } else if (method === 'shutdown') send({ id, result: null });
  else if (method === 'textDocument/rename') send({ id, result: rename(params) });
  else if (method === 'textDocument/diagnostic') {
    if (how.again-- > 0) return send({ id, error: { code: -32802, message: 'cancelled' } });
    if (!how.mute) send({ id, result: { kind: 'full', items: findings(texts.get(params.textDocument.uri) ?? '') } });
  } else if (method === 'textDocument/definition') {
    const range = { start: params.position, end: params.position };
    const uris = how.elsewhere ? how.elsewhere.map((name) => pathToFileURL(`${root}/${name}`).href) : [params.textDocument.uri];
    send({ id, result: uris.map((uri) => ({ uri, range })) });
  } else if (method === 'workspace/symbol') {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    const names = how.elsewhere ?? [];
    send({
      id,
      result: names.map((name) => ({
        name: `in ${name}`,
        kind: 12,
        location: { uri: pathToFileURL(`${root}/${name}`).href, range },
      })),
    });
  } else if (method === 'textDocument/hover')
    send({ id, result: { contents: how.hover ?? [{ language: 'x', value: 'a\u001b[31mred' }, 'plain'] } });
  else send({ id, error: { code: -32601, message: 'no such method' } });
}

async function take(message) {
  note(message);
  const { method, params, id } = message;
  if (method === undefined) return;
  if (id !== undefined) return answer(message);
  if (method === 'exit') process.exit(0);
  if (method === 'initialized' && how.asks)
    for (const [name, given] of how.asks) send({ id: number++, method: name, params: given });
  if (method === 'textDocument/didOpen' || method === 'textDocument/didChange') {
    const { uri, version } = params.textDocument;
    texts.set(uri, params.textDocument.text ?? params.contentChanges[0].text);
    if (how.dieOn && texts.get(uri).includes(how.dieOn)) process.exit(9);
    if (!how.pull) await publish(uri, version);
  }
}

let held = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  held = Buffer.concat([held, chunk]);
  for (;;) {
    const end = held.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/i.exec(held.subarray(0, end).toString())?.[1]);
    if (held.length < end + 4 + length) return;
    const body = held.subarray(end + 4, end + 4 + length).toString();
    held = held.subarray(end + 4 + length);
    void take(JSON.parse(body));
  }
});
process.stdin.on('end', () => {
  if (!how.stubborn) process.exit(0);
});
if (how.stubborn) {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 1000);
}
