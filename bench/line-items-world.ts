/** Statements with line items on the real S3 server, and an api process that serves them. */

import { join } from 'node:path';
import type { Id, OrgId } from '../apps/service/src/kernel/ids.ts';
import { openList } from '../apps/service/src/platform/http/cursor.ts';
import { pageOfRows } from '../apps/service/src/royalties/domain/position-page.ts';
import { apiEnvironment } from '../apps/service/test/processes.ts';
import { type GivenStatement, givenStatement } from '../apps/service/test/statement-fixture.ts';
import { openTestService, type OrgClient } from '../apps/service/test/test-service.ts';
import type { Lab } from '../scripts/experiments/experiment.ts';
import { root } from '../scripts/servers/server.ts';
import { startProcess, untilAnswering } from './start-process.ts';

export type WorldSize = {
  readonly items: number;
  readonly readers: number;
  readonly readerItems: number;
};

export type Owned = { readonly owner: OrgClient; readonly statement: GivenStatement };
export type LineItemWorld = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld(lab: Lab, { items, readers, readerItems }: WorldSize) {
  const service = await openTestService();
  const make = async (rows: number): Promise<Owned> => {
    const owner = await service.givenOrganization({ tier: 'enterprise', prefix: null });
    return { owner, statement: await givenStatement(service, owner, { parts: [rows] }) };
  };
  const large = await make(items);
  lab.say(`a statement of ${items} items is stored`);
  const others: Owned[] = [];
  while (others.length < readers) others.push(await make(readerItems));
  lab.say(`${readers} statements of ${readerItems} items are stored`);
  return {
    service,
    large,
    others,
    /** A new process: nothing is cached in it. */
    startApi: async () => {
      const port = lab.fleet.ports.postgres + 31;
      const env = {
        ...apiEnvironment(service.database),
        TONEARM_ENVIRONMENT: 'sandbox',
        TONEARM_PORT: String(port),
        TONEARM_REDIS_URL: `redis://127.0.0.1:${lab.fleet.ports.redis}`,
      };
      const main = join(root, 'apps/service/src/main.ts');
      const { pid = -1, stop } = startProcess(lab, 'api-line-items', [main, 'api'], env);
      await untilAnswering(port, '/readyz');
      return { port, pid, stop };
    },
    /** The path of a page that begins at this position, with a cursor that the api accepts as its own. */
    pageAt: async ({ owner, statement }: Owned, position: number): Promise<string> => {
      const path = `/v1/statements/${statement.id}/line-items?limit=100`;
      if (position === 1) return path;
      return `${path}&cursor=${await cursorAfter(owner.orgId as OrgId, statement.id, position - 1)}`;
    },
    close: () => service.close(),
  };

  async function cursorAfter(orgId: OrgId, id: Id<'stm'>, position: number): Promise<string> {
    const list = openList(service.keyring, orgId, `line_items/${id}`, {});
    const page = pageOfRows([position], position, position + 1);
    const { body } = await list.answer(page, () => null);
    return (JSON.parse(body.toString()) as { readonly next_cursor: string }).next_cursor;
  }
}
