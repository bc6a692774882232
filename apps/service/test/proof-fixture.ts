/** For tests of the proof of a statement: a partner with two published statements, and a stranger in the same report. */

import assert from 'node:assert/strict';
import type { Json } from './delivery-fixture.ts';
import { adjust } from './ledger-fixture.ts';
import { openRunFixture } from './run-fixture.ts';

export type ProofFixture = Awaited<ReturnType<typeof openProofFixture>>;

export async function openProofFixture() {
  const fixture = await openRunFixture();
  const [partner, stranger] = [await fixture.givenPartner(), await fixture.givenPartner()];
  const fee = ['--org', partner.orgId, '--basis-points', '1500', '--from', '2020-01'];
  await fixture.admin('fee-rules', 'set', ...fee);
  await fixture.givenReport({
    lines: [
      { org: partner, isrc: 'QZABC2600001', amount: '100.1234565' },
      { org: partner, isrc: 'QZABC2600002', amount: '-3.5', plays: -2 },
      { org: partner, isrc: 'QZABC2600003', amount: '7.25', territory: 'FR' },
      { org: stranger, isrc: 'QZABC2600004', amount: '1' },
      // A row of another organization with the same ISRC, and a second row of the first line.
      { org: stranger, isrc: 'QZABC2600001', amount: '3' },
      { org: partner, isrc: 'QZABC2600001', amount: '0.5', plays: 4 },
    ],
    others: [{ org: partner, type: 'penalty', amount: '-2' }],
  });
  await adjust(fixture.service, partner, '500', { type: 'correction' });
  await fixture.closeMonth('2026-09');
  await adjust(fixture.service, partner, '5.25');
  const hold = ['--org', partner.orgId, '--currency', 'EUR', '--amount', '3', '--reason', 'manual'];
  await fixture.admin('earnings', 'hold', ...hold);
  await fixture.givenReport({ lines: [{ org: partner, isrc: 'QZABC2600001', amount: '11' }] });
  await fixture.closeMonth('2026-10');
  const { json } = await partner.call('GET', '/v1/statements?status=published');
  const [statement, first]: Json[] = json.data;
  return {
    ...fixture,
    partner,
    stranger,
    /** Of October 2026. */
    statement,
    /** Of September 2026. */
    first,
    proofOf: async ({ id }: Json): Promise<Json> => {
      const answer = await partner.call('GET', `/v1/statements/${id}/proof`);
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    },
  };
}

/** What a signed URL has. */
export const bytesOf = async ({ url }: Json): Promise<Buffer> =>
  Buffer.from(await (await fetch(url)).arrayBuffer());
