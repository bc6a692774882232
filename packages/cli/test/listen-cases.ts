/** `listen`: events arrive at a receiver on this machine, signed as webhooks are. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { verifyWebhook } from '@tonearm/sdk';
import { until } from '../../../scripts/servers/server.ts';
import type { Partner } from './cli.test.ts';

type Received = { readonly headers: Record<string, string>; readonly body: string };

/** Answers with the next of `statuses`, and with 200 when there is none left. */
async function openReceiver(statuses: number[]) {
  const received: Received[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push({
      headers: request.headers as Record<string, string>,
      body: await text(request),
    });
    response.writeHead(statuses.shift() ?? 200).end();
  };
  const server = createServer((request, response) => void receive(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { received, address: `127.0.0.1:${port}/hooks`, close: () => server.close() };
}

export function listenCases(partner: () => Partner): void {
  describe('listen', () => {
    test('forwards what happens from now on, tries again, and continues where it ended', async (t) => {
      const { home } = partner();
      const receiver = await openReceiver([500]);
      t.after(receiver.close);
      const secret = (await home.run(['listen', '--print-secret'])).stdout.trim();
      const child = home.start([
        'listen',
        '--forward-to',
        receiver.address,
        '--events',
        'release.created',
        '--table',
      ]);
      t.after(() => child.kill('SIGKILL'));
      let printed = '';
      child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      await until('it listens', async () => printed.includes('Ctrl-C'));
      assert.ok(printed.includes(secret), 'the secret is printed, and stays the same');

      assert.equal((await home.run(['trigger', 'release.created'])).status, 0);
      await until('it has arrived twice', async () => receiver.received.length === 2);
      const [first, second] = receiver.received;
      assert.ok(first && second);
      assert.equal(first.body, second.body, 'every attempt sends the same bytes');
      const event = await verifyWebhook(first.body, first.headers, secret);
      assert.equal(event.type, 'release.created');
      assert.ok(!('webhooks' in event), 'what is forwarded is what a webhook gets');
      const same = await verifyWebhook(first.body, first.headers, secret, { scheme: 'svc' });
      assert.equal(same.id, event.id);
      await until('both attempts are shown', async () => / 2\/4 /.test(printed));
      assert.match(printed, /! 500 +\d+ ms +#\d+ {2}release\.created$/m);
      assert.match(printed, /✔ 200 +2\/4 +\d+ ms +#\d+ {2}release\.created$/m);
      child.kill('SIGINT');
      const [status] = (await once(child, 'exit')) as [number | null];
      assert.equal(status, 0);

      await home.run(['trigger', 'release.created']);
      const resumed = home.start(['listen', '--forward-to', receiver.address, '--since', 'last']);
      t.after(() => resumed.kill('SIGKILL'));
      await until('what happened meanwhile arrives', async () => receiver.received.length === 3);
      assert.notEqual(JSON.parse(receiver.received[2]?.body ?? '{}').id, event.id);
      resumed.kill('SIGINT');
      await once(resumed, 'exit');
    });
  });
}
