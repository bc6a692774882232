/** The digests of the audit log (contract §4): SHA-256 of the resource as GET presents it, before and after a change. */

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';
import { openWorkerDriver } from '../worker-driver.ts';

type Entry = {
  readonly action: string;
  readonly actor: { readonly type: string };
  readonly request_id: string | null;
  readonly before_digest: string | null;
  readonly after_digest: string | null;
};

const sha256 = (text: string): string => hash('sha256', text, 'hex');

describe('digests of the audit log', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const list = async (query: string, caller = label): Promise<Entry[]> => {
    await service.sequenceEvents();
    const { status, text, json } = await caller.call('GET', `/v1/audit_log${query}`);
    assert.equal(status, 200, text);
    return json.data;
  };

  /** GET before and after a change, compared with the entry of the change. */
  const compare = async (
    action: string,
    path: string,
    change: () => Promise<{ readonly status: number; readonly text: string }>,
    caller = label,
  ): Promise<void> => {
    const read = async () => {
      const { status, json } = await caller.call('GET', path);
      if (status === 404) return null;
      // URLs are signed for each answer; the digest does not cover them, like the ETag.
      const { upload: _upload, download: _download, ...resource } = json;
      return sha256(JSON.stringify(resource));
    };
    const beforeDigest = await read();
    const { status, text } = await change();
    assert.ok(status < 300, text);
    const afterDigest = await read();
    const id = path.split('/').at(-1) ?? '';
    const [entry] = await list(`?resource=${id}&action=${action}&limit=1`, caller);
    assert.deepEqual(
      [entry?.before_digest, entry?.after_digest],
      [beforeDigest, afterDigest],
      action,
    );
  };

  test('contract §4: are of the release as GET presented it before the change and presents it after', async () => {
    const { json } = await label.call('POST', '/v1/releases', draft());
    const path = `/v1/releases/${json.id}`;
    await compare('release.update', path, () => label.call('PATCH', path, { title: 'Other' }));
    await service.makeSubmittable(label, json.id);
    await compare('release.submit', path, () => label.call('POST', `${path}/submit`));
    const { json: other } = await label.call('POST', '/v1/releases', draft());
    await compare('release.delete', `/v1/releases/${other.id}`, () =>
      label.call('DELETE', `/v1/releases/${other.id}`),
    );
  });

  test('of the organization, its keys and clients, changed by requests and by the operator', async () => {
    const partner = await service.givenOrganization({ tier: 'enterprise' });
    const org = ['--org', partner.orgId];
    const operator = async (...argv: string[]) => {
      await service.admin(...argv);
      return { status: 200, text: '' };
    };
    /** The path of the organization has no id. */
    const compareOrganization = async (
      action: string,
      change: () => Promise<{ readonly status: number; readonly text: string }>,
    ) => {
      const read = async () => sha256((await partner.call('GET', '/v1/organization')).text);
      const beforeDigest = await read();
      const { status, text } = await change();
      assert.ok(status < 300, text);
      const [entry] = await list(`?action=${action}&limit=1`, partner);
      assert.deepEqual(
        [entry?.before_digest, entry?.after_digest],
        [beforeDigest, await read()],
        action,
      );
    };
    await compareOrganization('organization.update', () =>
      partner.call('PATCH', '/v1/organization', { default_metadata_language: 'de' }),
    );
    await compareOrganization('org.suspend', () => operator('org', 'suspend', ...org));
    await compareOrganization('org.resume', () => operator('org', 'resume', ...org));
    await compareOrganization('org.verify', () =>
      operator('org', 'verify', ...org, '--status', 'pending'),
    );
    await compareOrganization('org.set-tier', () =>
      operator('org', 'set-tier', ...org, '--tier', 'enterprise'),
    );

    const newKey = { name: 'Importer', scopes: ['releases:read'] };
    const { json: key } = await partner.call('POST', '/v1/api_keys', newKey);
    await compare(
      'key.revoke',
      `/v1/api_keys/${key.id}`,
      () => operator('key', 'revoke', ...org, '--key', key.id),
      partner,
    );
    const { json: client } = await partner.call('POST', '/v1/oauth_clients', newKey);
    const path = `/v1/oauth_clients/${client.id}`;
    await compare('oauth_client.delete', path, () => partner.call('DELETE', path), partner);
  });

  test('of tracks, artists and labels', async () => {
    const { json: release } = await label.call('POST', '/v1/releases', draft());
    const { json: track } = await label.call('POST', '/v1/tracks', {
      release_id: release.id,
      title: 'Night Drive',
      isrc: 'QZTSU2600001',
    });
    const trackPath = `/v1/tracks/${track.id}`;
    await compare('track.update', trackPath, () =>
      label.call('PATCH', trackPath, { title: 'Day Drive' }),
    );
    await compare('track.delete', trackPath, () => label.call('DELETE', trackPath));

    const { json: artist } = await label.call('POST', '/v1/artists', { name: 'Aurora' });
    const { json: twin } = await label.call('POST', '/v1/artists', { name: 'Aurora Díaz' });
    const artistPath = `/v1/artists/${artist.id}`;
    await compare('artist.update', artistPath, () =>
      label.call('PATCH', artistPath, { name: 'Aurora D.' }),
    );
    const merge = () => label.call('POST', `${artistPath}/merge`, { into: twin.id });
    await compare('artist.merge', artistPath, merge);
    const [remaining] = await list(`?resource=${twin.id}&limit=1`);
    const { text } = await label.call('GET', `/v1/artists/${twin.id}`);
    assert.deepEqual(
      [remaining?.action, remaining?.before_digest, remaining?.after_digest],
      ['artist.merge', sha256(JSON.stringify(twin)), sha256(text)],
    );

    const { json: imprint } = await label.call('POST', '/v1/labels', { name: 'Imprint' });
    const labelPath = `/v1/labels/${imprint.id}`;
    await compare('label.update', labelPath, () =>
      label.call('PATCH', labelPath, { name: 'Other Imprint' }),
    );
    await compare('label.delete', labelPath, () => label.call('DELETE', labelPath));
  });

  test('of many tracks: one entry for each release, of its tracks', async () => {
    const releases = await Promise.all(
      [1, 2].map(async () => (await label.call('POST', '/v1/releases', draft())).json.id),
    );
    const tracks = releases.map((release_id, i) => ({
      release_id,
      title: `Track of ${i}`,
      isrc: `QZTSV260000${i}`,
    }));
    const { json } = await label.call('POST', '/v1/tracks/bulk', { tracks });
    for (const [i, id] of releases.entries()) {
      const [entry] = await list(`?resource=${id}&action=track.create_many`);
      assert.equal(entry?.before_digest, null);
      assert.equal(entry.after_digest, sha256(JSON.stringify({ data: [json.data[i]] })));
    }
    const edits = json.data.map(({ id }: { id: string }) => ({ id, title: 'Other' }));
    const edited = await label.call('PATCH', '/v1/tracks/bulk', { tracks: edits });
    const [entry] = await list(`?resource=${releases[1]}&action=track.update_many`);
    assert.deepEqual(
      [entry?.before_digest, entry?.after_digest],
      [json.data[1], edited.json.data[1]].map((track) => sha256(JSON.stringify({ data: [track] }))),
    );
  });

  test('of an asset without its signed URLs, of a webhook without its secret', async () => {
    const { json: asset } = await label.call('POST', '/v1/assets', {
      type: 'audio',
      file_name: 'a.wav',
      content_type: 'audio/wav',
      size_bytes: 100,
    });
    const { upload: _upload, download: _download, ...presented } = asset;
    const [created] = await list(`?resource=${asset.id}`);
    assert.equal(created?.after_digest, sha256(JSON.stringify(presented)));

    const url = 'http://127.0.0.1:1999/';
    const registered = await label.call('POST', '/v1/webhooks', { url, event_type: '*' });
    assert.equal(registered.status, 201, registered.text);
    const path = `/v1/webhooks/${registered.json.id}`;
    const [pinged, first] = await list(`?resource=${registered.json.id}`);
    assert.deepEqual([pinged?.action, first?.action], ['webhook.record_ping', 'webhook.create']);
    assert.equal(pinged?.request_id, registered.headers.get('x-request-id'));
    assert.equal(pinged?.before_digest, first?.after_digest);
    assert.equal(pinged?.after_digest, sha256((await label.call('GET', path)).text));
    await compare('webhook.update', path, () => label.call('PATCH', path, { description: 'Ours' }));
    await compare('webhook.rotate_secret', path, () =>
      label.call('POST', `${path}/rotate_secret`, {}),
    );
    await compare('webhook.delete', path, () => label.call('DELETE', path));
  });

  test('of a delivery; background processes have entries of their own', async () => {
    const driver = openWorkerDriver(service);
    const caller = await service.givenOrganization();
    const releaseId = await service.givenSubmittedRelease(caller);
    await driver.runUntilIdle();
    const { json: delivery } = await caller.call('POST', '/v1/deliveries', {
      release_id: releaseId,
      stores: ['aurora', 'beatlane'],
      territory_codes: ['WORLDWIDE'],
    });
    const path = `/v1/deliveries/${delivery.id}`;
    await driver.runUntilIdle();
    await compare(
      'sandbox.answer',
      path,
      () =>
        caller.call('POST', `/v1/sandbox/deliveries/${delivery.id}/stores/aurora/answer`, {
          answer: 'delivered',
        }),
      caller,
    );
    await compare(
      'delivery.takedown',
      path,
      () => caller.call('POST', `${path}/takedown`, { stores: ['aurora'] }),
      caller,
    );
    const entries = await list('?limit=100', caller);
    const actionsOf = (type: string) =>
      new Set(entries.filter(({ actor }) => actor.type === type).map(({ action }) => action));
    assert.ok(actionsOf('workflow').has('submission.approved'));
    assert.ok(actionsOf('workflow').has('delivery.dispatch'));
    assert.ok(actionsOf('api_key').has('release.change_status'), 'the answer delivered it');
    assert.ok(actionsOf('operator').has('key.create'));
    for (const { actor, request_id } of entries) {
      assert.equal(request_id !== null, actor.type === 'api_key');
    }
  });
});
