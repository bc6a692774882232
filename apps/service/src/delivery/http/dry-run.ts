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
import type { MessagePreview, PreviewRequest } from '../connectors/ddex/preview-messages.ts';
import { runPreview } from '../connectors/ddex/run-preview.ts';
import { liveDateMoved } from '../domain/live-date.ts';
import { presentDeal } from '../domain/present-delivery.ts';
import { deliveryTag, parseDeliveryId } from './deliveries.ts';
import { deliveryExamples } from './delivery-operation-examples.ts';
import { deliveryRequestFields, skippedStores } from './delivery-schemas.ts';
import { dealFields, StoreId, trackDeals } from './delivery-store-schemas.ts';
import { conveys, dryRunMessage, presentConveyed, presentMessage } from './dry-run-messages.ts';

/** Errors come first; POST …/validate returns all findings. */
const findingsMax = 100;

const DryRunBody = Type.Object(
  {
    release_id: Type.Optional(deliveryRequestFields.release_id),
    delivery_id: Type.Optional(
      Reference(
        'dlv',
        'The id of the delivery whose update is tried. Send it instead of `release_id`.',
      ),
    ),
    stores: Type.Optional(deliveryRequestFields.stores),
    territory_codes: Type.Optional(deliveryRequestFields.territory_codes),
  },
  {
    ...closed,
    title: 'DryRunDelivery',
    description:
      'To try a new delivery, send `release_id`, `stores` and `territory_codes`; to try an update, send `delivery_id`.',
  },
);

type DryRunBody = Static<typeof DryRunBody>;

const DryRunResultBody = Type.Object(
  {
    release_id: IdOf('rel'),
    revision: Type.Integer({ description: 'The revision of the release that would be sent.' }),
    stores: Type.Array(
      Type.Object(
        {
          store_id: StoreId,
          ...dealFields,
          tracks: trackDeals,
          pre_order_date: Nullable(
            DateText(
              'The day on which pre-orders begin at the store. `null`: the store takes no pre-orders, or the release has no `pre_order_date`.',
            ),
          ),
          would_be_sent: Type.Boolean({
            description:
              '`true`: the review does not reject the release, and no finding is an error for this store.',
          }),
          errors: Type.Integer({
            description: 'How many errors concern this store, also beyond those in `findings`.',
          }),
          warnings: Type.Integer({
            description: 'How many warnings concern this store, also beyond those in `findings`.',
          }),
          conveys,
          message: dryRunMessage,
        },
        { ...closed, title: 'DryRunStore' },
      ),
      { description: 'The stores of the delivery or the update, each with what it would get.' },
    ),
    findings: Type.Array(
      Type.Object(
        {
          rule: Type.String({
            description:
              'The id of the rule. `GET /v1/preflight_rules` lists the rules; `live_date_moved`, about updates, is not among them.',
          }),
          severity: OneOf(['error', 'warning'], {
            description:
              '`error`: the store would reject the release. `warning`: the release would be sent, but you should check it.',
          }),
          applies_to: AppliesTo,
          pointer: Type.String({
            description:
              'A JSON pointer into the release; its tracks are ordered by disc and position.',
          }),
          message: Type.String({ description: 'What is wrong and what to do.' }),
        },
        { ...closed, title: 'DryRunFinding' },
      ),
      { description: `The findings, errors first; at most ${findingsMax}.` },
    ),
    files: Type.Array(
      Type.Object(
        {
          asset_id: IdOf('ast'),
          type: Type.String({
            description: 'What the file is: the audio of a track, or the artwork of a release.',
          }),
          file_name: Type.String({ description: 'The name of the file as you sent it.' }),
          content_type: Type.String({ description: 'The media type of the file.' }),
          size_bytes: Type.Integer({ description: 'The size of the file in bytes.' }),
          sha256: Type.String({
            description: 'The SHA-256 digest of the file: 64 lowercase hexadecimal digits.',
          }),
        },
        { ...closed, title: 'DryRunFile' },
      ),
      { description: 'The files that each of these stores would get.' },
    ),
    skipped: {
      ...skippedStores,
      description: 'The stores that the update does not apply to, each with the reason.',
    },
  },
  { ...closed, title: 'DeliveryDryRun' },
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

function presentDryRun(
  dryRun: DryRun,
  preflightFindings: readonly Finding[],
  previews: readonly MessagePreview[],
) {
  const previewOf = new Map(previews.map((preview) => [preview.storeId, preview]));
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
      conveys: presentConveyed(previewOf.get(storeId)),
      message: presentMessage(previewOf.get(storeId)),
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

const toPreviewRequest = ({
  snapshot,
  stores,
  dealsByStore,
  dialectsByStore,
  now,
}: DryRun): PreviewRequest => ({
  snapshot,
  createdAt: now,
  stores: stores.flatMap((store) => {
    const deal = dealsByStore.get(store.storeId);
    const dialect = dialectsByStore.get(store.storeId);
    return deal === undefined ? [] : [{ store, deal, dialect }];
  }),
});

const requiredFields = ['release_id', 'stores', 'territory_codes'] as const;

function refuseDryRun(body: DryRunBody): Refusal | undefined {
  if (body.delivery_id !== undefined) {
    if (body.release_id === undefined) return undefined;
    const issue = 'cannot be combined with delivery_id; remove one of the two';
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
    message:
      'To try a new delivery, send release_id, stores and territory_codes; to try an update, send delivery_id.',
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
      effect: 'reads',
      tag: deliveryTag,
      summary: 'Try a delivery',
      description:
        'Returns what `POST /v1/deliveries` would do with the same body, or `POST /v1/deliveries/{delivery_id}/update` if you send `delivery_id`: the territories and use types of each store and track, the findings of the store rules, the files with their hashes, and the message of DDEX ERN with what it carries of the release. A dry run is refused for the same reasons, and changes nothing.',
      method: 'POST',
      path: '/v1/deliveries/dry_run',
      scope: 'deliveries:read',
      alsoNeeds: ['releases:read', 'tracks:read'],
      body: DryRunBody,
      answers: { 200: DryRunResultBody },
      examples: deliveryExamples.dryRunDelivery,
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
      const [{ findings }, previews] = await Promise.all([
        runPreflight(orgId, dryRun.preflightInput),
        runPreview(orgId, toPreviewRequest(dryRun)),
      ]);
      return ok(presentDryRun(dryRun, findings, previews));
    },
  );
}
