import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { withoutNetwork } from './no-network.ts';
import { digestBounded, runBounded } from './run-bounded.ts';

const { signal } = new AbortController();
const bounds = { timeoutMs: 120_000, memoryBytes: 8 * 1024 ** 3, signal };
const withoutOutput = {
  code: null,
  outputBytes: 0,
  outputSha256: createHash('sha256').digest('hex'),
};
const sh = (script: string) => ['/bin/sh', ['-c', script], bounds] as const;

describe('a bounded process', () => {
  test('returns its output and its exit code', async () => {
    const { code, output, errors } = await runBounded(...sh('echo a; echo b >&2; exit 3'));
    assert.deepEqual({ code, output, errors }, { code: 3, output: 'a\n', errors: 'b\n' });
  });

  test('its output is counted and hashed, however long it is', async () => {
    const digested = await digestBounded(...sh('head -c 100000000 /dev/zero; exit 3'));
    const outputSha256 = createHash('sha256').update(Buffer.alloc(100_000_000)).digest('hex');
    assert.deepEqual(digested, { code: 3, outputBytes: 100_000_000, outputSha256 });
  });

  test('its address space is limited, that of the process that hashes its output is not', async () => {
    const [command, args] = sh('ulimit -v');
    const outputSha256 = createHash('sha256').update('131072\n').digest('hex');
    const digested = await digestBounded(command, args, {
      ...bounds,
      memoryBytes: 128 * 1024 ** 2,
    });
    assert.deepEqual(digested, { code: 0, outputBytes: 7, outputSha256 });
  });

  test('a crash is a result: code null', async () => {
    const crash = sh('kill -SEGV $$');
    assert.equal((await runBounded(...crash)).code, null);
    assert.deepEqual(await digestBounded(...crash), withoutOutput);
  });

  test('a killed or missing program is an error', async () => {
    for (const run of [runBounded, digestBounded]) {
      await assert.rejects(run(...sh('kill -KILL $$')), /was stopped \(SIGKILL\)/);
      await assert.rejects(run('no-such-decoder', [], bounds), /was stopped \(127\)/);
    }
  });

  test('after its time-out it is killed, with everything it started', async () => {
    const [command, args] = sh('sleep 60 & sleep 60');
    const hasty = { ...bounds, timeoutMs: 200 };
    assert.equal((await runBounded(command, args, hasty)).code, null);
    const late = await digestBounded(command, args, hasty);
    assert.deepEqual(late, { ...withoutOutput, outputSha256: '' });
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
