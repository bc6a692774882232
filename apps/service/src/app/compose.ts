/** Composes the api from its dependencies. Tests compose the same api with their own clock. */

import { join } from 'node:path';
import type { Logger } from 'pino';
import { assetRoutes } from '../assets/http/assets.ts';
import { artistRoutes } from '../catalog/http/artists.ts';
import { bulkTrackRoutes } from '../catalog/http/bulk-tracks.ts';
import { contributorRoleRoutes } from '../catalog/http/contributor-roles.ts';
import { genreRoutes } from '../catalog/http/genres.ts';
import { labelRoutes } from '../catalog/http/labels.ts';
import { preflightRuleRoutes } from '../catalog/http/preflight-rules.ts';
import { preflightRoutes } from '../catalog/http/preflight.ts';
import { releaseRoutes } from '../catalog/http/releases.ts';
import { revisionRoutes } from '../catalog/http/revisions.ts';
import { sandboxErnRoutes } from '../catalog/http/sandbox-ern.ts';
import { submissionRoutes } from '../catalog/http/submissions.ts';
import { trackRoutes } from '../catalog/http/tracks.ts';
import { takeDownRelease } from '../delivery/face.ts';
import { deliveryRoutes } from '../delivery/http/deliveries.ts';
import { deliveryActionRoutes } from '../delivery/http/delivery-actions.ts';
import { deliveryJobRoutes } from '../delivery/http/delivery-jobs.ts';
import { dryRunRoutes } from '../delivery/http/dry-run.ts';
import { sandboxRightsRoutes } from '../delivery/http/sandbox-rights.ts';
import { sentMessageRoutes } from '../delivery/http/sent-messages.ts';
import { storeAnswerRoutes } from '../delivery/http/store-answers.ts';
import type { KeyUses } from '../identity/commands/record-key-uses.ts';
import { anonymousPolicy, pagePolicy } from '../identity/face.ts';
import { apiKeyRoutes } from '../identity/http/api-keys.ts';
import { auditLogRoutes } from '../identity/http/audit-log.ts';
import { createAuthenticate } from '../identity/http/authenticate.ts';
import { deprecationRoutes } from '../identity/http/deprecations.ts';
import { idempotencyKeyRoutes } from '../identity/http/idempotency-keys.ts';
import { oauthClientRoutes } from '../identity/http/oauth-clients.ts';
import { oauthTokenRoute } from '../identity/http/oauth-token.ts';
import { organizationRoutes } from '../identity/http/organization.ts';
import { createUseRecorder } from '../identity/http/record-deprecated-use.ts';
import { createRecorder, type RequestLog } from '../identity/http/request-log.ts';
import { sandboxVerificationRoutes } from '../identity/http/sandbox-verification.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Environment } from '../kernel/environment.ts';
import type { NewId } from '../kernel/ids.ts';
import type { RateLimiter } from '../kernel/rate.ts';
import { reviewEveryPayout, type Screening } from '../money/connectors/screening.ts';
import { adjustmentRoutes } from '../money/http/adjustments.ts';
import { balanceRoutes } from '../money/http/balance.ts';
import { earningHoldRoutes } from '../money/http/earning-holds.ts';
import { payoutMethodRoutes } from '../money/http/payout-methods.ts';
import { payoutScheduleRoutes } from '../money/http/payout-schedule.ts';
import { payoutRoutes } from '../money/http/payouts.ts';
import { taxProfileRoutes } from '../money/http/tax-profile.ts';
import { storeRoutes } from '../network/http/stores.ts';
import type { Keyring } from '../platform/crypto/keyring.ts';
import type { Database } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql.ts';
import type { Authenticate } from '../platform/http/caller.ts';
import { compressAnswers } from '../platform/http/compression.ts';
import { docsRoutes } from '../platform/http/docs.ts';
import type { Server } from '../platform/http/fastify-types.ts';
import { guidesRoutes } from '../platform/http/guides.ts';
import { healthRoutes } from '../platform/http/health.ts';
import { createPlaces, type Places } from '../platform/http/places.ts';
import { createRedact } from '../platform/http/redact.ts';
import { loadGuides } from '../platform/http/rendered-guides.ts';
import { buildServer } from '../platform/http/server.ts';
import type { Policy } from '../platform/outbound/policy.ts';
import { openOutbound } from '../platform/outbound/post.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { createSourceRowFinder } from '../royalties/connectors/find-source-rows.ts';
import { createParquetReader } from '../royalties/connectors/parquet-reader.ts';
import { lineItemExportRoutes } from '../royalties/http/line-item-exports.ts';
import { lineItemRoutes } from '../royalties/http/line-items.ts';
import { reportingStatusRoutes } from '../royalties/http/reporting-status.ts';
import { royaltyRecordRoutes } from '../royalties/http/royalties.ts';
import { royaltySummaryRoutes } from '../royalties/http/royalty-summary.ts';
import { statementProofRoutes } from '../royalties/http/statement-proof.ts';
import { statementRoutes } from '../royalties/http/statements.ts';
import { simulateScreening } from '../sandbox/commands/simulate-payouts.ts';
import { clockRoutes } from '../sandbox/http/clock.ts';
import { inboxReceiverRoute } from '../sandbox/http/inbox-receiver.ts';
import { inboxRoutes } from '../sandbox/http/inbox.ts';
import { reportRoutes } from '../sandbox/http/reports.ts';
import { resetRoutes } from '../sandbox/http/reset.ts';
import { scenarioRoutes } from '../sandbox/http/scenarios.ts';
import { postEventThrough } from '../webhooks/connectors/post-event.ts';
import { eventRoutes } from '../webhooks/http/events.ts';
import { requestRoutes } from '../webhooks/http/requests.ts';
import { type WebhookDeps, webhookRoutes } from '../webhooks/http/webhooks.ts';
import { changelogFeedRoute } from './changelog-feed.ts';
import { describeApi } from './describe-api.ts';
import { receivedEvents } from './event-catalogue.ts';
import { referenceRoutes } from './reference.ts';

export type ApiDeps = {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly logger: Logger;
  readonly db: Database;
  readonly directory: Database;
  readonly keyUses: KeyUses;
  readonly limiter: RateLimiter;
  readonly storage: Storage;
  readonly proxyHops: number;
  readonly outbound: Policy;
  /** The address that partners use. Undefined: the address on which the api listens. */
  readonly publicUrl: string | undefined;
  readonly isDraining: () => boolean;
  /** Undefined: the folder that `npm run guides` writes. */
  readonly guidesFolder?: string | undefined;
  /** Undefined: 25 seconds. */
  readonly handlerTimeoutMs?: number | undefined;
  /** Undefined: requests are not recorded. */
  readonly requestLog: RequestLog | undefined;
};

export async function composeApi(deps: ApiDeps): Promise<Server> {
  const { db, directory, environment, clock, newId, keyring, logger, isDraining } = deps;
  const authenticate = notingKeyUses(
    createAuthenticate({ db, directory: directory.withoutTenant, environment, clock }),
    deps.keyUses,
  );
  const limits = { limiter: deps.limiter, anonymous: anonymousPolicy, pages: pagePolicy };
  const { proxyHops, requestLog } = deps;
  const redact = createRedact(() => server.operations);
  const recordRequest = requestLog && createRecorder({ log: requestLog, authenticate, redact });
  const server = buildServer({
    newId,
    authenticate,
    limits,
    recordDeprecatedUse: createUseRecorder({ db, clock, logger }),
    proxyHops,
    publicUrl: deps.publicUrl,
    logger,
    isDraining,
    handlerTimeoutMs: deps.handlerTimeoutMs,
    recordRequest,
  });
  // Its hook runs after those of the server: an answer is recorded before its compression.
  compressAnswers(server);

  releaseRoutes(server, { db, clock, keyring });
  revisionRoutes(server, { db, clock, keyring });
  preflightRoutes(server, { db, clock, keyring });
  preflightRuleRoutes(server);
  submissionRoutes(server, { db, clock, keyring });
  trackRoutes(server, { db, clock, keyring });
  artistRoutes(server, { db, clock, keyring });
  labelRoutes(server, { db, clock, keyring });
  bulkTrackRoutes(server, { db, clock, keyring });
  assetRoutes(server, { db, clock, keyring, storage: deps.storage });
  storeRoutes(server, { db, clock, keyring });
  deliveryRoutes(server, { db, clock, keyring });
  sentMessageRoutes(server, { db, clock, keyring, storage: deps.storage });
  deliveryActionRoutes(server, { db, clock, keyring });
  deliveryJobRoutes(server, { db, clock, keyring });
  dryRunRoutes(server, { db, clock, keyring });
  // One quota for the exports of all routes.
  const openExports = createPlaces('open_exports');
  royaltyRoutes(server, deps, openExports);
  moneyRoutes(server, deps);
  eventRoutes(server, { db, clock, keyring, environment, schemas: receivedEvents });
  webhookRoutes(server, webhookDeps(deps));
  auditLogRoutes(server, { db, keyring, openExports });
  oauthClientRoutes(server, { db, clock, keyring });
  await oauthTokenRoute(server, {
    db,
    directory: directory.withoutTenant,
    limiter: deps.limiter,
    clock,
  });
  organizationRoutes(server, { db, clock, keyring, environment });
  apiKeyRoutes(server, { db, clock, keyring, environment });
  requestRoutes(server, { db, keyring });
  idempotencyKeyRoutes(server, { db, clock, keyring, redact });
  if (environment === 'sandbox') await sandboxRoutes(server, deps);
  deprecationRoutes(server, db);
  contributorRoleRoutes(server);
  referenceRoutes(server, clock);
  genreRoutes(server, db.withoutTenant);
  healthRoutes(
    server,
    [
      { name: 'database', check: () => db.withoutTenant.query(sql`select 1`) },
      { name: 'directory', check: () => directory.withoutTenant.query(sql`select 1`) },
    ],
    isDraining,
  );
  docsRoutes(server, clock, (now) => describeApi(server.operations, now));
  guideRoutes(server, deps);
  await server.ready();
  // Compiles its patterns now, and not while the first request waits.
  redact('');
  return server;
}

/** In live, people decide about every payout. */
const screeningIn = (environment: Environment): Screening =>
  environment === 'sandbox' ? simulateScreening : reviewEveryPayout;

function royaltyRoutes(server: Server, deps: ApiDeps, openExports: Places): void {
  const { db, clock, keyring, storage } = deps;
  const parquet = createParquetReader(storage);
  statementRoutes(server, { db, clock, keyring, storage });
  lineItemRoutes(server, { db, keyring, parquet });
  lineItemExportRoutes(server, { db, parquet, openExports });
  royaltyRecordRoutes(server, { db, clock, keyring, parquet });
  royaltySummaryRoutes(server, { db, keyring });
  reportingStatusRoutes(server, { db, clock, keyring });
  const findSourceRows = createSourceRowFinder(storage);
  const sourceSearches = createPlaces('source_searches');
  statementProofRoutes(server, {
    db,
    clock,
    keyring,
    storage,
    parquet,
    findSourceRows,
    sourceSearches,
  });
}

function moneyRoutes(server: Server, { db, clock, keyring, environment }: ApiDeps): void {
  balanceRoutes(server, { db });
  adjustmentRoutes(server, { db, keyring });
  earningHoldRoutes(server, { db, keyring });
  payoutRoutes(server, { db, clock, keyring, screen: screeningIn(environment) });
  payoutMethodRoutes(server, { db, clock, keyring });
  taxProfileRoutes(server, { db, clock, keyring });
  payoutScheduleRoutes(server, { db, clock, keyring });
}

/** `npm run guides` writes it. */
const renderedGuides = join(import.meta.dirname, '..', '..', 'guides');

/** If the folder is missing, the paths of guides answer 404 like other unknown paths, and the api logs a warning. */
function guideRoutes(server: Server, deps: ApiDeps): void {
  changelogFeedRoute(server);
  const files = loadGuides(deps.guidesFolder ?? renderedGuides);
  if (files === undefined) deps.logger.warn('the guides are not rendered: run `npm run guides`');
  else guidesRoutes(server, files);
}

const notingKeyUses =
  (authenticate: Authenticate, keyUses: KeyUses): Authenticate =>
  async (secret) => {
    const caller = await authenticate(secret);
    if (caller.actor.type === 'api_key') keyUses.note(caller.orgId, caller.actor.id);
    return caller;
  };

/** A takedown by a message. */
const everywhere = { stores: undefined, reason: 'An ERN message takes the release down.' };

/** Contract §4: these routes do not exist in live. */
async function sandboxRoutes(server: Server, deps: ApiDeps): Promise<void> {
  const { db, directory, clock, keyring } = deps;
  const publicUrl = () => deps.publicUrl ?? server.listeningOrigin;
  clockRoutes(server, { db, clock, keyring });
  scenarioRoutes(server, { db, clock, keyring });
  reportRoutes(server, { db, clock, keyring });
  resetRoutes(server, { db, clock, keyring });
  storeAnswerRoutes(server, { db, clock, keyring });
  sandboxRightsRoutes(server, { db, clock, keyring });
  sandboxVerificationRoutes(server, { db, clock, keyring });
  inboxRoutes(server, { db, clock, keyring, publicUrl });
  await sandboxErnRoutes(server, {
    db,
    clock,
    keyring,
    takeDownRelease: (tx, id) => takeDownRelease(tx, id, everywhere),
  });
  await inboxReceiverRoute(server, { db, directory: directory.withoutTenant, clock });
}

const pingTimeoutMs = 10_000; // spec §6
/** If a name server takes longer, the URL is not refused; the ping then fails. */
const examineTimeoutMs = 2_000;

function webhookDeps(deps: ApiDeps): WebhookDeps {
  const outbound = openOutbound({ policy: deps.outbound });
  return {
    ...deps,
    examineUrl: (url) => outbound.examine(url, examineTimeoutMs),
    postPing: postEventThrough(outbound, pingTimeoutMs),
  };
}
