/** Scenarios on the wire (contract §4). */

import { type Static, Type } from 'typebox';
import { parseId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { created, noContent, resource } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { removedResource } from '../../platform/http/mutation-result.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { closed, IdOf, PageOf, pageQuery } from '../../platform/http/schema.ts';
import { createScenario } from '../commands/create-scenario.ts';
import type { Scenario } from '../domain/scenario.ts';
import {
  deleteScenario,
  deleteScenarios,
  findScenario,
  listScenarios,
} from '../store/scenarios.ts';
import { scenarioExamples } from './sandbox-examples.ts';
import { sandboxTag } from './sandbox-schemas.ts';
import { CreateScenarioBody, ScenarioBody, type StepBody } from './scenario-schemas.ts';

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
      effect: 'creates',
      summary: 'Script what stores do',
      description:
        'Creates a scenario and returns it. It applies to messages that are sent from now on: to one store or all, about one release or all. If several scenarios match a message, the newest applies.',
      method: 'POST',
      path,
      body: CreateScenarioBody,
      answers: { 201: ScenarioBody },
      examples: scenarioExamples.createScenario,
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
      return { answer, auditedId: scenario.id, before: undefined };
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
      description:
        'Returns a page of scenarios, newest first. If several match a message, the newest applies.',
      method: 'GET',
      path,
      query: Type.Object(pageQuery, closed),
      answers: { 200: PageOf('ScenarioPage', ScenarioBody) },
      examples: scenarioExamples.listScenarios,
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
  new Problem('resource_not_found', 'No scenario of your organization has this id.');

const ScenarioPath = Type.Object({ scenario_id: IdOf('scn') });

function getRoute(server: Server, { db }: MutationDeps): void {
  read(
    server,
    db,
    {
      ...common,
      id: 'getScenario',
      summary: 'Get a scenario',
      description: 'Returns the scenario.',
      method: 'GET',
      path: `${path}/:scenario_id`,
      params: ScenarioPath,
      answers: { 200: ScenarioBody },
      examples: scenarioExamples.getScenario,
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
      effect: 'deletes',
      summary: 'Delete all scenarios',
      description:
        'Deletes all scenarios. From now on stores do what they usually do; messages that were sent before are still answered as scripted.',
      method: 'DELETE',
      path,
      answers: { 204: null },
      problems: [],
    },
    async (tx) => {
      const deleted = await deleteScenarios(tx);
      return {
        answer: noContent(),
        auditedId: tx.orgId,
        before: { data: deleted.map(presentScenario) },
      };
    },
  );
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'deleteScenario',
      action: 'sandbox.scenario.delete',
      effect: 'deletes',
      summary: 'Delete a scenario',
      description:
        'Deletes the scenario. Messages that were sent before are still answered as scripted.',
      method: 'DELETE',
      path: `${path}/:scenario_id`,
      params: ScenarioPath,
      answers: { 204: null },
      problems: ['resource_not_found'],
    },
    async (tx, { params }) => {
      const id = parseId('scn', params.scenario_id);
      const deleted = id && (await deleteScenario(tx, id));
      if (deleted === undefined) throw scenarioNotFound();
      return removedResource(deleted, presentScenario);
    },
  );
}
