/** Scopes of the sandbox operations, which do not exist in live: contract §4, §5. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ernExamples } from '../../src/catalog/http/ern-examples.ts';
import { datedExample } from '../../src/kernel/example-story.ts';
import { scopes as allScopes } from '../../src/kernel/scope.ts';
import { withoutRequestIds, codeOf, type Json, monday } from '../delivery-fixture.ts';
import { openSandboxFixture, type DrivenPartner, type SandboxFixture } from '../sandbox-fixture.ts';
import { type OrgClient, openTestService, type TestService } from '../test-service.ts';

/** A valid body for each operation that takes one. */
const bodies: Readonly<Record<string, object>> = {
  advanceSandboxClock: { by: '1h' },
  setSandboxClockMode: { mode: 'manual' },
  createScenario: { steps: [{ action: 'confirm' }] },
  createSandboxReport: { store_id: 'aurora', period: '2026-10', kind: 'normal' },
  answerForStore: { answer: 'delivered' },
  receiveErn: datedExample(ernExamples.receiveErn.body, new Date(monday)),
  tellInbox: { status: 200 },
  setSandboxVerification: { status: 'verified' },
  decideSandboxRights: { decision: 'grant' },
};
const unknown = '01h455vb4pex5vsknk084sn02q';

describe('access to the sandbox', () => {
  let sandbox: SandboxFixture;
  let live: TestService;
  let partner: DrivenPartner;
  before(async () => {
    [sandbox, live] = await Promise.all([
      openSandboxFixture(),
      openTestService({ environment: 'live' }),
    ]);
    partner = await sandbox.newPartner();
  });
  after(() => Promise.all([sandbox.close(), live.close()]));

  const operations = () =>
    sandbox.service.api.operations.filter(({ path }) => path.startsWith('/v1/sandbox'));
  /** Without the public operation that receives messages in an inbox. */
  const protectedOperations = () => operations().filter(({ scope }) => scope !== 'public');
  const pathOf = (path: string): string =>
    path
      .replace(':report_id', `rpt_${unknown}`)
      .replace(':scenario_id', `scn_${unknown}`)
      .replace(':delivery_id', `dlv_${unknown}`)
      .replace(':store_id', 'aurora')
      .replace(':token', 'unknown');
  const callEach = async (
    caller: Pick<OrgClient, 'call'>,
    check: (reply: Json, id: string) => void,
    which = operations(),
  ) => {
    for (const { id, method, path } of which) {
      check(await caller.call(method, pathOf(path), bodies[id]), id);
    }
  };

  test('the operations to check: clock, scenarios, answers, inbox, reports, reset, verification, rights, ERN', () => {
    const ids = operations().map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), [
      'advanceSandboxClock',
      'answerForStore',
      'createSandboxReport',
      'createScenario',
      'decideSandboxRights',
      'deleteScenario',
      'deleteScenarios',
      'emptyInbox',
      'getInbox',
      'getSandboxClock',
      'getSandboxReport',
      'getSandboxReset',
      'getScenario',
      'listSandboxReports',
      'listScenarios',
      'receiveErn',
      'receiveInInbox',
      'resetSandbox',
      'setSandboxClockMode',
      'setSandboxVerification',
      'tellInbox',
    ]);
  });

  test('contract §4: each of them is 404 route_not_found in live, exactly as any unknown path', async () => {
    const caller = await live.givenOrganization();
    const unknownPath = withoutRequestIds(await caller.call('GET', '/v1/nowhere'));
    await callEach(caller, (reply, id) => {
      assert.deepEqual(codeOf(reply), [404, 'route_not_found'], id);
    });
    const clock = await caller.call('GET', '/v1/sandbox/clock');
    assert.equal(
      withoutRequestIds(clock).replace('/v1/sandbox/clock', ''),
      unknownPath.replace('/v1/nowhere', ''),
    );
    await callEach({ call: (...args) => live.request(undefined, ...args) }, (reply, id) =>
      assert.deepEqual(codeOf(reply), [404, 'route_not_found'], `${id}, without a key`),
    );
    assert.equal(live.api.operations.filter(({ path }) => path.includes('sandbox')).length, 0);
  });

  test('contract §4: every method of their paths is 404 in live', async () => {
    const caller = await live.givenOrganization();
    for (const { path } of operations()) {
      for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']) {
        const reply = await caller.call(method, pathOf(path));
        assert.deepEqual(codeOf(reply), [404, 'route_not_found'], `${method} ${path}`);
      }
    }
  });

  test('contract §5: without a credential 401', async () => {
    const anonymous = {
      call: (...args: Parameters<OrgClient['call']>) => sandbox.service.request(undefined, ...args),
    };
    await callEach(
      anonymous,
      (reply, id) => {
        assert.deepEqual(codeOf(reply), [401, 'authentication_required'], id);
      },
      protectedOperations(),
    );
  });

  test('contract §5: sandbox:write is required, for reading too; all other scopes together are not enough', async () => {
    const scopes = allScopes.filter((scope) => scope !== 'sandbox:write').join(',');
    const without = await sandbox.service.givenOrganization({ scopes });
    await callEach(
      without,
      (reply, id) => {
        assert.deepEqual(codeOf(reply), [403, 'insufficient_scope'], id);
      },
      protectedOperations(),
    );
  });

  test('contract §5: sandbox:write alone suffices', async () => {
    const only = sandbox.partnerFor(
      await sandbox.service.givenOrganization({ scopes: 'sandbox:write', tier: 'enterprise' }),
    );
    await callEach(
      only.caller,
      (reply, id) => {
        const isFound = ![
          'getSandboxReport',
          'getScenario',
          'deleteScenario',
          'answerForStore',
          'decideSandboxRights',
        ].includes(id);
        assert.equal(
          isFound ? reply.status < 300 || reply.status === 409 : reply.status === 404,
          true,
          reply.text,
        );
      },
      protectedOperations(),
    );
    await sandbox.runUntilIdle();
  });

  test('contract §5: another organization’s scenario answers exactly as an unknown id', async () => {
    const other = await sandbox.newPartner();
    const { id } = await other.addScenario([{ action: 'confirm' }]);
    for (const method of ['GET', 'DELETE']) {
      const foreign = await partner.call(method, `/scenarios/${id}`);
      const missing = await partner.call(method, `/scenarios/scn_${unknown}`);
      assert.deepEqual(codeOf(foreign), [404, 'resource_not_found']);
      assert.equal(withoutRequestIds(foreign), withoutRequestIds(missing));
      const malformed = await partner.call(method, '/scenarios/scn_1');
      assert.equal(malformed.status, 404);
    }
    assert.equal((await other.call('GET', `/scenarios/${id}`)).status, 200, 'it is still there');
  });

  test('contract §4: scenarios are neither listed for another organization nor deleted by it', async () => {
    const [mine, theirs] = [await sandbox.newPartner(), await sandbox.newPartner()];
    await mine.addScenario([{ action: 'confirm' }]);
    await theirs.addScenario([{ action: 'lose' }]);
    assert.equal((await mine.call('DELETE', '/scenarios')).status, 204);
    assert.deepEqual((await mine.ask('GET', '/v1/sandbox/scenarios')).data, []);
    assert.equal((await theirs.ask('GET', '/v1/sandbox/scenarios')).data.length, 1);
  });

  test('contract §4: a scenario does not apply to deliveries of another organization', async () => {
    const [mine, theirs] = [await sandbox.newPartner(), await sandbox.newPartner()];
    await theirs.addScenario([{ action: 'reject', code: 'theirs', after: '1s' }]);
    const { id } = await mine.givenDelivery(['indigo']);
    await mine.advance({ by: '1h' });
    assert.equal(
      (await mine.storeOf(id, 'indigo')).status,
      'in_progress',
      'the store waits for the release date',
    );
  });
});
