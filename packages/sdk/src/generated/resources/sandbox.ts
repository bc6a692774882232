/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  AnswerForStore,
  DecideRights,
  Delivery,
  ErnIntake,
  ErnResult,
  Organization,
  ResetSandbox,
  SandboxReset,
  SetSandboxVerification,
} from '../schema.ts';
import { SandboxClockResource } from './sandbox-clock.ts';
import { SandboxInboxResource } from './sandbox-inbox.ts';
import { SandboxReportsResource } from './sandbox-reports.ts';
import { SandboxScenariosResource } from './sandbox-scenarios.ts';

/** Sandbox. */
export class SandboxResource extends Resource {
  readonly clock = new SandboxClockResource(this.client);

  readonly scenarios = new SandboxScenariosResource(this.client);

  readonly reports = new SandboxReportsResource(this.client);

  readonly inbox = new SandboxInboxResource(this.client);

  /**
   * Get the status of the reset.
   *
   * Returns the status of the last reset.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `getSandboxReset`
   */
  getReset(options?: RequestOptions): ApiCall<SandboxReset> {
    return this.client.call({ method: 'GET', path: '/v1/sandbox/reset', options });
  }

  /**
   * Reset the sandbox.
   *
   * Removes your releases, tracks, assets, submissions, deliveries, jobs, scenarios, timers and money, and sets the clock to real time, running. Your organization, its keys and its codes stay, and so do events and the audit log; used codes stay used. Then a fictional catalog is created, unless `seed` is `false`. The answer comes at once: read the reset until its status is no longer `running`.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `resetSandbox`
   */
  reset(body?: ResetSandbox, options?: WriteOptions): ApiCall<SandboxReset> {
    return this.client.call({
      method: 'POST',
      path: '/v1/sandbox/reset',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Answer for a store.
   *
   * Makes a fictional store give this answer now, and returns the changed delivery. Its events are sent at once. The answer replaces the answers that the store was going to give, unless it is only a receipt (`acknowledged`) or is about the release. An answer that changes nothing is refused, and the error names the answers that apply.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `answerForStore`
   */
  answerForStore(
    deliveryId: string,
    storeId: string,
    body: AnswerForStore,
    options?: WriteOptions,
  ): ApiCall<Delivery> {
    return this.client.call({
      method: 'POST',
      path: `/v1/sandbox/deliveries/${segment(deliveryId, 'delivery_id')}/stores/${segment(storeId, 'store_id')}/answer`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Decide a rights review.
   *
   * Decides the review of a release whose stores wait for `rights_review`, as our support does in live, and returns the delivery. In the sandbox another organization holds every ISRC of the registrant `HLD`, such as `QZ-HLD-26-00001`, and no other.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `decideSandboxRights`
   */
  decideRights(deliveryId: string, body: DecideRights, options?: WriteOptions): ApiCall<Delivery> {
    return this.client.call({
      method: 'POST',
      path: `/v1/sandbox/deliveries/${segment(deliveryId, 'delivery_id')}/rights_review`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Script your verification.
   *
   * Sets the verification of your sandbox organization and returns the organization. It is `verified` until you set another status: then its deliveries wait as they would in live, and the event `organization.verification.changed` is sent. With `verified` they continue. A reset makes it `verified` again.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `setSandboxVerification`
   */
  setVerification(body: SetSandboxVerification, options?: WriteOptions): ApiCall<Organization> {
    return this.client.call({
      method: 'POST',
      path: '/v1/sandbox/verification',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Send an ERN message.
   *
   * Takes a message of DDEX ERN 4.3.2 or 4.3 as a store would. A `NewReleaseMessage` creates a draft with its tracks, or replaces the release of yours that has its UPC or EAN; stores get the new revision when you update their deliveries. A `NewReleaseMessage` whose deals have ended, or that has none, takes down the deliveries of a release that you have. A `PurgeReleaseMessage` takes down the deliveries of your releases with its UPC or EAN, and deletes their drafts. Send the message alone as `application/xml`, or as JSON with `files`, the assets that stand for the files of the message. A refused message changes nothing; `details` name the elements by XPath, each with the status that a store would report (ErncFileStatus).
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `receiveErn`
   */
  receiveErn(body: ErnIntake | string, options?: WriteOptions): ApiCall<ErnResult> {
    return this.client.call({
      method: 'POST',
      path: '/v1/sandbox/ern',
      body,
      textType: 'application/xml',
      takesKey: true,
      options,
    });
  }
}
