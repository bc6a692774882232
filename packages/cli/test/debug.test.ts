/** `--debug` is made for bug reports: no secret and nothing personal is in what it prints. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { composeUnconnectedApi } from '../../../apps/service/src/app/openapi.ts';
import { debuggingFetch } from '../src/curl.ts';

const apiUrl = 'http://127.0.0.1:9';

/** The command that is printed. Nothing listens there. */
async function printed(path: string, body?: object): Promise<string> {
  const lines: string[] = [];
  const send = debuggingFetch((line) => lines.push(line), apiUrl);
  await assert.rejects(
    send(apiUrl + path, { method: 'POST', ...(body && { body: JSON.stringify(body) }) }),
  );
  return lines[0] ?? '';
}

/** The names of fields whose schemas say that they are secret, or an email address. */
function privateNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: object };
  const own = Object.entries(properties).flatMap(([name, field]) =>
    /"x-secret":true|"format":"email"/.test(JSON.stringify(field)) ? [name] : [],
  );
  return [...own, ...Object.values(schema).flatMap(privateNames)];
}

describe('--debug', () => {
  test('hides every field of a request that its schema calls secret, and every email address', async (t) => {
    const { server, close } = await composeUnconnectedApi();
    t.after(close);
    const names = new Set(server.operations.flatMap(({ body }) => privateNames(body)));
    for (const known of ['account_holder', 'iban', 'account', 'provider', 'tin', 'secret', 'email'])
      assert.ok(names.has(known), `${known} is found`);
    for (const name of names) {
      const line = await printed('/v1/any', {
        kept: 'shown',
        [name]: 'canary',
        deep: [{ [name]: ['canary'] }],
      });
      assert.ok(line.includes('"kept":"shown"') && !line.includes('canary'), line);
    }
  });

  test('shows no body of payout methods and tax profiles: a misspelled field may have a bank number', async () => {
    for (const path of [
      '/v1/payout_methods',
      '/v1/tax_profile',
      '/v1/payout_methods/pm_1/approve',
    ]) {
      const line = await printed(path, { accountNumber: '000123456789' });
      assert.match(line, /--data-binary @FILE$/);
    }
  });

  test('hides the names and addresses of contacts, and what is personal in a path', async () => {
    const contacts = [{ type: 'legal', name: 'Mette Krogh', email: 'mette@label.example' }];
    const line = await printed('/v1/organization', { contacts, default_label_id: 'lbl_1' });
    assert.match(line, /--json '\{"contacts":"\[hidden\]","default_label_id":"lbl_1"\}'$/);
    const inPath = await printed('/v1/sandbox/inbox/Zk3vQm8s?iban=DE89370400440532013000');
    assert.ok(!/Zk3vQm8s|DE89/.test(inPath), inPath);
    const inText = await printed('/v1/releases', { title: 'DE89 3704 0044 0532 0130 00' });
    assert.ok(!inText.includes('3704'), inText);
  });
});
