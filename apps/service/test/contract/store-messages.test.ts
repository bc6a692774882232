/** The messages that stores get (catalogue §2; DDEX ERN): starts, territories, pre-orders, takedowns and types. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NewReleaseMessage } from '@tonearm/ern';
import fc from 'fast-check';
import { fictionalDialect, usualReleaseTypes } from '../../src/delivery/connectors/ddex/dialect.ts';
import { usualFiles } from '../../src/delivery/connectors/ddex/to-files.ts';
import {
  toNewReleaseMessage,
  toTakedownMessage,
} from '../../src/delivery/connectors/ddex/to-message.ts';
import { codesOfSet, everyTerritory, toTerritorySet } from '../../src/kernel/territory-set.ts';
import { type Offered, offeredRelease } from '../snapshot-arbitrary.ts';

const createdAt = new Date('2027-03-01T12:00:00.000Z');
const envelope = { messageId: 'msg_1', threadId: 'dlv_1', createdAt };

const contextOf = ({ snapshot, store, deal }: Offered) => ({
  snapshot,
  store,
  deal,
  dialect: fictionalDialect(store),
  envelope,
  files: usualFiles,
});

const dealsIn = ({ release, tracks }: NewReleaseMessage) => [
  ...release.deals,
  ...tracks.flatMap(({ trackRelease }) => trackRelease?.deals ?? []),
];

describe('messages to stores', () => {
  test('catalogue §2: deals have exactly the territories of the delivery, and its start', () => {
    fc.assert(
      fc.property(offeredRelease(2), (offered) => {
        const { release } = offered.snapshot;
        const message = toNewReleaseMessage(contextOf(offered));
        for (const { territories, period, isPreOrder } of message.release.deals) {
          const codes =
            'excluded' in territories
              ? codesOfSet(everyTerritory & ~toTerritorySet(territories.excluded))
              : territories.included;
          const isWorld = codes[0] === 'Worldwide';
          assert.deepEqual(
            isWorld ? codesOfSet(everyTerritory) : codes.toSorted(),
            offered.deal.territoryCodes.toSorted(),
          );
          const start = isPreOrder ? period.end : period.start;
          assert.equal(
            start,
            release.releaseAt?.replace('.000Z', 'Z') ?? `${release.releaseDate}T00:00:00`,
          );
        }
      }),
      { numRuns: 150 },
    );
  });

  test('a takedown has no deals, or deals that ended, as the store expects it', () => {
    const methods = new Set<string>();
    fc.assert(
      fc.property(offeredRelease(2), (offered) => {
        const { takedownMethod } = offered.store.capabilities;
        const deals = dealsIn(toTakedownMessage(contextOf(offered)));
        methods.add(takedownMethod);
        if (takedownMethod === 'omit_deal') assert.deepEqual(deals, []);
        for (const { period } of deals) assert.ok((period.end ?? 'z') < '2027-03-01');
      }),
      { numRuns: 300 },
    );
    assert.deepEqual([...methods].toSorted(), ['end_deal', 'omit_deal']);
  });

  test('the type is the store’s word for ours, or follows from the number of tracks', () => {
    fc.assert(
      fc.property(offeredRelease(2), (offered) => {
        const { type } = offered.snapshot.release;
        const { release } = toNewReleaseMessage(contextOf(offered));
        assert.equal(release.type, usualReleaseTypes[type ?? 'single']);
        assert.equal(release.compilation, type === 'compilation' ? 'MultiArtist' : undefined);
      }),
      { numRuns: 100 },
    );
  });

  test('every file has its hash, and a name that no other file of the message has', () => {
    fc.assert(
      fc.property(offeredRelease(3), (offered) => {
        const { release, tracks } = toNewReleaseMessage(contextOf(offered));
        const files = [
          release.cover?.file,
          ...tracks.map(({ editions }) => editions[0]?.audio?.file),
        ];
        assert.ok(files.every((file) => file?.hash?.algorithm === 'SHA-256'));
        assert.equal(new Set(files.map((file) => file?.uri)).size, files.length);
      }),
      { numRuns: 100 },
    );
  });
});
