import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { withoutNetwork } from './no-network.ts';
import { countBounded, runBounded } from './run-bounded.ts';

const { signal } = new AbortController();
const bounds = { timeoutMs: 10_000, memoryBytes: 8 * 1024 ** 3, signal };
const sh = (script: string) => ['/bin/sh', ['-c', script], bounds] as const;

describe('a bounded process', () => {
  test('returns its output and its exit code', async () => {
    const { code, output, errors } = await runBounded(...sh('echo a; echo b >&2; exit 3'));
    assert.deepEqual({ code, output, errors }, { code: 3, output: 'a\n', errors: 'b\n' });
  });

  test('its output is counted, however long it is', async () => {
    const counted = await countBounded(...sh('head -c 100000000 /dev/zero; exit 3'));
    assert.deepEqual(counted, { code: 3, outputBytes: 100_000_000 });
  });

  test('a crash is a result: code null', async () => {
    const crash = sh('kill -SEGV $$');
    assert.equal((await runBounded(...crash)).code, null);
    assert.deepEqual(await countBounded(...crash), { code: null, outputBytes: 0 });
  });

  test('a killed or missing program is an error', async () => {
    for (const run of [runBounded, countBounded]) {
      await assert.rejects(run(...sh('kill -KILL $$')), /was stopped \(SIGKILL\)/);
      await assert.rejects(run('no-such-decoder', [], bounds), /was stopped \(127\)/);
    }
  });

  test('after its time-out it is killed, with everything it started', async () => {
    const [command, args] = sh('sleep 60 & sleep 60');
    const hasty = { ...bounds, timeoutMs: 200 };
    assert.equal((await runBounded(command, args, hasty)).code, null);
    assert.deepEqual(await countBounded(command, args, hasty), { code: null, outputBytes: 0 });
  });

  test('it has no network if the machine allows that, and runs anyway if not', async () => {
    const isCutOff = (await withoutNetwork()).length > 0;
    let calls = 0;
    const server = createServer((socket) => {
      calls++;
      socket.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const program = `require('node:net').connect(${port}, '127.0.0.1')
      .once('connect', () => process.exit(0)).once('error', ({ code }) => { console.log(code); process.exit(9); })`;
    const { code, output } = await runBounded(process.execPath, ['-e', program], bounds);
    server.close();
    assert.deepEqual(
      { code, calls, output },
      isCutOff ? { code: 9, calls: 0, output: 'ENETUNREACH\n' } : { code: 0, calls: 1, output: '' },
    );
  });
});
