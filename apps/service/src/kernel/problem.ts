/**
 * Every way a request can be refused, by its stable code (spec §7, contract §7). The code is the contract: its meaning
 * never changes. `cause` and `cure` are for people; the message and details of a problem say what is wrong with the
 * particular request.
 */
type ProblemKind = {
  readonly status: number;
  readonly cause: string;
  readonly cure: string;
  /**
   * Contract §8: whether a refusal inside the transaction is stored and replayed for its key. An invalid field is not
   * stored, so the corrected request may use the same key.
   */
  readonly stored: boolean;
};

const notStored = (status: number, cause: string, cure: string): ProblemKind => ({
  status,
  cause,
  cure,
  stored: false,
});
const stored = (status: number, cause: string, cure: string): ProblemKind => ({
  ...notStored(status, cause, cure),
  stored: true,
});

export const problems = {
  invalid_json: notStored(
    400,
    'The body is not JSON that the service can read.',
    'Send UTF-8 JSON that is nested at most 32 levels deep and has no NUL characters and no unpaired surrogates.',
  ),
  invalid_parameter: notStored(
    400,
    'A query parameter is unknown, malformed or out of range.',
    'Correct the parameters that details list.',
  ),
  invalid_cursor: notStored(
    400,
    'The cursor was changed, or belongs to another list or to other filters.',
    'Send next_cursor exactly as you received it, with the same filters, or start again without a cursor.',
  ),
  invalid_idempotency_key: notStored(
    400,
    'The Idempotency-Key is not a UUID v4.',
    'Send a new random UUID v4 for each change, and the same one when you retry it.',
  ),
  invalid_request: notStored(
    400,
    'The request is not valid HTTP, or not valid for this API.',
    'Correct what the message names, and send the request again.',
  ),
  authentication_required: notStored(
    401,
    'The request has no credential.',
    'The request has no credential. Send Authorization: Bearer <API_KEY>.',
  ),
  invalid_credentials: notStored(
    401,
    'The credential is unknown, revoked or mistyped, or belongs to the other environment.',
    'Check that the key or token is complete. Send keys that begin with ta_test_ to the sandbox, and keys that begin with ta_live_ to live.',
  ),
  token_expired: notStored(
    401,
    'The credential has expired.',
    'Use a key that has not expired, or get a new access token.',
  ),
  insufficient_scope: notStored(
    403,
    'The credential does not have a scope that the route needs, or that the request would grant.',
    'Use a credential with the scopes that the message names.',
  ),
  tier_not_allowed: notStored(
    403,
    'The tier of your organization does not include this feature.',
    'Use another route, or ask support for the tier that the message names.',
  ),
  organization_suspended: notStored(
    403,
    'Your organization is suspended. It can read, but it cannot change anything.',
    'Contact support. The request changed nothing.',
  ),
  resource_not_found: stored(
    404,
    'No resource of your organization has this id.',
    'Check the id, and that you use the credential of its organization and environment.',
  ),
  route_not_found: notStored(
    404,
    'The path does not exist.',
    'Check the path in the API reference at /docs. The message names the path that you probably meant.',
  ),
  method_not_allowed: notStored(
    405,
    'The path does not support this method.',
    'Use one of the methods in the Allow header.',
  ),
  duplicate_submission: stored(
    409,
    'Your organization already submitted a release with the same UPC or EAN, label and release date, or another delivery already sends the release to this store.',
    'Use the release or delivery that the message names instead of creating another one.',
  ),
  asset_not_ready: stored(
    409,
    'An audio or artwork asset of the release is not ready.',
    'Wait for the event asset.ready, or replace an asset that has failed.',
  ),
  nothing_changed: stored(
    409,
    'The store already has exactly this content, or has rejected it.',
    'Correct the release or its tracks first. To resubmit the same content, send "force": true.',
  ),
  invalid_state: stored(
    409,
    'The state of the resource does not allow this request.',
    'Read the resource. The message says which states allow the request.',
  ),
  idempotency_key_in_use: notStored(
    409,
    'A request with the same Idempotency-Key is being executed.',
    'Wait the number of seconds in Retry-After, then send the same request again.',
  ),
  upc_pool_exhausted: stored(
    409,
    'The UPC pool of your organization is empty.',
    'Send a upc of your own, or ask support for a new range.',
  ),
  precondition_failed: stored(
    412,
    'The resource has changed since you read the ETag in If-Match.',
    'Read the resource again, apply your change to it, and send its new ETag.',
  ),
  payload_too_large: notStored(
    413,
    'The body is larger than the route accepts.',
    'Send at most 256 KiB, or 1 MiB to bulk routes and of an ERN message. Split larger requests.',
  ),
  uri_too_long: notStored(
    414,
    'The URL is longer than 8,192 characters.',
    'Shorten the query of the URL.',
  ),
  unsupported_media_type: notStored(
    415,
    'The route does not accept this Content-Type.',
    'Send Content-Type: application/json. An ERN message may also be application/xml.',
  ),
  missing_required_field: notStored(
    422,
    'A required field of the body is missing.',
    'Add every field that details list.',
  ),
  invalid_field: notStored(
    422,
    'A field of the body has a value that is not allowed.',
    'Correct the fields that details list.',
  ),
  unknown_field: notStored(
    422,
    'The body has a field that the route does not know. Unknown fields are refused, not ignored.',
    'Remove or rename the fields that details list.',
  ),
  read_only_field: notStored(
    422,
    'The body has a field that this request cannot set.',
    'Remove the fields that details list.',
  ),
  invalid_isrc_format: notStored(
    422,
    'The ISRC does not have the format of ISO 3901.',
    'Send an ISRC such as QZ-ABC-26-00001, with or without hyphens, or omit isrc to have one assigned.',
  ),
  invalid_upc: notStored(
    422,
    'The UPC is not 12 digits with a valid GS1 check digit.',
    'Check the last digit, or omit upc to have one assigned.',
  ),
  territory_not_supported: notStored(
    422,
    'A territory code is not supported, or your organization is not licensed for it.',
    'Send ISO 3166-1 alpha-2 codes that your organization is licensed for, or WORLD alone. GET /v1/stores/territories lists the codes.',
  ),
  release_not_submittable: stored(
    422,
    'The release does not meet every condition of a submission.',
    'Meet every condition that details list, then submit the release again.',
  ),
  idempotency_key_reused: notStored(
    422,
    'The Idempotency-Key was used for a different request, or by another credential, before.',
    'Send a new Idempotency-Key for each change, and retry with the credential that sent the request.',
  ),
  webhook_url_not_allowed: notStored(
    422,
    'The webhook URL is not allowed: it is not https, or it resolves to an address that is not public.',
    'Send a public https URL without credentials and without a fragment. In the sandbox, you can send the URL of your inbox.',
  ),
  deprecated_feature_removed: stored(
    422,
    'The request uses a deprecated feature that was removed.',
    'Use the successor that the Link header names.',
  ),
  insufficient_balance: stored(
    422,
    'The available balance is less than the amount of the payout.',
    'Send at most the available balance, which GET /v1/balance shows.',
  ),
  below_minimum: stored(
    422,
    'The amount is less than the minimum of a payout in this currency.',
    'Send at least the minimum that the message names. GET /v1/balance shows the minimum of each currency.',
  ),
  payout_method_missing: stored(
    422,
    'Your organization has no active payout method.',
    'Add a payout method with POST /v1/payout_methods, then create the payout again.',
  ),
  tax_profile_missing: stored(
    422,
    'Your organization has no tax profile.',
    'Send your tax profile with PATCH /v1/tax_profile, then create the payout again.',
  ),
  headers_too_large: notStored(
    431,
    'The request line and headers are larger than 32 KiB.',
    'Send fewer or shorter headers.',
  ),
  rate_limit_exceeded: notStored(
    429,
    'Your organization sent more requests in this minute or this second than its tier allows.',
    'Wait the number of seconds in Retry-After, then retry with backoff and jitter. To send fewer requests, use bulk routes and webhooks.',
  ),
  quota_exceeded: notStored(
    429,
    'A quota of your organization is used up: running jobs, open uploads, files in examination, stored bytes, artists, labels, API keys or pings.',
    'Free some of the quota, or wait the number of seconds in Retry-After. The message names the quota, its limit and what frees it.',
  ),
  internal_error: notStored(
    500,
    'Something failed on our side. The failure was recorded under the request_id.',
    'Send the request again with the same Idempotency-Key. If it fails again, send the request_id to support.',
  ),
  service_unavailable: notStored(
    503,
    'The service cannot reach its database or its storage.',
    'Wait the number of seconds in Retry-After, then send the request again with the same Idempotency-Key.',
  ),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problems;
export const problemCodes = Object.keys(problems) as readonly ProblemCode[];

/** The message of every 503: the reason is in the log, and the cure is the same. */
export const unavailableMessage =
  'The service is briefly unavailable. Send the request again after the seconds in Retry-After, with the same Idempotency-Key.';

export type Violation = {
  readonly field: string;
  /** Continues the field to a sentence: "must not be blank". It may also be a sentence of its own. */
  readonly issue: string;
  /** Ends the sentence with the value that was probably meant. Called only for violations that an answer lists. */
  readonly near?: () => string;
};

/** As partners read it: a full sentence that names the field. */
export function sentenceOf({ field, issue, near }: Violation): string {
  const isSentence = /^\p{Lu}/u.test(issue) || issue.startsWith(`${field} `);
  const text = `${isSentence ? issue : `${field} ${issue}`}${near?.() ?? ''}`;
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

export type Refusal = {
  readonly code: ProblemCode;
  readonly message: string;
  readonly details?: readonly Violation[];
  /** After this time a retry may succeed. */
  readonly retryAfterSeconds?: number;
};

export const invalidField = (field: string, issue: string): Refusal => ({
  code: 'invalid_field',
  message: sentenceOf({ field, issue }),
  details: [{ field, issue }],
});

/** Details are bounded: a hostile body must not cause a large answer. */
export const violationsMax = 100;

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly details: readonly Violation[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    message: string,
    extra: {
      readonly details?: readonly Violation[] | undefined;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    // The stack of a refusal is never read, and it costs a tenth of the answer: 429s should be cheap.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    const { details = [] } = extra;
    super(message + unlistedOf(details));
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.details = details
      .slice(0, violationsMax)
      .map((violation) => ({ field: violation.field, issue: sentenceOf(violation) }));
    this.headers = extra.headers ?? {};
  }
}

/** The sentence about the violations that details do not list; empty if they list all. */
const unlistedOf = ({ length }: readonly Violation[]): string =>
  length > violationsMax ? ` Details list the first ${violationsMax} of ${length}.` : '';

/** Throws several refusals as one: the first decides the code; details list all that have its status. */
export function enforceAll(refusals: readonly (Refusal | undefined)[]): void {
  const found = refusals.filter((refusal) => refusal !== undefined);
  const [first] = found;
  if (first === undefined) return;
  const details = found
    .filter(({ code }) => problems[code].status === problems[first.code].status)
    .flatMap((refusal) => refusal.details ?? []);
  enforce({ ...first, details });
}

/** Rules return a refusal, commands throw it. */
export function enforce(refusal: Refusal | undefined): void {
  if (refusal !== undefined) throw toProblem(refusal);
}

export const toProblem = ({ code, message, details, retryAfterSeconds }: Refusal): Problem =>
  new Problem(code, message, {
    details,
    ...(retryAfterSeconds !== undefined && {
      headers: { 'retry-after': String(retryAfterSeconds) },
    }),
  });
