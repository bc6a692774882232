/**
 * Which parts of the model a message carries. `sent` comes from the fields that the writer wrote, so it cannot name what
 * is not in the text; every other value is in `dropped`.
 */

import { leafPointersOf, type Source } from './field.ts';

/** Why a message does not carry a value, in words for the people whose release it is. */
export const dropReasons = {
  not_in_version: 'This version of ERN has no element for it.',
  value_not_in_version: 'This version of ERN does not know the value.',
  language_not_in_ern: 'ERN has no code for the language.',
  no_deals: 'ERN sends it with deals, and the message has none.',
  no_pre_order: 'ERN sends it with a pre-order, and the message has none.',
  unknown_field: 'The model of ERN messages does not know the field.',
} as const;
export type DropReason = keyof typeof dropReasons;

export type Conveyance = {
  /** JSON pointers (RFC 6901) into the model, in its order. */
  readonly sent: readonly string[];
  readonly dropped: readonly { readonly pointer: string; readonly reason: DropReason }[];
};

/** What a builder left out. */
export type Drop = { readonly field: Source<unknown>; readonly reason: DropReason };

export function conveyanceOf(
  model: unknown,
  written: readonly Source<unknown>[],
  drops: readonly Drop[],
): Conveyance {
  const sent = new Set(written.flatMap(({ pointers }) => pointers));
  const reasons = new Map(
    drops.flatMap(({ field, reason }) =>
      field.pointers.flatMap((pointer) =>
        leafPointersOf(field.value, pointer).map((leaf): [string, DropReason] => [leaf, reason]),
      ),
    ),
  );
  const leaves = leafPointersOf(model);
  return {
    sent: leaves.filter((pointer) => sent.has(pointer)),
    dropped: leaves
      .filter((pointer) => !sent.has(pointer))
      .map((pointer) => ({ pointer, reason: reasons.get(pointer) ?? 'unknown_field' })),
  };
}
