/** Reports of fictional stores on the wire (contract §4). */

import { Type } from 'typebox';
import { parseId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { created, resource } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { closed, IdOf, PageOf, pageQuery } from '../../platform/http/schema.ts';
import { requestReport } from '../commands/request-report.ts';
import { presentSandboxReport } from '../domain/sandbox-report.ts';
import { findSandboxReport, listSandboxReports } from '../store/sandbox-reports.ts';
import { CreateReportBody, SandboxReportBody } from './report-schemas.ts';
import { reportExamples } from './sandbox-examples.ts';
import { sandboxTag } from './sandbox-schemas.ts';

const path = '/v1/sandbox/reports';

const common = { tag: sandboxTag, scope: 'sandbox:write' } as const;

export function reportRoutes(server: Server, deps: MutationDeps): void {
  createRoute(server, deps);
  listRoute(server, deps);
  getRoute(server, deps);
}

function createRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'createSandboxReport',
      action: 'sandbox.report.create',
      effect: 'creates',
      summary: 'Let a store report your royalties',
      description:
        'A store reports a month of your recordings that it has, as a file that passes through the same intake, matching and calculation as in live, and pays it. The answer comes at once; read the report until its status is no longer `expected`. While the clock is `manual`, reports arrive when you advance it. From your first report on, the clock closes each month on the 15th of the next one at 09:00 UTC: your statement is published, and your balance grows. A report about a month that is closed goes to the next statement; a second report about the same store and month is added to the first, unless its kind is `restated`. Your sandbox can have 200 reports.',
      method: 'POST',
      path,
      body: CreateReportBody,
      answers: { 201: SandboxReportBody },
      examples: reportExamples.createSandboxReport,
      problems: ['invalid_state'],
    },
    async (tx, { body }) => {
      const { store_id: storeId, period, kind } = body;
      const report = await requestReport(tx, { storeId, period, kind });
      const answer = created(presentSandboxReport(report), `${path}/${report.id}`);
      return { answer, auditedId: report.id, before: undefined };
    },
  );
}

function listRoute(server: Server, { db, keyring }: MutationDeps): void {
  read(
    server,
    db,
    {
      ...common,
      id: 'listSandboxReports',
      summary: 'List reports of stores',
      description: 'Returns a page of the reports that you asked stores for, newest first.',
      method: 'GET',
      path,
      query: Type.Object(pageQuery, closed),
      answers: { 200: PageOf('SandboxReportPage', SandboxReportBody) },
      examples: reportExamples.listSandboxReports,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller: { orgId }, query }) => {
      const list = openList(keyring, orgId, 'sandbox_reports', query);
      const reports = await ask((tenant) => listSandboxReports(tenant, orgId, list.page));
      return list.answer(reports, presentSandboxReport);
    },
  );
}

function getRoute(server: Server, { db }: MutationDeps): void {
  read(
    server,
    db,
    {
      ...common,
      id: 'getSandboxReport',
      summary: 'Get a report of a store',
      description: 'Returns the report.',
      method: 'GET',
      path: `${path}/:report_id`,
      params: Type.Object({ report_id: IdOf('rpt') }),
      answers: { 200: SandboxReportBody },
      examples: reportExamples.getSandboxReport,
      problems: ['resource_not_found'],
    },
    async (ask, { caller: { orgId }, params }) => {
      const id = parseId('rpt', params.report_id);
      const report = id && (await ask((tenant) => findSandboxReport(tenant, orgId, id)));
      if (report === undefined) {
        throw new Problem('resource_not_found', 'No report of your sandbox has this id.');
      }
      return resource(presentSandboxReport(report));
    },
  );
}
