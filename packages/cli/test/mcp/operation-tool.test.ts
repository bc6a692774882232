import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationTool } from '../../src/mcp/operation-tool.ts';
import { readCatalogue } from '../../src/mcp/server.ts';
import type { Arguments } from '../../src/mcp/tool.ts';

/** What the person is asked before the call. Undefined: nothing. */
function questionOf(name: string, args: Arguments): Promise<string | undefined> | undefined {
  const operations = readCatalogue();
  const operation = operations.find((each) => each.name === name);
  assert.ok(operation, name);
  return operationTool(operation, operations, async () => ({})).describeEffect?.(args);
}

const release_id = 'rel_1';
const store = { delivery_id: 'dlv_1', store_id: 'aurora' };

const asking: readonly (readonly [name: string, args: Arguments])[] = [
  ['receive_ern', { message: '<ern:PurgeReleaseMessage/>' }],
  ['receive_ern', { message: '<ern:NewReleaseMessage/>', files: {} }],
  ['update_release', { release_id, title: 'Night Drive', territories: ['US'] }],
  ['update_release', { release_id, excluded_territories: ['US'] }],
  ['update_release', { release_id, use_types: ['download'] }],
  ['update_track', { track_id: 'trk_1', territory: ['US'] }],
  ['update_track', { track_id: 'trk_1', excluded_territories: ['US'] }],
  ['update_track', { track_id: 'trk_1', use_types: [] }],
  [
    'update_tracks',
    {
      tracks: [
        { id: 'trk_1', title: 'B' },
        { id: 'trk_2', use_types: [] },
      ],
    },
  ],
  ['apply_fixes', { release_id, finding_ids: ['fnd_1'] }],
  ['update_delivery', { delivery_id: 'dlv_1' }],
  ['update_delivery', { delivery_id: 'dlv_1', territory_codes: ['US'] }],
  ['resubmit_delivery', { delivery_id: 'dlv_1' }],
  ['take_down_delivery', { delivery_id: 'dlv_1' }],
  ['create_delivery_job', { action: 'takedown', items: [{ release_id }] }],
  ['create_delivery_job', { action: 'deliver', items: [{ release_id }] }],
  ['answer_for_store', { ...store, answer: 'removed' }],
  ['delete_release', { release_id }],
  ['merge_artist', { artist_id: 'art_1', into: 'art_2' }],
  ['reset_sandbox', {}],
  ['create_payout', { amount: '10.00', currency: 'EUR' }],
  ['cancel_payout', { payout_id: 'pay_1' }],
  ['approve_payout_method', { payout_method_id: 'pm_1' }],
  ['update_payout_schedule', { mode: 'monthly' }],
  ['update_webhook', { webhook_id: 'wh_1', url: 'https://example.com' }],
  ['delete_webhook', { webhook_id: 'wh_1' }],
  ['update_organization', { contacts: [] }],
  ['revoke_api_key', { api_key_id: 'key_1' }],
];

const running: typeof asking = [
  ['create_release', { title: 'Night Drive', territories: ['US'], use_types: ['download'] }],
  ['create_tracks', { tracks: [{ release_id, title: 'A', territory: ['US'] }] }],
  ['update_release', { release_id, title: 'Night Drive', artwork_asset_id: 'ast_1' }],
  ['update_track', { track_id: 'trk_1', title: 'A' }],
  ['update_tracks', { tracks: [{ id: 'trk_1', title: 'A' }] }],
  ['create_delivery', { release_id, stores: ['aurora'], territory_codes: ['US'] }],
  ['dry_run_delivery', { delivery_id: 'dlv_1', territory_codes: ['US'] }],
  ['validate_release', { release_id }],
  ['answer_for_store', { ...store, answer: 'delivered' }],
  ['advance_sandbox_clock', { by: '1d' }],
];

describe('a tool of the MCP server', () => {
  test('asks first if the call deletes, withdraws, narrows, pays, redirects or locks out', async () => {
    for (const [name, args] of asking) {
      assert.ok(await questionOf(name, args), `${name} ${JSON.stringify(args)}`);
    }
  });

  test('asks nothing before other calls', async () => {
    for (const [name, args] of running) {
      assert.equal(await questionOf(name, args), undefined, `${name} ${JSON.stringify(args)}`);
    }
  });

  test('the question has the arguments that made it necessary, however long the others are', async () => {
    const tracks = Array.from({ length: 99 }, (_, i) => ({ id: `trk_${i}`, title: 'A' }));
    const question = await questionOf('update_tracks', {
      tracks: [...tracks, { id: 'trk_99', use_types: [] }],
    });
    assert.match(question ?? '', /asked because of: "trk_99" use_types: \[\]/);
    const many = tracks.map(({ id }) => ({ id, use_types: [] }));
    const longQuestion = await questionOf('update_tracks', { tracks: many });
    assert.match(longQuestion ?? '', /"trk_19" use_types: \[\], and 79 more$/m);
  });
});
