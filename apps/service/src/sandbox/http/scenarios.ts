/** Scenarios on the wire (contract §4). */

import { type Static, Type } from 'typebox';
import { parseId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { created, noContent, resource } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import {
  closed,
  IdOf,
  MultilineText,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Reference,
  Text,
  Timestamp,
} from '../../platform/http/schema.ts';
import { createScenario } from '../commands/create-scenario.ts';
import {
  actions,
  messageKinds,
  flagResolutions,
  type Scenario,
  stepsMax,
  timesMax,
} from '../domain/scenario.ts';
import { deleteScenario, deleteScenarios, getScenario, listScenarios } from '../store/scenarios.ts';
import { Duration, sandboxTag } from './sandbox-schemas.ts';

const StepBody = Type.Object(
  {
    action: OneOf(actions, {
      description:
        'confirm, reject or flag what was sent; delay the usual answer, give it late (after expected_by), lose it, duplicate it; outage: the store cannot be reached, and the next step follows once it can.',
    }),
    after: Type.Optional(
      Duration(
        'When the answer comes, instead of when it usually would. Of delay: how much later; of late: how long after expected_by.',
      ),
    ),
    code: Type.Optional(Text(100, { description: 'Of reject (required) and flag.' })),
    reason: Type.Optional(MultilineText(2_000, { description: 'Of reject and flag, for people.' })),
    resolves: Type.Optional(
      OneOf(flagResolutions, { description: 'What becomes of a flag by itself.' }),
    ),
    resolves_after: Type.Optional(Duration('How long after the flag.')),
    times: Type.Optional(
      Type.Integer({ minimum: 2, maximum: timesMax, description: 'Of duplicate; 2 when omitted.' }),
    ),
    lasts: Type.Optional(
      Duration('Of outage (required): how long from the first try of a message.'),
    ),
    chance: Type.Optional(
      Type.Number({
        minimum: 0.01,
        maximum: 1,
        description:
          'How likely the step is; otherwise the store does what it usually does. The dice are thrown with the seed, the store, the kind of message and the reference of the release (its UPC without one): the same ones fall the same way.',
      }),
    ),
  },
  { ...closed, title: 'ScenarioStep' },
);

const scenarioFields = {
  name: Type.Optional(Nullable(Text(200, { description: 'For you.' }))),
  store_id: Type.Optional(
    Nullable(Type.String({ maxLength: 50, description: 'Every store when omitted.' })),
  ),
  release_id: Type.Optional(Nullable(Reference('rel', 'Every release when omitted.'))),
  message: Type.Optional(
    Nullable(OneOf(messageKinds, { description: 'Every kind of message when omitted.' })),
  ),
  seed: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: '0 when omitted.' }),
  ),
  repeats: Type.Optional(
    Type.Boolean({
      description: 'After the last step: the first again, rather than what the store usually does.',
    }),
  ),
};

const CreateScenarioBody = Type.Object(
  {
    steps: Type.Array(StepBody, {
      minItems: 1,
      maxItems: stepsMax,
      description:
        'The first message a delivery sends to a store meets the first step, the next one (a resubmission, an update, a takedown) the next.',
    }),
    ...scenarioFields,
  },
  { ...closed, title: 'CreateScenario', 'x-read-only': ['id', 'created_at'] },
);

const ScenarioBody = Type.Object(
  {
    id: IdOf('scn'),
    name: Nullable(Type.String()),
    store_id: Nullable(Type.String()),
    release_id: Nullable(IdOf('rel')),
    message: Nullable(OneOf(messageKinds)),
    seed: Type.Integer(),
    steps: Type.Array(StepBody),
    repeats: Type.Boolean(),
    created_at: Timestamp('When it was made. Of several that fit, the newest counts.'),
  },
  { ...closed, title: 'Scenario' },
);

const presentScenario = (scenario: Scenario): Static<typeof ScenarioBody> => ({
  id: scenario.id,
  name: scenario.name,
  store_id: scenario.storeId,
  release_id: scenario.releaseId,
  message: scenario.message,
  seed: scenario.seed,
  steps: scenario.steps.map((step) => ({ ...step })) as Static<typeof StepBody>[],
  repeats: scenario.repeats,
  created_at: scenario.createdAt.toISOString(),
});

const path = '/v1/sandbox/scenarios';

const common = { tag: sandboxTag, scope: 'sandbox:write' } as const;

export function scenarioRoutes(server: Server, deps: MutationDeps): void {
  createRoute(server, deps);
  listRoute(server, deps);
  getRoute(server, deps);
  deleteRoutes(server, deps);
}

function createRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'createScenario',
      action: 'sandbox.scenario.create',
      summary: 'Script what stores do',
      description:
        'For messages sent from now on: to one store or to all, of one release or of all. Of several scenarios that fit a message, the newest counts.',
      method: 'POST',
      path,
      body: CreateScenarioBody,
      answers: { 201: ScenarioBody },
      problems: ['invalid_state'],
    },
    async (tx, { body }) => {
      const scenario = await createScenario(tx, {
        name: body.name ?? null,
        storeId: body.store_id ?? null,
        releaseId: body.release_id ?? null,
        message: body.message ?? null,
        seed: body.seed ?? 0,
        steps: body.steps,
        repeats: body.repeats ?? false,
      });
      const answer = created(presentScenario(scenario), `${path}/${scenario.id}`);
      return { answer, auditedId: scenario.id };
    },
  );
}

function listRoute(server: Server, { db, keyring }: MutationDeps): void {
  read(
    server,
    db,
    {
      ...common,
      id: 'listScenarios',
      summary: 'List scenarios',
      description: 'The newest first, which is the order in which they are asked whether they fit.',
      method: 'GET',
      path,
      query: Type.Object(pageQuery, closed),
      answers: { 200: PageOf('ScenarioPage', ScenarioBody) },
      problems: ['invalid_cursor'],
    },
    async (ask, { caller: { orgId }, query }) => {
      const list = openList(keyring, orgId, 'scenarios', query);
      const found = await ask((tenant) => listScenarios(tenant, orgId, list.page));
      return list.answer(found, presentScenario);
    },
  );
}

const scenarioNotFound = () =>
  new Problem('resource_not_found', 'There is no such scenario in this organization.');

const ScenarioPath = Type.Object({ scenario_id: IdOf('scn') });

function getRoute(server: Server, { db }: MutationDeps): void {
  read(
    server,
    db,
    {
      ...common,
      id: 'getScenario',
      summary: 'Get a scenario',
      method: 'GET',
      path: `${path}/:scenario_id`,
      params: ScenarioPath,
      answers: { 200: ScenarioBody },
      problems: ['resource_not_found'],
    },
    async (ask, { caller: { orgId }, params }) => {
      const id = parseId('scn', params.scenario_id);
      const found = id && (await ask((tenant) => getScenario(tenant, orgId, id)));
      if (found === undefined) throw scenarioNotFound();
      return resource(presentScenario(found));
    },
  );
}

function deleteRoutes(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'deleteScenarios',
      action: 'sandbox.scenario.delete_all',
      summary: 'Delete all scenarios',
      description:
        'Stores do what they usually do. What they were sent before is answered as it was scripted.',
      method: 'DELETE',
      path,
      answers: { 204: null },
      problems: [],
    },
    async (tx) => {
      deleteScenarios(tx);
      return { answer: noContent(), auditedId: tx.orgId };
    },
  );
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'deleteScenario',
      action: 'sandbox.scenario.delete',
      summary: 'Delete a scenario',
      description: 'What stores were sent before is answered as it was scripted.',
      method: 'DELETE',
      path: `${path}/:scenario_id`,
      params: ScenarioPath,
      answers: { 204: null },
      problems: ['resource_not_found'],
    },
    async (tx, { params }) => {
      const id = parseId('scn', params.scenario_id);
      if (id === undefined || !(await deleteScenario(tx, id))) {
        throw scenarioNotFound();
      }
      return { answer: noContent(), auditedId: id };
    },
  );
}
