import { type LabelId, parseId } from '../../kernel/ids.ts';
import { created, resource, stillMatches } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { changedResource, removedResource } from '../../platform/http/mutation-result.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { createLabel } from '../commands/create-label.ts';
import { deleteLabel } from '../commands/delete-label.ts';
import { editLabel } from '../commands/edit-label.ts';
import { type Label, labelNotFound } from '../domain/label.ts';
import { presentLabel } from '../domain/present-artist.ts';
import { findLabel, listLabels } from '../store/labels.ts';
import { labelExamples } from './artist-examples.ts';
import { toLabelEdit } from './artist-wire.ts';
import {
  CreateLabelBody,
  LabelBody,
  LabelListQuery,
  LabelPage,
  LabelPath,
  PatchLabelBody,
} from './label-schemas.ts';

const tag = 'Labels';

const labelIdOf = (params: { readonly label_id: string }): LabelId => {
  const id = parseId('lbl', params.label_id);
  if (id === undefined) throw labelNotFound();
  return id;
};

export function labelRoutes(server: Server, deps: MutationDeps): void {
  createRoute(server, deps);
  readRoutes(server, deps);
  patchRoute(server, deps);
  deleteRoute(server, deps);
}

function createRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createLabel',
      action: 'label.create',
      effect: 'creates',
      tag,
      summary: 'Create a label',
      description:
        'Creates a label and returns it. On releases, send its id as `label_id` or its name as `label`. The number of labels has a quota: 429 `quota_exceeded`.',
      method: 'POST',
      path: '/v1/labels',
      scope: 'releases:write',
      body: CreateLabelBody,
      answers: { 201: LabelBody },
      examples: labelExamples.createLabel,
      problems: ['territory_not_supported', 'quota_exceeded'],
    },
    async (tx, { body, caller }) => {
      const { name } = body;
      const label = await createLabel(tx, { ...toLabelEdit(body), name }, caller.quotas);
      return {
        answer: created(presentLabel(label), `/v1/labels/${label.id}`),
        auditedId: label.id,
        before: undefined,
      };
    },
  );
}

function readRoutes(server: Server, { db, keyring }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'getLabel',
      tag,
      summary: 'Get a label',
      description: 'Returns the label.',
      method: 'GET',
      path: '/v1/labels/:label_id',
      scope: 'releases:read',
      params: LabelPath,
      answers: { 200: LabelBody },
      examples: labelExamples.getLabel,
      problems: ['resource_not_found'],
    },
    async (ask, { caller, params }) => {
      const id = labelIdOf(params);
      const label = await ask((tenant) => findLabel(tenant, caller.orgId, id));
      if (label === undefined) throw labelNotFound();
      return resource(presentLabel(label));
    },
  );
  read(
    server,
    db,
    {
      id: 'listLabels',
      tag,
      summary: 'List labels',
      description:
        'Returns a page of labels, newest first. One of them is the default label of your organization.',
      method: 'GET',
      path: '/v1/labels',
      scope: 'releases:read',
      query: LabelListQuery,
      answers: { 200: LabelPage },
      examples: labelExamples.listLabels,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller, query }) => {
      const list = openList(keyring, caller.orgId, 'labels', query);
      const { name, reference } = query;
      const filters = { name, reference };
      const page = await ask((tenant) => listLabels(tenant, caller.orgId, filters, list.page));
      return list.answer(page, presentLabel);
    },
  );
}

function patchRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'updateLabel',
      action: 'label.update',
      effect: 'changes',
      tag,
      summary: 'Update a label',
      description:
        'Changes only the fields that you send, and returns the label. A list replaces the whole list, and `null` clears a field. Releases keep the old name of the label; to give a release the new name, send its `label_id` again.',
      method: 'PATCH',
      path: '/v1/labels/:label_id',
      scope: 'releases:write',
      params: LabelPath,
      body: PatchLabelBody,
      answers: { 200: LabelBody },
      examples: labelExamples.updateLabel,
      problems: ['resource_not_found', 'precondition_failed', 'territory_not_supported'],
    },
    async (tx, { params, body, ifMatch }) => {
      const edited = await editLabel(tx, {
        id: labelIdOf(params),
        edit: toLabelEdit(body),
        isExpected: (current: Label) =>
          ifMatch === undefined || stillMatches(ifMatch, presentLabel(current)),
      });
      return changedResource(edited, presentLabel);
    },
  );
}

function deleteRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'deleteLabel',
      action: 'label.delete',
      effect: 'deletes',
      tag,
      summary: 'Delete a label',
      description: 'Deletes a label that no release has. The default label cannot be deleted.',
      method: 'DELETE',
      path: '/v1/labels/:label_id',
      scope: 'releases:write',
      params: LabelPath,
      answers: { 204: null },
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params }) => {
      return removedResource(await deleteLabel(tx, labelIdOf(params)), presentLabel);
    },
  );
}
