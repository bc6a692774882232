import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildManifest, parseManifest, readXml } from '../src/index.ts';
import { readDdexFile } from './ddex-files.ts';

const good = readDdexFile('handmade', 'manifest-sftp18.xml');
const parse = (xml: string) => parseManifest(readXml(xml));

describe('a ManifestMessage', () => {
  test('becomes the model', () => {
    assert.deepEqual(parse(good), {
      findings: [],
      manifest: {
        kind: 'manifest',
        sender: { dpid: 'PADPIDA2025010101X', name: 'Example Distribution' },
        recipient: { dpid: 'PADPIDA2025020202Y', name: 'Fictional Store' },
        createdAt: '2025-05-01T10:00:05Z',
        isTest: true,
        rootDirectory: 'N_20250501100000123',
        messages: [
          {
            messageId: 'msg_0001',
            url: '123456789012/123456789012.xml',
            releaseIds: [{ icpn: '123456789012' }],
            deliveryType: 'NewReleaseDelivery',
            productType: 'AudioProduct',
            hash: {
              algorithm: 'SHA-256',
              value: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
            },
          },
        ],
      },
    });
  });

  test('is written and read again', () => {
    const { manifest } = parse(good);
    assert.ok(manifest);
    assert.deepEqual(parse(buildManifest(manifest).xml).manifest, manifest);
  });

  test('that is wrong is refused', () => {
    const wrong: readonly [xml: string, message: RegExp][] = [
      [
        good.replace('<NumberOfMessages>1', '<NumberOfMessages>2'),
        /NumberOfMessages is 2, but the manifest lists 1/,
      ],
      [good.replace('NewReleaseDelivery', 'Whatever'), /DeliveryType/],
      [good.replace(/<RootDirectory>.*<\/RootDirectory>/, ''), /RootDirectory/],
      [
        good
          .replace(/(<MessageInBatch>[^]*<\/MessageInBatch>)/, '$1$1')
          .replace('<NumberOfMessages>1', '<NumberOfMessages>2'),
        /listed twice/,
      ],
      ['<a/>', /a is no ManifestMessage/],
    ];
    for (const [xml, message] of wrong) {
      const { findings } = parse(xml);
      assert.match(findings[0]?.message ?? '', message);
      assert.equal(findings[0]?.code, 'NewReleaseMessageInvalid');
    }
  });
});
