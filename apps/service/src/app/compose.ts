/** Composes the api from its dependencies. Tests compose the same api with their own clock. */

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
import { submissionRoutes } from '../catalog/http/submissions.ts';
import { trackRoutes } from '../catalog/http/tracks.ts';
import { deliveryRoutes } from '../delivery/http/deliveries.ts';
import { deliveryActionRoutes } from '../delivery/http/delivery-actions.ts';
import { deliveryJobRoutes } from '../delivery/http/delivery-jobs.ts';
import { dryRunRoutes } from '../delivery/http/dry-run.ts';
import { storeAnswerRoutes } from '../delivery/http/store-answers.ts';
import { anonymousPolicy } from '../identity/face.ts';
import { createAuthenticate } from '../identity/http/authenticate.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Environment } from '../kernel/environment.ts';
import type { NewId } from '../kernel/ids.ts';
import type { RateLimiter } from '../kernel/rate.ts';
import { storeRoutes } from '../network/http/stores.ts';
import type { Keyring } from '../platform/crypto/keyring.ts';
import type { Database } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql.ts';
import { docsRoutes } from '../platform/http/docs.ts';
import type { Server } from '../platform/http/fastify-types.ts';
import { healthRoutes } from '../platform/http/health.ts';
import { buildServer } from '../platform/http/server.ts';
import type { Policy } from '../platform/outbound/policy.ts';
import { openOutbound } from '../platform/outbound/post.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { clockRoutes } from '../sandbox/http/clock.ts';
import { inboxReceiverRoute } from '../sandbox/http/inbox-receiver.ts';
import { inboxRoutes } from '../sandbox/http/inbox.ts';
import { resetRoutes } from '../sandbox/http/reset.ts';
import { scenarioRoutes } from '../sandbox/http/scenarios.ts';
import { postEventThrough } from '../webhooks/connectors/post-event.ts';
import { eventRoutes } from '../webhooks/http/events.ts';
import { type WebhookDeps, webhookRoutes } from '../webhooks/http/webhooks.ts';
import { eventTypes } from './event-catalogue.ts';
import { referenceRoutes } from './reference.ts';

export type ApiDeps = {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly logger: Logger;
  readonly db: Database;
  readonly directory: Database;
  readonly limiter: RateLimiter;
  readonly storage: Storage;
  readonly proxyHops: number;
  readonly outbound: Policy;
  /** The address that partners use. Undefined: the address on which the api listens. */
  readonly publicUrl: string | undefined;
  readonly isDraining: () => boolean;
};

export async function composeApi(deps: ApiDeps): Promise<Server> {
  const { db, directory, environment, clock, newId, keyring, logger, isDraining } = deps;
  const authenticate = createAuthenticate({
    db,
    directory: directory.withoutTenant,
    environment,
    clock,
  });
  const limits = { limiter: deps.limiter, anonymous: anonymousPolicy };
  const { proxyHops } = deps;
  const server = buildServer({ newId, authenticate, limits, proxyHops, logger, isDraining });

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
  deliveryActionRoutes(server, { db, clock, keyring });
  deliveryJobRoutes(server, { db, clock, keyring });
  dryRunRoutes(server, { db, clock, keyring });
  eventRoutes(server, { db, clock, keyring, environment, eventTypes: storedEventTypes });
  webhookRoutes(server, webhookDeps(deps));
  if (environment === 'sandbox') await sandboxRoutes(server, deps);
  contributorRoleRoutes(server);
  referenceRoutes(server);
  genreRoutes(server, db.withoutTenant);
  healthRoutes(
    server,
    [
      { name: 'database', check: () => db.withoutTenant.query(sql`select 1`) },
      { name: 'directory', check: () => directory.withoutTenant.query(sql`select 1`) },
    ],
    isDraining,
  );
  await docsRoutes(server);
  await server.ready();
  return server;
}

/** Contract §4: these routes do not exist in live. */
async function sandboxRoutes(server: Server, deps: ApiDeps): Promise<void> {
  const { db, directory, clock, keyring } = deps;
  const publicUrl = () => deps.publicUrl ?? server.listeningOrigin;
  clockRoutes(server, { db, clock, keyring });
  scenarioRoutes(server, { db, clock, keyring });
  resetRoutes(server, { db, clock, keyring });
  storeAnswerRoutes(server, { db, clock, keyring });
  inboxRoutes(server, { db, clock, keyring, publicUrl });
  await inboxReceiverRoute(server, { db, directory: directory.withoutTenant });
}

/** Without ping, which is sent and not stored. */
const storedEventTypes: ReadonlySet<string> = new Set(eventTypes.map(({ type }) => type));

const pingTimeoutMs = 10_000; // spec §6
/** If a name server takes longer, the URL is not refused; the ping then fails. */
const examineTimeoutMs = 2_000;

function webhookDeps(deps: ApiDeps): WebhookDeps {
  const outbound = openOutbound({ policy: deps.outbound });
  return {
    ...deps,
    eventTypes: storedEventTypes,
    examineUrl: (url) => outbound.examine(url, examineTimeoutMs),
    postPing: postEventThrough(outbound, pingTimeoutMs),
  };
}
