/** Reading statements (contract §4). */

import type { Clock } from '../../kernel/clock.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { decorated } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { read } from '../../platform/http/read.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { presignFile, urlExpiry } from '../connectors/statement-urls.ts';
import { presentDocument, type StatementFile } from '../domain/statement-proof.ts';
import { presentStatement, statementNotFound } from '../domain/statement.ts';
import { findDocument } from '../store/statement-artifacts.ts';
import { findStatement, listStatements } from '../store/statements.ts';
import { statementExamples } from './statement-examples.ts';
import { StatementPath, statementIdOf } from './statement-path.ts';
import { FullStatementBody, StatementListQuery, StatementPage } from './statement-schemas.ts';

type Deps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly storage: Storage;
  readonly clock: Clock;
};

const common = { tag: 'Statements', method: 'GET', scope: 'statements:read' } as const;

export function statementRoutes(server: Server, deps: Deps): void {
  listRoute(server, deps);
  getRoute(server, deps);
}

function listRoute(server: Server, { db, keyring }: Deps): void {
  read(
    server,
    db,
    {
      ...common,
      id: 'listStatements',
      summary: 'List statements',
      description:
        'Returns a page of statements, newest first. There is one for each month and currency in which you earned or were paid something. At most one of each currency is `open`.',
      path: '/v1/statements',
      query: StatementListQuery,
      answers: { 200: StatementPage },
      examples: statementExamples.listStatements,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller: { orgId }, query }) => {
      const list = openList(keyring, orgId, 'statements', query);
      const filters = {
        status: query.status,
        currency: query.currency,
        periodFrom: query.period_start,
        periodTo: query.period_end,
      };
      const page = await ask((tenant) => listStatements(tenant, orgId, filters, list.page));
      return list.answer(page, presentStatement);
    },
  );
}

function getRoute(server: Server, { db, storage, clock }: Deps): void {
  read(
    server,
    db,
    {
      ...common,
      id: 'getStatement',
      summary: 'Get a statement',
      description:
        'Returns the statement. A published one never changes; corrections are adjustments in a later one. To the last digit, `opening_balance` + `net_amount` + `adjustment_amount` − `payout_amount` = `closing_balance`, and `gross_amount` is the sum of the `earnings` of its line items. `document` is the statement as a PDF, which is made once, within minutes after the publication.',
      path: '/v1/statements/:statement_id',
      params: StatementPath,
      answers: { 200: FullStatementBody },
      examples: statementExamples.getStatement,
      problems: ['resource_not_found'],
    },
    async (_ask, { caller: { orgId }, params }) => {
      const id = statementIdOf(params);
      const [statement, document] = await db.readTogether(orgId, (tenant) =>
        Promise.all([findStatement(tenant, orgId, id), findDocument(tenant, orgId, id)]),
      );
      if (statement === undefined) throw statementNotFound();
      const presented = presentStatement(statement);
      if (document === undefined) return decorated({ ...presented, document: null }, {});
      const fields = presentDocument(document);
      const download = await presignDocument(
        storage,
        clock,
        document,
        `statement-${statement.periodStart.slice(0, 7)}-${statement.currency}.pdf`,
      );
      return decorated(
        { ...presented, document: fields },
        { document: { ...fields, ...download } },
      );
    },
  );
}

const presignDocument = async (
  storage: Storage,
  clock: Clock,
  document: StatementFile,
  fileName: string,
) => ({
  url: await presignFile(storage, document, fileName),
  expires_at: urlExpiry(clock.now()),
});
