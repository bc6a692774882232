import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import fastify from 'fastify';
import { answeringInTime, type Handler, HandlerTimeout } from './handler-timeout.ts';

const timeoutMs = 30;

async function answerOf(handler: Handler) {
  const server = fastify();
  server.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof HandlerTimeout ? 503 : 500).send('refused'),
  );
  server.get('/', answeringInTime(handler, timeoutMs));
  const { statusCode, body } = await server.inject('/');
  await server.close();
  return [statusCode, body];
}

test('a handler that takes too long is answered for, and what it does later changes nothing', async () => {
  const late = async () => {
    await wait(4 * timeoutMs);
    throw new Error('too late');
  };
  assert.deepEqual(await answerOf(late), [503, 'refused']);
});

test('a stream that has begun may take longer', async () => {
  async function* lines() {
    await wait(4 * timeoutMs);
    yield 'first\n';
    yield 'second\n';
  }
  const handler: Handler = async (_request, reply) => reply.send(Readable.from(lines()));
  assert.deepEqual(await answerOf(handler), [200, 'first\nsecond\n']);
});
