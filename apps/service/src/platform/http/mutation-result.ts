/** The usual results of mutations: a changed resource, and a removed one. */

import type { Changed } from '../../kernel/changed.ts';
import { noContent, resource } from './answer.ts';
import type { MutationResult } from './mutation.ts';

type Identified = { readonly id: string };

export const changedResource = <Resource extends Identified>(
  { before, after }: Changed<Resource>,
  present: (resource: Resource) => object,
): MutationResult => ({
  answer: resource(present(after)),
  auditedId: after.id,
  before: present(before),
});

export const removedResource = <Resource extends Identified>(
  removed: Resource,
  present: (resource: Resource) => object,
): MutationResult => ({ answer: noContent(), auditedId: removed.id, before: present(removed) });
