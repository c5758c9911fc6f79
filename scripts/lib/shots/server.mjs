// The model's side of a screenshot: a loopback server that speaks chat completions and says what the scene tells it to.
import { createServer } from 'node:http';

const chunk = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'shot', object: 'chat.completion.chunk', created: 0, model: 'shot', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** What a person or a calling agent asked first in this conversation. */
function askedIn(messages) {
  const first = messages.find(({ role }) => role === 'user')?.content ?? '';
  return typeof first === 'string' ? first : first.map(({ text }) => text ?? '').join(' ');
}

/**
 * `script`: lists of steps by name; `main` answers what no other name is found in. A step is
 * `{reasoning, text, calls: [[name, args]], usage: [input, output, cached], hold}`; one with `hold` is left open after its text.
 */
export async function startModel(script, models = ['shot']) {
  const places = new Map();
  const open = new Set();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) }));
      return;
    }
    const asked = askedIn(JSON.parse(body).messages ?? []);
    const name = Object.keys(script).find((one) => one !== 'main' && asked.includes(one)) ?? 'main';
    const at = places.get(name) ?? 0;
    places.set(name, at + 1);
    const step = script[name]?.[at] ?? { text: 'The scene has no more words.' };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ role: 'assistant' }));
    for (const piece of step.reasoning?.match(/[\s\S]{1,40}/g) ?? []) response.write(chunk({ reasoning_content: piece }));
    for (const piece of step.text?.match(/[\s\S]{1,40}/gu) ?? []) response.write(chunk({ content: piece }));
    if (step.hold) {
      open.add(response);
      return;
    }
    for (const [index, [tool, args]] of (step.calls ?? []).entries()) {
      const call = {
        index,
        id: `${name.length}_${at}_${index}`,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(args) },
      };
      response.write(chunk({ tool_calls: [call] }));
    }
    response.write(chunk({}, step.calls ? 'tool_calls' : 'stop'));
    const [input, output, cached] = step.usage ?? [6200 + at * 700, 140, 5800];
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
    };
    response.write(
      `data: ${JSON.stringify({ id: 'shot', object: 'chat.completion.chunk', created: 0, model: 'shot', choices: [], usage })}\n\n`,
    );
    response.end('data: [DONE]\n\n');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: server.address().port,
    close() {
      for (const response of open) response.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}
