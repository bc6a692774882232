/** For tests of the sandbox inbox: creates an organization on a running test service and opens its inbox. */

import assert from 'node:assert/strict';
import type { OrgClient, Reply, TestService } from './test-service.ts';

export const inboxPath = '/v1/sandbox/inbox';
export const defaultAnswer = { status: 200, times: null, delay: '0s', retry_after: null };

/**
 * Posts to the inbox as a webhook does: over HTTP, without an API key. The response is the one that the partner chose,
 * so it is not checked against the OpenAPI document.
 */
export const postToInbox = (
  url: string,
  body?: string | Buffer,
  headers: Record<string, string> = {},
) =>
  fetch(url, { method: 'POST', redirect: 'manual', headers, ...(body !== undefined && { body }) });

export type InboxFixture = {
  readonly label: OrgClient;
  readonly url: string;
  readonly readInbox: (query?: string) => Promise<Reply['json']>;
  readonly newestMessage: () => Promise<Reply['json']>;
  readonly setAnswer: (answer: object) => Promise<Reply>;
};

export async function givenInbox(service: TestService): Promise<InboxFixture> {
  const label = await service.givenOrganization();
  const readInbox = async (query = '') => {
    const { status, json } = await label.call('GET', `${inboxPath}${query}`);
    assert.equal(status, 200);
    return json;
  };
  return {
    label,
    url: (await readInbox()).url,
    readInbox,
    newestMessage: async () => (await readInbox()).data[0],
    setAnswer: (answer) => label.call('POST', inboxPath, answer),
  };
}
