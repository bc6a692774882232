/** The client: one property for each resource of the API. */

import type { ApiCall } from './core/api-call.ts';
import { OAuthToken } from './core/credentials.ts';
import { HttpClient } from './core/http-client.ts';
import type { Method, ReadOptions, WriteOptions } from './core/request.ts';
import {
  type OAuthOptions,
  type Settings,
  settingsOf,
  type TonearmOptions,
} from './core/settings.ts';
import { formOf } from './core/url.ts';
import { AdjustmentsResource } from './generated/resources/adjustments.ts';
import { ApiKeysResource } from './generated/resources/api-keys.ts';
import { ArtistsResource } from './generated/resources/artists.ts';
import { AuditLogResource } from './generated/resources/audit-log.ts';
import { BalanceResource } from './generated/resources/balance.ts';
import { EarningHoldsResource } from './generated/resources/earning-holds.ts';
import { EventsResource } from './generated/resources/events.ts';
import { IdempotencyKeysResource } from './generated/resources/idempotency-keys.ts';
import { LabelsResource } from './generated/resources/labels.ts';
import { OauthClientsResource } from './generated/resources/oauth-clients.ts';
import { OauthResource } from './generated/resources/oauth.ts';
import { OrganizationResource } from './generated/resources/organization.ts';
import { PayoutMethodsResource } from './generated/resources/payout-methods.ts';
import { PayoutScheduleResource } from './generated/resources/payout-schedule.ts';
import { ReferenceResource } from './generated/resources/reference.ts';
import { RequestsResource } from './generated/resources/requests.ts';
import { RoyaltiesResource } from './generated/resources/royalties.ts';
import { StatementsResource } from './generated/resources/statements.ts';
import { StoresResource } from './generated/resources/stores.ts';
import { TaxProfileResource } from './generated/resources/tax-profile.ts';
import { TracksResource } from './generated/resources/tracks.ts';
import type { OAuthAccessToken } from './generated/schema.ts';
import { Assets } from './resources/assets.ts';
import { Deliveries, DeliveryJobs } from './resources/deliveries.ts';
import { Payouts } from './resources/payouts.ts';
import { Releases } from './resources/releases.ts';
import { Sandbox } from './resources/sandbox.ts';
import { Webhooks } from './resources/webhooks.ts';

/** What a call without a method of its own takes. */
export type CallOptions = ReadOptions &
  WriteOptions & {
    readonly query?: object | undefined;
    /** A string, bytes or a form is sent as it is; anything else as JSON. */
    readonly body?: unknown;
  };

export class Tonearm {
  readonly releases: Releases;
  readonly tracks: TracksResource;
  readonly artists: ArtistsResource;
  readonly labels: LabelsResource;
  readonly assets: Assets;
  readonly stores: StoresResource;
  readonly deliveries: Deliveries;
  readonly deliveryJobs: DeliveryJobs;
  readonly statements: StatementsResource;
  readonly royalties: RoyaltiesResource;
  readonly balance: BalanceResource;
  readonly adjustments: AdjustmentsResource;
  readonly earningHolds: EarningHoldsResource;
  readonly payouts: Payouts;
  readonly payoutMethods: PayoutMethodsResource;
  readonly payoutSchedule: PayoutScheduleResource;
  readonly taxProfile: TaxProfileResource;
  readonly events: EventsResource;
  readonly webhooks: Webhooks;
  readonly auditLog: AuditLogResource;
  readonly requests: RequestsResource;
  readonly idempotencyKeys: IdempotencyKeysResource;
  readonly organization: OrganizationResource;
  readonly apiKeys: ApiKeysResource;
  readonly oauthClients: OauthClientsResource;
  readonly oauth: OauthResource;
  readonly sandbox: Sandbox;
  readonly reference: ReferenceResource;
  /** Where the service is. */
  readonly baseUrl: string;
  readonly #client: HttpClient;

  constructor(options: TonearmOptions = {}) {
    const settings = withOAuth(settingsOf(options), options.oauth);
    const client = new HttpClient(settings);
    this.#client = client;
    this.baseUrl = settings.baseUrl;
    this.events = new EventsResource(client);
    this.releases = new Releases(client);
    this.tracks = new TracksResource(client);
    this.artists = new ArtistsResource(client);
    this.labels = new LabelsResource(client);
    this.assets = new Assets(client);
    this.stores = new StoresResource(client);
    this.deliveries = new Deliveries(client);
    this.deliveryJobs = new DeliveryJobs(client);
    this.statements = new StatementsResource(client);
    this.royalties = new RoyaltiesResource(client);
    this.balance = new BalanceResource(client);
    this.adjustments = new AdjustmentsResource(client);
    this.earningHolds = new EarningHoldsResource(client);
    this.payouts = new Payouts(client);
    this.payoutMethods = new PayoutMethodsResource(client);
    this.payoutSchedule = new PayoutScheduleResource(client);
    this.taxProfile = new TaxProfileResource(client);
    this.webhooks = new Webhooks(client);
    this.auditLog = new AuditLogResource(client);
    this.requests = new RequestsResource(client);
    this.idempotencyKeys = new IdempotencyKeysResource(client);
    this.organization = new OrganizationResource(client);
    this.apiKeys = new ApiKeysResource(client);
    this.oauthClients = new OauthClientsResource(client);
    this.oauth = new OauthResource(client);
    this.sandbox = new Sandbox(client);
    this.reference = new ReferenceResource(client);
  }

  /** A call by its path, for example one that is newer than this SDK, with the same retries and errors as a method. */
  request<T = unknown>(method: Method, path: string, options: CallOptions = {}): ApiCall<T> {
    const { query, body, ...rest } = options;
    const takesKey = method === 'POST' || method === 'PATCH';
    return this.#client.call({
      method,
      path: absolute(path),
      query,
      body,
      takesKey,
      options: rest,
    });
  }
}

/** `releases`, `/releases` and `/v1/releases` are the same. */
const absolute = (path: string): string =>
  /^\/?v1(\/|$)/.test(path) ? `/${path.replace(/^\//, '')}` : `/v1/${path.replace(/^\//, '')}`;

/** Tokens are requested like everything else, but without a token. */
function withOAuth(settings: Settings, oauth: OAuthOptions | undefined): Settings {
  if (oauth === undefined) return settings;
  const client = new HttpClient({ ...settings, credentials: undefined });
  const body = formOf({
    grant_type: 'client_credentials',
    client_id: oauth.clientId,
    client_secret: oauth.clientSecret,
    scope: oauth.scopes?.join(' '),
  });
  // A lost token hurts nobody, so that the request may be repeated.
  const request = { method: 'POST', path: '/v1/oauth/token', body, takesKey: true } as const;
  return { ...settings, credentials: new OAuthToken(() => client.call<OAuthAccessToken>(request)) };
}
