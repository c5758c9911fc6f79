// A long answer streamed into the shell: bytes of each frame, bytes in all, CPU time and memory against the length of the text.
import { createServer } from 'node:http';
import { asMib, inTempFolder, memoryOf, openShell, report, reportRatio, SHELL, ticksOf } from './lib.mjs';

const SIZES = [100, 400, 1600].map((kib) => kib * 1024);
/** Bytes a service sends at once, and how often: about 100 KB a second. */
const [PART, EVERY_MS] = [200, 2];
const FRAME_LIMIT = 4096;
const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';

/** Markdown as models write it: prose, lists, code, a table. */
function textOf(size) {
  const blocks = [];
  for (let number = 1, length = 0; length < size; number++) {
    const block =
      number % 4 === 0
        ? `\`\`\`ts\nexport function part${number}(value: number): string {\n  return \`\${value} of ${number}\`;\n}\n\`\`\`\n\n`
        : number % 4 === 1
          ? `## Part ${number}\n\n- a **point** with \`code${number}\`\n- another one, somewhat longer than a line of the terminal can be, so that it is broken\n\n`
          : `Paragraph ${number} says what *words* say, at the length people write them, with a name such as \`value${number}\` in it, and it goes on until it has filled several lines of the screen.\n\n`;
    blocks.push(block);
    length += block.length;
  }
  return blocks.join('');
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const last = JSON.parse(Buffer.concat(parts).toString('utf8')).messages?.at(-1)?.content;
    const size = Number(/size (\d+)/.exec(JSON.stringify(last))?.[1]);
    const text = `${textOf(size)}\n\nENDOFTEXT`;
    const send = (delta, finish = null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      );
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let at = 0;
    const timer = setInterval(() => {
      send({ content: text.slice(at, at + PART) });
      at += PART;
      if (at < text.length) return;
      clearInterval(timer);
      send({}, 'stop');
      response.end('data: [DONE]\n\n');
    }, EVERY_MS);
  });
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const env = {
  LLM_PROVIDER: 'OPENAI',
  OPENAI_API_KEY: 'bench',
  OPENAI_API_URL: `http://127.0.0.1:${server.address().port}/v1/chat/completions`,
};

/** Bytes of each frame; what stands outside of the marks counts as one of its own. */
function framesOf(text) {
  return text
    .split(BEGIN)
    .flatMap((part) => part.split(END))
    .map((part) => Buffer.byteLength(part))
    .filter((bytes) => bytes > 0);
}

await inTempFolder(async (cwd) => {
  const runs = [];
  const shell = await openShell(cwd, { extra: env, args: SHELL });
  await shell.waitFor('> ');
  // The first answers load and compile what the others use, and the heap grows to what one answer needs.
  for (const size of SIZES) {
    const from = shell.pieces.length;
    const ticks = ticksOf(shell.pid);
    shell.send(`size ${size}\r`);
    await shell.waitFor('ENDOFTEXT', from);
    await shell.waitFor('Done', from);
    const written = shell.text(from);
    runs.push({
      size,
      frames: framesOf(written),
      bytes: Buffer.byteLength(written),
      ticks: ticksOf(shell.pid) - ticks,
      memory: memoryOf(shell.pid),
    });
  }
  await shell.close();
  const [small, middle, large] = runs;
  const widest = Math.max(...small.frames, ...middle.frames);
  report(
    'shell stream frame',
    `${widest} B`,
    `the widest of ${small.frames.length + middle.frames.length}`,
    `${FRAME_LIMIT} B`,
    widest <= FRAME_LIMIT,
  );
  reportRatio('shell stream bytes', middle.bytes, middle.size, 3, (value) => `${(value / 1024).toFixed(0)} KiB`);
  reportRatio(
    'shell stream cpu',
    large.ticks / large.size,
    middle.ticks / middle.size,
    1.5,
    (value) => `${(value * 10 * 1024).toFixed(1)} ms/KiB`,
  );
  const grown = large.memory - middle.memory;
  report(
    'shell stream memory',
    asMib(large.memory),
    `${asMib(grown)} more after 4 times the text`,
    '12 MiB more',
    grown <= 12 * 1024 * 1024,
  );
});
server.close();
