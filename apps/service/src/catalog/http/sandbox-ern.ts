/**
 * ERN messages of enterprise partners (spec §9, contract §4). A NewReleaseMessage creates a draft or replaces the
 * release with its UPC or EAN; without deals it takes the release down. A PurgeReleaseMessage takes it down, and deletes
 * its drafts. Everything is done by the commands of the API's own routes.
 */

import type { ErnMessage, NewReleaseMessage } from '@tonearm/ern';
import { findBusinessTime } from '../../identity/face.ts';
import type { ReleaseId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps, type MutationResult } from '../../platform/http/mutation.ts';
import { acceptXml } from '../../platform/http/xml-body.ts';
import { deleteRelease } from '../commands/delete-release.ts';
import { replaceRelease } from '../commands/replace-release.ts';
import { reserveNamedCodes } from '../commands/reserve-named-codes.ts';
import { presentRelease } from '../domain/present-release.ts';
import type { Release } from '../domain/release.ts';
import {
  findRelease,
  findReleasesByProductCode,
  lockProductCode,
  lockRelease,
} from '../store/releases.ts';
import { ernExamples } from './ern-examples.ts';
import {
  deletedResult,
  type Received,
  refusedMessage,
  replacedResult,
  takenDownResult,
} from './ern-result.ts';
import { ernBytesMax, ErnRequestBody, ErnResultBody } from './ern-schemas.ts';
import type { ReadErn } from './ern-thread.ts';
import { codesOf } from './ern-to-replacement.ts';
import { dealsPath, inMessage, releasePath } from './ern-xpaths.ts';
import { readErn } from './read-ern.ts';

export type ErnDeps = MutationDeps & {
  /** Takes down all deliveries of a release, and returns their ids. */
  readonly takeDownRelease: (tx: Tx, id: ReleaseId) => Promise<readonly string[]>;
};

const xmlField = 'message';

export const sandboxErnRoutes = (server: Server, deps: ErnDeps): Promise<void> =>
  acceptXml(server, xmlField, (context) =>
    mutation(
      context,
      deps,
      {
        id: 'receiveErn',
        action: 'sandbox.ern.receive',
        effect: 'withdraws',
        tag: 'Sandbox',
        summary: 'Send an ERN message',
        description:
          'Takes a message of DDEX ERN 4.3.2 or 4.3 as a store would. A `NewReleaseMessage` creates a draft with its tracks, or replaces the release of yours that has its UPC or EAN; stores get the new revision when you update their deliveries. A `NewReleaseMessage` whose deals have ended, or that has none, takes down the deliveries of a release that you have. A `PurgeReleaseMessage` takes down the deliveries of your releases with its UPC or EAN, and deletes their drafts. Send the message alone as `application/xml`, or as JSON with `files`, the assets that stand for the files of the message. A refused message changes nothing; `details` name the elements by XPath, each with the status that a store would report (ErncFileStatus).',
        method: 'POST',
        path: '/v1/sandbox/ern',
        scope: 'sandbox:write',
        tier: 'enterprise',
        body: ErnRequestBody,
        xmlField,
        bodyBytesMax: ernBytesMax,
        answers: { 200: ErnResultBody },
        examples: ernExamples.receiveErn,
        problems: [
          'invalid_request',
          'invalid_state',
          'duplicate_submission',
          'upc_pool_exhausted',
          'territory_not_supported',
          'asset_not_ready',
        ],
      },
      async (tx, _input, read: ReadErn) => {
        const received = acceptedOf(read);
        return received.kind === 'purge_release'
          ? purge(tx, received, deps)
          : takeIn(tx, received, deps);
      },
      {
        prepare: async ({ caller: { orgId }, body: { message, files = {} } }) => {
          const { db, clock } = deps;
          const now = await db.readOnce(orgId, (tenant) =>
            findBusinessTime(tenant, orgId, clock.now),
          );
          return readErn(orgId, { xml: message, files, now });
        },
      },
    ),
  );

/** Throws if the document is not a message that can be taken in. */
function acceptedOf(read: ReadErn): Exclude<ReadErn, { readonly kind: 'refused' }> {
  if (read.kind !== 'refused') return read;
  throw new Problem(read.code, read.message, { details: read.details });
}

const unknownRelease = (xpath: string): Problem =>
  refusedMessage([
    { field: xpath, issue: 'IdentifierInvalid: No release of yours has this UPC or EAN.' },
  ]);

const icpnOf = (message: ErnMessage): string =>
  (message.kind === 'purge_release' ? message.ids : message.release.ids).icpn ?? '';

/** Of two messages about one release, the second waits here, and finds what the first has created. */
async function findNamed(tx: Tx, message: ErnMessage): Promise<readonly Release[]> {
  lockProductCode(tx, icpnOf(message));
  const ids = await findReleasesByProductCode(tx, icpnOf(message));
  const found = await Promise.all(ids.map((id) => findRelease(tx, tx.orgId, id)));
  return found.filter((release) => release !== undefined);
}

/** Takes down every published release with the code, and deletes every draft with it. */
async function purge(tx: Tx, received: Received, deps: ErnDeps): Promise<MutationResult> {
  const releases = await findNamed(tx, received.message);
  const drafts = releases.filter(({ status }) => status === 'draft');
  const published = releases.filter(({ status }) => status !== 'draft');
  const newest = drafts.at(-1);
  for (const { id } of drafts) await deleteRelease(tx, id);
  if (published.length > 0) {
    const result = await takeDown(tx, received, published, deps);
    return { ...result, alsoChanged: drafts.map(toDeleted) };
  }
  if (newest === undefined)
    throw unknownRelease('/ern:PurgeReleaseMessage/PurgedRelease/ReleaseId');
  return { ...deletedResult(received, newest), alsoChanged: drafts.slice(0, -1).map(toDeleted) };
}

const toDeleted = (release: Release) => ({
  auditedId: release.id,
  before: presentRelease(release),
  after: {},
});

async function takeDown(
  tx: Tx,
  received: Received,
  releases: readonly Release[],
  { takeDownRelease }: ErnDeps,
): Promise<MutationResult> {
  const deliveryIds: string[] = [];
  for (const { id } of releases) deliveryIds.push(...(await takeDownRelease(tx, id)));
  const last = releases.at(-1);
  const release = last && (await findRelease(tx, tx.orgId, last.id));
  if (release === undefined) throw unknownRelease(releasePath);
  return takenDownResult(received, release, deliveryIds);
}

async function takeIn(
  tx: Tx,
  received: Extract<ReadErn, { readonly kind: 'new_release' }>,
  deps: ErnDeps,
): Promise<MutationResult> {
  const { message, replacement, findings } = received;
  if (replacement === undefined) {
    const releases = await findNamed(tx, message);
    if (releases.length === 0) {
      const issue =
        'NoDealInNewReleaseMessage: The message has no deal, and you have no release with this UPC or EAN to take down.';
      throw refusedMessage([{ field: dealsPath, issue }]);
    }
    return takeDown(tx, received, releases, deps);
  }
  const releases = await findNamed(tx, message);
  reserveNamedCodes(tx, codesOf(icpnOf(message)));
  const target = releases.findLast(({ status }) => status === 'draft') ?? releases.at(-1);
  const current = target && (await lockRelease(tx, target.id));
  const replaced = await asMessageProblem(message, () => replaceRelease(tx, current, replacement));
  return replacedResult(received, current, replaced, findings);
}

/** The commands name fields of the API; the partner sent elements. */
async function asMessageProblem<T>(message: NewReleaseMessage, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.details.length === 0) throw error;
    throw new Problem(error.code, error.message, {
      details: error.details.map((each) => inMessage(each, message)),
      headers: error.headers,
    });
  }
}
