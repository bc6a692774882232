/** What the parts of one message share while it is built: its dialect, its parties, and what it leaves out. */

import type { Party } from '../model.ts';
import type { Drop, DropReason } from './conveyance.ts';
import type { Dialect } from './dialects.ts';
import { equalityKeyOf } from './equality-key.ts';
import { Field, type Source } from './field.ts';

export type MessageDraft = {
  readonly dialect: Dialect;
  /** Makes the reference of a party. Entries with equal parties have the same. */
  readonly refer: (party: Field<Party>) => string;
  /** `P1`, `P2`… in the order of their first mention, each with all places that mention it. */
  readonly parties: () => readonly (readonly [reference: string, party: Field<Party>])[];
  /** `T1`, `T2`…, one for each description of files. */
  readonly nextTechnicalReference: () => string;
  /** Remembers why the message leaves the value out. */
  readonly drop: (field: Source<unknown> | undefined, reason: DropReason) => void;
  readonly drops: readonly Drop[];
};

export function createDraft(dialect: Dialect): MessageDraft {
  const mentions = new Map<string, [Field<Party>, ...Field<Party>[]]>();
  const references = new Map<string, string>();
  const drops: Drop[] = [];
  let technicalCount = 0;
  return {
    dialect,
    drops,
    refer: (party) => {
      const key = equalityKeyOf(party.value);
      const known = mentions.get(key);
      if (known !== undefined) known.push(party);
      else mentions.set(key, [party]);
      const reference = references.get(key) ?? `P${references.size + 1}`;
      references.set(key, reference);
      return reference;
    },
    parties: () =>
      [...mentions].map(([key, fields]) => [references.get(key) ?? '', Field.merge(fields)]),
    nextTechnicalReference: () => `T${++technicalCount}`,
    drop: (field, reason) => {
      if (field !== undefined) drops.push({ field, reason });
    },
  };
}
