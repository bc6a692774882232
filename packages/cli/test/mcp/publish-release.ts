/** Publishes a release as a model would, by tools alone: from the files of a folder to the stores. */

import assert from 'node:assert/strict';
import { until } from '../../../../scripts/servers/server.ts';
import type { Session } from './mcp-session.ts';

/** Returns the id of the delivery. */
export async function publishRelease({ ask }: Session): Promise<string> {
  const clock = await ask('get_sandbox_clock');
  const day = new Date(Date.parse(clock.now) + 60 * 86_400_000).toISOString().slice(0, 10);
  const release = await ask('create_release', {
    title: 'Night Drive',
    artists: [{ name: 'Aurora Díaz', role: 'main' }],
    release_date: day,
    language: 'zxx',
    ai_use: { artwork: 'none' },
  });
  const { files } = await ask('list_files');
  const pathOf = (type: string) => files.find((each: { type: string }) => each.type === type).path;
  const audio = await ask('upload_file', { path: pathOf('audio') });
  const cover = await ask('upload_file', { path: pathOf('artwork') });
  assert.deepEqual([audio.status, cover.status], ['ready', 'ready']);
  await ask('create_track', {
    release_id: release.id,
    title: 'Night Drive',
    audio_asset_id: audio.id,
    contributors: [{ name: 'Aurora Díaz', roles: ['musician', 'composer', 'producer'] }],
    ai_use: { recording: 'none', composition: 'none' },
  });
  await ask('update_release', { release_id: release.id, artwork_asset_id: cover.id });
  const { findings } = await ask('validate_release', { release_id: release.id });
  const ids = findings.flatMap((each: { id: string; patch: unknown }) =>
    each.patch === null ? [] : [each.id],
  );
  await ask('apply_fixes', { release_id: release.id, finding_ids: ids });
  await ask('submit_release', { release_id: release.id });
  await until('the review is over', async () => {
    const { submission } = await ask('get_release', { release_id: release.id });
    return submission.review_status === 'approved';
  });
  const delivery = await ask('create_delivery', {
    release_id: release.id,
    stores: ['aurora', 'cascade'],
    territory_codes: ['WORLDWIDE'],
  });
  await ask('advance_sandbox_clock', { to: `${day}T12:00:00Z` });
  let waited = await ask('wait_for_delivery', { delivery_id: delivery.id });
  while (waited.is_finished === false) {
    waited = await ask('wait_for_delivery', { delivery_id: delivery.id });
  }
  assert.equal(waited.delivery.status, 'delivered');
  return delivery.id;
}
