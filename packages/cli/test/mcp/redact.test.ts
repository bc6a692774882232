import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { redact, redactText } from '../../src/mcp/redact.ts';

describe('redaction', () => {
  test('credentials are hidden wherever they are in a text', () => {
    const secrets = [
      'ta_live_0123456789abcdefghijABCDEFGHIJ012345',
      'ta_test_0123456789abcdefghijABCDEFGHIJ012345',
      'ta_cs_0123456789abcdefghijABCDEFGHIJ01234567',
      'ta_at_0123456789abcdefghijABCDEFGHIJ01234567',
      'whsec_RXhhbXBsZS1zZWNyZXQtbm90LWEtcmVhbC1vbmU=',
      'MT84MALT011000012345MTLCAST001S',
      'DE89 3704 0044 0532 0130 00',
    ];
    for (const secret of secrets) {
      const text = redactText(`Send "${secret}", please`);
      assert.ok(!text.includes(secret.slice(8, -2)), text);
      assert.match(text, /^Send ".*\[hidden\]", please$/);
    }
  });

  test('presigned URLs lose their query, other URLs keep it', () => {
    const presigned = 'https://s3.example/b/k.pdf?X-Amz-Date=1&X-Amz-Signature=abc&x=1';
    assert.equal(redactText(presigned), 'https://s3.example/b/k.pdf?[hidden]');
    assert.equal(redactText('https://store.example/a?id=7'), 'https://store.example/a?id=7');
    assert.equal(redactText('https://user:pw@h.example/'), 'https://[hidden]@h.example/');
    assert.equal(
      redactText('https://h/v1/sandbox/inbox/Zk3vQm8s'),
      'https://h/v1/sandbox/inbox/[hidden]',
    );
  });

  test('fields with secrets are hidden at any depth; ids, ISRCs and UPCs stay', () => {
    const kept = {
      id: 'rel_01m74z2pe0emj8rpmscqkq6ty7',
      isrc: 'QZ-NLR-26-00001',
      upc: '860001000009',
    };
    const answer = { data: [{ ...kept, secret: 'x', secret_hint: 'abcd', iban: null }] };
    assert.deepEqual(redact(answer), {
      data: [{ ...kept, secret: '[hidden]', secret_hint: 'abcd', iban: null }],
    });
  });
});
