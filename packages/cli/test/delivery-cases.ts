/** From a draft to stores, and the exit status that says how it went. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dateIn } from './album.ts';
import type { Partner } from './cli.test.ts';
import { importStateOf } from './import-state.ts';

export function deliveryCases(partner: () => Partner): void {
  describe('a delivery', () => {
    const importedRelease = (album: string): string =>
      importStateOf(partner().home, album).state.release_id;

    test('a draft is fixed and submitted, a watch that is too short ends with 3, the delivery with 0', async () => {
      const { home } = partner();
      const id = importedRelease('album');
      const fixed = await home.run(['releases', 'validate', id, '--fix']);
      assert.equal(fixed.status, 0, fixed.stderr);
      const submitted = await home.run(['releases', 'submit', id]);
      assert.equal(submitted.status, 0, submitted.stderr);

      const short = await home.run([
        'deliver',
        id,
        '--stores',
        'all',
        '--watch',
        '--timeout',
        '1s',
      ]);
      assert.equal(short.status, 3, short.stderr);
      assert.equal(short.json.status, 'in_progress');
      assert.equal(short.json.stores.length, 12);
      assert.match(short.stderr, /^wait_timeout: .*\nNext: tonearm deliveries watch dlv_/m);

      const watching = home.run(['deliveries', 'watch', short.json.id]);
      const advanced = await home.run(['sandbox', 'clock', 'advance', `${dateIn(60)}T12:00:00Z`]);
      assert.equal(advanced.status, 0, advanced.stderr);
      const watched = await watching;
      assert.equal(watched.status, 0, watched.stderr);
      assert.equal(watched.json.status, 'delivered');
    });

    test('a rejection ends with 4, and says why and what to do', async () => {
      const { home } = partner();
      const id = importedRelease('cut');
      await home.run(['releases', 'validate', id, '--fix']);
      assert.equal((await home.run(['releases', 'submit', id])).status, 0);
      const { json: delivery } = await home.run(['deliver', id, '--stores', 'kilima']);
      await home.run(['sandbox', 'clock', 'advance', '0s']);
      const triggered = await home.run([
        'trigger',
        'delivery.completed',
        '--delivery',
        delivery.id,
        '--answer',
        'rejected',
      ]);
      assert.equal(triggered.status, 0, triggered.stderr);
      const watched = await home.run(['deliveries', 'watch', delivery.id, '--table']);
      assert.equal(watched.status, 4);
      assert.match(watched.stdout, /^kilima +✖ rejected +\d+ +new_release_message_invalid$/m);
      assert.match(watched.stdout, /Triggered by tonearm trigger/);
      assert.match(watched.stdout, /^Next: tonearm deliveries resubmit dlv_/m);
      assert.match(watched.stderr, /^not_delivered: dlv_\w+ is rejected\.$/m);

      const takedown = await home.run(['deliveries', 'takedown', delivery.id]);
      assert.equal(takedown.status, 2);
      assert.equal(
        (await home.run(['deliveries', 'takedown', delivery.id, '--yes'])).json.status,
        'taken_down',
      );
    });

    test('trigger says what it cannot do', async () => {
      const { home } = partner();
      const cannot = await home.run(['trigger', 'statement.published']);
      assert.equal(cannot.status, 2);
      assert.match(cannot.stderr, /^cannot_trigger: .*\nNext: tonearm post \/v1\/sandbox\/reports/);
      assert.equal((await home.run(['trigger', 'nonsense'])).status, 2);
    });
  });
}
