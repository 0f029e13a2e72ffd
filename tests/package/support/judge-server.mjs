import { createServer } from 'node:http';

/**
 * A server that speaks as much of the OpenAI API as judges need: chat completions, files and batches.
 *
 * `reply(body, nth)` says what the nth chat request comes to:
 * - `{say}`: the model says this text, or this value as JSON;
 * - `{message}`: the message as it is;
 * - `{body}`: the response body as it is, with status 200;
 * - `{status, error?, headers?, body?}`: an HTTP error;
 * - `{hang: true}`: nothing, ever;
 * - `{cut: true}`: the connection ends.
 * It may be a promise of that.
 *
 * A batch runs `reply(body, nth, batch)` for each of its lines when it is looked at for the last time. For a line
 * there is also `{drop: true}`, no answer at all, and `{expired: true}`. `batch` says how batches go:
 * - `looks`: at how many looks they end (2);
 * - `status`: with which status (`completed`), and for `failed` the `reason`;
 * - `fail({method, path})`: what a request for files or batches comes to instead, if anything.
 */
export async function startJudgeServer(t, reply, batch = {}) {
  const state = {
    /** Every request: `{method, path, headers, body}`. */
    requests: [],
    /** The bodies of the chat requests, in order. */
    chats: [],
    /** The most chat requests that were open at the same time. */
    mostConcurrent: 0,
    /** How many chat requests the client gave up. */
    givenUp: 0,
    batches: new Map(),
    files: new Map(),
  };
  let open = 0;
  let asked = 0;

  async function answerChat(body, request, response) {
    state.chats.push(body);
    open += 1;
    state.mostConcurrent = Math.max(state.mostConcurrent, open);
    let finished = false;
    response.on('close', () => {
      open -= 1;
      if (!finished) state.givenUp += 1;
    });
    const nth = asked;
    asked += 1;
    const outcome = await reply(body, nth);
    if (outcome.hang) return;
    finished = true;
    if (outcome.cut) {
      request.socket.destroy();
      return;
    }
    const { status, headers, text } = toResponse(outcome);
    send(response, status, text, headers);
  }

  const server = createServer(async (request, response) => {
    const bytes = await readAll(request);
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = pathname.replace(/^\/v1/, '');
    const isJson = request.headers['content-type']?.startsWith('application/json');
    const body = isJson ? JSON.parse(bytes.toString()) : bytes;
    state.requests.push({ method: request.method, path, url: request.url, headers: request.headers, body });
    try {
      if (path === '/chat/completions') await answerChat(body, request, response);
      else await answerBatches(state, batch, reply, { path, request, bytes, body, response });
    } catch (error) {
      send(response, 500, JSON.stringify({ error: { message: `the test server failed: ${error.stack}` } }));
    }
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${server.address().port}/v1`;
  return Object.assign(state, { baseUrl });
}

/** Files and batches, as the OpenAI API has them. */
async function answerBatches(state, batch, reply, { path, request, bytes, body, response }) {
  const json = (value, status = 200) => send(response, status, JSON.stringify(value));
  const failure = batch.fail?.({ method: request.method, path, nth: state.requests.length - 1 });
  if (failure !== undefined) {
    const { status, headers, text } = toResponse(failure);
    return send(response, status, text, headers);
  }
  const [, kind, id, action] = path.split('/');
  if (kind === 'files' && request.method === 'POST') {
    const form = await new Response(bytes, { headers: { 'content-type': request.headers['content-type'] } }).formData();
    const file = {
      id: `file-${state.files.size + 1}`,
      purpose: form.get('purpose'),
      text: await form.get('file').text(),
    };
    state.files.set(file.id, file);
    return json({ id: file.id, object: 'file', purpose: file.purpose });
  }
  if (kind === 'files' && action === 'content') {
    const file = state.files.get(id);
    return file === undefined ? json({ error: { message: 'no such file' } }, 404) : send(response, 200, file.text);
  }
  if (kind === 'batches' && request.method === 'POST' && id === undefined) {
    const made = {
      id: `batch_${state.batches.size + 1}`,
      object: 'batch',
      status: 'validating',
      looks: 0,
      ...body,
    };
    state.batches.set(made.id, made);
    return json(made);
  }
  const found = state.batches.get(id);
  if (found === undefined) return json({ error: { message: `no batch ${id}` } }, 404);
  if (action === 'cancel') {
    found.status = 'cancelling';
    return json(found);
  }
  found.looks += 1;
  const ends = batch.looks ?? 2;
  if (found.status === 'validating' || found.status === 'in_progress') {
    found.status = found.looks < ends ? 'in_progress' : (batch.status ?? 'completed');
    if (found.looks >= ends) await runBatch(state, found, batch, reply);
  }
  return json(found);
}

/** Answers the lines of a batch, each in its own way, into an output file and an error file, in reverse order. */
async function runBatch(state, found, batch, reply) {
  if (found.status === 'failed') {
    found.errors = { data: [{ code: 'invalid_line', message: batch.reason ?? 'line 1 is not valid', line: 1 }] };
    return;
  }
  const input = state.files.get(found.input_file_id).text.trim().split('\n');
  const lines = { output: [], errors: [] };
  for (const [nth, line] of input.map(text => JSON.parse(text)).entries()) {
    state.chats.push(line.body);
    const outcome = await reply(line.body, nth, found);
    if (outcome.drop) continue;
    const { status, text } = toResponse(outcome);
    const answer = { id: `line-${nth}`, custom_id: line.custom_id };
    if (outcome.expired) {
      lines.errors.push({ ...answer, response: null, error: { code: 'batch_expired', message: 'the time is up' } });
    } else if (status === 200) {
      lines.output.push({ ...answer, response: { status_code: 200, body: JSON.parse(text) }, error: null });
    } else {
      lines.errors.push({ ...answer, response: { status_code: status, body: JSON.parse(text) }, error: null });
    }
  }
  const store = texts => {
    const id = `file-${state.files.size + 1}`;
    state.files.set(id, { id, purpose: 'batch_output', text: texts.map(text => `${JSON.stringify(text)}\n`).join('') });
    return id;
  };
  if (lines.output.length > 0) found.output_file_id = store(lines.output.reverse());
  if (lines.errors.length > 0) found.error_file_id = store(lines.errors.reverse());
  found.request_counts = { total: input.length, completed: lines.output.length, failed: lines.errors.length };
}

function toResponse(outcome) {
  const { status = 200, headers = {} } = outcome;
  if (status !== 200) {
    return { status, headers, text: outcome.body ?? JSON.stringify({ error: outcome.error ?? { message: 'no' } }) };
  }
  if (outcome.body !== undefined) return { status, headers, text: outcome.body };
  const content = typeof outcome.say === 'string' ? outcome.say : JSON.stringify(outcome.say);
  const message = outcome.message ?? { role: 'assistant', content };
  return {
    status,
    headers,
    text: JSON.stringify({ id: 'chat-1', object: 'chat.completion', choices: [{ index: 0, message }] }),
  };
}

function send(response, status, text, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(text);
}

async function readAll(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
