import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { othersShareOf, processorSecondsOfMachine, processorTimeOfTree } from './processor-time.ts';

test('the processor time of a machine leaves out what it waits', () => {
  const stat = 'cpu  100 200 300 9999 8888 10 20 7777 0 0\ncpu0 1 2 3\n';
  assert.equal(processorSecondsOfMachine(stat), 6.3);
});

test(
  'the processor time of a process has that of its child, while it runs and when it has ended',
  {
    skip: process.platform !== 'linux' && 'times are read from /proc',
  },
  async () => {
    const before = processorTimeOfTree(process.pid);
    const works =
      "while (process.cpuUsage().user < 3e5); process.send('done'); process.once('message', () => process.exit())";
    const child = spawn(process.execPath, ['-e', works], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    assert.ok(processorTimeOfTree(process.pid) - before >= 280);
    child.send('end');
    await once(child, 'exit');
    assert.ok(processorTimeOfTree(process.pid) - before >= 280);
  },
);

test('the share of other programs is that of the time that all processors had', () => {
  const used = { machineMs: 900, ownMs: 700, wallMs: 500 };
  assert.equal(othersShareOf({ ...used, processors: 2 }), 0.2);
  assert.equal(othersShareOf({ ...used, ownMs: 1_000, processors: 2 }), 0);
});
