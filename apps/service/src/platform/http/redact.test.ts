import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Type } from 'typebox';
import { assertOnceUnder } from '../../../test/cpu-time.ts';
import type { AnyOperation } from './operation.ts';
import { createRedact } from './redact.ts';
import { Nullable, secretField } from './schema.ts';

const redact = createRedact(() => []);

describe('redaction', () => {
  const changed: readonly (readonly [before: string, after: string])[] = [
    ['{"secret":"hunter2","b":1}', '{"secret":"[redacted]","b":1}'],
    ['{"secret":"a\\"b","b":1}', '{"secret":"[redacted]","b":1}'],
    ['{"clientSecret":"hunter2"}', '{"clientSecret":"[redacted]"}'],
    ['{"apiKey":"a","Password":"b"}', '{"apiKey":"[redacted]","Password":"[redacted]"}'],
    ['{"API_KEY":"a","Credential":"b"}', '{"API_KEY":"[redacted]","Credential":"[redacted]"}'],
    ['{"secret":"hunt', '{"secret":"[redacted]'],
    ['{"secret":["a","b"],"c":1}', '{"secret":[redacted]],"c":1}'],
    ['{"secret":12345,"c":1}', '{"secret":[redacted],"c":1}'],
    ['{secret: hunter2, b: 1}', '{secret: [redacted], b: 1}'],
    ['/v1/x?access_token=abc&b=1', '/v1/x?access_token=[redacted]&b=1'],
    ['{"\\u0073ecret":"hunter2"}', '{"secret":"[redacted]"}'],
    ['authorization: Basic YWJj\nb: c', 'authorization: [redacted]\nb: c'],
    ['My key ta_live_abc, and whsec_a+b/c=.', 'My key ta_live_[redacted], and whsec_[redacted].'],
    ['/v1/webhooks/whsec%5Fabc%2Bd', '/v1/webhooks/whsec_[redacted]'],
    ['{"url":"https://a.example/b?c"}', '{"url":"https://a.example/[redacted]"}'],
    ['{"url":"https://u:p@a.example:8443"}', '{"url":"https://a.example:8443"}'],
    ['{"url":"https:\\/\\/a.example\\/b"}', '{"url":"https://a.example/[redacted]"}'],
    ['https://u:p%2Fw/x@a.example/', 'https://[redacted]/[redacted]'],
    ['http://u:p@a.example/docs/guides/errors#a', 'http://a.example/docs/guides/errors#a'],
    ['http://a.example/docs/guides/errors#a?b', 'http://a.example/[redacted]'],
    ['GET /v1/sandbox/inbox/abc-_d', 'GET /v1/sandbox/inbox/[redacted]'],
    [
      `Unexpected token '}', ..."AAA","x":}" is not valid JSON`,
      'Unexpected token [redacted] is not valid JSON',
    ],
  ];
  for (const [before, after] of changed) {
    test(`changes ${before}`, () => assert.equal(redact(before), after));
  }

  const unchanged = [
    '',
    '{"secret_hint":"abcd","secret":null}',
    '{"actor":{"type":"api_key","id":"key_01h455vb4pex5vsknk084sn02q"}}',
    '{"title":"Pallbearer Foundations","version":"Secret Mix"}',
    '{"url":"https://a.example/","host":"https://a.example"}',
    '{"title":"caf\\u00e9 100%25 \\u0041 a\\/b"}',
    '{"doc_url":"http://a.example:80/docs/guides/errors#invalid_field"}',
    '{"next_cursor":"abc","metadata_x":"data_at_rest"}',
  ];
  for (const text of unchanged) {
    test(`keeps ${text}`, () => assert.equal(redact(text), text));
  }

  test('fields that a schema marks as secret are found, wherever they are', () => {
    const operation = {
      body: Type.Object({
        a: Type.Array(Type.Object({ pin: Type.String(secretField) })),
        tin: Type.Optional(Nullable(Type.String(secretField))),
      }),
      answers: { 200: Type.Object({ proof: Type.Optional(Type.String(secretField)) }), 204: null },
    } as unknown as AnyOperation;
    const own = createRedact(() => [operation]);
    assert.equal(own('{"pin":"1234","proof":"abc"}'), '{"pin":"[redacted]","proof":"[redacted]"}');
    assert.equal(
      own('{"tin":"12-34","old_tin":"5"}'),
      '{"tin":"[redacted]","old_tin":"[redacted]"}',
    );
    assert.equal(redact('{"pin":"1234"}'), '{"pin":"1234"}');
    for (const text of ['{"title":"Martin: Live"}', '{"latin":"a","setting":"b"}']) {
      assert.equal(own(text), text);
    }
  });

  test('takes time in proportion to the length of the text, for hostile texts too', async () => {
    const hostile = [
      'a.',
      'secret',
      'secret:"',
      'secret: ',
      'secret:[',
      'secret\\',
      'a://',
      '@://',
      'Unexpected token ',
      '\\',
      '%25',
      '\\u005c',
      'ta_live_',
      'authorization: ',
      'DE12 3456 ',
      'DE89',
      '4111 1111 ',
      '41111111',
    ];
    for (const piece of hostile) {
      const text = `://${piece.repeat(16_384 / piece.length)}`;
      await assertOnceUnder(400, () => redact(text), piece);
    }
  });
});
