/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type { CreateScenario, ListScenariosQuery, Scenario, ScenarioPage } from '../schema.ts';

/** Sandbox.scenarios. */
export class SandboxScenariosResource extends Resource {
  /**
   * Script what stores do.
   *
   * Creates a scenario and returns it. It applies to messages that are sent from now on: to one store or all, about one release or all. If several scenarios match a message, the newest applies.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `createScenario`
   */
  create(body: CreateScenario, options?: WriteOptions): ApiCall<Scenario> {
    return this.client.call({
      method: 'POST',
      path: '/v1/sandbox/scenarios',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * List scenarios.
   *
   * Returns a page of scenarios, newest first. If several match a message, the newest applies.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `listScenarios`
   */
  list(query?: ListScenariosQuery, options?: RequestOptions): Pager<Scenario, ScenarioPage> {
    return this.client.list({ method: 'GET', path: '/v1/sandbox/scenarios', query, options });
  }

  /**
   * Delete all scenarios.
   *
   * Deletes all scenarios. From now on stores do what they usually do; messages that were sent before are still answered as scripted.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `deleteScenarios`
   */
  deleteAll(options?: RequestOptions): ApiCall<void> {
    return this.client.call({ method: 'DELETE', path: '/v1/sandbox/scenarios', options });
  }

  /**
   * Get a scenario.
   *
   * Returns the scenario.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `getScenario`
   */
  get(scenarioId: string, options?: ReadOptions): ApiCall<Scenario> {
    return this.client.call({
      method: 'GET',
      path: `/v1/sandbox/scenarios/${segment(scenarioId, 'scenario_id')}`,
      options,
    });
  }

  /**
   * Delete a scenario.
   *
   * Deletes the scenario. Messages that were sent before are still answered as scripted.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `deleteScenario`
   */
  delete(scenarioId: string, options?: RequestOptions): ApiCall<void> {
    return this.client.call({
      method: 'DELETE',
      path: `/v1/sandbox/scenarios/${segment(scenarioId, 'scenario_id')}`,
      options,
    });
  }
}
