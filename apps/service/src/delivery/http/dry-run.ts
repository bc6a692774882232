/** Shows what a delivery would do (contract §4) and rolls everything back. */

import { type Static, Type } from 'typebox';
import { appliesToStore, type Finding, runPreflight } from '../../catalog/face.ts';
import { parseId } from '../../kernel/ids.ts';
import { enforce, type Refusal } from '../../kernel/problem.ts';
import { ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import type { MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import {
  AppliesTo,
  closed,
  DateText,
  IdOf,
  Nullable,
  OneOf,
  Reference,
} from '../../platform/http/schema.ts';
import { type DryRun, dryRunDelivery, dryRunUpdate } from '../commands/dry-run-delivery.ts';
import { liveDateMoved } from '../domain/live-date.ts';
import { presentDeal } from '../domain/present-delivery.ts';
import { deliveryTag, parseDeliveryId } from './deliveries.ts';
import { deliveryRequestFields, skippedStores } from './delivery-schemas.ts';
import { dealFields, StoreId, trackDeals } from './delivery-store-schemas.ts';

/** Errors come first; POST …/validate returns all findings. */
const findingsMax = 100;

const DryRunBody = Type.Object(
  {
    release_id: Type.Optional(deliveryRequestFields.release_id),
    delivery_id: Type.Optional(
      Reference('dlv', 'Instead of release_id: a delivery whose update is tried.'),
    ),
    stores: Type.Optional(deliveryRequestFields.stores),
    territory_codes: Type.Optional(deliveryRequestFields.territory_codes),
  },
  {
    ...closed,
    title: 'DryRunDelivery',
    description:
      'A new delivery needs release_id, stores and territory_codes; an update needs delivery_id.',
  },
);

type DryRunBody = Static<typeof DryRunBody>;

const DryRunResultBody = Type.Object(
  {
    release_id: IdOf('rel'),
    revision: Type.Integer(),
    stores: Type.Array(
      Type.Object(
        {
          store_id: StoreId,
          ...dealFields,
          tracks: trackDeals,
          pre_order_date: Nullable(
            DateText('Null if the store takes no pre-orders, or the release has no date for them.'),
          ),
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
          applies_to: AppliesTo,
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
    skipped: { ...skippedStores, description: 'Stores that the update does not apply to.' },
  },
  { ...closed, title: 'DeliveryRehearsal' },
);

type ShownFinding = Pick<Finding, 'severity' | 'appliesTo' | 'pointer' | 'message'> & {
  readonly rule: string;
};

/** Catalogue §1.5: judged here, because the catalog does not know which stores have the release. */
const movedDateFinding = ({ snapshot, stores, movedDateStores }: DryRun): readonly ShownFinding[] =>
  movedDateStores.length === 0
    ? []
    : [
        {
          rule: liveDateMoved.code,
          severity: 'error',
          appliesTo: movedDateStores.length === stores.length ? 'all' : movedDateStores,
          pointer: snapshot.release.releaseAt === null ? '/release_date' : '/release_at',
          message: liveDateMoved.reason,
        },
      ];

function presentDryRun(dryRun: DryRun, preflightFindings: readonly Finding[]) {
  const { snapshot, stores, dealsByStore, isRefused, skipped } = dryRun;
  const findings = [...movedDateFinding(dryRun), ...preflightFindings];
  const count = (storeId: string, severity: string): number =>
    findings.filter((each) => each.severity === severity && appliesToStore(each, storeId)).length;
  return {
    release_id: snapshot.release.id,
    revision: snapshot.release.revision,
    stores: stores.map(({ storeId, capabilities }) => ({
      store_id: storeId,
      ...presentDeal(dealsByStore.get(storeId)),
      pre_order_date: capabilities.preOrder ? snapshot.release.preOrderDate : null,
      would_be_sent: !isRefused && count(storeId, 'error') === 0,
      errors: count(storeId, 'error'),
      warnings: count(storeId, 'warning'),
    })),
    findings: findings.slice(0, findingsMax).map((finding) => ({
      rule: finding.rule,
      severity: finding.severity,
      applies_to: finding.appliesTo,
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
    skipped,
  };
}

const requiredFields = ['release_id', 'stores', 'territory_codes'] as const;

function refuseDryRun(body: DryRunBody): Refusal | undefined {
  if (body.delivery_id !== undefined) {
    if (body.release_id === undefined) return undefined;
    const issue = 'is not used with delivery_id; remove one of them';
    return {
      code: 'invalid_field',
      message: `release_id ${issue}.`,
      details: [{ field: 'release_id', issue }],
    };
  }
  const missing = requiredFields.filter((field) => body[field] === undefined);
  if (missing.length === 0) return undefined;
  return {
    code: 'missing_required_field',
    message: 'A new delivery needs release_id, stores and territory_codes.',
    details: missing.map((field) => ({ field, issue: 'is required' })),
  };
}

/** `refuseDryRun` has checked that the fields are there. */
const toDeliveryRequest = ({ release_id = '', stores = [], territory_codes = [] }: DryRunBody) => ({
  releaseId: parseId('rel', release_id),
  stores,
  territoryCodes: territory_codes,
  reference: null,
  metadata: {},
});

export function dryRunRoutes(server: Server, { db }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'dryRunDelivery',
      tag: deliveryTag,
      summary: 'Try a delivery',
      description:
        'What POST /v1/deliveries would do with the same body, or POST /v1/deliveries/{delivery_id}/update if you send delivery_id: the territories and use types of each store and track, the findings of its rules, and the files with their hashes. It is refused for the same reasons, and changes nothing.',
      method: 'POST',
      path: '/v1/deliveries/dry_run',
      scope: 'deliveries:read',
      alsoNeeds: ['releases:read', 'tracks:read'],
      body: DryRunBody,
      answers: { 200: DryRunResultBody },
      problems: [
        'resource_not_found',
        'nothing_changed',
        'territory_not_supported',
        'invalid_state',
        'asset_not_ready',
        'duplicate_submission',
      ],
    },
    async (_ask, { caller: { orgId, actor }, body }) => {
      enforce(refuseDryRun(body));
      const dryRun = await db.transact({ orgId, actor }, async (tx, { undo }) => {
        const result = await (body.delivery_id === undefined
          ? dryRunDelivery(tx, toDeliveryRequest(body))
          : dryRunUpdate(tx, parseDeliveryId({ delivery_id: body.delivery_id }), {
              stores: body.stores,
              territoryCodes: body.territory_codes,
            }));
        await undo();
        return result;
      });
      const { findings } = await runPreflight(orgId, dryRun.preflightInput);
      return ok(presentDryRun(dryRun, findings));
    },
  );
}
