/** The request log of a real api process (ADR 0029): rows are written behind the answers, and requests never depend on it. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../scripts/servers/server.ts';
import { type ApiProcess, startApi } from './processes.ts';
import { openTestService, type OrgClient, type TestService } from './test-service.ts';

/** The shutdown of an operator: the process ends by itself. */
async function stop({ child }: ApiProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
}

describe('the request log', () => {
  let service: TestService;
  let partner: OrgClient;
  before(async () => {
    service = await openTestService();
    partner = await service.givenOrganization();
  });
  after(() => service.close());

  const read = async (url: string): Promise<{ status: number; requestId: string }> => {
    const { status, headers } = await fetch(`${url}/v1/releases`, {
      headers: { authorization: `Bearer ${partner.key}` },
    });
    return { status, requestId: headers.get('x-request-id') ?? '' };
  };
  const find = async (requestId: string): Promise<number> =>
    (await partner.call('GET', `/v1/requests/${requestId}`)).status;

  test('has a request soon after its answer, and the last ones when the api shuts down', async () => {
    const api = await startApi(service.database);
    const { requestId } = await read(api.url);
    await until('the request is found', async () => (await find(requestId)) === 200);
    const last = await read(api.url);
    await stop(api);
    assert.equal(await find(last.requestId), 200);
  });

  test('is not written with TONEARM_REQUEST_LOG=off', async () => {
    const api = await startApi(service.database, { TONEARM_REQUEST_LOG: 'off' });
    const { status, requestId } = await read(api.url);
    await stop(api);
    assert.equal(status, 200);
    assert.equal(await find(requestId), 404);
  });

  test('drops rows that cannot be written, without failing a request, and says so', async () => {
    const api = await startApi(service.database);
    await service.query('revoke insert on requests from tonearm_app');
    const { status, requestId } = await read(api.url);
    assert.equal(status, 200);
    await until('the api logs that rows were dropped', () =>
      api.log().includes('rows of the request log were dropped'),
    );
    await service.query('grant insert on requests to tonearm_app');
    assert.equal((await read(api.url)).status, 200);
    await stop(api);
    assert.equal(await find(requestId), 404);
  });
});
