/** Large messages are built and checked outside of the worker's own thread, and none is sent without a check. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildNewRelease, type NewReleaseMessage } from '@tonearm/ern';
import fc from 'fast-check';
import {
  type BatchPlan,
  buildBatchContent,
} from '../src/delivery/connectors/ddex/batch-content.ts';
import { fictionalDialect } from '../src/delivery/connectors/ddex/dialect.ts';
import { runBuild } from '../src/delivery/connectors/ddex/run-build.ts';
import { openSchemas } from '../src/delivery/connectors/ddex/schemas.ts';
import { createLogger } from '../src/platform/telemetry/logger.ts';
import { schemaFolder } from './ddex-given.ts';
import { album } from './ern-messages.ts';
import { offeredRelease } from './snapshot-arbitrary.ts';

const logger = createLogger('silent');
const { findSchemaErrors } = openSchemas(schemaFolder, { isLive: true, logger });

/** 500 tracks with artists of their own. */
function largest(artistsPerTrack: number): NewReleaseMessage {
  const message = album(
    '077700000011',
    Array.from({ length: 500 }, () => ({})),
  );
  return {
    ...message,
    tracks: message.tracks.map((track, t) => ({
      ...track,
      artists: Array.from({ length: artistsPerTrack }, (_, a) => ({
        party: { name: `Artist ${t} ${a}` },
        role: 'MainArtist' as const,
      })),
    })),
  };
}

/** The least of three: this thread also collects the garbage of tests that ran before. */
async function mainThreadMs(work: () => Promise<unknown>): Promise<number> {
  const measured: number[] = [];
  while (measured.length < 3) {
    const start = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(start);
    measured.push((user + system) / 1_000);
  }
  return Math.min(...measured);
}

describe('the check of our own messages', () => {
  test('keeps the thread of the worker free, also with a message of 500 tracks and 2 MB', async () => {
    const { xml } = buildNewRelease(largest(9));
    assert.ok(xml.length > 2_000_000, `${xml.length}`);
    let errors: readonly string[] = [];
    const ms = await mainThreadMs(async () => {
      errors = await findSchemaErrors(xml);
    });
    assert.deepEqual(errors, []);
    assert.ok(ms < 150, `${ms} ms`);
  });

  test('accepts our own message that no stranger could send', async () => {
    const { xml } = buildNewRelease(largest(25));
    assert.ok(xml.length > 4 * 1_048_576, `${xml.length}`);
    assert.deepEqual(await findSchemaErrors(xml), []);
  });

  test('finds what is wrong, and a message that cannot be read is not sent either', async () => {
    const { xml } = buildNewRelease(largest(1));
    const [error] = await findSchemaErrors(xml.replace('<ReleaseType>Album</ReleaseType>', ''));
    assert.match(error ?? '', /ReleaseType/);
    const [unread] = await findSchemaErrors(xml.slice(0, -20));
    assert.match(unread ?? '', /not well-formed/);
  });

  test('cannot be left out in live: without schemas nothing is sent', async () => {
    const live = openSchemas(undefined, { isLive: true, logger });
    await assert.rejects(live.findSchemaErrors('<a/>'), /DDEX_SCHEMA_DIR/);
    assert.deepEqual(await live.findAnswerErrors('<a/>'), []);
    const sandbox = openSchemas(undefined, { isLive: false, logger });
    assert.deepEqual(await sandbox.findSchemaErrors('<a/>'), []);
  });
});

describe('the content of a batch', () => {
  test('is the same from a thread as from the worker itself', async () => {
    const [offered] = fc.sample(offeredRelease(2), { numRuns: 1, seed: 24 });
    assert.ok(offered);
    const { snapshot, store, deal } = offered;
    const [track] = snapshot.tracks;
    assert.ok(track);
    const tracks = Array.from({ length: 20 }, (_, i) => ({ ...track, position: i + 1 }));
    const plan = {
      store,
      connection: {
        dialect: fictionalDialect(store),
        deliveryTypes: { deliver: 'NewReleaseDelivery' },
        batchPrefix: 'N',
      },
      storeMessage: {
        message: { id: 'msg_1', kind: 'deliver' },
        deliveryId: 'dlv_1',
        snapshot: { ...snapshot, tracks },
        deal,
      },
      batch: {
        batchId: '20270301120000000',
        createdAt: new Date('2027-03-01T12:00:00.000Z'),
        deliveryType: 'NewReleaseDelivery',
        files: [],
      },
    } as unknown as BatchPlan;
    const inThread = await runBuild('org_1', plan);
    assert.deepEqual(inThread, buildBatchContent(plan));
    assert.match(inThread.xml, /NewReleaseMessage/);
  });
});
