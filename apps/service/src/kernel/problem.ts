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
    'The body is not JSON the service can read.',
    'Send UTF-8 JSON, nested at most 32 deep, without NUL characters or unpaired surrogates.',
  ),
  invalid_parameter: notStored(
    400,
    'A query parameter is unknown, malformed or outside its range.',
    'Correct the parameters named in details.',
  ),
  invalid_cursor: notStored(
    400,
    'The cursor was changed, or belongs to another list or other filters.',
    'Pass next_cursor exactly as received, with the same filters, or start without a cursor.',
  ),
  invalid_idempotency_key: notStored(
    400,
    'Idempotency-Key is not a UUID v4.',
    'Send a new random UUID v4 for each change, and the same one when retrying it.',
  ),
  invalid_request: notStored(
    400,
    'The request is not valid HTTP for this API.',
    'Read the message: it names the part that is wrong.',
  ),
  authentication_required: notStored(
    401,
    'The request carries no credential.',
    'Send Authorization: Bearer <API_KEY>.',
  ),
  invalid_credentials: notStored(
    401,
    'The credential is unknown, revoked, mistyped or of the other environment.',
    'Check that the key is whole and that ta_test_ keys go to the sandbox, ta_live_ keys to live.',
  ),
  token_expired: notStored(
    401,
    'The credential was valid once and has expired.',
    'Use a current key or request a new token.',
  ),
  insufficient_scope: notStored(
    403,
    'The credential lacks the scope this route needs.',
    'Use a key with the scope named in the message.',
  ),
  organization_suspended: notStored(
    403,
    'The organization is suspended.',
    'Contact support; nothing was changed.',
  ),
  resource_not_found: stored(
    404,
    'There is no such resource in this organization.',
    'Check the id, and that it belongs to this environment.',
  ),
  route_not_found: notStored(
    404,
    'The path does not exist.',
    'Compare the path with the API reference.',
  ),
  method_not_allowed: notStored(
    405,
    'The path exists, but not with this method.',
    'Use one of the methods in the Allow header.',
  ),
  duplicate_submission: stored(
    409,
    'A release with the same UPC or EAN, label and release date was already submitted by the organization, or a delivery already brings the release to this store.',
    'Work with the release or delivery named in the message instead of creating another.',
  ),
  asset_not_ready: stored(
    409,
    'An audio or artwork asset that is referred to is not ready.',
    'Wait for asset.ready, or replace an asset that has failed.',
  ),
  nothing_changed: stored(
    409,
    'The store already has exactly this content, or has refused it.',
    'Correct the release or its tracks first; a resubmission can be forced with "force": true.',
  ),
  invalid_state: stored(
    409,
    'The resource is in a state that does not allow this.',
    'Read its status; the message says which states allow the change.',
  ),
  idempotency_key_in_use: notStored(
    409,
    'A request with the same Idempotency-Key is being executed right now.',
    'Wait the seconds in Retry-After and send the same request again.',
  ),
  upc_pool_exhausted: stored(
    409,
    "The organization's UPC pool has no code left.",
    'Send a upc of your own, or ask support for a new range.',
  ),
  precondition_failed: stored(
    412,
    'The resource has changed since the ETag in If-Match was read.',
    'Read it again, apply the change to what it is now, and send the new ETag.',
  ),
  payload_too_large: notStored(
    413,
    'The body is larger than this route accepts.',
    'Send at most 256 KiB; split bulk requests.',
  ),
  uri_too_long: notStored(414, 'The URL is longer than 8,192 characters.', 'Shorten the query.'),
  unsupported_media_type: notStored(
    415,
    'The Content-Type is not one this route reads.',
    'Send Content-Type: application/json.',
  ),
  missing_required_field: notStored(
    422,
    'A required body field is absent.',
    'Add every field listed in details.',
  ),
  invalid_field: notStored(
    422,
    'A body field breaks a rule.',
    'Correct the fields listed in details.',
  ),
  unknown_field: notStored(
    422,
    'The body has a field this route does not know. Nothing is dropped silently.',
    'Remove or rename the fields listed in details.',
  ),
  read_only_field: notStored(
    422,
    'The body has a field that clients cannot set here.',
    'Remove the fields listed in details.',
  ),
  invalid_isrc_format: notStored(
    422,
    'The ISRC is not in the format of ISO 3901.',
    'Send CC-XXX-YY-NNNNN, with or without hyphens, or omit isrc to have one assigned.',
  ),
  invalid_upc: notStored(
    422,
    'The UPC is not 12 digits with a valid GS1 check digit.',
    'Check the last digit, or omit upc to have one assigned.',
  ),
  territory_not_supported: notStored(
    422,
    'A territory code is not supported, or the organization is not licensed for it.',
    'Use ISO 3166-1 alpha-2 codes the organization is licensed for, or WORLD alone.',
  ),
  release_not_submittable: stored(
    422,
    'The release does not meet every condition for submission.',
    'Meet each condition listed in details, then submit again.',
  ),
  idempotency_key_reused: notStored(
    422,
    'The Idempotency-Key was used before for a different request.',
    'Use a new key for each change.',
  ),
  webhook_url_not_allowed: notStored(
    422,
    'Events are not sent to this URL: it is not https, or it leads to an address that is not public.',
    'Send a public https URL without credentials and without a fragment. In the sandbox you can use the URL of your inbox.',
  ),
  deprecated_feature_removed: stored(
    422,
    'The request uses a feature whose sunset has passed.',
    'Use the successor named in the Link header.',
  ),
  headers_too_large: notStored(
    431,
    'The request line and headers are larger than 32 KiB.',
    'Send fewer or shorter headers.',
  ),
  rate_limit_exceeded: notStored(
    429,
    "More requests than the organization's tier allows, in this minute or this second.",
    'Wait the seconds in Retry-After; back off with jitter. Batch endpoints and webhooks save requests.',
  ),
  quota_exceeded: notStored(
    429,
    'A quota of the organization is used up: running jobs, open uploads, files in examination, stored bytes or pings.',
    'The message names the quota, its limit and what frees it. Wait the seconds in Retry-After, or free some of it first.',
  ),
  internal_error: notStored(
    500,
    'Something failed on our side; it has been recorded under the request id.',
    'Retry with the same Idempotency-Key; tell support the request_id if it persists.',
  ),
  service_unavailable: notStored(
    503,
    'The service cannot reach its database or its storage for the moment.',
    'Retry with the same Idempotency-Key after the seconds in Retry-After.',
  ),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problems;

export type Violation = { readonly field: string; readonly issue: string };

export type Refusal = {
  readonly code: ProblemCode;
  readonly message: string;
  readonly details?: readonly Violation[];
  /** After this time a retry may succeed. */
  readonly retryAfterSeconds?: number;
};

export const invalidField = (field: string, issue: string): Refusal => ({
  code: 'invalid_field',
  message: `${field} ${issue}.`,
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
    this.details = details.slice(0, violationsMax);
    this.headers = extra.headers ?? {};
  }
}

/** The sentence about the violations that details do not list; empty if they list all. */
const unlistedOf = ({ length }: readonly Violation[]): string =>
  length > violationsMax ? ` Details list the first ${violationsMax} of ${length}.` : '';

/** Throws the refusals of several items as one: the first decides the code; details list all with that code. */
export function enforceAll(refusals: readonly (Refusal | undefined)[]): void {
  const found = refusals.filter((refusal) => refusal !== undefined);
  const [first] = found;
  if (first === undefined) return;
  const details = found
    .filter(({ code }) => code === first.code)
    .flatMap((refusal) => refusal.details ?? []);
  enforce({ ...first, details });
}

/** Rules return a refusal, commands throw it. */
export function enforce(refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  const { code, message, details, retryAfterSeconds } = refusal;
  throw new Problem(code, message, {
    details,
    ...(retryAfterSeconds !== undefined && {
      headers: { 'retry-after': String(retryAfterSeconds) },
    }),
  });
}
