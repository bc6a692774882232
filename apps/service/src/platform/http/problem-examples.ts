/** One refusal of each code, as the service writes it, for the API reference. */

import { exampleIds, exampleOrigin, exampleTime } from '../../kernel/example-story.ts';
import type { ProblemCode, Violation } from '../../kernel/problem.ts';
import { docUrlOf } from './doc-url.ts';

type RefusalExample = { readonly message: string; readonly details?: readonly Violation[] };

const about = (field: string, issue: string): RefusalExample => ({
  message: issue,
  details: [{ field, issue }],
});

const refusals: Readonly<Record<ProblemCode, RefusalExample>> = {
  invalid_json: {
    message:
      "The body is not valid JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
  },
  invalid_parameter: about('limit', 'limit must be a whole number from 1 to 100.'),
  invalid_cursor: { message: 'The cursor does not belong to this list and these filters.' },
  invalid_idempotency_key: {
    message:
      'Idempotency-Key must be a UUID v4 such as "0b7c1b1e-6f0e-4c43-9d2c-0c4f2a1d9d5e". Send a new one for each change.',
  },
  invalid_request: { message: 'The URL is not valid. Check its percent-encoding.' },
  authentication_required: {
    message: 'The request has no credential. Send Authorization: Bearer <API_KEY>.',
  },
  invalid_credentials: { message: 'The API key is not valid: it is mistyped or cut off.' },
  token_expired: {
    message: `The access token expired at ${exampleTime(0)}. Get another from POST /v1/oauth/token.`,
  },
  insufficient_scope: {
    message:
      'Your credential does not have the scope releases:read, which this route needs. Use a credential that has it.',
    details: [{ field: 'scope', issue: 'Your credential does not have the scope releases:read.' }],
  },
  tier_not_allowed: {
    message:
      'This route needs the enterprise tier; your organization has the growth tier. Ask support to change it.',
  },
  organization_suspended: {
    message: 'Your organization is suspended: it can read, but change nothing. Contact support.',
  },
  resource_not_found: { message: 'No release of your organization has this id.' },
  route_not_found: { message: 'This path does not exist; /docs lists the paths.' },
  method_not_allowed: { message: 'DELETE is not allowed on this path. Use GET, HEAD, POST.' },
  duplicate_submission: {
    message: `${exampleIds.rel} was already submitted with this UPC or EAN, label and release date. Use that release, or change one of the three.`,
  },
  asset_not_ready: {
    message: `artwork_asset_id names ${exampleIds.ast}, which is processing. Wait until it is ready.`,
    details: [
      {
        field: 'artwork_asset_id',
        issue: `artwork_asset_id names ${exampleIds.ast}, which is processing; wait until it is ready.`,
      },
    ],
  },
  nothing_changed: {
    message: 'The release has not changed since it was sent to these stores. Correct it first.',
  },
  invalid_state: {
    message:
      'The release cannot be changed while it is in review. Wait until submission.review_status is approved or rejected.',
  },
  idempotency_key_in_use: {
    message:
      'A request with this Idempotency-Key is still being executed. Send it again after the seconds in Retry-After.',
  },
  upc_pool_exhausted: {
    message:
      'The UPC pool of your organization is empty. Send a upc of your own, or ask support for a new range.',
  },
  precondition_failed: {
    message:
      'The release has changed since you read it. Read it again, apply your change to it, and send its new ETag.',
  },
  payload_too_large: {
    message:
      'The body is larger than this route accepts. Send at most 256 KiB (1 MiB for bulk requests and ERN messages).',
  },
  uri_too_long: { message: 'The URL must have at most 8192 characters. Shorten the query.' },
  unsupported_media_type: {
    message:
      'The Content-Type is not supported. Send the body as application/json, or an ERN message as application/xml.',
  },
  missing_required_field: {
    message: 'title is required, for example "Night Drive". 2 more problems are listed in details.',
    details: [
      { field: 'title', issue: 'title is required, for example "Night Drive".' },
      { field: 'artists', issue: 'artists is required.' },
      { field: 'release_date', issue: 'release_date is required, for example "2027-01-15".' },
    ],
  },
  invalid_field: about('title', 'title must have at most 500 characters.'),
  unknown_field: about('titel', 'titel is not a known field. Did you mean `title`?'),
  read_only_field: about('status', 'status cannot be set by this request; remove it.'),
  invalid_isrc_format: about(
    'isrc',
    'isrc must be an ISRC such as "QZ-ABC-26-00001" or "QZABC2600001"; omit it to have one assigned.',
  ),
  invalid_upc: about(
    'upc',
    'upc must be 12 digits, of which the last is the GS1 check digit; omit it to have one assigned.',
  ),
  territory_not_supported: about(
    'territories[0]',
    'territories[0] must be an ISO 3166-1 alpha-2 code such as "DE".',
  ),
  release_not_submittable: {
    message:
      'The release cannot be submitted yet. Meet every condition in details, then submit it again.',
    details: [
      {
        field: 'tracks',
        issue: 'tracks must have at least one track; add one with POST /v1/tracks.',
      },
      {
        field: 'artwork_asset_id',
        issue: `artwork_asset_id is missing; set it with PATCH /v1/releases/${exampleIds.rel}.`,
      },
    ],
  },
  idempotency_key_reused: {
    message:
      'This Idempotency-Key was already used for a different method, path or body, or by another credential. Send a new key for each change.',
  },
  webhook_url_not_allowed: {
    message: 'This webhook URL is not allowed. The URL must begin with https:// or http://.',
    details: [{ field: 'url', issue: 'The URL must begin with https:// or http://.' }],
  },
  deprecated_feature_removed: {
    message:
      'status cannot be set with PATCH any more. Remove it, and submit the release with POST /v1/releases/{release_id}/submit.',
    details: [
      {
        field: 'status',
        issue: 'status cannot be set since 2024-09-01; remove it, and use the submit endpoint.',
      },
    ],
  },
  insufficient_balance: {
    message:
      'The available balance is 250.75 EUR, less than the payout. Send at most the available balance, which GET /v1/balance shows.',
    details: [{ field: 'amount', issue: 'amount must be at most the available balance, 250.75.' }],
  },
  below_minimum: {
    message:
      'A payout in EUR must be at least 10.00. Wait until the available balance reaches it, and send at least 10.00.',
    details: [{ field: 'amount', issue: 'amount must be at least 10.00 for EUR.' }],
  },
  payout_method_missing: {
    message:
      'Your organization has no active payout method. Add one with POST /v1/payout_methods, then create the payout again.',
  },
  tax_profile_missing: {
    message:
      'Your organization has no tax profile. Send one with PATCH /v1/tax_profile, then create the payout again.',
  },
  headers_too_large: {
    message: 'The request line and headers are larger than 32 KiB. Send fewer or shorter headers.',
  },
  rate_limit_exceeded: { message: 'Too many requests. Retry in 1 s.' },
  quota_exceeded: {
    message:
      'The quota open_uploads is used up: at most 1000 uploads may be open at once. One is freed when an upload is completed, or expires 24 hours after its asset was created.',
    details: [{ field: 'open_uploads', issue: 'open_uploads is used up; the limit is 1000.' }],
  },
  internal_error: {
    message:
      'Something failed on our side, and was recorded under this request_id. Send the request again with the same Idempotency-Key.',
  },
  service_unavailable: {
    message:
      'The service is briefly unavailable. Send the request again after the seconds in Retry-After, with the same Idempotency-Key.',
  },
};

/** The whole body of the answer. */
export const problemExample = (code: ProblemCode): object => {
  const { message, details } = refusals[code];
  return {
    error: {
      code,
      message,
      request_id: exampleIds.req,
      doc_url: docUrlOf(exampleOrigin, code),
      ...(details !== undefined && { details }),
    },
  };
};
