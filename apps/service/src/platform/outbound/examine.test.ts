import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openOutbound } from './post.ts';
import type { Resolve } from './resolve.ts';

const neverCalled = () => Promise.reject(new Error('resolve must not be called'));

describe('a destination is examined', () => {
  const policy = { allowHttp: false, allowLoopback: false };
  const examine = (url: string, resolve: Resolve) =>
    openOutbound({ policy, resolve }).examine(url, 100);
  const leadsTo =
    (...addresses: string[]): Resolve =>
    async () =>
      addresses;

  test('by its text', async () => {
    assert.match((await examine('https://10.0.0.1/', neverCalled)) ?? '', /not public/);
    assert.match((await examine('http://example.com/', neverCalled)) ?? '', /https/);
  });

  test('by the addresses of its name: one private address is enough to refuse it', async () => {
    const url = 'https://example.com/hooks';
    assert.equal(await examine(url, leadsTo('93.184.216.34', '2606:2800:220:1::1')), undefined);
    for (const address of ['10.0.0.1', '169.254.169.254', '::1', '100.64.0.1']) {
      assert.match((await examine(url, leadsTo('93.184.216.34', address))) ?? '', /not public/);
    }
  });

  test('a name that does not resolve, or not in time, is not refused here', async () => {
    const url = 'https://example.com/hooks';
    assert.equal(await examine(url, () => Promise.reject(new Error('NXDOMAIN'))), undefined);
    assert.equal(await examine(url, () => new Promise(() => undefined)), undefined);
  });
});
