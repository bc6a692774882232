/** `tonearm mcp` as an application uses it: the official client, a child process, and the whole service. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { coverJpeg, toneWav } from '../../../../apps/service/test/asset-files.ts';
import { purgeOf } from '../../../../apps/service/test/ern-messages.ts';
import { openFullStack } from '../../../../apps/service/test/full-stack.ts';
import { draft, type OrgClient } from '../../../../apps/service/test/test-service.ts';
import { writeFixtureSite } from '../../../../scripts/guides/fixture-site.ts';
import { until } from '../../../../scripts/servers/server.ts';
import { resultCharsMax } from '../../src/mcp/bounded.ts';
import { readCatalogue } from '../../src/mcp/server.ts';
import { openSession, type Session, type SessionOptions } from './mcp-session.ts';
import { plantSecrets } from './planted-secrets.ts';
import { publishRelease } from './publish-release.ts';

describe('tonearm mcp', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  let partner: OrgClient;
  let guides: string;
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-mcp-'));
  const album = join(folder, 'album');
  const sessions: Session[] = [];
  /** Sessions that several tests use: to start a process takes longer than most tests. */
  let reader: Session;
  let writer: Session;
  before(async () => {
    guides = await writeFixtureSite();
    stack = await openFullStack(26_980, {}, { guidesFolder: guides });
    await stack.service.admin('stores', 'seed');
    partner = await stack.service.givenOrganization({ tier: 'enterprise' });
    await stack.service.admin('isrc', 'add-registrant', '--org', partner.orgId, '--code', 'QZMCP');
    mkdirSync(join(album, 'drafts'), { recursive: true });
    writeFileSync(join(album, 'drafts', 'noise.wav'), 'This is no audio.');
    writeFileSync(join(album, '01 Night Drive.wav'), toneWav(45_000).bytes);
    writeFileSync(join(album, 'cover.jpg'), (await coverJpeg()).bytes);
    writeFileSync(join(folder, 'outside.wav'), toneWav().bytes);
    symlinkSync(join(folder, 'outside.wav'), join(album, 'link.wav'));
    [reader, writer] = await Promise.all([
      connect({ args: ['--files', album] }),
      connect({ args: writing }),
    ]);
  });
  after(async () => {
    await Promise.all(sessions.map((session) => session.close()));
    await stack.close();
    rmSync(folder, { recursive: true });
    rmSync(dirname(guides), { recursive: true });
  });

  const connect = async (options: Partial<SessionOptions> = {}): Promise<Session> => {
    const session = await openSession({ url: stack.service.url, key: partner.key, ...options });
    sessions.push(session);
    return session;
  };
  const writing = ['--allow-writes', '--files', album];
  const givenDraft = async (): Promise<string> =>
    (await partner.call('POST', '/v1/releases', draft())).json.id;

  test('a model publishes a release from files to stores, and takes it down once its user agrees', async () => {
    const session = await connect({ args: writing, answer: () => ({ action: 'accept' }) });
    const delivery_id = await publishRelease(session);
    // A fix may narrow rights, so it asks; nothing else does until the takedown.
    assert.match(session.questions.join('\n'), /^sandbox: Apply fixes\.[^]*line_missing/);
    assert.equal(session.questions.length, 1);
    const takedown = await session.ask('take_down_delivery', { delivery_id, reason: 'A sample.' });
    assert.ok(
      takedown.stores.every(
        (store: { takedown_requested_at: string }) => store.takedown_requested_at,
      ),
    );
    const question = session.questions.at(-1);
    assert.match(
      question ?? '',
      /^sandbox: Take a delivery down\. This can take music from listeners.*asked to remove it/s,
    );
    assert.match(question ?? '', new RegExp(`delivery_id: "${delivery_id}"`));
    assert.match(question ?? '', /release_id is: title "Night Drive"/);
    assert.match(question ?? '', /reason: "A sample\."/);
  });

  test('a person who declines, cancels or does not tick the box changes nothing', async () => {
    const answers = [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', confirm: false },
    ] as const;
    let next = 0;
    const session = await connect({ args: writing, answer: () => answers[next++] ?? answers[0] });
    const release_id = await givenDraft();
    for (const _ of answers) {
      // A client that can ask cannot be passed by with a token.
      const { isError, json } = await session.call('delete_release', {
        release_id,
        confirmation_token: 'confirm_1',
      });
      assert.deepEqual([isError, json.error.code], [true, 'confirmation_declined']);
    }
    assert.equal(session.questions.length, 3);
    assert.equal((await partner.call('GET', `/v1/releases/${release_id}`)).status, 200);
  });

  test('without elicitation, a destructive call needs a second call with a token', async () => {
    const session = writer;
    const release_id = await givenDraft();
    const first = await session.ask('delete_release', { release_id });
    assert.equal(first.status, 'confirmation_required');
    assert.match(first.what_will_happen, /Delete a draft.*release_id is: title "/s);
    assert.equal((await partner.call('GET', `/v1/releases/${release_id}`)).status, 200);
    const other = { release_id: await givenDraft(), confirmation_token: first.confirmation_token };
    assert.equal(
      (await session.call('delete_release', other)).json.error.code,
      'confirmation_invalid',
    );
    const { confirmation_token } = await session.ask('delete_release', { release_id });
    await session.ask('delete_release', { release_id, confirmation_token });
    assert.equal((await partner.call('GET', `/v1/releases/${release_id}`)).status, 404);
    const gone = await session.call('delete_release', { release_id });
    assert.equal(
      gone.json.error.code,
      'resource_not_found',
      'nobody is asked about what does not exist',
    );
  });

  test('an ERN message that would delete a draft needs the confirmation that delete_release needs', async () => {
    const { id, upc } = (await partner.call('POST', '/v1/releases', draft())).json;
    const call = { message: purgeOf(upc) };
    const first = await writer.ask('receive_ern', call);
    assert.equal(first.status, 'confirmation_required');
    assert.ok(first.what_will_happen.includes(upc));
    assert.match(
      first.what_will_happen,
      /`PurgeReleaseMessage` takes down .* deletes their drafts/,
    );
    assert.equal((await partner.call('GET', `/v1/releases/${id}`)).status, 200);
    const { confirmation_token } = first;
    assert.equal(
      (await writer.ask('receive_ern', { ...call, confirmation_token })).action,
      'deleted',
    );
    assert.equal((await partner.call('GET', `/v1/releases/${id}`)).status, 404);
  });

  test('a track is renamed at once, and withdrawn only with a confirmation', async () => {
    const { id: release_id } = (await partner.call('POST', '/v1/releases', draft())).json;
    const track = await writer.ask('create_track', { release_id, title: 'Night Drive' });
    const renamed = { id: track.id, title: 'Day Drive' };
    const { data } = await writer.ask('update_tracks', { tracks: [renamed] });
    assert.equal(data[0].title, 'Day Drive');
    const withdrawn = { tracks: [{ ...renamed, use_types: [] }] };
    const first = await writer.ask('update_tracks', withdrawn);
    assert.equal(first.status, 'confirmation_required');
    assert.deepEqual((await writer.ask('get_track', { track_id: track.id })).use_types, null);
  });

  test('the annotations say which tools read, write and destroy', async () => {
    const { tools } = await writer.client.listTools();
    const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
    const { readOnlyHint, destructiveHint, idempotentHint } = hints('take_down_delivery') ?? {};
    assert.deepEqual([readOnlyHint, destructiveHint, idempotentHint], [false, true, false]);
    assert.equal(hints('get_delivery')?.readOnlyHint, true);
    assert.equal(hints('create_release')?.destructiveHint, false);
    assert.equal(hints('update_release')?.idempotentHint, true);
    assert.equal(hints('update_release')?.destructiveHint, true, 'with some arguments');
    assert.ok(tools.length > 100);
  });

  test('without --allow-writes only reading tools are offered, and others refuse', async () => {
    const session = reader;
    const { tools } = await session.client.listTools();
    assert.ok(tools.length > 50 && tools.every((tool) => tool.annotations?.readOnlyHint === true));
    assert.ok(JSON.stringify(tools).length < 60_000, `${JSON.stringify(tools).length} characters`);
    const offered = new Set(tools.map(({ name }) => name));
    const others = [...readCatalogue().map(({ name }) => name), 'upload_file'].filter(
      (name) => !offered.has(name),
    );
    for (const name of others) {
      const { isError, json } = await session.call(name, {
        release_id: 'rel_1',
        path: 'cover.jpg',
      });
      assert.deepEqual([isError, json.error.code], [true, 'writes_not_allowed'], name);
      assert.match(json.error.cure, /--allow-writes/);
    }
    await assert.rejects(session.call('create_api_key'), /There is no tool create_api_key/);
    await assert.rejects(session.call('toString'), /There is no tool toString/);
    const some = await connect({ args: ['--allow-writes', '--tools', 'releases,stores'] });
    await assert.rejects(some.call('upload_file', { path: 'cover.jpg' }), /There is no tool/);
    const names = new Set((await some.client.listTools()).tools.map(({ name }) => name));
    assert.ok(names.has('get_store') && !names.has('get_balance'));
    assert.equal((await some.call('get_balance')).json.error.code, 'tool_not_offered');
  });

  test('only files of the folder are uploaded', async () => {
    const { call } = writer;
    const paths = [
      '../outside.wav',
      'link.wav',
      join(folder, 'outside.wav'),
      '../../etc/hostname',
      'x/../../outside.wav',
    ];
    for (const path of paths) {
      const { isError, json } = await call('upload_file', { path });
      assert.deepEqual([isError, json.error.code], [true, 'file_not_found'], path);
    }
  });

  test('an error says its code, what to do, and its request', async () => {
    const { call } = writer;
    const empty = await call('create_release', { title: 7 });
    const { code, message, cure, request_id, details } = empty.json.error;
    assert.ok(empty.isError && code === 'missing_required_field' && message !== '' && cure !== '');
    assert.match(request_id, /^req_/);
    assert.ok(details.some(({ field }: { field: string }) => field === 'title'));
    assert.equal((await call('get_release', {})).json.error.code, 'argument_missing');
    assert.equal((await call('get_release', { release_id: '../artists' })).isError, true);
    assert.equal(
      (await call('list_releases', { colour: 'red' })).json.error.code,
      'argument_unknown',
    );
    const noise = await call('upload_file', { path: 'drafts/noise.wav' });
    assert.deepEqual([noise.isError, noise.json.error.code], [true, 'asset_failed'], noise.text);
    const unreachable = await connect({ url: 'http://127.0.0.1:9' });
    assert.equal((await unreachable.call('get_balance')).json.error.code, 'connection_failed');
  });

  test('guides and error codes are resources, and guides can be read by a tool', async () => {
    const { client, ask, call } = reader;
    const { resources } = await client.listResources();
    assert.ok(resources.some(({ uri }) => uri === 'tonearm://guides/errors'));
    const { contents } = await client.readResource({ uri: 'tonearm://guides/errors' });
    assert.match(JSON.stringify(contents), /# /);
    const codes = await client.readResource({ uri: 'tonearm://error-codes/resource_not_found' });
    assert.match(JSON.stringify(codes), /No resource of your organization has this id/);
    for (const uri of ['tonearm://guides/..%2f', 'tonearm://error-codes/x', 'file:///etc/passwd']) {
      await assert.rejects(client.readResource({ uri }), /There is no resource/);
    }
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 2);
    assert.ok((await ask('read_guide')).guides.length > 0);
    assert.match((await ask('read_guide', { guide: 'errors' })).text, /^# /);
    assert.equal((await call('read_guide', { guide: '../x' })).json.error.code, 'guide_not_found');
  });

  test('no secret and no bank detail is in any result or log', async () => {
    const session = writer;
    const { secrets, recognizable, marker, argumentsOf } = await plantSecrets(
      stack.service,
      partner,
    );
    const { tools } = await session.client.listTools();
    const reading = tools.filter((tool) => tool.annotations?.readOnlyHint === true);
    for (const { name, inputSchema } of reading) {
      const required = inputSchema.required ?? [];
      await session.call(name, {
        ...argumentsOf(required),
        ...(name === 'list_requests' && { limit: 50 }),
      });
    }
    // In errors and questions too.
    for (const secret of recognizable) {
      await session.call('get_release', { release_id: secret });
      await session.call('create_release', { title: secret, genre: secret });
      await session.call('delete_label', {
        label_id: argumentsOf(['label_id'])['label_id'],
        x: secret,
      });
    }
    await stack.service.flushRequests();
    await session.call('list_requests', { limit: 50 });
    const everything = [...session.results, session.log()].join('\n');
    assert.ok(everything.includes(marker), 'the search sees what was planted');
    const found = secrets.filter((secret) => everything.includes(secret));
    assert.deepEqual(found, []);
    assert.ok(session.results.every((text) => text.length <= resultCharsMax));
  });

  test('the server ends with its client', async () => {
    const pid = reader.pid() ?? 0;
    await reader.close();
    await until('the process has ended', async () => {
      try {
        return !process.kill(pid, 0);
      } catch {
        return true;
      }
    });
  });
});
