/** The proof of a statement, and the entries of the ledger that it counts (contract §4). */

import type { Clock } from '../../kernel/clock.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { formatMicros, type Micros } from '../../kernel/money.ts';
import { toProblem } from '../../kernel/problem.ts';
import {
  findBalancesAt,
  listStatementEntries,
  type OwnAccount,
  ownAccounts,
  presentStatementEntry,
  presentStatementMovement,
  sumAdjustments,
  sumStatementEntries,
} from '../../money/face.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { decorated } from '../../platform/http/answer.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import type { Places } from '../../platform/http/places.ts';
import { read } from '../../platform/http/read.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { presignFile, urlExpiry } from '../connectors/statement-urls.ts';
import type { StatementId } from '../domain/calculation.ts';
import {
  isPublished,
  openStatement,
  presentFile,
  type PublishedStatement,
  type StatementFile,
} from '../domain/statement-proof.ts';
import { presentStatement, statementNotFound } from '../domain/statement.ts';
import { findRunInputs, findArtifacts } from '../store/statement-artifacts.ts';
import { findStatement } from '../store/statements.ts';
import { readSource, type SourceDeps } from './line-item-source.ts';
import { StatementPath, statementIdOf } from './statement-path.ts';
import { proofExamples } from './statement-proof-examples.ts';
import { EntryListQuery, EntryPage, ProofBody, ProofQuery } from './statement-proof-schemas.ts';

const tag = 'Statements';

export type ProofDeps = SourceDeps & {
  readonly keyring: Keyring;
  readonly storage: Storage;
  readonly sourceSearches: Places;
  readonly clock: Clock;
};

export function statementProofRoutes(server: Server, deps: ProofDeps): void {
  proofRoute(server, deps);
  entryRoute(server, deps);
}

/** Of the organization, and published: before that nothing can be proved. */
async function requirePublished(
  db: Database,
  orgId: OrgId,
  id: StatementId,
): Promise<PublishedStatement> {
  const statement = await db.readOnce(orgId, (tenant) => findStatement(tenant, orgId, id));
  if (statement === undefined) throw statementNotFound();
  if (isPublished(statement)) return statement;
  throw toProblem(openStatement);
}

const rangeOf = ({ currency, openingVersions, closingVersions }: PublishedStatement) => ({
  currency,
  opening: openingVersions,
  closing: closingVersions,
});

function proofRoute(server: Server, deps: ProofDeps): void {
  const { db, storage, clock } = deps;
  read(
    server,
    db,
    {
      id: 'getStatementProof',
      tag,
      summary: 'Get the proof of a statement',
      description:
        'Returns what you need to add up a published statement again without us: the digest, the number of rows and the sum of each of its files with URLs to download them, what your accounts had before and after it, and the entries of the ledger between the two. `examples/verify-statement.ts` checks all of it. With `line_item`, `source` has the rows of the report that the line item was made from. An open statement has no proof yet.',
      method: 'GET',
      path: '/v1/statements/:statement_id/proof',
      scope: 'statements:read',
      params: StatementPath,
      query: ProofQuery,
      answers: { 200: ProofBody },
      examples: proofExamples.getStatementProof,
      problems: ['resource_not_found', 'invalid_state', 'quota_exceeded'],
    },
    async (_ask, { caller, params, query }) => {
      const { orgId } = caller;
      const statement = await requirePublished(db, orgId, statementIdOf(params));
      const { proof, files } = await readProof(db, orgId, statement);
      const source =
        query.line_item === undefined
          ? null
          : await searchSource(deps, caller, statement, query.line_item);
      const artifacts = files.filter(({ kind }) => kind !== 'document');
      const fresh = {
        artifacts: await Promise.all(artifacts.map((file) => withUrl(storage, file))),
        urls_expire_at: urlExpiry(clock.now()),
      };
      return decorated({ ...proof, source, artifacts: artifacts.map(presentFile) }, fresh);
    },
  );
}

async function searchSource(
  deps: ProofDeps,
  caller: Caller,
  statement: PublishedStatement,
  lineItemId: string,
) {
  const end = deps.sourceSearches(caller);
  try {
    return await readSource(deps, caller.orgId, statement, lineItemId);
  } finally {
    end();
  }
}

const withUrl = async (storage: Storage, file: StatementFile) => ({
  ...presentFile(file),
  url: await presignFile(storage, file, `${file.kind}-${file.part}.parquet`),
});

/** A published statement never changes, and neither does anything that it refers to: no snapshot is needed. */
async function readProof(db: Database, orgId: OrgId, statement: PublishedStatement) {
  const { id, currency, openingVersions, closingVersions } = statement;
  const range = rangeOf(statement);
  const [files, run, opening, closing, movements, adjustments] = await db.readTogether(
    orgId,
    (tenant) =>
      Promise.all([
        findArtifacts(tenant, orgId, id),
        findRunInputs(tenant, id),
        findBalancesAt(tenant, orgId, currency, openingVersions),
        findBalancesAt(tenant, orgId, currency, closingVersions),
        sumStatementEntries(tenant, orgId, range),
        sumAdjustments(tenant, orgId, id),
      ]),
  );
  if (run === undefined) throw new Error(`the run of ${id} is missing`);
  const proof = {
    statement: presentStatement(statement),
    run: { rules_version: run.rulesVersion, input_digest: run.inputDigest },
    ledger: {
      accounts: presentAccounts(statement, opening, closing),
      movements: movements.map(presentStatementMovement),
    },
    adjustments: { count: adjustments.count, amount: formatMicros(adjustments.amount) },
  };
  return { proof, files };
}

type Balances = Readonly<Record<OwnAccount, Micros>>;

const presentAccounts = (
  { openingVersions, closingVersions }: PublishedStatement,
  opening: Balances,
  closing: Balances,
) =>
  ownAccounts.map((account) => ({
    account,
    opening_version: Number(openingVersions[account]),
    opening_balance: formatMicros(opening[account]),
    closing_version: Number(closingVersions[account]),
    closing_balance: formatMicros(closing[account]),
  }));

function entryRoute(server: Server, { db, keyring }: ProofDeps): void {
  read(
    server,
    db,
    {
      id: 'listStatementLedgerEntries',
      tag,
      summary: 'List the ledger entries of a statement',
      description:
        'Returns a page of the entries of your accounts that a published statement counts, by account and version. Every entry has its cause, and the balance after it.',
      method: 'GET',
      path: '/v1/statements/:statement_id/ledger-entries',
      scope: 'statements:read',
      params: StatementPath,
      query: EntryListQuery,
      answers: { 200: EntryPage },
      examples: proofExamples.listStatementLedgerEntries,
      problems: ['resource_not_found', 'invalid_state', 'invalid_cursor'],
    },
    async (ask, { caller: { orgId }, params, query }) => {
      const statement = await requirePublished(db, orgId, statementIdOf(params));
      const list = openList(keyring, orgId, `ledger-entries/${statement.id}`, query);
      const page = await ask((tenant) =>
        listStatementEntries(tenant, orgId, rangeOf(statement), list.page),
      );
      return list.answer(page, presentStatementEntry);
    },
  );
}
