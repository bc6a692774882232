/** What a store was sent of a delivery, and what came back (contract §4). */

import type { Clock } from '../../kernel/clock.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { type Page, pageBytesMax } from '../../kernel/page.ts';
import { findStore, isSlug } from '../../network/face.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Database } from '../../platform/db/database.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { read } from '../../platform/http/read.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import {
  inlineBytesOf,
  planDocuments,
  type ReadDocument,
  readDocuments,
} from '../connectors/ddex/read-documents.ts';
import { deliveryNotFound, deliveryStoreNotFound } from '../domain/delivery.ts';
import type { SentMessage } from '../domain/sent-message.ts';
import { findDelivery } from '../store/deliveries.ts';
import { listSentMessages } from '../store/sent-messages.ts';
import { findStoreDelivery } from '../store/store-deliveries.ts';
import { deliveryTag, parseDeliveryId } from './deliveries.ts';
import { DeliveryStorePath } from './delivery-schemas.ts';
import { documentsOf, presentSentMessage } from './present-sent-message.ts';
import { sentMessageExamples } from './sent-message-examples.ts';
import { SentMessagePage, SentMessageQuery } from './sent-message-schemas.ts';

export type SentMessageDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly storage: Storage;
};

export function sentMessageRoutes(server: Server, deps: SentMessageDeps): void {
  const { db, keyring, storage, clock } = deps;
  read(
    server,
    db,
    {
      id: 'listDeliveryStoreMessages',
      tag: deliveryTag,
      summary: 'List the messages to a store',
      description:
        'Returns a page of the messages that the store was sent in this delivery, newest first: each with the XML and the digest of what was sent, the files, and what the store answered. A page ends early if its messages are large. They are kept as long as the delivery. A simulated store is sent no XML: its messages have the answers only; `POST /v1/deliveries/dry_run` shows the message that a real store would get.',
      method: 'GET',
      path: '/v1/deliveries/:delivery_id/stores/:store_id/messages',
      scope: 'deliveries:read',
      params: DeliveryStorePath,
      query: SentMessageQuery,
      answers: { 200: SentMessagePage },
      examples: sentMessageExamples.listDeliveryStoreMessages,
      problems: ['resource_not_found', 'invalid_cursor'],
    },
    async (_ask, { caller: { orgId }, params, query }) => {
      const deliveryId = parseDeliveryId(params);
      const { store_id: storeId } = params;
      if (!isSlug(storeId)) throw deliveryStoreNotFound();
      const list = openList(keyring, orgId, `messages/${deliveryId}/${storeId}`, query);
      const [delivery, storeDelivery, store, page] = await db.readTogether(orgId, (tenant) =>
        Promise.all([
          findDelivery(tenant, orgId, deliveryId),
          findStoreDelivery(tenant, orgId, deliveryId, storeId),
          findStore(tenant, storeId),
          listSentMessages(tenant, { orgId, deliveryId, storeId }, list.page),
        ]),
      );
      if (delivery === undefined) throw deliveryNotFound();
      if (storeDelivery === undefined) throw deliveryStoreNotFound();
      const context = {
        current: storeDelivery.message,
        isSimulated: store?.connector !== 'ddex',
      };
      const readable = await readPage(storage, clock.now(), orgId, page);
      return list.answer(readable, ({ message, documents }) =>
        presentSentMessage(message, documents, context),
      );
    },
  );
}

/** The files of a page that are read at most; those of one message are always read. */
const documentsMax = 100;

type PlannedMessage = {
  readonly message: SentMessage;
  readonly planned: ReturnType<typeof planDocuments>;
};
type ReadMessage = {
  readonly message: SentMessage;
  readonly documents: readonly ReadDocument[];
};

/** The page ends before its files are more than an answer holds. */
async function readPage(
  storage: Storage,
  realNow: Date,
  orgId: OrgId,
  page: Page<SentMessage>,
): Promise<Page<ReadMessage>> {
  const chosen = firstThatFit(
    page.items.map((message) => ({ message, planned: planDocuments(documentsOf(orgId, message)) })),
  );
  const all = chosen.flatMap(({ planned }) => planned);
  const documents = await readDocuments(storage, realNow, all);
  let start = 0;
  const items = chosen.map(({ message, planned }) => {
    const end = start + planned.length;
    const own = documents.slice(start, end);
    start = end;
    return { message, documents: own };
  });
  const isCut = items.length < page.items.length;
  return { ...page, items, next: isCut ? page.positionAt(items.length - 1) : page.next };
}

function firstThatFit(messages: readonly PlannedMessage[]): readonly PlannedMessage[] {
  let bytes = 0;
  let count = 0;
  const end = messages.findIndex(({ planned }, i) => {
    bytes += inlineBytesOf(planned);
    count += planned.length;
    return i > 0 && (bytes > pageBytesMax || count > documentsMax);
  });
  return end === -1 ? messages : messages.slice(0, end);
}
