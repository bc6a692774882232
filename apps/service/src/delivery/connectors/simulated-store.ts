/**
 * Fictional stores. They confirm whatever they get, unless the release says otherwise: the pairs in its
 * metadata `simulate` name what a store does, `*` meaning all of them, the first that fits counting:
 *
 *   { "simulate": "aurora=reject cascade=flag *=silent" }
 *
 * The metadata is the partner's own and is shown to no real store.
 */
import type { StoreAnswer } from '../domain/answer.ts';
import type { MessageId, Rejection } from '../domain/message.ts';
import type { ComingAnswer, Consignment, StoreConnector } from './store-connector.ts';

const behaviours = ['confirm', 'reject', 'flag', 'flag_then_confirm', 'silent', 'keep'] as const;
type Behaviour = (typeof behaviours)[number];

const decisionMs = 1_000;
const secondThoughtMs = 2_000;

const isBehaviour = (text: string | undefined): text is Behaviour =>
  behaviours.some((behaviour) => behaviour === text);

function behaviourOf(simulate: string | undefined, storeId: string): Behaviour {
  for (const pair of simulate?.split(/\s+/) ?? []) {
    const [store, behaviour] = pair.split('=');
    if ((store === storeId || store === '*') && isBehaviour(behaviour)) return behaviour;
  }
  return 'confirm';
}

const damaged: Rejection = {
  code: 'metadata_error',
  reason: 'The title does not match the cover.',
};
const disputed: Rejection = {
  code: 'rights_conflict',
  reason: 'Another party claims a recording of this release. Confirm your rights.',
};
const kept: Rejection = {
  code: 'takedown_refused',
  reason: 'The release is part of a running promotion.',
};

type Story = (messageId: MessageId, url: string) => readonly ComingAnswer[];

const soon = (answer: StoreAnswer): ComingAnswer => ({ afterMs: decisionMs, answer });

const delivered = (messageId: MessageId, url: string): StoreAnswer => ({
  messageId,
  kind: 'delivered',
  url,
});
const flagged = (messageId: MessageId): StoreAnswer => ({
  messageId,
  kind: 'action_required',
  rejection: disputed,
});

const stories: Readonly<Record<Behaviour, Story>> = {
  confirm: (id, url) => [soon(delivered(id, url))],
  keep: (id, url) => [soon(delivered(id, url))],
  reject: (messageId) => [soon({ messageId, kind: 'rejected', rejection: damaged })],
  flag: (messageId) => [soon(flagged(messageId))],
  flag_then_confirm: (messageId, url) => [
    soon(flagged(messageId)),
    { afterMs: secondThoughtMs, answer: delivered(messageId, url) },
  ],
  silent: () => [],
};

const takedownStories: Readonly<Partial<Record<Behaviour, Story>>> = {
  keep: (messageId) => [soon({ messageId, kind: 'removal_refused', rejection: kept })],
  silent: () => [],
};

const behaviourIn = ({ snapshot, storeId }: Consignment): Behaviour =>
  behaviourOf(snapshot.release.metadata['simulate'], storeId);

export const simulatedStore: StoreConnector = {
  send: async (consignment) => {
    const { message, storeId, snapshot } = consignment;
    const url = `https://${storeId}.example/releases/${snapshot.release.upc}`;
    return stories[behaviourIn(consignment)](message.id, url);
  },
  takeDown: async (consignment) => {
    const { id: messageId } = consignment.message;
    const story = takedownStories[behaviourIn(consignment)];
    return story?.(messageId, '') ?? [soon({ messageId, kind: 'removed' })];
  },
};
