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
import {
  deleteScenario,
  deleteScenarios,
  findScenario,
  listScenarios,
} from '../store/scenarios.ts';
import { Duration, sandboxTag } from './sandbox-schemas.ts';

const StepBody = Type.Object(
  {
    action: OneOf(actions, {
      description:
        'confirm, reject or flag the message; delay the usual answer, give it late (after expected_by), lose it, duplicate it; outage: the store cannot be reached, and the next step follows when it can be again.',
    }),
    after: Type.Optional(
      Duration(
        'When the answer comes, instead of the usual time. For delay: how much later than usual; for late: how long after expected_by.',
      ),
    ),
    code: Type.Optional(Text(100, { description: 'For reject (required) and flag.' })),
    reason: Type.Optional(
      MultilineText(2_000, { description: 'For reject and flag: a text for people.' }),
    ),
    resolves: Type.Optional(
      OneOf(flagResolutions, { description: 'For flag: how the store resolves it by itself.' }),
    ),
    resolves_after: Type.Optional(Duration('For flag with resolves: how long after the flag.')),
    times: Type.Optional(
      Type.Integer({
        minimum: 2,
        maximum: timesMax,
        description: 'For duplicate: how often the answer comes; 2 when omitted.',
      }),
    ),
    lasts: Type.Optional(
      Duration(
        'For outage (required): how long it lasts from the first attempt to send the message.',
      ),
    ),
    chance: Type.Optional(
      Type.Number({
        minimum: 0.01,
        maximum: 1,
        description:
          'The probability of the step; otherwise the store does what it usually does. The outcome depends only on the seed, the store, the kind of message and the reference of the release (or its UPC): the same values give the same outcome.',
      }),
    ),
  },
  { ...closed, title: 'ScenarioStep' },
);

const scenarioFields = {
  name: Type.Optional(Nullable(Text(200, { description: 'Your own note.' }))),
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
      description:
        'Whether the first step follows the last one; otherwise the store then does what it usually does.',
    }),
  ),
};

const CreateScenarioBody = Type.Object(
  {
    steps: Type.Array(StepBody, {
      minItems: 1,
      maxItems: stepsMax,
      description:
        'The first message of a delivery to a store meets the first step, the next message (a resubmission, an update, a takedown) the next step.',
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
    created_at: Timestamp(
      'When it was created. If several scenarios match a message, the newest applies.',
    ),
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
        'Applies to messages sent from now on: to one store or to all, of one release or of all. If several scenarios match a message, the newest applies.',
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
      description: 'Newest first. If several match a message, the newest applies.',
      method: 'GET',
      path,
      query: Type.Object(pageQuery, closed),
      answers: { 200: PageOf('ScenarioPage', ScenarioBody) },
      problems: ['invalid_cursor'],
    },
    async (ask, { caller: { orgId }, query }) => {
      const list = openList(keyring, orgId, 'scenarios', query);
      const scenarios = await ask((tenant) => listScenarios(tenant, orgId, list.page));
      return list.answer(scenarios, presentScenario);
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
      const scenario = id && (await ask((tenant) => findScenario(tenant, orgId, id)));
      if (scenario === undefined) throw scenarioNotFound();
      return resource(presentScenario(scenario));
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
        'Stores do what they usually do. Messages that were sent before are still answered as scripted.',
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
      description: 'Messages that were sent before are still answered as scripted.',
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
