/** The command line against a whole service: real processes, a real engine, real files, and a real terminal. */

import { after, before, describe } from 'node:test';
import { openFullStack } from '../../../apps/service/test/full-stack.ts';
import { accountCases } from './account-cases.ts';
import { deliveryCases } from './delivery-cases.ts';
import { importCases } from './import-cases.ts';
import { listenCases } from './listen-cases.ts';
import { type Home, openHome } from './run-cli.ts';
import { terminalCases } from './terminal-cases.ts';

export type Partner = {
  readonly url: string;
  readonly key: string;
  /** A home whose environment has the address and the key. */
  readonly home: Home;
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ status: number; json: unknown }>;
  /** Another organization's key. */
  readonly otherKey: string;
};

describe('tonearm', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  let partner: Partner;
  before(async () => {
    stack = await openFullStack(27_080);
    const { service } = stack;
    await service.admin('stores', 'seed');
    const [own, other] = [await service.givenOrganization(), await service.givenOrganization()];
    await service.admin('isrc', 'add-registrant', '--org', own.orgId, '--code', 'QZCLI');
    partner = {
      url: service.url,
      key: own.key,
      otherKey: other.key,
      home: openHome({ TONEARM_URL: service.url, TONEARM_API_KEY: own.key }),
      call: own.call,
    };
  });
  after(async () => {
    partner.home.remove();
    await stack.close();
  });

  accountCases(() => partner);
  importCases(() => partner);
  deliveryCases(() => partner);
  listenCases(() => partner);
  terminalCases(() => partner);
});
