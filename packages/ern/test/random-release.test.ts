/**
 * Everything that this package writes, libxml2 and Xerces-C find valid, its own checks find consistent, and its reader
 * reads back as it was.
 */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  buildNewRelease,
  buildPurge,
  type BuiltMessage,
  checkMessage,
  createValidator,
  type ErnMessage,
  type ErnVersion,
  parseMessage,
  takeDown,
  takedownMethods,
} from '../src/index.ts';
import { dialects } from '../src/write/dialects.ts';
import { prune } from './pruned.ts';
import { releaseCount, samplePurges, sampleReleases } from './random-sample.ts';
import { schemaDirectory, withoutSchemas } from './schema-directory.ts';
import { findXercesErrors } from './xerces.ts';

const releases = sampleReleases(releaseCount);
const purges = samplePurges(100);
const takedowns = releases
  .slice(0, 100)
  .map((release, i) => takeDown(release, new Date('2027-06-01T12:00:00Z'), takedownMethods[i % 2]));

const build = (message: ErnMessage, version: ErnVersion): BuiltMessage =>
  message.kind === 'new_release' ? buildNewRelease(message, version) : buildPurge(message, version);

/** ERN 4.3 differs in a few elements: a part of the releases shows them. */
const messagesOf: Readonly<Record<ErnVersion, readonly ErnMessage[]>> = {
  '4.3.2': [...releases, ...takedowns, ...purges],
  '4.3': [...releases.filter((_, i) => i % 5 === 0), ...takedowns, ...purges],
};

for (const version of ['4.3.2', '4.3'] as const) {
  describe(`random messages of ERN ${version}`, { skip: withoutSchemas }, () => {
    const validator = createValidator(schemaDirectory);
    after(() => validator.dispose());
    const messages = messagesOf[version];
    const built = messages.map((message) => build(message, version));
    const schema = {
      namespace: dialects[version].namespace,
      file: join(schemaDirectory, `ern/${version.replaceAll('.', '')}/release-notification.xsd`),
    };

    test(`${messages.length} messages are valid for libxml2, consistent, and read back as they were`, async () => {
      for (const [i, message] of messages.entries()) {
        const { xml, conveyance } = built[i] ?? build(message, version);
        const { root, errors } = validator.read(xml);
        assert.deepEqual(errors, []);
        const parsed = parseMessage(root);
        assert.deepEqual(parsed.findings, []);
        assert.deepEqual(parsed.unread, []);
        // Without deals, a message is for a store that has the release.
        const isKnownRelease = message.kind === 'new_release' && takedowns.includes(message);
        assert.deepEqual(checkMessage(root, { isKnownRelease }), []);
        const dropped = conveyance().dropped.map(({ pointer }) => pointer);
        assert.deepEqual(parsed.message, prune(message, dropped));
        // Tests of other files may share the process.
        if (i % 20 === 0) await setImmediate();
      }
    });

    test(`${messages.length} messages are valid for Xerces-C`, async () => {
      assert.equal(
        await findXercesErrors(
          built.map(({ xml }) => xml),
          schema,
        ),
        '',
      );
    });

    test('Xerces-C finds a message without a duration and one with a dangling reference', async () => {
      const [first, second, third] = built.map(({ xml }) => xml);
      assert.ok(first !== undefined && second !== undefined && third !== undefined);
      const errors = await findXercesErrors(
        [
          first,
          second.replace(/<Duration>.*<\/Duration>/, ''),
          third.replace('<ReleaseResourceReference>A1<', '<ReleaseResourceReference>A99<'),
        ],
        schema,
      );
      assert.match(errors, /A99-2/);
      assert.equal(errors.match(/Error at/g)?.length, 2, errors);
    });
  });
}
