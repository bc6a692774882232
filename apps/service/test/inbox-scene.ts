/** An organization with an inbox, for tests of the inbox. */
import assert from 'node:assert/strict';
import type { Caller, Reply, TestService } from './test-service.ts';

export const inboxPath = '/v1/sandbox/inbox';
export const usualAnswer = { status: 200, times: null, delay: '0s', retry_after: null };

/** As a webhook would: over HTTP, with nothing but the address. What was told is no answer of the API. */
export const post = (url: string, body?: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', redirect: 'manual', headers, ...(body !== undefined && { body }) });

export type InboxScene = {
  readonly label: Caller;
  readonly url: string;
  readonly look: (query?: string) => Promise<Reply['json']>;
  readonly newest: () => Promise<Reply['json']>;
  readonly tell: (answer: object) => Promise<Reply>;
};

export async function givenInbox(service: TestService): Promise<InboxScene> {
  const label = await service.givenOrganization();
  const look = async (query = '') => {
    const { status, json } = await label.call('GET', `${inboxPath}${query}`);
    assert.equal(status, 200);
    return json;
  };
  return {
    label,
    url: (await look()).url,
    look,
    newest: async () => (await look()).data[0],
    tell: (answer) => label.call('POST', inboxPath, answer),
  };
}
