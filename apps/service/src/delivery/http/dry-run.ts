/** Shows what a delivery would do (contract §4) and rolls everything back. */

import { Type } from 'typebox';
import { type Finding, runPreflight } from '../../catalog/face.ts';
import { parseId } from '../../kernel/ids.ts';
import { ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import type { MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { closed, IdOf, OneOf } from '../../platform/http/schema.ts';
import { type DryRun, dryRunDelivery } from '../commands/dry-run-delivery.ts';
import { deliveryTag } from './deliveries.ts';
import { deliveryRequestFields, StoreId } from './delivery-schemas.ts';

/** Errors come first; POST …/validate returns all findings. */
const findingsMax = 100;

const DryRunBody = Type.Object(deliveryRequestFields, { ...closed, title: 'DryRunDelivery' });

const DryRunResultBody = Type.Object(
  {
    release_id: IdOf('rel'),
    revision: Type.Integer(),
    stores: Type.Array(
      Type.Object(
        {
          store_id: StoreId,
          territory_codes: Type.Array(Type.String(), { description: 'Resolved for this store.' }),
          would_be_sent: Type.Boolean({
            description:
              'True if the review does not reject the release and no finding is an error for this store.',
          }),
          errors: Type.Integer(),
          warnings: Type.Integer(),
        },
        { ...closed, title: 'RehearsedStore' },
      ),
    ),
    findings: Type.Array(
      Type.Object(
        {
          rule: Type.String(),
          severity: OneOf(['error', 'warning']),
          stores: Type.Array(StoreId),
          pointer: Type.String(),
          message: Type.String(),
        },
        { ...closed, title: 'RehearsalFinding' },
      ),
      { description: `At most ${findingsMax}, errors first.` },
    ),
    files: Type.Array(
      Type.Object(
        {
          asset_id: IdOf('ast'),
          type: Type.String(),
          file_name: Type.String(),
          content_type: Type.String(),
          size_bytes: Type.Integer(),
          sha256: Type.String(),
        },
        { ...closed, title: 'RehearsedFile' },
      ),
      { description: 'The files that every one of these stores would get.' },
    ),
  },
  { ...closed, title: 'DeliveryRehearsal' },
);

function presentDryRun(dryRun: DryRun, findings: readonly Finding[]) {
  const { snapshot, stores, territoriesByStore, isRefused } = dryRun;
  const count = (storeId: string, severity: string): number =>
    findings.filter((each) => each.severity === severity && each.stores.includes(storeId)).length;
  return {
    release_id: snapshot.release.id,
    revision: snapshot.release.revision,
    stores: stores.map(({ storeId }) => ({
      store_id: storeId,
      territory_codes: [...(territoriesByStore.get(storeId) ?? [])],
      would_be_sent: !isRefused && count(storeId, 'error') === 0,
      errors: count(storeId, 'error'),
      warnings: count(storeId, 'warning'),
    })),
    findings: findings.slice(0, findingsMax).map((finding) => ({
      rule: finding.rule,
      severity: finding.severity,
      stores: [...finding.stores],
      pointer: finding.pointer,
      message: finding.message,
    })),
    files: snapshot.assets.map(({ id, type, fileName, contentType, sizeBytes, sha256 }) => ({
      asset_id: id,
      type,
      file_name: fileName,
      content_type: contentType,
      size_bytes: sizeBytes,
      sha256: sha256 ?? '',
    })),
  };
}

export function dryRunRoutes(server: Server, { db }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'dryRunDelivery',
      tag: deliveryTag,
      summary: 'Try a delivery',
      description:
        'What POST /v1/deliveries would do with the same body: the territories of each store, the findings of its rules, and the files with their hashes. It is refused for the same reasons, and changes nothing.',
      method: 'POST',
      path: '/v1/deliveries/dry_run',
      scope: 'deliveries:read',
      alsoNeeds: ['releases:read', 'tracks:read'],
      body: DryRunBody,
      answers: { 200: DryRunResultBody },
      problems: [
        'territory_not_supported',
        'invalid_state',
        'asset_not_ready',
        'duplicate_submission',
      ],
    },
    async (_ask, { caller: { orgId, actor }, body }) => {
      const request = {
        releaseId: parseId('rel', body.release_id),
        stores: body.stores,
        territoryCodes: body.territory_codes,
        reference: null,
        metadata: {},
      };
      const dryRun = await db.transact({ orgId, actor }, async (tx, { undo }) => {
        const result = await dryRunDelivery(tx, request);
        await undo();
        return result;
      });
      const { findings } = await runPreflight(orgId, dryRun.preflightInput);
      return ok(presentDryRun(dryRun, findings));
    },
  );
}
