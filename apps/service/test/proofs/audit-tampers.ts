/** What someone who can write to the database might do to the rows of `audit`, and who notices. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import type { OrgClient, TestService } from '../test-service.ts';
import type { Random } from './random.ts';

const script = join(import.meta.dirname, '../../../../examples/verify-audit-log.ts');

/** $1: the organization, $2: a sequence. */
const tampers: Readonly<Record<string, string>> = {
  flipped_byte: `update audit set actor_id = overlay(actor_id placing chr(ascii(right(actor_id, 1)) # 1) from length(actor_id))
                  where org_id = $1 and sequence = $2`,
  changed_digest: `update audit set after_digest = sha256(coalesce(after_digest, '')) where org_id = $1 and sequence = $2`,
  changed_time: `update audit set occurred_at = occurred_at + interval '1 ms' where org_id = $1 and sequence = $2`,
  removed_row: `delete from audit where org_id = $1 and sequence = $2`,
  inserted_row: `insert into audit (org_id, id, action, audited_id, actor_type, actor_id, occurred_at, sequence, hash)
                 select org_id, gen_random_uuid(), action, audited_id, actor_type, actor_id, occurred_at, sequence, hash
                   from audit where org_id = $1 and sequence = $2`,
  removed_tail: `delete from audit where org_id = $1 and sequence >= $2`,
};

export const tamperKinds = Object.keys(tampers);

/** The export, page by page; what was received before a page failed. */
async function exportAll(service: TestService, { key }: OrgClient): Promise<string> {
  let text = '';
  for (let path: string | undefined = '/v1/audit_log.jsonl'; path !== undefined;) {
    const response: Response = await fetch(`${service.url}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    text += await response.text().catch(() => '');
    path = /<(.*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return text;
}

type Verified = { readonly isIntact: boolean; readonly output: string; readonly lines: number };

/** The partner's side: exports the log and runs the script of `examples`. */
export async function verifyAsPartner(
  service: TestService,
  partner: OrgClient,
  known?: string,
): Promise<Verified> {
  const folder = await mkdtemp(join(tmpdir(), 'tonearm-audit-'));
  try {
    const text = await exportAll(service, partner);
    const path = join(folder, 'audit-log.jsonl');
    await writeFile(path, text);
    const argv = known === undefined ? [] : ['--known', known];
    return await new Promise((resolve) => {
      execFile(process.execPath, [script, path, ...argv], (error, stdout, stderr) =>
        resolve({
          isIntact: error === null,
          output: stdout + stderr,
          lines: text.split('\n').length - 1,
        }),
      );
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Our side. */
export async function verifyAsOperator(
  service: TestService,
  { orgId }: OrgClient,
): Promise<boolean> {
  const { intact } = (await service.admin('audit', 'verify', '--org', orgId)) as {
    intact?: unknown;
  };
  return intact === true;
}

/** Tampers with the log of one organization in every way, several times, and restores it each time. */
export async function tamperRepeatedly(
  service: TestService,
  partner: OrgClient,
  random: Random,
  timesEach: number,
) {
  const org = toUuid(partner.orgId as Id<'org'>);
  const { output } = await verifyAsPartner(service, partner);
  const known = /^intact up to (\d+):[0-9a-f]+/.exec(output);
  const last = Number(known?.[1] ?? 0);
  const counts = { tampers: 0, unnoticed_by_operator: 0, unnoticed_by_partner: 0, not_restored: 0 };
  await service.query('create table kept_audit as select * from audit where org_id = $1', [org]);
  for (const statement of Object.values(tampers).flatMap((each) =>
    Array.from({ length: timesEach }, () => each),
  )) {
    await service.query(statement, [org, 1 + random.below(last)]);
    counts.tampers++;
    if (await verifyAsOperator(service, partner)) counts.unnoticed_by_operator++;
    const found = await verifyAsPartner(service, partner, known?.[0].slice('intact up to '.length));
    if (found.isIntact) counts.unnoticed_by_partner++;
    await service.query('delete from audit where org_id = $1', [org]);
    await service.query('insert into audit select * from kept_audit');
    if (!(await verifyAsOperator(service, partner))) counts.not_restored++;
  }
  return counts;
}
