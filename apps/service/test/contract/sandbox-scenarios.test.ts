/** Creating scenarios: contract §1, §4, §7, §8. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { withoutRequestIds, codeOf, fieldsOf, monday } from '../delivery-fixture.ts';
import { openSandboxFixture, type DrivenPartner, type SandboxFixture } from '../sandbox-fixture.ts';

const confirm = { action: 'confirm' };
const path = '/v1/sandbox/scenarios';

describe('scenarios', () => {
  let sandbox: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    sandbox = await openSandboxFixture();
    partner = await sandbox.newPartner();
  });
  after(() => sandbox.close());

  const create = (body: object, headers?: Record<string, string>) =>
    partner.call('POST', '/scenarios', body, headers);
  const countScenarios = async () => {
    const [row] = await sandbox.service.query(
      'select count(*)::int as n from sandbox_scenarios where org_id = $1',
      [toUuid(partner.caller.orgId as Id<'org'>)],
    );
    return row.n;
  };

  describe('POST', () => {
    test('contract §4: 201 with Location; omitted fields match every store, release and message', async () => {
      const { status, json, headers } = await create({ steps: [confirm] });
      assert.equal(status, 201);
      assert.match(json.id, /^scn_[0-9a-z]{26}$/);
      assert.equal(headers.get('location'), `${path}/${json.id}`);
      assert.deepEqual(json, {
        id: json.id,
        name: null,
        store_id: null,
        release_id: null,
        message: null,
        seed: 0,
        steps: [confirm],
        repeats: false,
        created_at: monday,
      });
      const reread = await partner.call('GET', `/scenarios/${json.id}`);
      assert.deepEqual([reread.status, reread.json], [200, json]);
    });

    test('contract §4: every field is stored as it was sent', async () => {
      const release_id = await partner.submit();
      const body = {
        name: 'Ein Rückruf 🎧',
        store_id: 'aurora',
        release_id,
        message: 'takedown',
        seed: 2_147_483_647,
        repeats: true,
        steps: [
          { action: 'confirm', after: '5m', chance: 0.01 },
          { action: 'reject', code: 'c'.repeat(100), reason: 'r'.repeat(2_000), after: '0s' },
          {
            action: 'flag',
            code: 'x',
            reason: 'y',
            after: '1d',
            resolves: 'reject',
            resolves_after: '999999d',
          },
          { action: 'delay', after: '72h' },
          { action: 'late', after: '1h' },
          { action: 'lose', chance: 1 },
          { action: 'duplicate', after: '1m', times: 10 },
          { action: 'outage', lasts: '3d' },
        ],
      };
      const { json, text, status } = await create(body);
      assert.equal(status, 201, text);
      assert.deepEqual(json, { id: json.id, ...body, created_at: json.created_at });
      assert.deepEqual(await partner.ask('GET', `${path}/${json.id}`), json);
    });

    test('contract §4: every action of payouts is stored as it was sent', async () => {
      const body = {
        message: 'payout',
        steps: [
          { action: 'accept' },
          { action: 'refuse', code: 'account_closed' },
          { action: 'unknown' },
          { action: 'slow', after: '2s' },
          { action: 'bounce', after: '21d', code: 'account_closed' },
          { action: 'review' },
          { action: 'review_at_cut_off' },
        ],
      };
      const { json, text, status } = await create(body);
      assert.equal(status, 201, text);
      assert.deepEqual([json.message, json.steps], [body.message, body.steps]);
      assert.deepEqual(await partner.ask('GET', `${path}/${json.id}`), json);
    });

    test('contract §4: null is the same as omitted', async () => {
      const nothing = { name: null, store_id: null, release_id: null, message: null };
      const { status, json } = await create({ steps: [confirm], ...nothing });
      assert.equal(status, 201);
      const shown = [json.name, json.store_id, json.release_id, json.message];
      assert.deepEqual(shown, [null, null, null, null]);
    });

    const step = (more: object) => ({ steps: [{ ...confirm, ...more }] });
    const refusals: readonly [
      what: string,
      body: object,
      code: string,
      fields: readonly string[],
    ][] = [
      ['no steps', {}, 'missing_required_field', ['steps']],
      ['an empty list', { steps: [] }, 'invalid_field', ['steps']],
      [
        '21 steps',
        { steps: Array.from({ length: 21 }, () => confirm) },
        'invalid_field',
        ['steps'],
      ],
      ['a step without an action', { steps: [{}] }, 'missing_required_field', ['steps[0].action']],
      [
        'an unknown action',
        { steps: [{ action: 'explode' }] },
        'invalid_field',
        ['steps[0].action'],
      ],
      ['an unknown field', { steps: [confirm], when: 'now' }, 'unknown_field', ['when']],
      ['an unknown field of a step', step({ in: '1h' }), 'unknown_field', ['steps[0].in']],
      [
        'an action of payouts without their message',
        { steps: [{ action: 'accept' }] },
        'invalid_field',
        ['steps[0].action'],
      ],
      [
        'an action of stores for payouts',
        { steps: [confirm], message: 'payout' },
        'invalid_field',
        ['steps[0].action'],
      ],
      [
        'a store for payouts',
        { steps: [{ action: 'accept' }], message: 'payout', store_id: 'aurora' },
        'invalid_field',
        ['store_id'],
      ],
      [
        'a refused payment without a code',
        { steps: [{ action: 'refuse' }], message: 'payout' },
        'missing_required_field',
        ['steps[0].code'],
      ],
      ['an id', { steps: [confirm], id: 'scn_1' }, 'read_only_field', ['id']],
      ['created_at', { steps: [confirm], created_at: monday }, 'read_only_field', ['created_at']],
      ['a malformed duration', step({ after: '1 hour' }), 'invalid_field', ['steps[0].after']],
      [
        'reject without code',
        { steps: [confirm, { action: 'reject' }] },
        'missing_required_field',
        ['steps[1].code'],
      ],
      [
        'delay without after',
        { steps: [{ action: 'delay' }] },
        'missing_required_field',
        ['steps[0].after'],
      ],
      [
        'outage without lasts',
        { steps: [{ action: 'outage' }] },
        'missing_required_field',
        ['steps[0].lasts'],
      ],
      ['confirm with a code', step({ code: 'x' }), 'invalid_field', ['steps[0].code']],
      [
        'a duplicate once',
        { steps: [{ action: 'duplicate', times: 1 }] },
        'invalid_field',
        ['steps[0].times'],
      ],
      [
        '11 times',
        { steps: [{ action: 'duplicate', times: 11 }] },
        'invalid_field',
        ['steps[0].times'],
      ],
      [
        '2.5 times',
        { steps: [{ action: 'duplicate', times: 2.5 }] },
        'invalid_field',
        ['steps[0].times'],
      ],
      ['a chance of 0', step({ chance: 0 }), 'invalid_field', ['steps[0].chance']],
      ['a chance of 2', step({ chance: 2 }), 'invalid_field', ['steps[0].chance']],
      [
        'a long code',
        { steps: [{ action: 'flag', code: 'c'.repeat(101) }] },
        'invalid_field',
        ['steps[0].code'],
      ],
      [
        'a blank code',
        { steps: [{ action: 'flag', code: ' ' }] },
        'invalid_field',
        ['steps[0].code'],
      ],
      [
        'a long reason',
        { steps: [{ action: 'flag', reason: 'r'.repeat(2_001) }] },
        'invalid_field',
        ['steps[0].reason'],
      ],
      [
        'an unknown outcome',
        { steps: [{ action: 'flag', resolves: 'lose' }] },
        'invalid_field',
        ['steps[0].resolves'],
      ],
      ['a long name', { steps: [confirm], name: 'n'.repeat(201) }, 'invalid_field', ['name']],
      ['an unknown message', { steps: [confirm], message: 'recall' }, 'invalid_field', ['message']],
      ['a negative seed', { steps: [confirm], seed: -1 }, 'invalid_field', ['seed']],
      ['a large seed', { steps: [confirm], seed: 2_147_483_648 }, 'invalid_field', ['seed']],
      ['a seed of text', { steps: [confirm], seed: '1' }, 'invalid_field', ['seed']],
      ['repeats of text', { steps: [confirm], repeats: 'yes' }, 'invalid_field', ['repeats']],
      [
        'an unknown store',
        { steps: [confirm], store_id: 'nowhere' },
        'invalid_field',
        ['store_id'],
      ],
      ['an empty store', { steps: [confirm], store_id: '' }, 'invalid_field', ['store_id']],
      [
        'a malformed release',
        { steps: [confirm], release_id: 'x' },
        'invalid_field',
        ['release_id'],
      ],
      [
        'the id of a track',
        { steps: [confirm], release_id: 'trk_01h455vb4pex5vsknk084sn02q' },
        'invalid_field',
        ['release_id'],
      ],
    ];
    for (const [what, body, code, fields] of refusals) {
      test(`contract §1, §7: ${what} → 422 ${code}, and nothing is stored`, async () => {
        const earlier = await countScenarios();
        const reply = await create(body);
        assert.deepEqual([codeOf(reply), fieldsOf(reply)], [[422, code], fields]);
        assert.equal(await countScenarios(), earlier);
      });
    }

    test('contract §4: 20 steps are allowed', async () => {
      const steps = Array.from({ length: 20 }, () => confirm);
      assert.equal((await create({ steps })).status, 201);
    });

    test('contract §5: a release of another organization is refused exactly as an unknown one', async () => {
      const other = await sandbox.newPartner();
      const theirs = await other.submit();
      const foreign = await create({ steps: [confirm], release_id: theirs });
      const unknown = await create({
        steps: [confirm],
        release_id: 'rel_01h455vb4pex5vsknk084sn02q',
      });
      assert.deepEqual(
        [codeOf(foreign), fieldsOf(foreign)],
        [[422, 'invalid_field'], ['release_id']],
      );
      assert.equal(withoutRequestIds(foreign), withoutRequestIds(unknown));
    });

    test('contract §8: a replay creates no second scenario', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const first = await create({ steps: [confirm] }, key);
      const earlier = await countScenarios();
      const second = await create({ steps: [confirm] }, key);
      assert.deepEqual([second.status, second.text], [201, first.text]);
      assert.equal(await countScenarios(), earlier);
    });
  });
});
