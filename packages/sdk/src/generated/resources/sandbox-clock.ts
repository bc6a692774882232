/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import type { AdvanceClock, SandboxClock, SetClockMode } from '../schema.ts';

/** Sandbox.clock. */
export class SandboxClockResource extends Resource {
  /**
   * Read the clock.
   *
   * Returns the current time of your organization, and whether its clock is being advanced.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `getSandboxClock`
   */
  get(options?: RequestOptions): ApiCall<SandboxClock> {
    return this.client.call({ method: 'GET', path: '/v1/sandbox/clock', options });
  }

  /**
   * Freeze the clock, or let it run.
   *
   * Freezes the clock (`manual`) or lets it run (`running`), and returns it. While it is frozen, reviews, dispatches, answers and deadlines wait until you advance it, and happen in the same order every time. Files are examined in real time in both modes. When you set it to `running` again, it continues from where it was frozen.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `setSandboxClockMode`
   */
  setMode(body: SetClockMode, options?: WriteOptions): ApiCall<SandboxClock> {
    return this.client.call({
      method: 'PATCH',
      path: '/v1/sandbox/clock',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Advance the clock.
   *
   * Moves the clock forward. Everything that becomes due on the way happens in order: answers of stores, takedowns, deadlines, release dates and retries. Each ends, with all its consequences, before the next begins; only a webhook endpoint that has not answered for 3 seconds is not waited for. The answer comes at once: read the clock until its status is `idle`.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `advanceSandboxClock`
   */
  advance(body?: AdvanceClock, options?: WriteOptions): ApiCall<SandboxClock> {
    return this.client.call({
      method: 'POST',
      path: '/v1/sandbox/clock/advance',
      body,
      takesKey: true,
      options,
    });
  }
}
