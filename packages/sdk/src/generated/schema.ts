/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

export type AcknowledgementFile = {
  /**
   * The name of the file at the store. `null`: the file is `shared`.
   * @example ACK_20270115090002000.xml
   */
  name: string | null;
  /**
   * The SHA-256 digest of the file.
   * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
   */
  sha256: string;
  /** The file as it was sent or received, in UTF-8, if it has at most 256 KiB and the files of the message before it at most 1 MiB together. `null`: see `download` or `unavailable_reason`. */
  xml: string | null;
  /** Where to read a file that is too large for `xml`. `null`: the file is in `xml`, or unavailable. */
  download: StoreFileDownload | null;
  /** Why you cannot read the file. `shared`: the store reported about other releases in it, so only what it says about yours is shown. `missing`, `damaged`: our copy is lost; ask the support. `null`: you can read it. Accept values that you do not know: new ones may be added at any time. */
  unavailable_reason: ('shared' | 'missing' | 'damaged' | (string & {})) | null;
  /**
   * The size of the file in bytes.
   * @example 14718
   */
  size_bytes: number | null;
  /** How the file differs from the schema of acknowledgements. It was read all the same. A `shared` file has none. */
  warnings: string[];
};
export type AddOAuthSecret = {
  /** The other secrets expire after this number of seconds. If you omit it, they work until you revoke them. */
  grace_period_seconds?: number;
};
export type Adjustment = {
  /**
   * The id of an adjustment.
   * @example adj_01m77xqh40e9hbn3v8wz2c6ktr
   */
  id: string;
  /**
   * Why the balance was adjusted: `penalty` (a store fined you, or held earnings were forfeited), `return`, `chargeback`, `correction` (of an earlier statement), `non_track_income` (income that belongs to no track), `tax` (for example a refund after a late tax form) or `manual`. Accept values that you do not know: new ones may be added at any time.
   * @example correction
   */
  type:
    | 'penalty'
    | 'return'
    | 'chargeback'
    | 'correction'
    | 'non_track_income'
    | 'tax'
    | 'manual'
    | (string & {});
  /**
   * The amount before the fee and the tax.
   * @example 20.000000
   */
  gross_amount: string;
  /**
   * Our fee on the gross amount. Negative: a fee that you get back.
   * @example 128.450000
   */
  fee_amount: string;
  /**
   * The tax on the gross amount. Negative: a tax that you get back.
   * @example 128.450000
   */
  tax_amount: string;
  /**
   * What the adjustment adds to your balance: `gross_amount` less `fee_amount` and `tax_amount`. Negative: what it takes from your balance.
   * @example 17.000000
   */
  amount: string;
  /**
   * Format: currency
   * The ISO 4217 code of the currency of the amounts.
   * @example EUR
   */
  currency: string;
  /**
   * A sentence for people: why the balance was adjusted.
   * @example The store reported March twice.
   */
  reason: string;
  /**
   * The id of what it corrects: a statement (`stm_…`), an earning hold (`hld_…`), a payout (`pay_…`) or another adjustment (`adj_…`). `null`: nothing in particular.
   * @example hld_01m77vd2r0fqmt5c1xj9s4ya7e
   */
  refers_to: string | null;
  /**
   * Format: date-time
   * When the adjustment was made. It never changes.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
};
/**
 * Your balance was adjusted by an amount that is not a royalty.
 */
export type AdjustmentCreatedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `adjustment.created`.
   */
  type: 'adjustment.created';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: Adjustment;
};
export type AdjustmentPage = {
  /** The items of this page. */
  data: Adjustment[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
/**
 * Send either `by` (a duration) or `to` (a timestamp).
 */
export type AdvanceClock = AdvanceClockBy | AdvanceClockTo;
export type AdvanceClockBy = {
  /**
   * How far to advance, at most 400 days. `0s` runs only what is due already. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  by: string;
};
export type AdvanceClockTo = {
  /**
   * Format: date-time
   * The time to advance to, later than the time of the clock.
   * @example 2026-11-15T09:30:00.000Z
   */
  to: string;
};
export type AnswerForStore = {
  /**
   * The answer of the store. To a release or an update: `acknowledged` (a receipt), `delivered`, `rejected` or `action_required`. To a takedown: `acknowledged`, `removed` or `removal_refused`. A store that has the release can also flag it (`action_required`) or remove it (`removed`) at any later time. A store can announce (`delivered`) what it rejected, or what was taken down.
   */
  answer:
    | 'acknowledged'
    | 'delivered'
    | 'rejected'
    | 'action_required'
    | 'removed'
    | 'removal_refused';
  /**
   * `message`: the store answers its latest message. `release`: it names only the release, as stores do that flag or remove it months later; use it to flag the live release during an update. If you omit it, `message`, but `release` if the store announces (`delivered`) what was taken down.
   */
  about?: 'message' | 'release';
  /**
   * The rejection code.
   * @example metadata_error
   */
  code?: string;
  /** The reason of the rejection, for people. */
  reason?: string;
  /** The page of the release at the store. Allowed only with `delivered`. */
  url?: string;
};
/**
 * An entry of the changelog was published. For the enterprise tier.
 */
export type ApiChangelogPublishedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `api.changelog.published`.
   */
  type: 'api.changelog.published';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: ChangelogEntry;
};
export type ApiError = {
  /** Why the request failed. */
  error: {
    code: ErrorCode | (string & {});
    /** A sentence for people: what is wrong and what to do. Its words may change; do not parse it. */
    message: string;
    /**
     * The id of a request.
     * @example req_01m74z2pe0e92rqjmzew5t1rxc
     */
    request_id: string;
    /**
     * The page about the code: what causes the error and how to correct it. An absolute URL; a path if the request had no valid Host header.
     * @example https://sandbox.tonearm.example/docs/guides/errors#invalid_field
     */
    doc_url: string;
    /** Every value that is wrong, at most 100. */
    details?: {
      /**
       * The path of the field, or the name of the parameter.
       * @example artists[0].name
       */
      field: string;
      /**
       * A sentence for people: what is wrong with the value and what to send instead.
       * @example artists[0].name must not be blank.
       */
      issue: string;
    }[];
  };
};
export type ApiKey = {
  /**
   * The id of an API key.
   * @example key_01m1e000z0eq5a45b7smtk282j
   */
  id: string;
  /**
   * A note of your own.
   * @example Release importer
   */
  name: string;
  /**
   * The last 4 characters of the secret, to recognize it by.
   * @example 4Gx1
   */
  hint: string;
  /** What the key may do. */
  scopes: (Scope | (string & {}))[];
  /**
   * When the key stops working. `null`: it never expires. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  expires_at: string | null;
  /**
   * When the key was revoked. `null`: it was not revoked. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  revoked_at: string | null;
  /**
   * When a request last used the key, to the minute. `null`: it was never used. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  last_used_at: string | null;
  /**
   * Format: date-time
   * When the key was created. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /** The credential or operator that created the key. */
  created_by: {
    /**
     * The kind of actor: `api_key`, `oauth_client`, `operator` (a person who works for us) or `workflow` (a background process of ours).
     */
    type: 'api_key' | 'oauth_client' | 'operator' | 'workflow' | (string & {});
    /**
     * The id of an API key (`key_…`) or OAuth client (`oac_…`), or the name of an operator or a background process of ours.
     * @example key_01m1e000z0eq5a45b7smtk282j
     */
    id: string;
  };
};
export type ApiKeyPage = {
  /** The items of this page. */
  data: ApiKey[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type ApiKeyWithSecret = {
  /**
   * The id of an API key.
   * @example key_01m1e000z0eq5a45b7smtk282j
   */
  id: string;
  /**
   * A note of your own.
   * @example Release importer
   */
  name: string;
  /**
   * The last 4 characters of the secret, to recognize it by.
   * @example 4Gx1
   */
  hint: string;
  /** What the key may do. */
  scopes: (Scope | (string & {}))[];
  /**
   * When the key stops working. `null`: it never expires. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  expires_at: string | null;
  /**
   * When the key was revoked. `null`: it was not revoked. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  revoked_at: string | null;
  /**
   * When a request last used the key, to the minute. `null`: it was never used. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  last_used_at: string | null;
  /**
   * Format: date-time
   * When the key was created. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /** The credential or operator that created the key. */
  created_by: {
    /**
     * The kind of actor: `api_key`, `oauth_client`, `operator` (a person who works for us) or `workflow` (a background process of ours).
     */
    type: 'api_key' | 'oauth_client' | 'operator' | 'workflow' | (string & {});
    /**
     * The id of an API key (`key_…`) or OAuth client (`oac_…`), or the name of an operator or a background process of ours.
     * @example key_01m1e000z0eq5a45b7smtk282j
     */
    id: string;
  };
  /** The API key itself. It is shown only in this answer. */
  secret: string;
};
export type ApplyFixes = {
  /** The ids of the findings to correct, from 1 to 100. Each must be a finding of the release with a `patch`. */
  finding_ids: string[];
};
export type Artist = {
  /**
   * The id of an artist.
   * @example art_01m74xy2j0fr9b3h9f3q1ev2hb
   */
  id: string;
  /**
   * The name of the artist. If you change it, existing credits keep their own names.
   * @example Aurora Díaz
   */
  name: string;
  /** Your own id of the artist. It must be unique among your artists. */
  reference: string | null;
  /**
   * The ISNI of the artist without spaces. It must be unique among your artists.
   * @example 0000000121032683
   */
  isni: string | null;
  /**
   * The IPI name number of the artist: 9 to 11 digits.
   * @example 00052210040
   */
  ipi: string | null;
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores. */
  metadata: {
    [key: string]: string;
  };
  /** The name in other languages, by BCP 47 language tag. */
  localized_names: {
    [key: string]: string;
  };
  /** The id of the artist at a store, by `store_id`; `new` if the store must create a page for the artist. */
  store_profiles: {
    [key: string]: string;
  };
  /**
   * The artist that this one was merged into. Releases and tracks show that artist. `null`: it was not merged.
   * @example art_01m74xy2j0fr9b3h9f3q1ev2hb
   */
  merged_into: string | null;
  /**
   * Format: date-time
   * When the artist was created.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the artist was last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
};
export type ArtistCredit = {
  /**
   * The id of an artist.
   * @example art_01m74xy2j0fr9b3h9f3q1ev2hb
   */
  artist_id?: string;
  /** The name as stores show it. */
  name: string;
  /**
   * How stores display the artist. Send other credits as `contributors` of the tracks.
   */
  role: 'main' | 'featured' | 'remixer' | (string & {});
  /**
   * The ISNI of the artist without spaces.
   * @example 0000000121032683
   */
  isni?: string;
  /** The id of the artist at a store, by `store_id`; `new` if the store must create a page for the artist. */
  store_profiles?: {
    [key: string]: string;
  };
};
/**
 * Send `artist_id`, `name`, or both.
 */
export type ArtistEntry = ArtistEntryByName | ArtistEntryByArtist;
export type ArtistEntryByArtist = {
  /**
   * The id of an artist of yours. If you omit `name`, the credit has the name of the artist.
   * @example art_01m74xy2j0fr9b3h9f3q1ev2hb
   */
  artist_id: string;
  /** The name as stores show it. */
  name?: string;
  /**
   * How stores display the artist. Send other credits as `contributors` of the tracks.
   */
  role: 'main' | 'featured' | 'remixer';
  /**
   * The ISNI of the artist without spaces.
   * @example 0000000121032683
   */
  isni?: string;
  /** The id of the artist at a store, by `store_id`; `new` if the store must create a page for the artist. */
  store_profiles?: {
    [key: string]: string;
  };
};
export type ArtistEntryByName = {
  /**
   * The id of an artist of yours. If you omit `name`, the credit has the name of the artist.
   * @example art_01m74xy2j0fr9b3h9f3q1ev2hb
   */
  artist_id?: string;
  /** The name as stores show it. */
  name: string;
  /**
   * How stores display the artist. Send other credits as `contributors` of the tracks.
   */
  role: 'main' | 'featured' | 'remixer';
  /**
   * The ISNI of the artist without spaces.
   * @example 0000000121032683
   */
  isni?: string;
  /** The id of the artist at a store, by `store_id`; `new` if the store must create a page for the artist. */
  store_profiles?: {
    [key: string]: string;
  };
};
export type ArtistPage = {
  /** The items of this page. */
  data: Artist[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type ArtworkTechnical = {
  /**
   * The format of the file.
   */
  format: 'jpeg' | 'png' | (string & {});
  /** The width in pixels. */
  width: number;
  /** The height in pixels. */
  height: number;
  /**
   * The color space.
   * @example rgb
   */
  colour_space: string;
  /** The number of bits per channel. */
  bit_depth: number;
  /** The number of channels. */
  channels: number;
};
export type Asset = {
  /**
   * The id of an asset.
   * @example ast_01m74zn0c0fkdvvggszxx63qmy
   */
  id: string;
  /**
   * What the file is: the audio of a track, or the artwork of a release.
   */
  type: 'audio' | 'artwork' | (string & {});
  /**
   * `pending_upload`: upload the file and complete the asset. `processing`: the file is being examined. `ready`: you can use it. `failed`: see `failure_reason`.
   */
  status: 'pending_upload' | 'processing' | 'ready' | 'failed' | (string & {});
  /** The name of the file as you sent it. */
  file_name: string;
  content_type: AssetContentType | (string & {});
  /** The size of the file in bytes. */
  size_bytes: number;
  /**
   * The SHA-256 digest of the file: 64 lowercase hexadecimal digits. If you send it, the uploaded file must have this digest.
   * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
   */
  sha256: string | null;
  /** What was measured in the file. `null`: it was not examined yet, or it failed. */
  technical: (AudioTechnical | ArtworkTechnical) | null;
  /** Why the asset failed. `null`: it has not failed. */
  failure_code:
    | (
        | 'upload_expired'
        | 'upload_incomplete'
        | 'size_mismatch'
        | 'checksum_mismatch'
        | 'type_mismatch'
        | 'unsupported_codec'
        | 'damaged'
        | 'empty'
        | 'too_large'
        | 'too_long'
        | 'trailing_data'
        | (string & {})
      )
    | null;
  /** What is wrong with the file and what to do about it. `null`: the asset has not failed. */
  failure_reason: string | null;
  /**
   * Format: date-time
   * When the asset was created, on the sandbox clock if it was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the status of the asset last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
  /** Where to send the file: one URL, or one for each part of a file above 100 MB. `null`: the asset is not `pending_upload`, or your credential does not have the scope `assets:write`. */
  upload: (SingleUpload | UploadInParts) | null;
  /** Where to read the file. `null`: the asset is not `ready`. */
  download: AssetDownload | null;
};
/**
 * The media type of the file: audio as WAVE, FLAC or ALAC, artwork as JPEG or PNG. Accept values that you do not know: new ones may be added at any time.
 * @example audio/wav
 */
export type AssetContentType =
  | 'audio/wav'
  | 'audio/x-wav'
  | 'audio/wave'
  | 'audio/vnd.wave'
  | 'audio/flac'
  | 'audio/x-flac'
  | 'audio/mp4'
  | 'audio/m4a'
  | 'audio/x-m4a'
  | 'image/jpeg'
  | 'image/png';
export type AssetDownload = {
  /** The presigned URL to read the file from. */
  url: string;
  /**
   * Format: date-time
   * When the URL stops working. Read the asset to get new URLs. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  expires_at: string;
  /**
   * How long the URL still works, in seconds, from when you received this answer.
   * @example 3600
   */
  expires_in_seconds: number;
};
/**
 * The file of an asset cannot be used; failure_reason says why and what to do.
 */
export type AssetFailedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `asset.failed`.
   */
  type: 'asset.failed';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: AssetSummary;
};
export type AssetPage = {
  /** The items of this page. */
  data: AssetSummary[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
/**
 * The file of an asset was examined and can be used.
 */
export type AssetReadyEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `asset.ready`.
   */
  type: 'asset.ready';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: AssetSummary;
};
export type AssetSummary = {
  /**
   * The id of an asset.
   * @example ast_01m74zn0c0fkdvvggszxx63qmy
   */
  id: string;
  /**
   * What the file is: the audio of a track, or the artwork of a release.
   */
  type: 'audio' | 'artwork' | (string & {});
  /**
   * `pending_upload`: upload the file and complete the asset. `processing`: the file is being examined. `ready`: you can use it. `failed`: see `failure_reason`.
   */
  status: 'pending_upload' | 'processing' | 'ready' | 'failed' | (string & {});
  /** The name of the file as you sent it. */
  file_name: string;
  content_type: AssetContentType | (string & {});
  /** The size of the file in bytes. */
  size_bytes: number;
  /**
   * The SHA-256 digest of the file: 64 lowercase hexadecimal digits. If you send it, the uploaded file must have this digest.
   * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
   */
  sha256: string | null;
  /** What was measured in the file. `null`: it was not examined yet, or it failed. */
  technical: (AudioTechnical | ArtworkTechnical) | null;
  /** Why the asset failed. `null`: it has not failed. */
  failure_code:
    | (
        | 'upload_expired'
        | 'upload_incomplete'
        | 'size_mismatch'
        | 'checksum_mismatch'
        | 'type_mismatch'
        | 'unsupported_codec'
        | 'damaged'
        | 'empty'
        | 'too_large'
        | 'too_long'
        | 'trailing_data'
        | (string & {})
      )
    | null;
  /** What is wrong with the file and what to do about it. `null`: the asset has not failed. */
  failure_reason: string | null;
  /**
   * Format: date-time
   * When the asset was created, on the sandbox clock if it was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the status of the asset last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
};
export type AudioTechnical = {
  /**
   * The format of the file.
   */
  format: 'wav' | 'flac' | 'alac' | (string & {});
  /**
   * The codec of the audio.
   * @example pcm_s24le
   */
  codec: string;
  /** The number of bits per sample. */
  bit_depth: number;
  /** The sample rate in hertz. */
  sample_rate: number;
  /** The number of channels. */
  channels: number;
  /** The duration in milliseconds. */
  duration_ms: number;
  /** The format tag of a WAV file; 1 is PCM. `null`: the file has another format. */
  format_tag: number | null;
};
export type AuditLogActor = {
  /**
   * The kind of actor: `api_key`, `oauth_client`, `operator` (a person who works for us) or `workflow` (a background process of ours).
   */
  type: 'api_key' | 'oauth_client' | 'operator' | 'workflow' | (string & {});
  /** The id of an API key (`key_…`) or OAuth client (`oac_…`), or the name of an operator or a background process of ours. */
  id: string;
};
export type AuditLogEntry = {
  /**
   * The id of an audit log entry.
   * @example aud_01m74z2pe0egktjqzhthh6fnw9
   */
  id: string;
  /** Counts the entries of your organization from 1, without gaps. */
  sequence: number;
  /**
   * The kind of change, written as `resource.verb`.
   * @example release.update
   */
  action: string;
  /**
   * The id of the changed resource, or of your organization if the resource has no id of its own.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  resource_id: string;
  actor: AuditLogActor;
  /**
   * The id of a request.
   * @example req_01m74z2pe0e92rqjmzew5t1rxc
   */
  request_id: string | null;
  /** The SHA-256 digest of the resource before the change, as GET returned it. `null`: the change created it. */
  before_digest: string | null;
  /** The SHA-256 digest of the resource after the change, as GET returns it. `null`: the change removed it. */
  after_digest: string | null;
  /**
   * Format: date-time
   * When the change happened. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  occurred_at: string;
  /** The SHA-256 digest of the hash of the previous entry and the text of this entry. */
  hash: string;
};
export type AuditLogLine = {
  /**
   * The id of an audit log entry.
   * @example aud_01m74z2pe0egktjqzhthh6fnw9
   */
  id: string;
  /** Counts the entries of your organization from 1, without gaps. */
  sequence: number;
  /**
   * The kind of change, written as `resource.verb`.
   * @example release.update
   */
  action: string;
  /**
   * The id of the changed resource, or of your organization if the resource has no id of its own.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  resource_id: string;
  actor: AuditLogActor;
  /**
   * The id of a request.
   * @example req_01m74z2pe0e92rqjmzew5t1rxc
   */
  request_id: string | null;
  /** The SHA-256 digest of the resource before the change, as GET returned it. `null`: the change created it. */
  before_digest: string | null;
  /** The SHA-256 digest of the resource after the change, as GET returns it. `null`: the change removed it. */
  after_digest: string | null;
  /**
   * Format: date-time
   * When the change happened. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  occurred_at: string;
  /** The SHA-256 digest of the hash of the previous entry and the text of this entry. */
  hash: string;
  /** The hash of the previous entry. In the first entry: the SHA-256 digest of the UUID of your organization. */
  previous_hash: string;
  /** The text that the hash covers, a JSON array: organization, id, microseconds since 1970, actor type, actor id, action, resource, request, sequence and, if the entry has one, both digests. Ids are UUIDs. */
  hashed_text: string;
};
export type AuditLogPage = {
  /** The items of this page. */
  data: AuditLogEntry[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type Balance = {
  /** One entry for each currency in which your organization has ever had money, in the order of their codes. */
  data: CurrencyBalance[];
};
export type CausedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  type: EventType | (string & {});
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /** Counts the events of your organization, without gaps. */
  sequence: number;
  /** The webhooks that this event is sent to, without deleted ones. */
  webhooks: EventWebhook[];
  /** The attempts to send the event, oldest first: the last 1,000 of all events of the request. */
  attempts: WebhookAttempt[];
};
export type ChangedDelivery = {
  /**
   * The id of a delivery.
   * @example dlv_01m77frfm0fymt1p0t9623pvf3
   */
  id: string;
  /** Your own id of the delivery. `null`: you sent none. */
  reference: string | null;
  /** Your own key-value pairs. */
  metadata: {
    [key: string]: string;
  };
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /** The revision of the release that was last sent. */
  revision: number;
  /**
   * The aggregate status of all stores of the delivery.
   */
  status:
    | 'in_progress'
    | 'delivered'
    | 'rejected'
    | 'action_required'
    | 'taken_down'
    | (string & {});
  /** The territories as you requested them. */
  territory_codes: string[];
  /** The stores of the delivery, each with its own state. */
  stores: DeliveryStore[];
  /**
   * Format: date-time
   * When the delivery was created.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the delivery or one of its stores last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
  /**
   * When the delivery last became `delivered`, `rejected` or `action_required`. `null`: never.
   * @example 2026-11-15T09:30:00.000Z
   */
  completed_at: string | null;
  /** The stores that the request does not apply to, each with the reason. */
  skipped: SkippedStore[];
};
export type ChangelogEntry = {
  /**
   * Format: date
   * The day on which the entry was published.
   * @example 2027-01-15
   */
  date: string;
  /** The title of the entry. */
  title: string;
  /** The changes of the entry. */
  changes: {
    /**
     * The kind of change. Accept values that you do not know: new ones may be added at any time.
     */
    kind: 'added' | 'changed' | 'deprecated' | 'removed' | 'fixed' | (string & {});
    /** What changed, for people. */
    text: string;
    /**
     * The day on which the deprecated feature stops working.
     * @example 2027-01-15
     */
    sunset: string | null;
  }[];
  /**
   * The page of this entry.
   * @example https://api.example.com/docs/guides/changelog#2026-11-16
   */
  url: string;
};
export type ChangelogEntryList = {
  /** Every entry of the changelog, newest first. */
  data: ChangelogEntry[];
};
export type CompleteAsset = {
  /** The uploaded parts: every part once, in the order of `part_number`. Required if the file was uploaded in parts. */
  parts?: UploadedPart[];
};
export type Contact = {
  /**
   * What we write to this contact about.
   */
  type: 'technical' | 'billing' | 'legal' | 'operations' | (string & {});
  /**
   * The name of the contact.
   * @example Mette Krogh
   */
  name: string | null;
  /**
   * Format: email
   * The email address of the contact.
   * @example distribution@partner.example
   */
  email: string;
};
export type ContactInput = {
  /**
   * What we write to this contact about.
   */
  type: 'technical' | 'billing' | 'legal' | 'operations';
  /**
   * The name of the contact.
   * @example Mette Krogh
   */
  name?: string | null;
  /**
   * Format: email
   * The email address of the contact.
   * @example distribution@partner.example
   */
  email: string;
};
export type Contributor = {
  /**
   * The id of an artist.
   * @example art_01m74xy2j0fr9b3h9f3q1ev2hb
   */
  artist_id?: string;
  /** The name as stores show it. */
  name: string;
  /**
   * The roles of the contributor. GET /v1/contributor_roles lists them.
   * @example [
   *       "composer",
   *       "lyricist"
   *     ]
   */
  roles: (
    | 'performer'
    | 'vocalist'
    | 'lead_vocalist'
    | 'background_vocalist'
    | 'musician'
    | 'studio_musician'
    | 'soloist'
    | 'accompanist'
    | 'dj'
    | 'narrator'
    | 'speaker'
    | 'voice_actor'
    | 'conductor'
    | 'chorus_master'
    | 'concert_master'
    | 'band_leader'
    | 'music_group'
    | 'group_member'
    | 'ensemble'
    | 'orchestra'
    | 'orchestra_member'
    | 'choir'
    | 'choir_member'
    | 'composer'
    | 'lyricist'
    | 'composer_lyricist'
    | 'author'
    | 'librettist'
    | 'arranger'
    | 'vocal_arranger'
    | 'adapter'
    | 'translator'
    | 'producer'
    | 'co_producer'
    | 'additional_producer'
    | 'executive_producer'
    | 'co_executive_producer'
    | 'associate_producer'
    | 'assistant_producer'
    | 'vocal_producer'
    | 'string_producer'
    | 'compilation_producer'
    | 'reissue_producer'
    | 'post_producer'
    | 'remixer'
    | 'music_director'
    | 'production_coordinator'
    | 'a_and_r_coordinator'
    | 'engineer'
    | 'assistant_engineer'
    | 'additional_engineer'
    | 'recording_engineer'
    | 'mixing_engineer'
    | 'immersive_mixing_engineer'
    | 'remixing_engineer'
    | 'mastering_engineer'
    | 'balance_engineer'
    | 'vocal_engineer'
    | 'string_engineer'
    | 'overdub_engineer'
    | 'tracking_engineer'
    | 'digital_editing_engineer'
    | 'vocal_editing_engineer'
    | 'programming_engineer'
    | 'programmer'
    | 'sound_designer'
    | 'tonmeister'
    | (string & {})
  )[];
  /**
   * The instruments of a performer. GET /v1/contributor_roles lists them.
   * @example [
   *       "electric_guitar"
   *     ]
   */
  instruments?: string[];
  /**
   * The IPI name number of a writer, as collecting societies know it: 9 to 11 digits.
   * @example 00045620792
   */
  ipi?: string;
};
/**
 * Send `artist_id`, `name`, or both.
 */
export type ContributorEntry = ContributorEntryByName | ContributorEntryByArtist;
export type ContributorEntryByArtist = {
  /**
   * The id of an artist of yours. If you omit `name`, the credit has the name of the artist.
   * @example art_01m74xy2j0fr9b3h9f3q1ev2hb
   */
  artist_id: string;
  /** The name as stores show it. */
  name?: string;
  /**
   * The roles of the contributor. GET /v1/contributor_roles lists them.
   * @example [
   *       "composer",
   *       "lyricist"
   *     ]
   */
  roles: (
    | 'performer'
    | 'vocalist'
    | 'lead_vocalist'
    | 'background_vocalist'
    | 'musician'
    | 'studio_musician'
    | 'soloist'
    | 'accompanist'
    | 'dj'
    | 'narrator'
    | 'speaker'
    | 'voice_actor'
    | 'conductor'
    | 'chorus_master'
    | 'concert_master'
    | 'band_leader'
    | 'music_group'
    | 'group_member'
    | 'ensemble'
    | 'orchestra'
    | 'orchestra_member'
    | 'choir'
    | 'choir_member'
    | 'composer'
    | 'lyricist'
    | 'composer_lyricist'
    | 'author'
    | 'librettist'
    | 'arranger'
    | 'vocal_arranger'
    | 'adapter'
    | 'translator'
    | 'producer'
    | 'co_producer'
    | 'additional_producer'
    | 'executive_producer'
    | 'co_executive_producer'
    | 'associate_producer'
    | 'assistant_producer'
    | 'vocal_producer'
    | 'string_producer'
    | 'compilation_producer'
    | 'reissue_producer'
    | 'post_producer'
    | 'remixer'
    | 'music_director'
    | 'production_coordinator'
    | 'a_and_r_coordinator'
    | 'engineer'
    | 'assistant_engineer'
    | 'additional_engineer'
    | 'recording_engineer'
    | 'mixing_engineer'
    | 'immersive_mixing_engineer'
    | 'remixing_engineer'
    | 'mastering_engineer'
    | 'balance_engineer'
    | 'vocal_engineer'
    | 'string_engineer'
    | 'overdub_engineer'
    | 'tracking_engineer'
    | 'digital_editing_engineer'
    | 'vocal_editing_engineer'
    | 'programming_engineer'
    | 'programmer'
    | 'sound_designer'
    | 'tonmeister'
  )[];
  /**
   * The instruments of a performer. GET /v1/contributor_roles lists them.
   * @example [
   *       "electric_guitar"
   *     ]
   */
  instruments?: string[];
  /**
   * The IPI name number of a writer, as collecting societies know it: 9 to 11 digits.
   * @example 00045620792
   */
  ipi?: string;
};
export type ContributorEntryByName = {
  /**
   * The id of an artist of yours. If you omit `name`, the credit has the name of the artist.
   * @example art_01m74xy2j0fr9b3h9f3q1ev2hb
   */
  artist_id?: string;
  /** The name as stores show it. */
  name: string;
  /**
   * The roles of the contributor. GET /v1/contributor_roles lists them.
   * @example [
   *       "composer",
   *       "lyricist"
   *     ]
   */
  roles: (
    | 'performer'
    | 'vocalist'
    | 'lead_vocalist'
    | 'background_vocalist'
    | 'musician'
    | 'studio_musician'
    | 'soloist'
    | 'accompanist'
    | 'dj'
    | 'narrator'
    | 'speaker'
    | 'voice_actor'
    | 'conductor'
    | 'chorus_master'
    | 'concert_master'
    | 'band_leader'
    | 'music_group'
    | 'group_member'
    | 'ensemble'
    | 'orchestra'
    | 'orchestra_member'
    | 'choir'
    | 'choir_member'
    | 'composer'
    | 'lyricist'
    | 'composer_lyricist'
    | 'author'
    | 'librettist'
    | 'arranger'
    | 'vocal_arranger'
    | 'adapter'
    | 'translator'
    | 'producer'
    | 'co_producer'
    | 'additional_producer'
    | 'executive_producer'
    | 'co_executive_producer'
    | 'associate_producer'
    | 'assistant_producer'
    | 'vocal_producer'
    | 'string_producer'
    | 'compilation_producer'
    | 'reissue_producer'
    | 'post_producer'
    | 'remixer'
    | 'music_director'
    | 'production_coordinator'
    | 'a_and_r_coordinator'
    | 'engineer'
    | 'assistant_engineer'
    | 'additional_engineer'
    | 'recording_engineer'
    | 'mixing_engineer'
    | 'immersive_mixing_engineer'
    | 'remixing_engineer'
    | 'mastering_engineer'
    | 'balance_engineer'
    | 'vocal_engineer'
    | 'string_engineer'
    | 'overdub_engineer'
    | 'tracking_engineer'
    | 'digital_editing_engineer'
    | 'vocal_editing_engineer'
    | 'programming_engineer'
    | 'programmer'
    | 'sound_designer'
    | 'tonmeister'
  )[];
  /**
   * The instruments of a performer. GET /v1/contributor_roles lists them.
   * @example [
   *       "electric_guitar"
   *     ]
   */
  instruments?: string[];
  /**
   * The IPI name number of a writer, as collecting societies know it: 9 to 11 digits.
   * @example 00045620792
   */
  ipi?: string;
};
export type ContributorRole = {
  /**
   * The value to send in `roles` of a contributor.
   * @example mixing_engineer
   */
  role: string;
  /**
   * The English name of the role, for people.
   * @example Mixing engineer
   */
  name: string;
  /**
   * The group of the role. Stores require credits by group. Accept values that you do not know: new ones may be added at any time.
   */
  group: 'performer' | 'writer' | 'production' | 'engineering' | (string & {});
  /**
   * The name of the role in DDEX, as stores get it.
   * @example MixingEngineer
   */
  ddex_role: string;
};
export type ContributorRoleList = {
  /** Every role of a contributor, by group. */
  data: ContributorRole[];
  /** Every instrument of a performer. */
  instruments: Instrument[];
};
export type Conveyance = {
  /** The values that the message carries. A JSON pointer into the release as the API shows it, with its `tracks` by disc and position. */
  sent: string[];
  /** The values that the message does not carry, each with the reason. */
  dropped: DroppedValue[];
};
export type CreateApiKey = {
  /**
   * A note of your own.
   * @example Release importer
   */
  name: string;
  /** What the key may do. Your own credential must have each of these scopes. */
  scopes: Scope[];
  /**
   * When the key stops working: a time in the future. If you omit it, the key never expires. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  expires_at?: string | null;
};
export type CreateArtist = {
  /**
   * The name of the artist. If you change it, existing credits keep their own names.
   * @example Aurora Díaz
   */
  name: string;
  /** Your own id of the artist. It must be unique among your artists. */
  reference?: string | null;
  /**
   * The ISNI of the artist without spaces. It must be unique among your artists.
   * @example 0000000121032683
   */
  isni?: string | null;
  /**
   * The IPI name number of the artist: 9 to 11 digits.
   * @example 00052210040
   */
  ipi?: string | null;
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores. */
  metadata?: {
    [key: string]: string;
  } | null;
  /** The name in other languages, by BCP 47 language tag. */
  localized_names?: {
    [key: string]: string;
  } | null;
  /** The id of the artist at a store, by `store_id`; `new` if the store must create a page for the artist. */
  store_profiles?: {
    [key: string]: string;
  } | null;
};
export type CreateAsset = {
  /**
   * What the file is: the audio of a track, or the artwork of a release.
   */
  type: 'audio' | 'artwork';
  /**
   * The name of the file, at most 255 characters.
   * @example 01-night-drive.wav
   */
  file_name: string;
  content_type: AssetContentType;
  /**
   * The exact size of the file in bytes: at most 2 GiB for audio, 50 MiB for artwork. The decoded size of audio is limited too; see `POST /v1/assets/{asset_id}/complete`.
   * @example 31752044
   */
  size_bytes: number;
  /**
   * The SHA-256 digest of the file: 64 lowercase hexadecimal digits. If you send it, the uploaded file must have this digest.
   * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
   */
  sha256?: string;
};
export type CreateDelivery = {
  /**
   * The id of a submitted release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /** The `store_id` of each store. `GET /v1/stores` lists them. */
  stores: string[];
  /**
   * ISO 3166-1 alpha-2 codes, or `WORLDWIDE` alone for all supported territories of the chosen stores.
   * @example [
   *       "WORLDWIDE"
   *     ]
   */
  territory_codes: string[];
  /** Your own id of the delivery. It must be unique among your deliveries. */
  reference?: string | null;
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. */
  metadata?: {
    [key: string]: string;
  } | null;
};
/**
 * The `stores` and `territory_codes` of the job apply to items without their own. Each item of a `deliver` job needs both, from the item or from the job. A `takedown` job has no `territory_codes`; without `stores` it takes a release down at every store.
 */
export type CreateDeliveryJob = {
  /**
   * `deliver`: send each release to stores. `takedown`: take each release down.
   */
  action: 'deliver' | 'takedown';
  /** The `store_id` of each store to deliver to, or to take down from. */
  stores?: string[];
  /**
   * ISO 3166-1 alpha-2 codes, or `WORLDWIDE` alone for all supported territories of the chosen stores.
   * @example [
   *       "WORLDWIDE"
   *     ]
   */
  territory_codes?: string[];
  /** The releases of the job, from 1 to 1,000 items. */
  items: CreateDeliveryJobItem[];
};
export type CreateDeliveryJobItem = {
  /**
   * The id of a submitted release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /** The `store_id` of each store to deliver to, or to take down from. */
  stores?: string[];
  /**
   * ISO 3166-1 alpha-2 codes, or `WORLDWIDE` alone for all supported territories of the chosen stores.
   * @example [
   *       "WORLDWIDE"
   *     ]
   */
  territory_codes?: string[];
  /** Why you take the release down. It is kept in the timeline. */
  reason?: string;
};
export type CreateLabel = {
  /**
   * The name of the label. It must be unique among your labels. Releases keep the name that the label had before.
   * @example Northern Lights
   */
  name: string;
  /** Your own id of the label. It must be unique among your labels. */
  reference?: string | null;
  /** The owner of the recordings. */
  p_line_owner?: string | null;
  /** The owner of the artwork and texts. */
  c_line_owner?: string | null;
  /**
   * The territories of a release that is created with this label and without `territories`.
   * @example [
   *       "WORLD"
   *     ]
   */
  default_territories?: string[] | null;
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores. */
  metadata?: {
    [key: string]: string;
  } | null;
};
export type CreateOAuthClient = {
  /**
   * Your own name for the client.
   * @example Catalogue sync
   */
  name: string;
  /**
   * What the access tokens of the client may do. Your own credential must have each of these scopes.
   * @example [
   *       "releases:read",
   *       "deliveries:write"
   *     ]
   */
  scopes: Scope[];
};
export type CreatePayout = {
  /**
   * How much to pay out, as a decimal with at most the decimals of the currency. At least the minimum and at most the available balance, which `GET /v1/balance` shows.
   * @example 120.50
   */
  amount: string;
  /**
   * Format: currency
   * The currency of the balance that is paid out, as an ISO 4217 code.
   * @example EUR
   */
  currency: string;
  /**
   * The payout method that receives the money. If you omit it, the newest active one in this currency; if there is none, the newest active one.
   * @example pm_01m7cvpk40e7rs6v0h3qk2w9xd
   */
  payout_method_id?: string;
  /**
   * The payout that this one retries. It must be `failed`, `returned` or `canceled`, and each payout can be retried once.
   * @example pay_01m7cxhb80f5mt2b7n4zr8gj6c
   */
  retry_of?: string;
};
export type CreatePayoutMethod = {
  /**
   * `bank_account`: send `account_holder` and `iban`, or `account_number` with `routing_number`, `sort_code` or `bic`. `wallet`: send `provider` and `account`.
   */
  type: 'bank_account' | 'wallet';
  /**
   * Format: territory-code
   * The country of the bank or of the wallet, as an ISO 3166-1 code.
   * @example DE
   */
  country: string;
  /**
   * Format: currency
   * The currency in which the payee receives money.
   * @example EUR
   */
  currency: string;
  /** The name of the account holder, as the bank knows it. For bank accounts. */
  account_holder?: string;
  /** The IBAN, in countries that have IBANs. */
  iban?: string;
  /** The account number, where there is no IBAN. */
  account_number?: string;
  /** The ABA routing number of 9 digits. In the US, with `account_number`. */
  routing_number?: string;
  /** The sort code of 6 digits. In the UK, with `account_number`. */
  sort_code?: string;
  /** The BIC of the bank. In other countries, with `account_number`. */
  bic?: string;
  /** The provider of the wallet. */
  provider?: string;
  /** The id of the wallet at its provider, such as an email address. */
  account?: string;
};
export type CreateRelease = {
  /**
   * The title as stores show it, at most 500 characters.
   * @example Night Drive
   */
  title: string;
  /** The artists as stores show them, at least one with the role `main`. Replaces the whole list. */
  artists: ArtistEntry[];
  /**
   * Format: date
   * The day of the release. It must be in the future when you submit the release.
   * @example 2027-01-15
   */
  release_date: string;
  /**
   * The name of the label as stores show it. If you omit it, the default label of your organization.
   * @example Northern Lights
   */
  label?: string;
  /**
   * Format: language
   * The BCP 47 tag of the language of titles, versions and names. If you omit it, the default of your organization. The language that is sung is `lyrics_language` of each track.
   * @example en
   */
  metadata_language?: string;
  /**
   * The id of a label of yours. It sets `label` to the name of that label.
   * @example lbl_01m1dzpw00eyhvjcvzet3qxeav
   */
  label_id?: string;
  /**
   * ISO 3166-1 alpha-2 codes, or `WORLD` alone for all territories that you are licensed for. Replaces the whole list; a PATCH without `excluded_territories` clears those.
   * @example [
   *       "WORLD"
   *     ]
   */
  territories?: string[];
  /**
   * The UPC: 12 digits, of which the last is the GS1 check digit. If you omit it, one is assigned from your pool. It cannot be changed later.
   * @example 860001000009
   */
  upc?: string;
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores. */
  metadata?: {
    [key: string]: string;
  } | null;
  /** Your own id of the resource. It must be unique among your resources of the same kind. */
  reference?: string | null;
  /**
   * The version, for example of a remix or an edition. Stores show it beside the title.
   * @example Deluxe Edition
   */
  version?: string | null;
  /**
   * The genre. `GET /v1/genres` lists the genres. A track without a genre has that of its release.
   * @example Electronic
   */
  genre?: string | null;
  /**
   * The BCP 47 tag of the language whose capitalization rules apply to titles, and of the lyrics if a track has no `lyrics_language`; `zxx` for an instrumental. A track without a language has that of its release. The language of the metadata is `metadata_language`.
   * @example en
   */
  language?: string | null;
  /**
   * The year and the owner of the recording, without the sign.
   * @example 2027 Northern Lights
   */
  p_line?: string | null;
  /** `explicit`: explicit content. `clean`: a cleaned version of explicit content. `none`: neither. */
  explicit?: ('explicit' | 'clean' | 'none') | null;
  /**
   * The moment of the release, the same everywhere. It must be on `release_date` in some time zone. `null`: local midnight of `release_date` in every territory.
   * @example 2027-01-15T17:00:00.000Z
   */
  release_at?: string | null;
  /**
   * The day on which pre-orders begin. It must be before `release_date`. It is sent to the stores whose capabilities include `pre_order`.
   * @example 2026-12-18
   */
  pre_order_date?: string | null;
  /**
   * The day on which the recording was first released.
   * @example 2027-01-15
   */
  original_release_date?: string | null;
  /**
   * ISO 3166-1 alpha-2 codes of the territories to leave out. Allowed only if `territories` is `WORLD`.
   * @example [
   *       "RU",
   *       "BY"
   *     ]
   */
  excluded_territories?: string[] | null;
  /**
   * How stores may offer the release. Send at least one use type. `null`: in every way.
   * @example [
   *       "ad_supported_stream",
   *       "subscription_stream"
   *     ]
   */
  use_types?: ('ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc')[] | null;
  /** The type of the release. `null`: stores decide by the tracks. */
  type?: ('single' | 'ep' | 'album' | 'compilation') | null;
  /**
   * The year and the owner of the artwork and texts, without the sign.
   * @example 2027 Northern Lights
   */
  c_line?: string | null;
  /** Your own catalog number, at most 100 characters. */
  catalog_number?: string | null;
  /** How much was made by generative AI. Replaces the whole value. `null`, or a part that is `null` or omitted: not declared. */
  ai_use?: ReleaseAiUseInput | null;
  /**
   * The EAN: 13 digits, of which the last is the GS1 check digit. Send it if the release already has one; stores get it instead of `upc`.
   * @example 4006381333931
   */
  ean?: string | null;
  /** The price tier of a download. It is sent to stores with the use type `download`. `null`: each store decides. */
  price_tier?: ('budget' | 'mid' | 'front' | 'premium') | null;
  /**
   * The title and the version in other languages than `metadata_language`, by BCP 47 language tag. Replaces the whole map.
   * @example {
   *       "de": {
   *         "title": "Nachtfahrt"
   *       },
   *       "pt-BR": {
   *         "title": "Viagem noturna"
   *       }
   *     }
   */
  localized_titles?: {
    [key: string]: LocalizedTitleInput;
  } | null;
  /**
   * A subgenre of the genre. `GET /v1/genres` lists the subgenres.
   * @example Synthwave
   */
  subgenre?: string | null;
};
export type CreateSandboxReport = {
  /**
   * The store that reports.
   * @example aurora
   */
  store_id: string;
  /**
   * The month in which your recordings were used. It must have ended by the clock of your sandbox.
   * @example 2026-10
   */
  period: string;
  /**
   * What is special about the report. `normal`: streams, paid in full. `late`: the same, 20 days later. `restated`: replaces the last report of this store and month with other numbers; if that one is on a statement, the next statement takes it back as a `correction`. `returns`: with downloads that were returned, as negative rows. `penalty`: with a fine for artificial streaming, which becomes an adjustment. `unmatched`: with recordings that no partner delivered, which are not paid to you. `short_paid`: the store pays 80 %, and the rest becomes an earning hold.
   * @example normal
   */
  kind: 'normal' | 'late' | 'restated' | 'returns' | 'penalty' | 'unmatched' | 'short_paid';
};
export type CreateScenario = {
  /** What the store does with each message. The first message of a delivery to a store gets the first step; the next message (a resubmission, an update or a takedown) gets the next step. Of payouts: the first payout that is created gets the first step, the next payout the next step. */
  steps: ScenarioStepInput[];
  /** A note of your own. */
  name?: string | null;
  /** The store that the scenario applies to. If you omit it, every store. */
  store_id?: string | null;
  /**
   * The release that the scenario applies to. If you omit it, every release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id?: string | null;
  /** The kind of message that the scenario applies to. `payout`: what the screening and the rail do with payouts. If you omit it, every kind of message to a store. */
  message?: ('deliver' | 'update' | 'takedown' | 'payout') | null;
  /** The seed of the steps with a `chance`. If you omit it, 0. */
  seed?: number;
  /** `true`: after the last step the first one follows. `false`: the store then does what it usually does. */
  repeats?: boolean;
};
export type CreateTrack = {
  /**
   * The id of the release that the track belongs to.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /**
   * The title as stores show it, at most 500 characters.
   * @example Night Drive
   */
  title: string;
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores. */
  metadata?: {
    [key: string]: string;
  } | null;
  /**
   * The ISRC (ISO 3901), with or without hyphens. If you omit it, one is assigned from your registrant code.
   * @example QZ-ABC-26-00001
   */
  isrc?: string;
  /** The artists as stores show them, at least one with the role `main`. Replaces the whole list. */
  artists?: ArtistEntry[];
  /** Everyone who is credited on the recording and the work: performers, writers, production and engineering. Send one name per entry. Replaces the whole list. */
  contributors?: ContributorEntry[];
  /**
   * The id of an audio asset. It must be `ready` before you submit the release.
   * @example ast_01m74zn0c0fkdvvggszxx63qmy
   */
  audio_asset_id?: string | null;
  /**
   * ISO 3166-1 alpha-2 codes, or `WORLD` alone. If you omit it, the territories of the release. A PATCH without `excluded_territories` clears those.
   * @example [
   *       "WORLD"
   *     ]
   */
  territory?: string[] | null;
  /**
   * The number of the disc. If you omit it, 1.
   * @default 1
   */
  disc?: number;
  /** The number of the track on its disc. It must be unique on the disc. If you omit it, the track is added after the last one. */
  position?: number;
  /** Your own id of the resource. It must be unique among your resources of the same kind. */
  reference?: string | null;
  /**
   * The version, for example of a remix or an edition. Stores show it beside the title.
   * @example Deluxe Edition
   */
  version?: string | null;
  /**
   * The genre. `GET /v1/genres` lists the genres. A track without a genre has that of its release.
   * @example Electronic
   */
  genre?: string | null;
  /**
   * The BCP 47 tag of the language whose capitalization rules apply to titles, and of the lyrics if a track has no `lyrics_language`; `zxx` for an instrumental. A track without a language has that of its release. The language of the metadata is `metadata_language`.
   * @example en
   */
  language?: string | null;
  /**
   * The year and the owner of the recording, without the sign.
   * @example 2027 Northern Lights
   */
  p_line?: string | null;
  /** `explicit`: explicit content. `clean`: a cleaned version of explicit content. `none`: neither. */
  explicit?: ('explicit' | 'clean' | 'none') | null;
  /**
   * ISO 3166-1 alpha-2 codes of the territories to leave out of a `territory` of `WORLD`. For a track without `territory` they are left out of the territories of the release, and an answer lists both exclusions.
   * @example [
   *       "RU",
   *       "BY"
   *     ]
   */
  excluded_territories?: string[] | null;
  /**
   * How stores may offer the track, within the use types of the release. `null`: the same as the release. An empty list withdraws the track: it is sent to no store, and the next update removes it where it is live.
   * @example [
   *       "subscription_stream"
   *     ]
   */
  use_types?: ('ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc')[] | null;
  /** Where the preview begins, in milliseconds. It must be less than `duration_ms`. */
  preview_start_ms?: number | null;
  /** How much was made by generative AI. Replaces the whole value. `null`, or a part that is `null` or omitted: not declared. */
  ai_use?: TrackAiUseInput | null;
  /**
   * The day on which the recording was first released. It must not be later than the `release_date` of the release.
   * @example 2019-05-10
   */
  original_release_date?: string | null;
  /**
   * The ISWC of the musical work (ISO 15707), with or without separators. Answers have the form `T-034.524.680-1`.
   * @example T-034.524.680-1
   */
  iswc?: string | null;
  /**
   * The ISO 3166-1 alpha-2 code of the country where the recording was made.
   * @example SE
   */
  recording_country?: string | null;
  /** `original`: a work of your own. `cover`: a new recording of a work that was published before. `public_domain`: a work without copyright. */
  composition?: ('original' | 'cover' | 'public_domain') | null;
  /** `none`: the recording has no part of another recording. `cleared`: it has parts of other recordings, whose owners agreed. */
  samples?: ('none' | 'cleared') | null;
  /**
   * For a cover: the license to sell the work as a download. Stores refuse a cover for download in the US without it.
   * @example HFA license 123456789
   */
  mechanical_licence?: string | null;
  /**
   * The BCP 47 tag of the language that is sung; `zxx` for an instrumental. `null`: `language` of the track or of its release.
   * @example en
   */
  lyrics_language?: string | null;
  /** What stores with the use type `ugc` do with videos of users: `monetize` (show ads and pay you), `track` (only count) or `block`. `null`: each store decides. `monetize` is not allowed for a track with samples, or of a work in the public domain, because others may use these too. */
  ugc_policy?: ('monetize' | 'track' | 'block') | null;
  /**
   * The title and the version in other languages than `metadata_language`, by BCP 47 language tag. Replaces the whole map.
   * @example {
   *       "de": {
   *         "title": "Nachtfahrt"
   *       },
   *       "pt-BR": {
   *         "title": "Viagem noturna"
   *       }
   *     }
   */
  localized_titles?: {
    [key: string]: LocalizedTitleInput;
  } | null;
  /**
   * A subgenre of the genre. `GET /v1/genres` lists the subgenres.
   * @example Synthwave
   */
  subgenre?: string | null;
  /** Whether buyers of a pre-order get the track at once. It has an effect only with a `pre_order_date`, at stores that take pre-orders. */
  instant_gratification?: boolean | null;
};
export type CreateTracks = {
  /** The tracks to create, from 1 to 100. */
  tracks: CreateTrack[];
};
export type CreateWebhook = {
  /**
   * The URL that receives the events: an https URL with a public host; the sandbox accepts http too. It must have no credentials and no fragment.
   * @example https://partner.example/hooks
   */
  url: string;
  /**
   * The event types to send: one type, several, or `*` for all. `GET /v1/event_types` lists them.
   * @example delivery.completed
   * @example [
   *       "delivery.completed",
   *       "asset.failed"
   *     ]
   * @example *
   */
  event_type: '*' | EventType | ('*' | EventType)[];
  /** A note of your own. */
  description?: string | null;
  /** The secret for the signatures: `whsec_` and the base64 of 24 to 64 random bytes. Send your own so that your receiver can verify the first ping. If you omit it, one is generated. */
  secret?: string;
};
export type CurrencyBalance = {
  /**
   * Format: currency
   * The ISO 4217 code of the currency of the amounts.
   * @example EUR
   */
  currency: string;
  /**
   * What you can be paid now. It is negative if penalties and other adjustments exceed your earnings; later earnings then reduce the debt first.
   * @example 128.450000
   */
  available: string;
  /**
   * The net amount of royalty runs that are approved and not closed yet. It becomes available when they are closed.
   * @example 0.000000
   */
  pending: string;
  /**
   * The amount of your payouts that have not left yet.
   * @example 250.000000
   */
  reserved: string;
  /**
   * Disputed earnings, which are not payable for now. `GET /v1/earning_holds` lists them.
   * @example 12.300000
   */
  held: string;
  /**
   * The smallest amount of a payout in this currency.
   * @example 10.000000
   */
  minimum: string;
};
export type DecideRights = {
  /**
   * `grant`: the release is sent to the stores that wait. `refuse`: they are `rejected` with `rights_conflict`.
   */
  decision: 'grant' | 'refuse';
};
export type Delivery = {
  /**
   * The id of a delivery.
   * @example dlv_01m77frfm0fymt1p0t9623pvf3
   */
  id: string;
  /** Your own id of the delivery. `null`: you sent none. */
  reference: string | null;
  /** Your own key-value pairs. */
  metadata: {
    [key: string]: string;
  };
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /** The revision of the release that was last sent. */
  revision: number;
  /**
   * The aggregate status of all stores of the delivery.
   */
  status:
    | 'in_progress'
    | 'delivered'
    | 'rejected'
    | 'action_required'
    | 'taken_down'
    | (string & {});
  /** The territories as you requested them. */
  territory_codes: string[];
  /** The stores of the delivery, each with its own state. */
  stores: DeliveryStore[];
  /**
   * Format: date-time
   * When the delivery was created.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the delivery or one of its stores last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
  /**
   * When the delivery last became `delivered`, `rejected` or `action_required`. `null`: never.
   * @example 2026-11-15T09:30:00.000Z
   */
  completed_at: string | null;
};
/**
 * A delivery became delivered (every store has the release), rejected (a store refused it) or action_required (a store needs a change). Sent each time this happens.
 */
export type DeliveryCompletedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `delivery.completed`.
   */
  type: 'delivery.completed';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: Delivery;
};
export type DeliveryDryRun = {
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /** The revision of the release that would be sent. */
  revision: number;
  /** The stores of the delivery or the update, each with what it would get. */
  stores: DryRunStore[];
  /** The findings, errors first; at most 100. */
  findings: DryRunFinding[];
  /** The files that each of these stores would get. */
  files: DryRunFile[];
  /** The stores that the update does not apply to, each with the reason. */
  skipped: SkippedStore[];
};
export type DeliveryJob = {
  /**
   * The id of a delivery job.
   * @example job_01m77hfde0er6bgs8rq2mzp0mp
   */
  id: string;
  /**
   * What the job does with each release.
   */
  action: 'deliver' | 'takedown' | (string & {});
  /**
   * The status of the job.
   */
  status: 'running' | 'completed' | (string & {});
  /** The number of items. */
  total: number;
  /** The number of items that succeeded. */
  succeeded: number;
  /** The number of items that failed. */
  failed: number;
  /** The items in the order of the request. */
  items: DeliveryJobItem[];
  /**
   * Format: date-time
   * When the job was created.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When an item was last completed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
  /**
   * When the last item was completed. `null`: the job is still running.
   * @example 2026-11-15T09:30:00.000Z
   */
  completed_at: string | null;
};
export type DeliveryJobItem = {
  /** The id of the release, as you sent it. */
  release_id: string;
  /**
   * The status of the item.
   */
  status: 'pending' | 'succeeded' | 'failed' | (string & {});
  /** The deliveries that the item created or changed. */
  delivery_ids: string[];
  /** Why the item failed. `null`: it has not failed. */
  error: {
    code: ErrorCode | (string & {});
    /** What is wrong and what to do. */
    message: string;
    /** Every value that is wrong; empty if the error is about no single value. */
    details: {
      /** The path of the field in the item. */
      field: string;
      /** A sentence for people: what is wrong with the value and what to send instead. */
      issue: string;
    }[];
  } | null;
};
export type DeliveryPage = {
  /** The items of this page. */
  data: Delivery[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type DeliveryStore = {
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id: string;
  /**
   * The status of the release at this store.
   */
  status:
    | 'pending'
    | 'in_progress'
    | 'delivered'
    | 'rejected'
    | 'action_required'
    | 'takedown_requested'
    | 'taken_down'
    | (string & {});
  /** What the store delivery waits for before it is sent. `null`: it does not wait. */
  waiting_for:
    | ('review' | 'verification' | 'store_paused' | 'rights_review' | (string & {}))
    | null;
  /** The territories at this store: `WORLDWIDE` for all of its territories, or codes. */
  territory_codes: string[];
  /** The number of territories at this store. */
  territory_count: number;
  /** How the store may offer the release. */
  use_types: ('ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc' | (string & {}))[];
  /** The revision that the store has, or that is being sent to it. */
  revision: number;
  /** The revision of an update that the store has not confirmed yet. `null`: there is none. */
  pending_revision: number | null;
  /**
   * The code of the rejection. `null`: the store did not reject or flag it.
   * @example rights_conflict
   */
  rejection_code: string | null;
  /** The reason of the rejection, in the words of the store. `null`: there is none. */
  rejection_reason: string | null;
  /** The last update, until the store confirms it. `null`: there is none. */
  update: DeliveryStoreUpdate | null;
  /**
   * When the takedown was requested, also while it waits for the store to confirm the release.
   * @example 2026-11-15T09:30:00.000Z
   */
  takedown_requested_at: string | null;
  /** Who took the release down. `null`: it is not taken down. */
  taken_down_by: ('partner' | 'operator' | 'store' | (string & {})) | null;
  /**
   * When the store confirmed that it received the last message.
   * @example 2026-11-15T09:30:00.000Z
   */
  acknowledged_at: string | null;
  /**
   * When the answer of the store is due. After this time it is overdue.
   * @example 2026-11-15T09:30:00.000Z
   */
  expected_by: string | null;
  /**
   * Format: date-time
   * When this store last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
  /**
   * When the release was first available at the store.
   * @example 2026-11-15T09:30:00.000Z
   */
  live_at: string | null;
  /** `store`: the store announced it. `inferred`: the store does not announce it, and the release date has passed. */
  live_basis: ('store' | 'inferred' | (string & {})) | null;
  /** The page of the release at the store. */
  store_url: string | null;
  /** The territories that an update requested for this store. If it is absent, those of the delivery. */
  requested_territory_codes?: string[];
  /** The tracks whose rights are narrower than those of the release. A track without territories is left out at this store. */
  tracks?: TrackDeal[];
  /** `true`: the delivery is too large to list `requested_territory_codes` and `tracks` of this store. Read the store of the delivery to get them. */
  is_truncated?: boolean;
};
/**
 * A store has not answered by the time it should have.
 */
export type DeliveryStoreOverdueEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `delivery.store.overdue`.
   */
  type: 'delivery.store.overdue';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  /** The store that has not answered, and its delivery. */
  data: {
    /**
     * The id of a delivery.
     * @example dlv_01m77frfm0fymt1p0t9623pvf3
     */
    delivery_id: string;
    /**
     * The id of a release.
     * @example rel_01m74z2pe0emj8rpmscqkq6ty7
     */
    release_id: string;
    /**
     * The aggregate status of all stores of the delivery.
     */
    status:
      | 'in_progress'
      | 'delivered'
      | 'rejected'
      | 'action_required'
      | 'taken_down'
      | (string & {});
    store: DeliveryStore;
  };
};
/**
 * The last update, until the store confirms it. A rejected update changes nothing at the store.
 */
export type DeliveryStoreUpdate = {
  /** The revision that the update sends. */
  revision: number;
  /**
   * The status of the update.
   */
  status: 'pending' | 'rejected' | 'flagged' | (string & {});
  /**
   * The code of the rejection. `null`: the store did not reject or flag it.
   * @example rights_conflict
   */
  rejection_code: string | null;
  /** The reason of the rejection, in the words of the store. `null`: there is none. */
  rejection_reason: string | null;
};
/**
 * One store of a delivery changed its state.
 */
export type DeliveryStoreUpdatedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `delivery.store.updated`.
   */
  type: 'delivery.store.updated';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  /** The store that changed, and its delivery. */
  data: {
    /**
     * The id of a delivery.
     * @example dlv_01m77frfm0fymt1p0t9623pvf3
     */
    delivery_id: string;
    /**
     * The id of a release.
     * @example rel_01m74z2pe0emj8rpmscqkq6ty7
     */
    release_id: string;
    /**
     * The aggregate status of all stores of the delivery.
     */
    status:
      | 'in_progress'
      | 'delivered'
      | 'rejected'
      | 'action_required'
      | 'taken_down'
      | (string & {});
    store: DeliveryStore;
    /**
     * The status of the store before.
     */
    previous_status:
      | 'pending'
      | 'in_progress'
      | 'delivered'
      | 'rejected'
      | 'action_required'
      | 'takedown_requested'
      | 'taken_down'
      | (string & {});
  };
};
export type DeliveryStoreWithAllTerritories = {
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id: string;
  /**
   * The status of the release at this store.
   */
  status:
    | 'pending'
    | 'in_progress'
    | 'delivered'
    | 'rejected'
    | 'action_required'
    | 'takedown_requested'
    | 'taken_down'
    | (string & {});
  /** What the store delivery waits for before it is sent. `null`: it does not wait. */
  waiting_for:
    | ('review' | 'verification' | 'store_paused' | 'rights_review' | (string & {}))
    | null;
  /** All territories at this store. */
  territory_codes: string[];
  /** The number of territories at this store. */
  territory_count: number;
  /** How the store may offer the release. */
  use_types: ('ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc' | (string & {}))[];
  /** The revision that the store has, or that is being sent to it. */
  revision: number;
  /** The revision of an update that the store has not confirmed yet. `null`: there is none. */
  pending_revision: number | null;
  /**
   * The code of the rejection. `null`: the store did not reject or flag it.
   * @example rights_conflict
   */
  rejection_code: string | null;
  /** The reason of the rejection, in the words of the store. `null`: there is none. */
  rejection_reason: string | null;
  /** The last update, until the store confirms it. `null`: there is none. */
  update: DeliveryStoreUpdate | null;
  /**
   * When the takedown was requested, also while it waits for the store to confirm the release.
   * @example 2026-11-15T09:30:00.000Z
   */
  takedown_requested_at: string | null;
  /** Who took the release down. `null`: it is not taken down. */
  taken_down_by: ('partner' | 'operator' | 'store' | (string & {})) | null;
  /**
   * When the store confirmed that it received the last message.
   * @example 2026-11-15T09:30:00.000Z
   */
  acknowledged_at: string | null;
  /**
   * When the answer of the store is due. After this time it is overdue.
   * @example 2026-11-15T09:30:00.000Z
   */
  expected_by: string | null;
  /**
   * Format: date-time
   * When this store last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
  /**
   * When the release was first available at the store.
   * @example 2026-11-15T09:30:00.000Z
   */
  live_at: string | null;
  /** `store`: the store announced it. `inferred`: the store does not announce it, and the release date has passed. */
  live_basis: ('store' | 'inferred' | (string & {})) | null;
  /** The page of the release at the store. */
  store_url: string | null;
  /** The territories that the delivery or an update requested for this store. */
  requested_territory_codes: string[];
  /** The tracks whose rights are narrower than those of the release. A track without territories is left out at this store. */
  tracks: TrackDeal[];
};
/**
 * Every store of a delivery has removed the release.
 */
export type DeliveryTakenDownEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `delivery.taken_down`.
   */
  type: 'delivery.taken_down';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: Delivery;
};
export type DeliveryTimelineEntry = {
  /**
   * The kind of entry: a request (created, resubmission, update or takedown), or a step of a store.
   */
  type:
    | 'created'
    | 'resubmission'
    | 'update'
    | 'takedown'
    | 'waiting'
    | 'dispatched'
    | 'acknowledged'
    | 'delivered'
    | 'inferred'
    | 'rejected'
    | 'action_required'
    | 'resubmitted'
    | 'update_requested'
    | 'update_dispatched'
    | 'updated'
    | 'update_refused'
    | 'update_flagged'
    | 'takedown_wanted'
    | 'takedown_requested'
    | 'takedown_dispatched'
    | 'takedown_refused'
    | 'taken_down'
    | 'unexpectedly_live'
    | 'canceled'
    | 'closed'
    | 'overdue'
    | (string & {});
  /**
   * Format: date-time
   * When it happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  at: string;
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id: string | null;
  /** The revision of the release. */
  revision: number;
  /**
   * The status of the store before.
   */
  previous_status?:
    | 'pending'
    | 'in_progress'
    | 'delivered'
    | 'rejected'
    | 'action_required'
    | 'takedown_requested'
    | 'taken_down'
    | (string & {});
  /**
   * The status of the store after.
   */
  status?:
    | 'pending'
    | 'in_progress'
    | 'delivered'
    | 'rejected'
    | 'action_required'
    | 'takedown_requested'
    | 'taken_down'
    | (string & {});
  /**
   * The id of a store message.
   * @example msg_01m77frgk8ejrbcwc9baemwjtp
   */
  message_id?: string;
  /** The code of the rejection. */
  rejection_code?: string;
  /** The reason of the rejection. */
  rejection_reason?: string;
  /**
   * What the store waits for.
   */
  waiting_for?: 'review' | 'verification' | 'store_paused' | 'rights_review' | (string & {});
  /**
   * How we know that the release is live.
   */
  live_basis?: 'store' | 'inferred' | (string & {});
  /**
   * Who took the release down.
   */
  taken_down_by?: 'partner' | 'operator' | 'store' | (string & {});
  /** The stores of the request. */
  stores?: string[];
  /** The credential or operator that made the request. */
  actor?: {
    /** The kind of actor: `api_key`, `oauth_client`, `operator` (a person who works for us) or `workflow` (a background process of ours). */
    type: string;
    /** The id of an API key (`key_…`) or OAuth client (`oac_…`), or the name of an operator or a background process of ours. */
    id: string;
  };
  /** The reason of a takedown, as you sent it. */
  reason?: string;
  /** The territories of the request. */
  territory_codes?: string[];
  /** The stores that the request does not apply to, each with the reason. */
  skipped?: SkippedStore[];
  /** The revision that these stores were sent before. */
  changed_since?: number;
  /** The differences between that revision and the revision that is sent now. */
  changes?: RevisionFieldChange[];
};
export type DeliveryTimelinePage = {
  /** The items of this page. */
  data: DeliveryTimelineEntry[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type DeprecatedUse = {
  /**
   * The kind of credential: an API key or an OAuth client. Accept values that you do not know: new ones may be added at any time.
   */
  type: 'api_key' | 'oauth_client' | (string & {});
  /**
   * The id of the API key (`key_…`) or OAuth client (`oac_…`).
   * @example key_01m1e000z0eq5a45b7smtk282j
   */
  id: string;
  /**
   * Format: date-time
   * When this credential first used the feature. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  first_used_at: string;
  /**
   * Format: date-time
   * When this credential last used the feature, to the minute. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  last_used_at: string;
  /**
   * The id of a request.
   * @example req_01m74z2pe0e92rqjmzew5t1rxc
   */
  last_request_id: string;
};
export type Deprecation = {
  /**
   * The stable identifier of the feature.
   * @example release_status_in_patch
   */
  feature: string;
  /** What is deprecated, for people. */
  description: string;
  /** The path to use instead. */
  successor: string;
  /**
   * Format: date
   * The day of the entry in the changelog that announced it.
   * @example 2024-04-15
   */
  deprecated_on: string;
  /**
   * Format: date
   * The day on which the feature stops working. It works until then.
   * @example 2024-09-01
   */
  sunset_on: string;
  /**
   * When your organization last used the feature. `null`: it never did. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  last_used_at: string | null;
  /** The credentials that used the feature, the latest use first. */
  used_by: DeprecatedUse[];
};
export type DeprecationList = {
  /** Every deprecated feature of the API. */
  data: Deprecation[];
};
export type DroppedValue = {
  /**
   * A JSON pointer into the release as the API shows it, with its `tracks` by disc and position.
   * @example /reference
   */
  pointer: string;
  /** A sentence for people: why the store does not get the value. */
  reason: string;
};
/**
 * To try a new delivery, send `release_id`, `stores` and `territory_codes`; to try an update, send `delivery_id`.
 */
export type DryRunDelivery = {
  /**
   * The id of a submitted release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id?: string;
  /**
   * The id of the delivery whose update is tried. Send it instead of `release_id`.
   * @example dlv_01m77frfm0fymt1p0t9623pvf3
   */
  delivery_id?: string;
  /** The `store_id` of each store. `GET /v1/stores` lists them. */
  stores?: string[];
  /**
   * ISO 3166-1 alpha-2 codes, or `WORLDWIDE` alone for all supported territories of the chosen stores.
   * @example [
   *       "WORLDWIDE"
   *     ]
   */
  territory_codes?: string[];
};
export type DryRunFile = {
  /**
   * The id of an asset.
   * @example ast_01m74zn0c0fkdvvggszxx63qmy
   */
  asset_id: string;
  /** What the file is: the audio of a track, or the artwork of a release. */
  type: string;
  /** The name of the file as you sent it. */
  file_name: string;
  /** The media type of the file. */
  content_type: string;
  /** The size of the file in bytes. */
  size_bytes: number;
  /** The SHA-256 digest of the file: 64 lowercase hexadecimal digits. */
  sha256: string;
};
export type DryRunFinding = {
  /** The id of the rule. `GET /v1/preflight_rules` lists the rules; `live_date_moved`, about updates, is not among them. */
  rule: string;
  /**
   * `error`: the store would reject the release. `warning`: the release would be sent, but you should check it.
   */
  severity: 'error' | 'warning' | (string & {});
  /**
   * The stores that the finding concerns.
   * @example all
   * @example [
   *       "aurora"
   *     ]
   */
  applies_to: 'all' | string[];
  /** A JSON pointer into the release; its tracks are ordered by disc and position. */
  pointer: string;
  /** What is wrong and what to do. */
  message: string;
};
export type DryRunMessage = {
  /**
   * The version of DDEX ERN that the store reads.
   */
  ern_version: '4.3' | '4.3.2' | (string & {});
  /** The size of the message in bytes. */
  size_bytes: number;
  /** The NewReleaseMessage in UTF-8. Its `MessageId` is `dry_run`. The messages of a dry run have at most 2 MiB together. `null`: the limit is reached; try fewer stores at once. */
  xml: string | null;
};
export type DryRunStore = {
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id: string;
  /** The territories at this store: `WORLDWIDE` for all of its territories, or codes. */
  territory_codes: string[];
  /** The number of territories at this store. */
  territory_count: number;
  /** How the store may offer the release. */
  use_types: ('ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc' | (string & {}))[];
  /** The tracks whose rights are narrower than those of the release. A track without territories is left out at this store. */
  tracks: TrackDeal[];
  /**
   * The day on which pre-orders begin at the store. `null`: the store takes no pre-orders, or the release has no `pre_order_date`.
   * @example 2027-01-15
   */
  pre_order_date: string | null;
  /** `true`: the review does not reject the release, and no finding is an error for this store. */
  would_be_sent: boolean;
  /** How many errors concern this store, also beyond those in `findings`. */
  errors: number;
  /** How many warnings concern this store, also beyond those in `findings`. */
  warnings: number;
  /** What the store gets of the release. Every value that is not `null` is either in `sent` or in `dropped`; a list of territories is one value. The messages of a dry run have at most 2 MiB together. `null`: the limit is reached; try fewer stores at once. */
  conveys: Conveyance | null;
  /** The message that the store would get. The messages of a dry run have at most 2 MiB together. `null`: the limit is reached; try fewer stores at once. */
  message: DryRunMessage | null;
};
export type EarningHold = {
  /**
   * The id of an earning hold.
   * @example hld_01m77vd2r0fqmt5c1xj9s4ya7e
   */
  id: string;
  /**
   * `held`: the earnings are not payable for now. `released`: they are payable again. `forfeited`: the store took them back, and an adjustment of type `penalty` refers to the hold. Accept values that you do not know: new ones may be added at any time.
   */
  status: 'held' | 'released' | 'forfeited' | (string & {});
  /**
   * Why the earnings are held: `artificial_streaming` (the store doubts that people listened), `rights_conflict` (someone else claims the recording), `store_dispute` (the store disputes what it reported or paid less) or `manual` (we examine them). Accept values that you do not know: new ones may be added at any time.
   */
  reason: 'artificial_streaming' | 'rights_conflict' | 'store_dispute' | 'manual' | (string & {});
  /**
   * The held amount. The rest of your balance stays payable.
   * @example 12.300000
   */
  amount: string;
  /**
   * Format: currency
   * The ISO 4217 code of the currency of the amounts.
   * @example EUR
   */
  currency: string;
  /**
   * The `store_id` of the store that reported the earnings.
   * @example aurora
   */
  store_id: string | null;
  /**
   * The ISRC of the recording, with hyphens.
   * @example QZ-NLR-26-00001
   */
  isrc: string | null;
  /**
   * The first day of the usage.
   * @example 2026-09-01
   */
  period_start: string | null;
  /**
   * The last day of the usage.
   * @example 2026-09-30
   */
  period_end: string | null;
  /** What the store or we know about it, for people. */
  evidence: string | null;
  /**
   * The day by which the hold is reviewed. `null`: no day is fixed.
   * @example 2026-12-15
   */
  review_by: string | null;
  /**
   * Format: date-time
   * When the earnings were held.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the hold was last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
};
export type EarningHoldPage = {
  /** The items of this page. */
  data: EarningHold[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
/**
 * Held earnings were taken back by the store. An adjustment.created event with the penalty follows.
 */
export type EarningsForfeitedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `earnings.forfeited`.
   */
  type: 'earnings.forfeited';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: EarningHold;
};
/**
 * Some earnings are not payable for now; reason says why.
 */
export type EarningsHeldEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `earnings.held`.
   */
  type: 'earnings.held';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: EarningHold;
};
/**
 * Held earnings are payable again.
 */
export type EarningsReleasedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `earnings.released`.
   */
  type: 'earnings.released';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: EarningHold;
};
export type EmptyBody = Record<string, never>;
export type ErnFinding = {
  /**
   * The XPath of the element that the finding is about.
   * @example /ern:NewReleaseMessage/ReleaseList/Release
   */
  xpath: string;
  /** A sentence for people: what was not taken over, and why. */
  message: string;
};
/**
 * Send the message alone as `application/xml`, or as JSON with the assets that stand for its files.
 */
export type ErnIntake = {
  /** A NewReleaseMessage or PurgeReleaseMessage of DDEX ERN 4.3.2 or 4.3 in UTF-8, without a DTD. */
  message: string;
  /**
   * The assets that stand for the files of the message: the id of an asset, by the URI of the file in the message. A track whose file is not listed keeps its audio; a new one has none.
   * @example {
   *       "resources/01.flac": "ast_01m74zn0c0fkdvvggszxx63qmy"
   *     }
   */
  files?: {
    [key: string]: string;
  };
};
export type ErnResult = {
  /** The MessageId of the message. */
  message_id: string;
  /**
   * The version of ERN of the message.
   */
  ern_version: '4.3' | '4.3.2' | (string & {});
  /**
   * What the message did. `created`: a draft. `revised`: the release has a new revision. `unchanged`: the release was as the message says. `taken_down`: its deliveries are taken down. `deleted`: the draft. Accept values that you do not know: new ones may be added at any time.
   */
  action: 'created' | 'revised' | 'unchanged' | 'taken_down' | 'deleted' | (string & {});
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /** The release after the message. `null`: the draft was deleted. */
  release: Release | null;
  /** The tracks of the message, in its order. Empty for a takedown and a deletion. */
  tracks: ErnTrack[];
  /** The deliveries that are taken down. */
  delivery_ids: string[];
  /** What the message says that was not taken over, at most 100. */
  findings: ErnFinding[];
};
export type ErnTrack = {
  /**
   * The id of a track.
   * @example trk_01m750sm80eet8vawv9v10rf6c
   */
  track_id: string;
  /**
   * The ISRC with hyphens.
   * @example QZ-ABC-26-00001
   */
  isrc: string;
  /** The URI of the audio file in the message. */
  file_uri: string | null;
  /**
   * The id of an asset.
   * @example ast_01m74zn0c0fkdvvggszxx63qmy
   */
  audio_asset_id: string | null;
};
/**
 * The stable identifier of the error. Decide by it; `GET /v1/error_codes` lists the codes. Accept values that you do not know: new ones may be added at any time.
 */
export type ErrorCode =
  | 'invalid_json'
  | 'invalid_parameter'
  | 'invalid_cursor'
  | 'invalid_idempotency_key'
  | 'invalid_request'
  | 'authentication_required'
  | 'invalid_credentials'
  | 'token_expired'
  | 'insufficient_scope'
  | 'tier_not_allowed'
  | 'organization_suspended'
  | 'resource_not_found'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'duplicate_submission'
  | 'asset_not_ready'
  | 'nothing_changed'
  | 'invalid_state'
  | 'idempotency_key_in_use'
  | 'upc_pool_exhausted'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'missing_required_field'
  | 'invalid_field'
  | 'unknown_field'
  | 'read_only_field'
  | 'invalid_isrc_format'
  | 'invalid_upc'
  | 'territory_not_supported'
  | 'release_not_submittable'
  | 'idempotency_key_reused'
  | 'webhook_url_not_allowed'
  | 'deprecated_feature_removed'
  | 'insufficient_balance'
  | 'below_minimum'
  | 'payout_method_missing'
  | 'tax_profile_missing'
  | 'headers_too_large'
  | 'rate_limit_exceeded'
  | 'quota_exceeded'
  | 'internal_error'
  | 'service_unavailable';
export type ErrorCodeList = {
  /** Every error code. */
  data: {
    code: ErrorCode | (string & {});
    /** The HTTP status of answers with this code. */
    status: number;
    /** What causes the error. */
    cause: string;
    /** What to do about it. */
    cure: string;
  }[];
};
export type EventPage = {
  /** The items of this page. */
  data: StoredEvent[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
/**
 * The type of an event. `GET /v1/event_types` describes each type. Accept values that you do not know: new ones may be added at any time.
 * @example release.created
 */
export type EventType =
  | 'release.created'
  | 'release.status.changed'
  | 'asset.ready'
  | 'asset.failed'
  | 'delivery.completed'
  | 'delivery.taken_down'
  | 'delivery.store.updated'
  | 'delivery.store.overdue'
  | 'payout.status.changed'
  | 'payout_method.changed'
  | 'statement.published'
  | 'adjustment.created'
  | 'earnings.held'
  | 'earnings.released'
  | 'earnings.forfeited'
  | 'webhook.disabled'
  | 'organization.verification.changed'
  | 'api.changelog.published';
export type EventTypeList = {
  /** What a webhook can receive: the ping and every event type. */
  data: {
    type: SentEventType;
    /** When an event of this type is sent. */
    description: string;
    /** The JSON Schema of `data` of the event. */
    schema: {
      [key: string]: unknown;
    };
    /** An example of `data` of the event. */
    example: {
      [key: string]: unknown;
    };
  }[];
};
export type EventWebhook = {
  /**
   * The id of a webhook.
   * @example wh_01m72zj7c0f6eaabh8jztkn9p8
   */
  webhook_id: string;
  /**
   * `pending`: an attempt is due. `delivered`: the webhook answered 2xx. `undelivered`: its retries are exhausted, or it is disabled.
   */
  delivery_status: 'pending' | 'delivered' | 'undelivered' | (string & {});
  /** How many requests were made to this webhook, redeliveries included. */
  attempts: number;
  /**
   * When the next attempt is due. `null`: none is due.
   * @example 2026-11-15T09:30:00.000Z
   */
  next_attempt_at: string | null;
};
/**
 * An event of the history; a ping is not in it.
 */
export type EventWithAttempts = (
  | ReleaseCreatedEvent
  | ReleaseStatusChangedEvent
  | AssetReadyEvent
  | AssetFailedEvent
  | DeliveryCompletedEvent
  | DeliveryTakenDownEvent
  | DeliveryStoreUpdatedEvent
  | DeliveryStoreOverdueEvent
  | PayoutStatusChangedEvent
  | PayoutMethodChangedEvent
  | StatementPublishedEvent
  | AdjustmentCreatedEvent
  | EarningsHeldEvent
  | EarningsReleasedEvent
  | EarningsForfeitedEvent
  | WebhookDisabledEvent
  | OrganizationVerificationChangedEvent
  | ApiChangelogPublishedEvent
) & {
  /** The webhooks that this event is sent to, deleted ones included. */
  webhooks: EventWebhook[];
  /** Every attempt to send the event, oldest first; the last 1,000 if there are more. */
  attempts: WebhookAttempt[];
};
export type FullStatement = {
  /**
   * The id of a statement.
   * @example stm_01m77wd2r0fqmt5c1xj9s4ya7f
   */
  id: string;
  /**
   * Format: date
   * The first day of the month of the statement.
   * @example 2026-10-01
   */
  period_start: string;
  /**
   * Format: date
   * The last day of the month of the statement.
   * @example 2026-10-31
   */
  period_end: string;
  /**
   * `open`: it is not calculated yet. Until then its amounts are zero, and its closing balance is its opening balance. `published`: it never changes.
   */
  status: 'open' | 'published' | (string & {});
  /**
   * Format: currency
   * The ISO 4217 code of the currency of the amounts.
   * @example EUR
   */
  currency: string;
  /**
   * The closing balance of the statement before.
   * @example 250.000000
   */
  opening_balance: string;
  /**
   * The sum of the line items.
   * @example 151.117647
   */
  gross_amount: string;
  /**
   * Distribution fees.
   * @example 22.667647
   */
  fee_amount: string;
  /**
   * Taxes that stores withheld.
   * @example 0.000000
   */
  source_tax_amount: string;
  /**
   * Taxes that we withheld from you.
   * @example 0.000000
   */
  payee_tax_amount: string;
  /**
   * Both taxes.
   * @example 0.000000
   */
  tax_amount: string;
  /**
   * The sum of the adjustments since the statement before.
   * @example 0.000000
   */
  adjustment_amount: string;
  /**
   * The amount is gross_amount − fee_amount − tax_amount.
   * @example 128.450000
   */
  net_amount: string;
  /**
   * What was paid out since the statement before.
   * @example 250.000000
   */
  payout_amount: string;
  /**
   * The balance is opening_balance + net_amount + adjustment_amount − payout_amount.
   * @example 128.450000
   */
  closing_balance: string;
  /**
   * What could be paid of the closing balance.
   * @example 128.450000
   */
  available_amount: string;
  /**
   * What was reserved for payouts of the closing balance.
   * @example 0.000000
   */
  reserved_amount: string;
  /**
   * What was held of the closing balance.
   * @example 0.000000
   */
  held_amount: string;
  /**
   * The number of line items.
   * @example 1204
   */
  line_item_count: number;
  /**
   * When it was published. `null`: it is open.
   * @example 2026-11-15T09:30:00.000Z
   */
  published_at: string | null;
  /** The statement as a PDF. `null`: the statement is open, or its PDF is not made yet. */
  document: StatementDocument | null;
};
export type Genre = {
  /**
   * The genre as releases and tracks have it.
   * @example Hip-Hop
   */
  genre: string;
  /** The subgenres that you can send with this genre. */
  subgenres: string[];
  /** The name of the genre at every store. */
  stores: StoreGenre[];
};
export type GenreList = {
  /** Every genre that you can send. */
  data: Genre[];
};
export type Inbox = {
  /** The URL of the inbox. It accepts any POST. Register it as a webhook. */
  url: string;
  answer: InboxAnswer;
};
export type InboxAcknowledgement = {
  /** `true`: the status is below 300, so the sender counts the message as delivered. */
  received: boolean;
};
/**
 * How the inbox answers the next request.
 */
export type InboxAnswer = {
  /**
   * The HTTP status that the inbox answers, from 200 to 599.
   * @example 503
   */
  status: number;
  /** How many requests get this answer, before the inbox answers 200 again. `null`: all of them, until you change it. */
  times: number | null;
  /**
   * How long the inbox waits before it answers, in seconds: from `0s` (the default) to `35s`. An attempt without an answer fails after 30 seconds.
   * @example 31s
   */
  delay: string;
  /** The number of seconds in the header `Retry-After` of the answer. `null`: the header is not sent. */
  retry_after: number | null;
};
export type InboxMessage = {
  /**
   * The id of an inbox message.
   * @example inb_01m74z2pe0f1e80cpe6yj0xky3
   */
  id: string;
  /**
   * Format: date-time
   * When the message arrived, in real time, not the time of the sandbox clock.
   * @example 2026-11-15T09:30:00.000Z
   */
  received_at: string;
  /** The status that the inbox answered. */
  status: number;
  /** The value of the header `webhook-id`. */
  event_id: string | null;
  /** The value of the header `X-SVC-Event`. */
  event_type: string | null;
  /** The headers by lowercase name: at most 64 headers and 8 KiB, without credentials and cookies. */
  headers: {
    [key: string]: string;
  };
  /** The exact text of the body. Its UTF-8 bytes are the bytes that were signed. */
  body: string | null;
  /** The body in base64, if it is not valid UTF-8. */
  body_base64: string | null;
  /** The SHA-256 digest of the body: 64 lowercase hexadecimal digits. */
  body_sha256: string;
};
export type InboxPage = {
  /** The URL of the inbox. It accepts any POST. Register it as a webhook. */
  url: string;
  answer: InboxAnswer;
  /** The items of this page. */
  data: InboxMessage[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type InspectedIdempotencyKey = {
  /**
   * Format: uuid
   * The key as you sent it, in lowercase.
   */
  key: string;
  /**
   * The id of a request.
   * @example req_01m74z2pe0e92rqjmzew5t1rxc
   */
  request_id: string;
  /** The method of the request. `null`: the request log does not have the request. */
  method: string | null;
  /** The path of the request. `null`: the request log does not have the request. */
  path: string | null;
  /**
   * The HTTP status of the stored answer.
   * @example 201
   */
  status: number;
  /** `true`: the credential that you send now made the request. `false`: another one did, and `headers` and `body` are not shown. */
  made_by_this_credential: boolean;
  /** Headers of the stored answer, such as `location`. Empty if another credential made the request. */
  headers: {
    [key: string]: string;
  };
  /** The body of the stored answer, without secrets and with URLs cut to their host. `null`: it had no body, or another credential made the request. */
  body: unknown;
  /**
   * Format: date-time
   * When the request was executed. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * Until this time a retry with the key gets the same answer. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  expires_at: string;
};
export type Instrument = {
  /**
   * The value to send in `instruments` of a contributor.
   * @example electric_guitar
   */
  instrument: string;
  /**
   * The English name of the instrument, for people.
   * @example Electric Guitar
   */
  name: string;
  /**
   * The name of the instrument in DDEX, as stores get it.
   * @example ElectricGuitar
   */
  ddex_instrument: string;
};
export type JsonPatchOperation = {
  /**
   * The operation, always `replace`.
   * @constant
   */
  op: 'replace';
  /** A JSON pointer into the release, to the value to replace. */
  path: string;
  /** The value to write there. */
  value: unknown;
};
export type Label = {
  /**
   * The id of a label.
   * @example lbl_01m1dzpw00eyhvjcvzet3qxeav
   */
  id: string;
  /**
   * The name of the label. It must be unique among your labels. Releases keep the name that the label had before.
   * @example Northern Lights
   */
  name: string;
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores. */
  metadata: {
    [key: string]: string;
  };
  /** Your own id of the label. It must be unique among your labels. */
  reference: string | null;
  /** The owner of the recordings. */
  p_line_owner: string | null;
  /** The owner of the artwork and texts. */
  c_line_owner: string | null;
  /**
   * The territories of a release that is created with this label and without `territories`.
   * @example [
   *       "WORLD"
   *     ]
   */
  default_territories: string[] | null;
  /** `true`: a release that is created without a label gets this one. */
  is_default: boolean;
  /**
   * Format: date-time
   * When the label was created.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the label was last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
};
export type LabelPage = {
  /** The items of this page. */
  data: Label[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type LineItem = {
  /**
   * The id of a line item.
   * @example sli_0000000001hqmt5c1xj9s4ya7f
   */
  id: string;
  /**
   * The ISRC of the recording, with hyphens.
   * @example QZ-NLR-25-00004
   */
  isrc: string;
  /**
   * The title of the recording, as the store reported it.
   * @example Night Drive
   */
  title: string;
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /**
   * The id of a track.
   * @example trk_01m750sm80eet8vawv9v10rf6c
   */
  track_id: string;
  /**
   * The store that reported the usage.
   * @example aurora
   */
  store_id: string;
  /**
   * Where the recording was used, as an ISO 3166-1 alpha-2 code.
   * @example DE
   */
  territory: string;
  /**
   * How the recording was used. Accept values that you do not know: new ones may be added at any time.
   */
  use_type: 'ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc' | (string & {});
  /**
   * `usage`: what was played or sold. `return`: what was given back; its amounts are usually negative. Accept values that you do not know: new ones may be added at any time.
   */
  transaction_type: 'usage' | 'return' | (string & {});
  /**
   * The month in which the recording was used.
   * @example 2026-09
   */
  usage_month: string;
  /**
   * The month in which the store accounts for the usage. Some stores have fiscal months.
   * @example 2026-09
   */
  accounting_month: string;
  /**
   * The id of a report of a store.
   * @example rpt_01m77q5me0e1xt3c9xj9s4yb2k
   */
  report_id: string;
  /** `true`: the store reported the album, and this is the share of the track. `false`: the store reported the track. */
  allocated: boolean;
  /**
   * How often it was played or sold. Returns are negative.
   * @example 1840
   */
  play_count: number;
  /**
   * The earnings for one play, with ten decimals, for information: `earnings` is exact. `null`: there were no plays.
   * @example 0.0031250000
   */
  unit_rate: string | null;
  /**
   * What you earned, in `currency`: `source_amount` × `fx_rate`, rounded half to even to six decimals.
   * @example 5.750000
   */
  earnings: string;
  /**
   * Format: currency
   * The ISO 4217 code of the currency of the statement.
   * @example EUR
   */
  currency: string;
  /**
   * Format: currency
   * The ISO 4217 code of the currency that the store reported.
   * @example EUR
   */
  source_currency: string;
  /**
   * What the store reported, in `source_currency`, with ten decimals.
   * @example 6.2500000000
   */
  source_amount: string;
  /**
   * How many units of `currency` one unit of `source_currency` is worth, with ten decimals.
   * @example 0.9200000000
   */
  fx_rate: string;
  /**
   * Format: date
   * The first day of the usage.
   * @example 2026-09-01
   */
  period_start: string;
  /**
   * Format: date
   * The last day of the usage.
   * @example 2026-09-30
   */
  period_end: string;
};
/**
 * One line for each line item, with the fields of `LineItem` in their order, as in RFC 4180. The first line has the names of the fields. `null` is an empty value. A `title` that begins with `=`, `+`, `-`, `@`, a tab or a line break has an apostrophe before it, so that no spreadsheet takes it for a formula.
 */
export type LineItemCsv = string;
export type LineItemPage = {
  /** The items of this page. */
  data: LineItem[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
/**
 * What one line item was made from.
 */
export type LineItemSource = {
  line_item: LineItem;
  /**
   * The id of a report of a store.
   * @example rpt_01m77q5me0e1xt3c9xj9s4yb2k
   */
  report_id: string;
  /** The files with the rows of the report. */
  parts: SourcePart[];
  /**
   * The number of rows that the line item is made from.
   * @example 2
   */
  row_count: number;
  /** The rows, at most 100 of them. All of them add up to the line item. */
  rows: SourceRow[];
};
export type LocalizedTitle = {
  /** The title in this language, at most 500 characters. */
  title: string;
  /** The version in this language, at most 500 characters. `null`: the title has none in this language. */
  version?: string | null;
};
export type LocalizedTitleInput = {
  /** The title in this language, at most 500 characters. */
  title: string;
  /** The version in this language, at most 500 characters. `null`: the title has none in this language. */
  version?: string | null;
};
export type LoggedRequest = {
  /**
   * The id of a request.
   * @example req_01m74z2pe0e92rqjmzew5t1rxc
   */
  id: string;
  /**
   * Format: date-time
   * When the request arrived. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /** How long the request took until its answer was sent, in milliseconds. */
  duration_ms: number;
  /**
   * The HTTP method of the request.
   * @example POST
   */
  method: string;
  /**
   * The path with its query, without secrets; the first 2,048 characters.
   * @example /v1/releases?status=draft
   */
  path: string;
  /**
   * The path of the operation. `null`: no operation has this path and method.
   * @example /v1/releases/:release_id
   */
  route: string | null;
  /**
   * The HTTP status of the answer.
   * @example 422
   */
  status: number;
  /** The error code. `null`: the request succeeded. */
  error_code: (ErrorCode | (string & {})) | null;
  /** The credential that sent the request. */
  actor: {
    /**
     * The kind of credential: an API key or an OAuth client. Accept values that you do not know: new ones may be added at any time.
     */
    type: 'api_key' | 'oauth_client' | (string & {});
    /**
     * The id of the API key (`key_…`) or OAuth client (`oac_…`).
     * @example key_01m1e000z0eq5a45b7smtk282j
     */
    id: string;
  };
  /**
   * The IP address of the client.
   * @example 192.0.2.7
   */
  address: string;
  request: RecordedRequest;
  response: RecordedResponse;
  /** The events that the request itself caused, oldest first, at most 100. Events of later steps, such as a review, are in `GET /v1/events`. */
  events: CausedEvent[];
  /** `true`: the request caused more than 100 events; the others are in `GET /v1/events`. */
  events_have_more: boolean;
};
export type LoggedRequestPage = {
  /** The items of this page. */
  data: LoggedRequestSummary[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type LoggedRequestSummary = {
  /**
   * The id of a request.
   * @example req_01m74z2pe0e92rqjmzew5t1rxc
   */
  id: string;
  /**
   * Format: date-time
   * When the request arrived. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /** How long the request took until its answer was sent, in milliseconds. */
  duration_ms: number;
  /**
   * The HTTP method of the request.
   * @example POST
   */
  method: string;
  /**
   * The path with its query, without secrets; the first 2,048 characters.
   * @example /v1/releases?status=draft
   */
  path: string;
  /**
   * The path of the operation. `null`: no operation has this path and method.
   * @example /v1/releases/:release_id
   */
  route: string | null;
  /**
   * The HTTP status of the answer.
   * @example 422
   */
  status: number;
  /** The error code. `null`: the request succeeded. */
  error_code: (ErrorCode | (string & {})) | null;
  /** The credential that sent the request. */
  actor: {
    /**
     * The kind of credential: an API key or an OAuth client. Accept values that you do not know: new ones may be added at any time.
     */
    type: 'api_key' | 'oauth_client' | (string & {});
    /**
     * The id of the API key (`key_…`) or OAuth client (`oac_…`).
     * @example key_01m1e000z0eq5a45b7smtk282j
     */
    id: string;
  };
  /**
   * The IP address of the client.
   * @example 192.0.2.7
   */
  address: string;
};
export type MergeArtist = {
  /**
   * The id of the artist that remains.
   * @example art_01m74xy2j0fr9b3h9f3q1ev2hb
   */
  into: string;
};
export type OAuthAccessToken = {
  /**
   * The access token. Send it as `Authorization: Bearer` with each request.
   * @example ta_at_…
   */
  access_token: string;
  /**
   * The type of the token, always `Bearer`.
   * @constant
   */
  token_type: 'Bearer';
  /**
   * How many seconds the token works.
   * @example 3600
   */
  expires_in: number;
  /** The scopes of the token, separated by spaces. */
  scope: string;
};
export type OAuthClient = {
  /**
   * The id of an OAuth client.
   * @example oac_01m72rpg40fksrwpbvsrhdfe12
   */
  id: string;
  /** Your own name for the client. */
  name: string;
  /** What the access tokens of the client may do. */
  scopes: (Scope | (string & {}))[];
  /** The secrets that work now, oldest first. */
  secrets: OAuthSecret[];
  /**
   * Format: date-time
   * When it was created. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When it was last changed. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
};
export type OAuthClientPage = {
  /** The items of this page. */
  data: OAuthClient[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type OAuthClientWithSecret = {
  /**
   * The id of an OAuth client.
   * @example oac_01m72rpg40fksrwpbvsrhdfe12
   */
  id: string;
  /** Your own name for the client. */
  name: string;
  /** What the access tokens of the client may do. */
  scopes: (Scope | (string & {}))[];
  /** The secrets that work now, oldest first. */
  secrets: OAuthSecret[];
  /**
   * Format: date-time
   * When it was created. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When it was last changed. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
  /** The secret. It is shown only in this answer. */
  secret: string;
};
export type OAuthError = {
  /**
   * The error code of OAuth 2.0 (RFC 6749). Decide by it. Accept values that you do not know: new ones may be added at any time.
   */
  error:
    | 'invalid_request'
    | 'invalid_client'
    | 'unauthorized_client'
    | 'unsupported_grant_type'
    | 'invalid_scope'
    | 'temporarily_unavailable'
    | 'server_error'
    | (string & {});
  /** A sentence for people: what is wrong and what to do. Its words may change; do not parse it. */
  error_description: string;
  /**
   * The page about the error (RFC 6749 §5.2).
   * @example https://sandbox.tonearm.example/docs/guides/errors#invalid_credentials
   */
  error_uri: string;
};
export type OAuthSecret = {
  /**
   * The id of a secret of an OAuth client.
   * @example ocs_01m72rpg40egxbxy4axfk6a0wq
   */
  id: string;
  /** The last 4 characters of the secret, to recognize it by. */
  hint: string;
  /**
   * Format: date-time
   * When it was created. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * When an access token was last issued for the secret. `null`: never. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  last_used_at: string | null;
  /**
   * When the secret stops working. `null`: when you revoke it. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  expires_at: string | null;
};
export type OAuthTokenRequest = {
  /**
   * The grant type, always `client_credentials`.
   */
  grant_type: 'client_credentials';
  /**
   * The scopes to request, separated by spaces. If you omit it, every scope of the client.
   * @example releases:read deliveries:write
   */
  scope?: string;
  /** Send it if you do not use HTTP Basic authentication. */
  client_id?: string;
  /** Send it if you do not use HTTP Basic authentication. */
  client_secret?: string;
};
export type Organization = {
  /**
   * The id of an organization.
   * @example org_01m1dzpw00fzw9q22scv9gsz25
   */
  id: string;
  /**
   * The name of your organization.
   * @example Northern Lights
   */
  name: string;
  tier: Tier;
  /**
   * The environment of this API.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /**
   * The id of a label.
   * @example lbl_01m1dzpw00eyhvjcvzet3qxeav
   */
  default_label_id: string;
  /** The name of the default label. */
  default_label: string;
  /**
   * Format: language
   * The BCP 47 language tag of `metadata_language` of releases that are created without it.
   * @example en
   * @example pt-BR
   */
  default_metadata_language: string;
  /** The contacts of your organization. */
  contacts: Contact[];
  /**
   * The territories that you are licensed for; `WORLD` alone for all.
   * @example [
   *       "WORLD"
   *     ]
   */
  licensed_territories: string[];
  /**
   * The currency of your statements, an ISO 4217 code. We set it with you; a change applies to later statements, and balances stay in their currency.
   * @example USD
   */
  statement_currency: string;
  verification: Verification;
  /**
   * Since when your organization is suspended: it can read, but change nothing. `null`: it is not suspended. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  suspended_at: string | null;
  /**
   * Format: date-time
   * When the organization was created. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the organization was last changed. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
};
/**
 * The verification of your organization changed, or what you must still send for it. Once it is verified, deliveries that waited for it are sent.
 */
export type OrganizationVerificationChangedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `organization.verification.changed`.
   */
  type: 'organization.verification.changed';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: Organization;
};
export type Payout = {
  /**
   * The id of a payout.
   * @example pay_01m7cxhb80f5mt2b7n4zr8gj6c
   */
  id: string;
  /**
   * Where the payout stands: `pending` (it is sent at the next cut-off, 12:00 UTC on business days), `on_hold` (see `holds`), `processing`, `in_transit`, `paid`, `failed`, `returned` or `canceled`. The last three are final. Accept values that you do not know: new ones may be added at any time.
   */
  status:
    | 'pending'
    | 'on_hold'
    | 'processing'
    | 'in_transit'
    | 'paid'
    | 'failed'
    | 'returned'
    | 'canceled'
    | (string & {});
  /**
   * The amount that leaves your balance, in the decimals of `currency`.
   * @example 120.50
   */
  amount: string;
  /**
   * Format: currency
   * The currency of `amount` and `fee_amount`.
   * @example EUR
   */
  currency: string;
  /**
   * The fee of the payout, in `currency`.
   * @example 0.00
   */
  fee_amount: string;
  /**
   * Who bears the fee. `payee`: it is taken out of `amount`. `house`: we bear it. Accept values that you do not know: new ones may be added at any time.
   */
  fee_bearer: 'payee' | 'house' | (string & {});
  /**
   * How many units of `destination.currency` one unit of `currency` is worth, with ten decimals. `null`: the currencies are the same.
   * @example 1.0850000000
   */
  fx_rate: string | null;
  /**
   * What arrives, in `destination.currency`.
   * @example 120.50
   */
  destination_amount: string;
  destination: PayoutDestination;
  /** The open holds, oldest first. Nothing is sent while one is open. */
  holds: PayoutHold[];
  /**
   * The id of a payout.
   * @example pay_01m7cxhb80f5mt2b7n4zr8gj6c
   */
  retry_of: string | null;
  /** The statements whose earnings the payout draws on, oldest first. */
  statement_ids: string[];
  /**
   * Why the payout failed or came back, as the bank says it. `null`: it did neither.
   * @example null
   */
  failure_code: string | null;
  /**
   * The day on which the money is expected to arrive. `null` until it is known.
   * @example 2027-01-15
   */
  arrives_on: string | null;
  /**
   * Format: date-time
   * When the payout was created.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the payout last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
};
/**
 * The payout method as it was when the payout was created.
 */
export type PayoutDestination = {
  /**
   * The id of a payout method.
   * @example pm_01m7cvpk40e7rs6v0h3qk2w9xd
   */
  payout_method_id: string;
  /**
   * The kind of payout method. Accept values that you do not know: new ones may be added at any time.
   */
  type: 'bank_account' | 'wallet' | (string & {});
  /**
   * The country of the account, as an ISO 3166-1 alpha-2 code.
   * @example DE
   */
  country: string;
  /**
   * Format: currency
   * The currency of the account.
   * @example EUR
   */
  currency: string;
  /**
   * The last characters of the account number.
   * @example 3000
   */
  last_four: string;
};
/**
 * A hold that is open.
 */
export type PayoutHold = {
  /**
   * Why the payout waits: `identity_verification` (your organization is not verified), `tax_form_missing` (your tax form is missing or has expired), `payout_method_changed` (the payout method is less than 72 hours old, or was removed), `compliance_review` (we review the payout) or `manual` (an operator opened it). Accept values that you do not know: new ones may be added at any time.
   */
  reason:
    | 'identity_verification'
    | 'compliance_review'
    | 'tax_form_missing'
    | 'payout_method_changed'
    | 'manual'
    | (string & {});
  /**
   * Format: date-time
   * When the hold was opened.
   * @example 2026-11-15T09:30:00.000Z
   */
  since: string;
  /** What you can do about it. Empty if there is nothing to do but to wait. */
  requirements: {
    /**
     * The stable identifier of the requirement. Accept values that you do not know: new ones may be added at any time.
     * @example update_tax_form
     */
    code: string;
    /**
     * A sentence for people: what to do.
     * @example Your tax form has expired. Send a new one with PATCH /v1/tax_profile.
     */
    description: string;
  }[];
  /**
   * When the hold ends by itself, or by when you must meet the requirements.
   * @example 2026-11-15T09:30:00.000Z
   */
  due_by: string | null;
};
export type PayoutMethod = {
  /**
   * The id of a payout method.
   * @example pm_01m7cvpk40e7rs6v0h3qk2w9xd
   */
  id: string;
  /**
   * The kind of payout method. Accept values that you do not know: new ones may be added at any time.
   */
  type: 'bank_account' | 'wallet' | (string & {});
  /**
   * Format: territory-code
   * The country of the bank or of the wallet, as an ISO 3166-1 code.
   * @example DE
   */
  country: string;
  /**
   * Format: currency
   * The currency in which the payee receives money.
   * @example EUR
   */
  currency: string;
  /**
   * The last four characters of the IBAN, account number or wallet id. The rest is never shown.
   * @example 3000
   */
  last_four: string;
  status: PayoutMethodStatus;
  /**
   * When payments can be sent to it: 72 hours after it became active. Payouts that you create before are on hold until then. `null`: it is not active yet.
   * @example 2026-11-15T09:30:00.000Z
   */
  usable_from: string | null;
  /**
   * The id of the API key or OAuth client that created it.
   * @example key_01m1e000z0eq5a45b7smtk282j
   */
  requested_by: string;
  /**
   * The id of the API key or OAuth client that approved it. `null`: it was not approved, or did not have to be.
   * @example key_01m1e000z0eq5a45b7smtk282j
   */
  approved_by: string | null;
  /**
   * Format: date-time
   * When the payout method was created.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the payout method was last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
};
/**
 * A payout method was created, approved or removed. If your organization did not do that, cancel the payouts that are on hold and contact support.
 */
export type PayoutMethodChangedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `payout_method.changed`.
   */
  type: 'payout_method.changed';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: PayoutMethod;
};
export type PayoutMethodPage = {
  /** The items of this page. */
  data: PayoutMethod[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
/**
 * `pending_approval`: another credential must approve it. `active`: payouts can use it, from `usable_from` on. `removed`: it cannot be used any more. Accept values that you do not know: new ones may be added at any time.
 */
export type PayoutMethodStatus = 'pending_approval' | 'active' | 'removed' | (string & {});
export type PayoutPage = {
  /** The items of this page. */
  data: Payout[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type PayoutSchedule = {
  /**
   * `manual`: you create payouts. `monthly`: on the first business day of each month at 12:00 UTC, a payout of the whole available balance is created for each currency that reaches the minimum. Accept values that you do not know: new ones may be added at any time.
   */
  mode: 'manual' | 'monthly' | (string & {});
  /**
   * The least amount of a payout, by currency. A currency that is missing has the usual minimum: 10 in most currencies, 1000 in those without decimals and 5 in those with three decimals. You cannot set less.
   * @example {
   *       "EUR": "50.00"
   *     }
   */
  minimum: {
    [key: string]: string;
  };
  /**
   * When the next payouts are created. `null` in the mode `manual`.
   * @example 2026-12-01T12:00:00.000Z
   */
  next_payout_at: string | null;
};
/**
 * A payout was created, or its status changed. Its holds say what it waits for, and failure_code why it failed or came back.
 */
export type PayoutStatusChangedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `payout.status.changed`.
   */
  type: 'payout.status.changed';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  /** The payout whose status changed, with its status before. */
  data: {
    /** The status of the payout before. `null`: it was created. */
    previous_status:
      | (
          | 'pending'
          | 'on_hold'
          | 'processing'
          | 'in_transit'
          | 'paid'
          | 'failed'
          | 'returned'
          | 'canceled'
          | (string & {})
        )
      | null;
    payout: Payout;
  };
};
export type PayoutTransition = {
  /**
   * Counts the changes of the payout, from 1 without a gap.
   * @example 1
   */
  number: number;
  /** The status before. `null`: the payout was created. Accept values that you do not know: new ones may be added at any time. */
  from:
    | (
        | 'pending'
        | 'on_hold'
        | 'processing'
        | 'in_transit'
        | 'paid'
        | 'failed'
        | 'returned'
        | 'canceled'
        | (string & {})
      )
    | null;
  /**
   * The status since. Accept values that you do not know: new ones may be added at any time.
   */
  to:
    | 'pending'
    | 'on_hold'
    | 'processing'
    | 'in_transit'
    | 'paid'
    | 'failed'
    | 'returned'
    | 'canceled'
    | (string & {});
  /**
   * Why the status changed: `created`, `hold_opened`, `holds_released`, `hold_rejected`, `canceled`, `expired`, `cut_off`, `rail_accepted`, `rail_refused`, `rail_confirmed` or `rail_bounced`. Accept values that you do not know: new ones may be added at any time.
   * @example created
   */
  cause: string;
  /**
   * Format: date-time
   * When the status changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  at: string;
};
export type PayoutTransitionList = {
  /** Every change of the status, the first one first. */
  data: PayoutTransition[];
};
/**
 * Checks whether a webhook can be reached. Answer 200 within ten seconds.
 */
export type PingEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `ping`.
   */
  type: 'ping';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  /** The webhook that is pinged. */
  data: {
    /**
     * The id of a webhook.
     * @example wh_01m72zj7c0f6eaabh8jztkn9p8
     */
    webhook_id: string;
    /** The URL that receives the ping. */
    url: string;
  };
};
export type PreflightFinding = {
  /** The id of the finding. It stays the same as long as the finding exists. */
  id: string;
  /**
   * The id of the rule. `GET /v1/preflight_rules` lists the rules.
   * @example artwork_size
   */
  rule: string;
  /**
   * `error`: the store would reject the release. `warning`: you can submit it, but should check it.
   */
  severity: 'error' | 'warning' | (string & {});
  /**
   * The stores that the finding concerns.
   * @example all
   * @example [
   *       "aurora"
   *     ]
   */
  applies_to: 'all' | string[];
  /**
   * A JSON pointer into the release; its tracks are ordered by disc and position.
   * @example /tracks/0/title
   */
  pointer: string;
  /** What is wrong and what to do. */
  message: string;
  /** The value that was found. */
  measured: string | number | boolean | null;
  /** The value that the rule allows. */
  limit: string | number | boolean | null;
  /** The unit of `measured` and `limit`. `null`: they are not numbers. */
  unit: ('ms' | 'px' | 'hz' | 'bits' | 'channels' | 'artists' | 'tracks' | (string & {})) | null;
  /**
   * What the rule is based on.
   * @example Modeled on a major streaming store's FAQ for partners.
   */
  source: string;
  /**
   * The `rejection_code` that a store would answer.
   */
  prevents:
    | 'commercial_release_date_invalid'
    | 'identifier_invalid'
    | 'identifier_syntax_invalid'
    | 'metadata_missing'
    | 'new_release_message_invalid'
    | 'no_deal_for_track_release'
    | 'no_deal_in_new_release_message'
    | 'original_release_date_later_than_release_date'
    | 'release_violates_terms_of_service'
    | 'resource_not_meeting_specifications'
    | 'rights_conflict'
    | (string & {});
  /** A JSON Patch (RFC 6902) that corrects the finding. Apply it with `POST /v1/releases/{release_id}/fixes`. `null`: you must correct it yourself. */
  patch: JsonPatchOperation[] | null;
};
export type PreflightReport = {
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /** The revision of the release that was checked. */
  revision: number;
  /** The version of the rules. */
  rules_version: string;
  /** The findings, errors first. */
  findings: PreflightFinding[];
  /** Every store, with how many findings concern it and when to submit at the latest. */
  stores: StoreReadiness[];
};
export type PreflightRule = {
  /**
   * The id of the rule, as in `rule` of a finding.
   * @example artwork_square
   */
  id: string;
  severity: SeverityByRulePack;
  /** `release`: the rule reads the release with all its tracks. `track`: it reads each track by itself. */
  scope: ('release' | 'track' | (string & {}))[];
  /**
   * The fields of the release and its tracks that the rule reads.
   * @example [
   *       "artwork_asset_id"
   *     ]
   */
  fields: string[];
  /** What the rule checks and why. */
  description: string;
  /** The unit of `measured` and `limit`. `null`: they are not numbers. */
  unit: ('ms' | 'px' | 'hz' | 'bits' | 'channels' | 'artists' | 'tracks' | (string & {})) | null;
  /**
   * What the rule is based on.
   * @example Modeled on a major streaming store's FAQ for partners.
   */
  source: string;
  /**
   * The `rejection_code` that a store would answer.
   */
  prevents:
    | 'commercial_release_date_invalid'
    | 'identifier_invalid'
    | 'identifier_syntax_invalid'
    | 'metadata_missing'
    | 'new_release_message_invalid'
    | 'no_deal_for_track_release'
    | 'no_deal_in_new_release_message'
    | 'original_release_date_later_than_release_date'
    | 'release_violates_terms_of_service'
    | 'resource_not_meeting_specifications'
    | 'rights_conflict'
    | (string & {});
};
export type PreflightRuleList = {
  /**
   * The version of the rules. It changes when a rule is added or removed, or decides differently.
   * @example 2026-11-17
   */
  rules_version: string;
  /** Every rule, in the order of a report. */
  data: PreflightRule[];
};
export type RecordedRequest = {
  /** Some of the headers, without credentials. The `idempotency-key` of another credential is cut to its first 8 characters. */
  headers: {
    [key: string]: string;
  };
  /** The first 16 KiB of the body, without secrets and with URLs cut to their host. `null`: there was no body, or it was not read. */
  body: string | null;
  /** The size of the whole body in bytes. */
  body_bytes: number;
  /** `true`: only the first 16 KiB of the body are kept. */
  truncated: boolean;
};
export type RecordedResponse = {
  /** Some of the headers, without credentials. */
  headers: {
    [key: string]: string;
  };
  /** The first 16 KiB of the body, without secrets and with URLs cut to their host. `null`: there was no body, or it was not read. */
  body: string | null;
  /** The size of the whole body in bytes. */
  body_bytes: number;
  /** `true`: only the first 16 KiB of the body are kept. */
  truncated: boolean;
};
export type RedeliverEvent = {
  /**
   * The id of the only webhook to send the event to. If you omit it, every webhook that the event was sent to before.
   * @example wh_01m72zj7c0f6eaabh8jztkn9p8
   */
  webhook_id?: string;
};
export type RedeliverSince = {
  /**
   * Format: date-time
   * Only events that happened at this time or later.
   * @example 2026-11-15T09:30:00.000Z
   */
  since: string;
};
export type RedeliveryCount = {
  /** How many attempts were scheduled. */
  count: number;
};
export type RedeliverySinceCount = {
  /** How many attempts were scheduled. */
  count: number;
  /** `true`: these are the oldest 10,000 events, and there are more. Send the request again. */
  has_more: boolean;
};
export type Release = {
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  id: string;
  /** Your own id of the resource. It must be unique among your resources of the same kind. */
  reference: string | null;
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores. */
  metadata: {
    [key: string]: string;
  };
  /**
   * The title as stores show it, at most 500 characters.
   * @example Night Drive
   */
  title: string;
  /**
   * The version, for example of a remix or an edition. Stores show it beside the title.
   * @example Deluxe Edition
   */
  version: string | null;
  /** The artists as stores show them. */
  artists: ArtistCredit[];
  /**
   * Format: date
   * The day of the release. It must be in the future when you submit the release.
   * @example 2027-01-15
   */
  release_date: string;
  /**
   * The moment of the release, the same everywhere. It must be on `release_date` in some time zone. `null`: local midnight of `release_date` in every territory.
   * @example 2027-01-15T17:00:00.000Z
   */
  release_at: string | null;
  /**
   * The day on which pre-orders begin. It must be before `release_date`. It is sent to the stores whose capabilities include `pre_order`.
   * @example 2026-12-18
   */
  pre_order_date: string | null;
  /**
   * The day on which the recording was first released.
   * @example 2027-01-15
   */
  original_release_date: string | null;
  /**
   * The name of the label as stores show it. If you omit it, the default label of your organization.
   * @example Northern Lights
   */
  label: string;
  /**
   * The id of the label whose name `label` was when the release was written. `null`: the label has no id.
   * @example lbl_01m1dzpw00eyhvjcvzet3qxeav
   */
  label_id: string | null;
  /**
   * Format: language
   * The BCP 47 tag of the language of titles, versions and names. If you omit it, the default of your organization. The language that is sung is `lyrics_language` of each track.
   * @example en
   */
  metadata_language: string;
  /**
   * The UPC: 12 digits, of which the last is the GS1 check digit. If you omit it, one is assigned from your pool. It cannot be changed later.
   * @example 860001000009
   */
  upc: string;
  /**
   * ISO 3166-1 alpha-2 codes, or `WORLD` alone for all territories that you are licensed for. Replaces the whole list; a PATCH without `excluded_territories` clears those.
   * @example [
   *       "WORLD"
   *     ]
   */
  territories: string[];
  /**
   * ISO 3166-1 alpha-2 codes of the territories to leave out. Allowed only if `territories` is `WORLD`.
   * @example [
   *       "RU",
   *       "BY"
   *     ]
   */
  excluded_territories: string[] | null;
  /**
   * How stores may offer the release. Send at least one use type. `null`: in every way.
   * @example [
   *       "ad_supported_stream",
   *       "subscription_stream"
   *     ]
   */
  use_types:
    | ('ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc' | (string & {}))[]
    | null;
  /**
   * The status of the release.
   */
  status: 'draft' | 'submitted' | 'delivered' | 'rejected' | (string & {});
  /**
   * The genre. `GET /v1/genres` lists the genres. A track without a genre has that of its release.
   * @example Electronic
   */
  genre: string | null;
  /**
   * The BCP 47 tag of the language whose capitalization rules apply to titles, and of the lyrics if a track has no `lyrics_language`; `zxx` for an instrumental. A track without a language has that of its release. The language of the metadata is `metadata_language`.
   * @example en
   */
  language: string | null;
  /**
   * The year and the owner of the recording, without the sign.
   * @example 2027 Northern Lights
   */
  p_line: string | null;
  /** `explicit`: explicit content. `clean`: a cleaned version of explicit content. `none`: neither. */
  explicit: ('explicit' | 'clean' | 'none' | (string & {})) | null;
  /** The type of the release. `null`: stores decide by the tracks. */
  type: ('single' | 'ep' | 'album' | 'compilation' | (string & {})) | null;
  /**
   * The year and the owner of the artwork and texts, without the sign.
   * @example 2027 Northern Lights
   */
  c_line: string | null;
  /** Your own catalog number, at most 100 characters. */
  catalog_number: string | null;
  /** How much was made by generative AI. Replaces the whole value. `null`, or a part that is `null` or omitted: not declared. */
  ai_use: ReleaseAiUse | null;
  /**
   * The EAN: 13 digits, of which the last is the GS1 check digit. Send it if the release already has one; stores get it instead of `upc`.
   * @example 4006381333931
   */
  ean: string | null;
  /** The price tier of a download. It is sent to stores with the use type `download`. `null`: each store decides. */
  price_tier: ('budget' | 'mid' | 'front' | 'premium' | (string & {})) | null;
  /**
   * The title and the version in other languages than `metadata_language`, by BCP 47 language tag. Replaces the whole map.
   * @example {
   *       "de": {
   *         "title": "Nachtfahrt"
   *       },
   *       "pt-BR": {
   *         "title": "Viagem noturna"
   *       }
   *     }
   */
  localized_titles: {
    [key: string]: LocalizedTitle;
  } | null;
  /**
   * A subgenre of the genre. `GET /v1/genres` lists the subgenres.
   * @example Synthwave
   */
  subgenre: string | null;
  /**
   * The id of an asset.
   * @example ast_01m74zn0c0fkdvvggszxx63qmy
   */
  artwork_asset_id: string | null;
  /** The number of tracks. */
  track_count: number;
  /** The latest submission. `null`: the release was never submitted. */
  submission: Submission | null;
  /** Counts every change of the release or its tracks. */
  revision: number;
  /**
   * Format: date-time
   * When the release was created.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the release was last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
};
/**
 * How much was made by generative AI. Replaces the whole value. `null`, or a part that is `null` or omitted: not declared.
 */
export type ReleaseAiUse = {
  /** How much of the artwork was made by generative AI. `null`: not declared. */
  artwork?: ('none' | 'partly' | 'all' | (string & {})) | null;
};
/**
 * How much was made by generative AI. Replaces the whole value. `null`, or a part that is `null` or omitted: not declared.
 */
export type ReleaseAiUseInput = {
  /** How much of the artwork was made by generative AI. `null`: not declared. */
  artwork?: ('none' | 'partly' | 'all') | null;
};
/**
 * A release was created. The creation is not also a release.status.changed.
 */
export type ReleaseCreatedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `release.created`.
   */
  type: 'release.created';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: Release;
};
export type ReleasePage = {
  /** The items of this page. */
  data: Release[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type ReleaseRevision = {
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /** The number of the revision. */
  revision: number;
  /** The fields that changed; empty for the first revision. */
  changed_fields: string[];
  actor: RevisionActor;
  /**
   * Format: date-time
   * When the change was made.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  release: Release;
};
export type ReleaseRevisionPage = {
  /** The items of this page. */
  data: ReleaseRevisionSummary[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type ReleaseRevisionSummary = {
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /** The number of the revision. */
  revision: number;
  /** The fields that changed; empty for the first revision. */
  changed_fields: string[];
  actor: RevisionActor;
  /**
   * Format: date-time
   * When the change was made.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
};
/**
 * The status of a release changed.
 */
export type ReleaseStatusChangedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `release.status.changed`.
   */
  type: 'release.status.changed';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  /** The release whose status changed, with both statuses. */
  data: {
    /**
     * The id of a release.
     * @example rel_01m74z2pe0emj8rpmscqkq6ty7
     */
    release_id: string;
    /**
     * The status of the release before.
     */
    previous_status: 'draft' | 'submitted' | 'delivered' | 'rejected' | (string & {});
    /**
     * The status of the release now.
     */
    status: 'draft' | 'submitted' | 'delivered' | 'rejected' | (string & {});
    release: Release;
  };
};
export type ReportingStatus = {
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id: string;
  /**
   * The month in which the music was used.
   * @example 2026-09
   */
  usage_month: string;
  /**
   * `not_due`: the month has not ended. `awaited`: the store will report it. `late`: the store should have reported it. `reported`: the store has reported it. `paid`: the store has also paid for it. `included`: it is in published statements. Accept values that you do not know: new ones may be added at any time.
   */
  state: 'not_due' | 'awaited' | 'late' | 'reported' | 'paid' | 'included' | (string & {});
  /**
   * Format: date
   * The day by which the store reports the month. After it, a month without a report is `late`.
   * @example 2026-11-14
   */
  expected_by: string;
};
export type ReportingStatusPage = {
  /** The items of this page. */
  data: ReportingStatus[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type ResetSandbox = {
  /**
   * `true`: a fictional catalog is created after yours is removed, with releases and deliveries in every state.
   * @default true
   */
  seed?: boolean;
  /**
   * `true`: the fictional catalog also has twelve months of royalties, with a statement for each month. The reset takes longer.
   * @default false
   */
  royalties?: boolean;
};
export type ResubmitDelivery = {
  /** The `store_id` of the only stores to act on. If you omit it, every store that the action applies to. */
  stores?: string[];
  /** `true`: resubmit even if the release has not changed since the rejection. */
  force?: boolean;
};
export type ReviewFinding = {
  /**
   * The id of the rule.
   * @example isrc_repeated
   */
  rule: string;
  /**
   * The stores that the finding concerns.
   * @example all
   * @example [
   *       "aurora"
   *     ]
   */
  applies_to: 'all' | string[];
  /**
   * A JSON pointer to the value that the finding is about.
   * @example /tracks/1/isrc
   */
  pointer: string;
  /** What is wrong and what to do. */
  message: string;
};
export type RevisionActor = {
  /** The kind of actor: `api_key`, `oauth_client`, `operator` (a person who works for us) or `workflow` (a background process of ours). */
  type: string;
  /** The id of an API key (`key_…`) or OAuth client (`oac_…`), or the name of an operator or a background process of ours. */
  id: string;
};
export type RevisionFieldChange = {
  /**
   * A JSON pointer to the changed value.
   * @example /title
   */
  pointer: string;
  /** The value before. */
  before: unknown;
  /** The value after. */
  after: unknown;
};
export type RotateWebhookSecret = {
  /**
   * For how many seconds `X-SVC-Signature` still uses the old secret and `webhook-signature` has both, from 0 to 604800 (7 days). If you omit it, 86400 (1 day).
   * @default 86400
   */
  grace_period_seconds?: number;
};
export type Royalty = {
  /**
   * The id of a royalty record.
   * @example roy_0000000001hqmt5c1xj9s4ya7f
   */
  id: string;
  /**
   * The id of a statement.
   * @example stm_01m77wd2r0fqmt5c1xj9s4ya7f
   */
  statement_id: string;
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /**
   * The id of a track.
   * @example trk_01m750sm80eet8vawv9v10rf6c
   */
  track_id: string;
  /**
   * The ISRC of the recording, with hyphens.
   * @example QZ-NLR-25-00004
   */
  isrc: string;
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id: string;
  /**
   * The ISO 3166-1 alpha-2 code of the territory in which the music was used.
   * @example DE
   */
  territory: string;
  /**
   * Format: date
   * The first day of the month in which the music was used.
   * @example 2026-09-01
   */
  period_start: string;
  /**
   * Format: date
   * The last day of the month in which the music was used.
   * @example 2026-09-30
   */
  period_end: string;
  /**
   * How often the music was played or sold. Returns count less than zero.
   * @example 41200
   */
  play_count: number;
  /**
   * What stores reported, in the currency of the statement.
   * @example 151.117647
   */
  gross_amount: string;
  /**
   * Distribution fees.
   * @example 22.667647
   */
  fee_amount: string;
  /**
   * Taxes that stores withheld.
   * @example 0.000000
   */
  source_tax_amount: string;
  /**
   * Taxes that we withheld from you.
   * @example 0.000000
   */
  payee_tax_amount: string;
  /**
   * Both taxes.
   * @example 0.000000
   */
  tax_amount: string;
  /**
   * The amount is gross_amount − fee_amount − tax_amount.
   * @example 128.450000
   */
  net_amount: string;
  /**
   * Format: currency
   * The ISO 4217 code of the currency of the amounts.
   * @example EUR
   */
  currency: string;
  /**
   * Format: date-time
   * When the statement was published.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
};
export type RoyaltyPage = {
  /** The items of this page. */
  data: Royalty[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type RoyaltySummary = {
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id?: string;
  /**
   * The ISO 3166-1 alpha-2 code of the territory in which the music was used.
   * @example DE
   */
  territory?: string;
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id?: string;
  /**
   * The id of a track.
   * @example trk_01m750sm80eet8vawv9v10rf6c
   */
  track_id?: string;
  /**
   * The ISRC of the recording, with hyphens.
   * @example QZ-NLR-25-00004
   */
  isrc?: string;
  /**
   * The label of the release when the statement was published. `null`: the release was gone.
   * @example Northern Lights
   */
  label?: string | null;
  /**
   * The month in which the music was used.
   * @example 2026-09
   */
  usage_month?: string;
  /**
   * The month to which the store accounted the usage. It may differ from the usage month.
   * @example 2026-09
   */
  accounting_month?: string;
  /**
   * How the music was used. Accept values that you do not know: new ones may be added at any time.
   */
  use_type?: 'ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc' | (string & {});
  /**
   * How often the music was played or sold. Returns count less than zero.
   * @example 41200
   */
  play_count: number;
  /**
   * What stores reported, in the currency of the statement.
   * @example 151.117647
   */
  gross_amount: string;
  /**
   * Distribution fees.
   * @example 22.667647
   */
  fee_amount: string;
  /**
   * Taxes that stores withheld.
   * @example 0.000000
   */
  source_tax_amount: string;
  /**
   * Taxes that we withheld from you.
   * @example 0.000000
   */
  payee_tax_amount: string;
  /**
   * Both taxes.
   * @example 0.000000
   */
  tax_amount: string;
  /**
   * The amount is gross_amount − fee_amount − tax_amount.
   * @example 128.450000
   */
  net_amount: string;
  /**
   * Format: currency
   * The ISO 4217 code of the currency of the amounts.
   * @example EUR
   */
  currency: string;
};
export type RoyaltySummaryPage = {
  /** The items of this page. */
  data: RoyaltySummary[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type SandboxClock = {
  /**
   * Format: date-time
   * The current time of your organization (business time).
   * @example 2026-11-15T09:30:00.000Z
   */
  now: string;
  /**
   * `running`: the clock moves with real time. `manual`: it is frozen, and nothing becomes due until you advance it.
   */
  mode: 'running' | 'manual' | (string & {});
  /**
   * `advancing`: the clock is being moved, and not everything that became due has happened yet. `idle`: it is not.
   */
  status: 'idle' | 'advancing' | (string & {});
  /**
   * The time that the clock is being advanced to. `null`: it is not being advanced.
   * @example 2026-11-15T09:30:00.000Z
   */
  advancing_to: string | null;
  /**
   * When your next timer is due. `null`: no timer is set.
   * @example 2026-11-15T09:30:00.000Z
   */
  next_due_at: string | null;
};
export type SandboxReport = {
  /**
   * The id of a report of a store.
   * @example rpt_01m77q5me0e1xt3c9xj9s4yb2k
   */
  id: string;
  /**
   * The store that reports.
   * @example aurora
   */
  store_id: string;
  /**
   * The month in which your recordings were used. It must have ended by the clock of your sandbox.
   * @example 2026-10
   */
  period: string;
  /**
   * What is special about the report. Accept values that you do not know: new ones may be added at any time.
   * @example normal
   */
  kind:
    | 'normal'
    | 'late'
    | 'restated'
    | 'returns'
    | 'penalty'
    | 'unmatched'
    | 'short_paid'
    | (string & {});
  /**
   * `expected`: the store has not sent it yet. `paid` and `short_paid`: it was read, and the store has paid it or a part of it; the next closing, on the 15th of a month, puts it on a statement. `included`: it is on a statement. `superseded`: another report has replaced it. `failed`: see `problem`. Accept values that you do not know: new ones may be added at any time.
   * @example paid
   */
  status: 'expected' | 'paid' | 'short_paid' | 'included' | 'superseded' | 'failed' | (string & {});
  /**
   * Format: date-time
   * When the store sends the report, by the clock of your sandbox.
   * @example 2026-11-15T09:30:00.000Z
   */
  arrives_at: string;
  /**
   * The id of the report that this one replaces.
   * @example rpt_01m77q5me0e1xt3c9xj9s4yb2k
   */
  supersedes: string | null;
  /**
   * The currency of the amounts: that of your statements. `null` while expected.
   * @example EUR
   */
  currency: string | null;
  /**
   * The number of rows of its file. `null` while expected.
   * @example 10
   */
  row_count: number | null;
  /**
   * The number of rows about recordings that you have not delivered. `null` while expected.
   * @example 0
   */
  unmatched_row_count: number | null;
  /**
   * What the store reports to owe, before fees and taxes. `null` while expected.
   * @example 128.450000
   */
  reported_amount: string | null;
  /**
   * What the store has paid for it. A `restated` report is paid by the difference only. `null` while expected.
   * @example 128.450000
   */
  paid_amount: string | null;
  /** Why the report failed. `null`: it did not fail. */
  problem: string | null;
  /**
   * Format: date-time
   * When you asked for the report.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the report changed last.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
};
export type SandboxReportPage = {
  /** The items of this page. */
  data: SandboxReport[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type SandboxReset = {
  /**
   * The status of the reset. `failed`: the old catalog is removed, and the fictional one is incomplete; reset again.
   */
  status: 'idle' | 'running' | 'failed' | (string & {});
  /** `true`: the last reset created the complete fictional catalog. */
  seeded: boolean;
  /**
   * When the reset started, in real time. `null`: the sandbox was never reset.
   * @example 2026-11-15T09:30:00.000Z
   */
  started_at: string | null;
  /**
   * When the reset finished, in real time.
   * @example 2026-11-15T09:30:00.000Z
   */
  finished_at: string | null;
  /** Why the reset failed. `null`: it did not fail. */
  problem: string | null;
};
export type Scenario = {
  /**
   * The id of a scenario.
   * @example scn_01m72w4br0ea892fjnp010ehmy
   */
  id: string;
  /** A note of your own. `null`: you sent none. */
  name: string | null;
  /** The store that the scenario applies to. `null`: every store. */
  store_id: string | null;
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string | null;
  /** The kind of message that the scenario applies to. `payout`: payouts. `null`: every kind of message to a store. */
  message: ('deliver' | 'update' | 'takedown' | 'payout' | (string & {})) | null;
  /** The seed of the steps with a `chance`. */
  seed: number;
  /** What the store does with each message of a delivery: the first step is for the first message. With `message` `payout`: what happens to each payout. */
  steps: ScenarioStep[];
  /** `true`: after the last step the first one follows. `false`: the store then does what it usually does. */
  repeats: boolean;
  /**
   * Format: date-time
   * When the scenario was created. If several scenarios match a message, the newest applies.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
};
export type ScenarioLaterAction = {
  /**
   * `flag`: the store asks for something (`action_required`). `remove`: the store takes the release down (`taken_down_by` is `store`).
   */
  action: 'flag' | 'remove' | (string & {});
  /**
   * How long after the previous action, at least `1s`. The first action counts from when the store has the release or the update: from its positive answer or, at a store that does not announce availability, from when the release counts as live. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  after: string;
  /** The rejection code of `flag`. */
  code?: string;
  /** The reason of `flag`, for people. */
  reason?: string;
};
export type ScenarioLaterActionFlag = {
  /**
   * The action, always `flag`.
   */
  action: 'flag';
  /**
   * How long after the previous action, at least `1s`. The first action counts from when the store has the release or the update: from its positive answer or, at a store that does not announce availability, from when the release counts as live. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  after: string;
  /** The rejection code of `flag`. */
  code?: string;
  /** The reason of `flag`, for people. */
  reason?: string;
};
/**
 * `flag`: the store asks for something (`action_required`). `remove`: the store takes the release down (`taken_down_by` is `store`).
 */
export type ScenarioLaterActionInput = ScenarioLaterActionFlag | ScenarioLaterActionRemove;
export type ScenarioLaterActionRemove = {
  /**
   * The action, always `remove`.
   */
  action: 'remove';
  /**
   * How long after the previous action, at least `1s`. The first action counts from when the store has the release or the update: from its positive answer or, at a store that does not announce availability, from when the release counts as live. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  after: string;
};
export type ScenarioPage = {
  /** The items of this page. */
  data: Scenario[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type ScenarioStep = {
  /**
   * `confirm`, `reject` or `flag`: the store answers the message so. `delay`: the usual answer comes later. `late`: it comes after `expected_by`. `lose`: it never comes. `duplicate`: it comes several times. `outage`: the store cannot be reached, and the next step follows when it can be again. How a store confirms depends on its `capabilities.confirmation`: `live` announces availability, `ingest` sends a receipt, `none` sends nothing. With `message` `payout`: `accept`, `refuse`: the rail does so. `unknown`: the rail accepts the payment and breaks the connection, so the payout stays `processing` until the rail is asked. `slow`: the rail accepts it after a delay. `bounce`: it accepts the payment, which comes back later. `review`, `review_at_cut_off`: the screening asks for a compliance review when the payout is created, or at its cut-off.
   */
  action:
    | 'confirm'
    | 'reject'
    | 'flag'
    | 'delay'
    | 'late'
    | 'lose'
    | 'duplicate'
    | 'outage'
    | 'accept'
    | 'refuse'
    | 'unknown'
    | 'slow'
    | 'bounce'
    | 'review'
    | 'review_at_cut_off'
    | (string & {});
  /**
   * When the answer comes, instead of the usual time. For `delay`: how much later than usual. For `late`: how long after `expected_by`. For `slow`: how long the rail takes, in real time, at most `10m`; `2s` if you omit it. For `bounce`: how long after the payment was sent it comes back; `21d` if you omit it. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  after?: string;
  /** The rejection code, for `reject` (required) and `flag`. The failure code of the payout, for `refuse` (required) and `bounce`. */
  code?: string;
  /** The reason, for people, for `reject` and `flag`. */
  reason?: string;
  /**
   * For `flag`: how the store resolves it by itself.
   */
  resolves?: 'confirm' | 'reject' | (string & {});
  /**
   * For `flag` with `resolves`: how long after the flag. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  resolves_after?: string;
  /** For `duplicate`: how often the answer comes. If you omit it, 2 times. */
  times?: number;
  /**
   * For `outage` (required): how long it lasts, from the first attempt to send the message. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  lasts?: string;
  /** For `confirm`, `delay`, `late` and `duplicate`: what the store does with the release afterwards. Nothing can follow a `remove`. Takedowns do not use it: it is refused if `message` is `takedown`, and otherwise ignored for takedowns. */
  then?: ScenarioLaterAction[];
  /** The probability of the step, from 0 to 1; otherwise the store does what it usually does. The result depends only on the seed, the store, the kind of message and the reference of the release (or its UPC): the same values give the same result. */
  chance?: number;
};
export type ScenarioStepAccept = {
  /**
   * The action, always `accept`.
   */
  action: 'accept';
};
export type ScenarioStepBounce = {
  /**
   * The action, always `bounce`.
   */
  action: 'bounce';
  /**
   * When the answer comes, instead of the usual time. For `delay`: how much later than usual. For `late`: how long after `expected_by`. For `slow`: how long the rail takes, in real time, at most `10m`; `2s` if you omit it. For `bounce`: how long after the payment was sent it comes back; `21d` if you omit it. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  after?: string;
  /** The rejection code, for `reject` (required) and `flag`. The failure code of the payout, for `refuse` (required) and `bounce`. */
  code?: string;
};
export type ScenarioStepConfirm = {
  /**
   * The action, always `confirm`.
   */
  action: 'confirm';
  /**
   * When the answer comes, instead of the usual time. For `delay`: how much later than usual. For `late`: how long after `expected_by`. For `slow`: how long the rail takes, in real time, at most `10m`; `2s` if you omit it. For `bounce`: how long after the payment was sent it comes back; `21d` if you omit it. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  after?: string;
  /** For `confirm`, `delay`, `late` and `duplicate`: what the store does with the release afterwards. Nothing can follow a `remove`. Takedowns do not use it: it is refused if `message` is `takedown`, and otherwise ignored for takedowns. */
  then?: ScenarioLaterActionInput[];
  /** The probability of the step, from 0 to 1; otherwise the store does what it usually does. The result depends only on the seed, the store, the kind of message and the reference of the release (or its UPC): the same values give the same result. */
  chance?: number;
};
export type ScenarioStepDelay = {
  /**
   * The action, always `delay`.
   */
  action: 'delay';
  /**
   * When the answer comes, instead of the usual time. For `delay`: how much later than usual. For `late`: how long after `expected_by`. For `slow`: how long the rail takes, in real time, at most `10m`; `2s` if you omit it. For `bounce`: how long after the payment was sent it comes back; `21d` if you omit it. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  after: string;
  /** For `confirm`, `delay`, `late` and `duplicate`: what the store does with the release afterwards. Nothing can follow a `remove`. Takedowns do not use it: it is refused if `message` is `takedown`, and otherwise ignored for takedowns. */
  then?: ScenarioLaterActionInput[];
  /** The probability of the step, from 0 to 1; otherwise the store does what it usually does. The result depends only on the seed, the store, the kind of message and the reference of the release (or its UPC): the same values give the same result. */
  chance?: number;
};
export type ScenarioStepDuplicate = {
  /**
   * The action, always `duplicate`.
   */
  action: 'duplicate';
  /**
   * When the answer comes, instead of the usual time. For `delay`: how much later than usual. For `late`: how long after `expected_by`. For `slow`: how long the rail takes, in real time, at most `10m`; `2s` if you omit it. For `bounce`: how long after the payment was sent it comes back; `21d` if you omit it. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  after?: string;
  /** For `duplicate`: how often the answer comes. If you omit it, 2 times. */
  times?: number;
  /** For `confirm`, `delay`, `late` and `duplicate`: what the store does with the release afterwards. Nothing can follow a `remove`. Takedowns do not use it: it is refused if `message` is `takedown`, and otherwise ignored for takedowns. */
  then?: ScenarioLaterActionInput[];
  /** The probability of the step, from 0 to 1; otherwise the store does what it usually does. The result depends only on the seed, the store, the kind of message and the reference of the release (or its UPC): the same values give the same result. */
  chance?: number;
};
export type ScenarioStepFlag = {
  /**
   * The action, always `flag`.
   */
  action: 'flag';
  /**
   * When the answer comes, instead of the usual time. For `delay`: how much later than usual. For `late`: how long after `expected_by`. For `slow`: how long the rail takes, in real time, at most `10m`; `2s` if you omit it. For `bounce`: how long after the payment was sent it comes back; `21d` if you omit it. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  after?: string;
  /** The rejection code, for `reject` (required) and `flag`. The failure code of the payout, for `refuse` (required) and `bounce`. */
  code?: string;
  /** The reason, for people, for `reject` and `flag`. */
  reason?: string;
  /**
   * For `flag`: how the store resolves it by itself.
   */
  resolves?: 'confirm' | 'reject';
  /**
   * For `flag` with `resolves`: how long after the flag. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  resolves_after?: string;
  /** The probability of the step, from 0 to 1; otherwise the store does what it usually does. The result depends only on the seed, the store, the kind of message and the reference of the release (or its UPC): the same values give the same result. */
  chance?: number;
};
/**
 * `confirm`, `reject` or `flag`: the store answers the message so. `delay`: the usual answer comes later. `late`: it comes after `expected_by`. `lose`: it never comes. `duplicate`: it comes several times. `outage`: the store cannot be reached, and the next step follows when it can be again. How a store confirms depends on its `capabilities.confirmation`: `live` announces availability, `ingest` sends a receipt, `none` sends nothing. With `message` `payout`: `accept`, `refuse`: the rail does so. `unknown`: the rail accepts the payment and breaks the connection, so the payout stays `processing` until the rail is asked. `slow`: the rail accepts it after a delay. `bounce`: it accepts the payment, which comes back later. `review`, `review_at_cut_off`: the screening asks for a compliance review when the payout is created, or at its cut-off.
 */
export type ScenarioStepInput =
  | ScenarioStepConfirm
  | ScenarioStepReject
  | ScenarioStepFlag
  | ScenarioStepDelay
  | ScenarioStepLate
  | ScenarioStepLose
  | ScenarioStepDuplicate
  | ScenarioStepOutage
  | ScenarioStepAccept
  | ScenarioStepRefuse
  | ScenarioStepUnknown
  | ScenarioStepSlow
  | ScenarioStepBounce
  | ScenarioStepReview
  | ScenarioStepReviewAtCutOff;
export type ScenarioStepLate = {
  /**
   * The action, always `late`.
   */
  action: 'late';
  /**
   * When the answer comes, instead of the usual time. For `delay`: how much later than usual. For `late`: how long after `expected_by`. For `slow`: how long the rail takes, in real time, at most `10m`; `2s` if you omit it. For `bounce`: how long after the payment was sent it comes back; `21d` if you omit it. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  after?: string;
  /** For `confirm`, `delay`, `late` and `duplicate`: what the store does with the release afterwards. Nothing can follow a `remove`. Takedowns do not use it: it is refused if `message` is `takedown`, and otherwise ignored for takedowns. */
  then?: ScenarioLaterActionInput[];
  /** The probability of the step, from 0 to 1; otherwise the store does what it usually does. The result depends only on the seed, the store, the kind of message and the reference of the release (or its UPC): the same values give the same result. */
  chance?: number;
};
export type ScenarioStepLose = {
  /**
   * The action, always `lose`.
   */
  action: 'lose';
  /** The probability of the step, from 0 to 1; otherwise the store does what it usually does. The result depends only on the seed, the store, the kind of message and the reference of the release (or its UPC): the same values give the same result. */
  chance?: number;
};
export type ScenarioStepOutage = {
  /**
   * The action, always `outage`.
   */
  action: 'outage';
  /**
   * For `outage` (required): how long it lasts, from the first attempt to send the message. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  lasts: string;
  /** The probability of the step, from 0 to 1; otherwise the store does what it usually does. The result depends only on the seed, the store, the kind of message and the reference of the release (or its UPC): the same values give the same result. */
  chance?: number;
};
export type ScenarioStepRefuse = {
  /**
   * The action, always `refuse`.
   */
  action: 'refuse';
  /** The rejection code, for `reject` (required) and `flag`. The failure code of the payout, for `refuse` (required) and `bounce`. */
  code: string;
};
export type ScenarioStepReject = {
  /**
   * The action, always `reject`.
   */
  action: 'reject';
  /**
   * When the answer comes, instead of the usual time. For `delay`: how much later than usual. For `late`: how long after `expected_by`. For `slow`: how long the rail takes, in real time, at most `10m`; `2s` if you omit it. For `bounce`: how long after the payment was sent it comes back; `21d` if you omit it. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  after?: string;
  /** The rejection code, for `reject` (required) and `flag`. The failure code of the payout, for `refuse` (required) and `bounce`. */
  code: string;
  /** The reason, for people, for `reject` and `flag`. */
  reason?: string;
  /** The probability of the step, from 0 to 1; otherwise the store does what it usually does. The result depends only on the seed, the store, the kind of message and the reference of the release (or its UPC): the same values give the same result. */
  chance?: number;
};
export type ScenarioStepReview = {
  /**
   * The action, always `review`.
   */
  action: 'review';
};
export type ScenarioStepReviewAtCutOff = {
  /**
   * The action, always `review_at_cut_off`.
   */
  action: 'review_at_cut_off';
};
export type ScenarioStepSlow = {
  /**
   * The action, always `slow`.
   */
  action: 'slow';
  /**
   * When the answer comes, instead of the usual time. For `delay`: how much later than usual. For `late`: how long after `expected_by`. For `slow`: how long the rail takes, in real time, at most `10m`; `2s` if you omit it. For `bounce`: how long after the payment was sent it comes back; `21d` if you omit it. Write a number and `s`, `m`, `h` or `d`.
   * @example 72h
   */
  after?: string;
};
export type ScenarioStepUnknown = {
  /**
   * The action, always `unknown`.
   */
  action: 'unknown';
};
/**
 * What a credential may do. Accept values that you do not know: new ones may be added at any time.
 */
export type Scope =
  | 'releases:read'
  | 'releases:write'
  | 'tracks:read'
  | 'tracks:write'
  | 'assets:read'
  | 'assets:write'
  | 'deliveries:read'
  | 'deliveries:write'
  | 'webhooks:read'
  | 'webhooks:write'
  | 'events:read'
  | 'stores:read'
  | 'royalties:read'
  | 'statements:read'
  | 'payouts:read'
  | 'payouts:write'
  | 'requests:read'
  | 'audit:read'
  | 'organization:read'
  | 'organization:write'
  | 'sandbox:write';
/**
 * What a webhook can receive: a ping or an event. Accept values that you do not know: new ones may be added at any time.
 */
export type SentEventType =
  | 'ping'
  | 'release.created'
  | 'release.status.changed'
  | 'asset.ready'
  | 'asset.failed'
  | 'delivery.completed'
  | 'delivery.taken_down'
  | 'delivery.store.updated'
  | 'delivery.store.overdue'
  | 'payout.status.changed'
  | 'payout_method.changed'
  | 'statement.published'
  | 'adjustment.created'
  | 'earnings.held'
  | 'earnings.released'
  | 'earnings.forfeited'
  | 'webhook.disabled'
  | 'organization.verification.changed'
  | 'api.changelog.published'
  | (string & {});
export type SetClockMode = {
  /**
   * `running`: the clock moves with real time. `manual`: it is frozen.
   */
  mode: 'running' | 'manual';
};
export type SetInboxAnswer = {
  /**
   * The HTTP status that the inbox answers, from 200 to 599.
   * @example 503
   */
  status: number;
  /** How many requests get this answer, before the inbox answers 200 again. `null`: all of them, until you change it. */
  times?: number | null;
  /**
   * How long the inbox waits before it answers, in seconds: from `0s` (the default) to `35s`. An attempt without an answer fails after 30 seconds.
   * @example 31s
   */
  delay?: string;
  /** The number of seconds in the header `Retry-After` of the answer. `null`: the header is not sent. */
  retry_after?: number | null;
};
export type SetSandboxVerification = {
  /**
   * The status of the verification. Unless it is `verified`, deliveries wait: their stores are `pending` with `waiting_for` `verification`. Takedowns do not wait.
   */
  status: 'unverified' | 'pending' | 'verified' | 'rejected';
  /** What you must still send or do. */
  requirements?: VerificationRequirementInput[];
};
/**
 * The severity by the rule pack of the store.
 */
export type SeverityByRulePack = {
  /** The severity at stores with this rule pack. `null`: the rule does not apply. */
  a: ('error' | 'warning' | (string & {})) | null;
  /** The severity at stores with this rule pack. `null`: the rule does not apply. */
  b: ('error' | 'warning' | (string & {})) | null;
  /** The severity at stores with this rule pack. `null`: the rule does not apply. */
  base: ('error' | 'warning' | (string & {})) | null;
};
export type SingleUpload = {
  /** The presigned URL to send the file to. */
  url: string;
  /**
   * The HTTP method of the upload.
   * @constant
   */
  method: 'PUT';
  /** The headers to send with the upload, exactly these. */
  headers: {
    [key: string]: string;
  };
  /**
   * Format: date-time
   * When the URL stops working. Read the asset to get new URLs. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  expires_at: string;
  /**
   * How long the URL still works, in seconds, from when you received this answer.
   * @example 3600
   */
  expires_in_seconds: number;
};
export type SkippedStore = {
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id: string;
  /**
   * Why the request does not apply to the store.
   * @example aurora is in_progress
   */
  reason: string;
};
export type SourcePart = {
  /**
   * The number of the file among those of the report.
   * @example 1
   */
  number: number;
  /**
   * The SHA-256 digest of the file. It has rows of others, and stays with us.
   * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
   */
  sha256: string;
};
export type SourceRow = {
  /**
   * The number of the file that has the row.
   * @example 1
   */
  part: number;
  /**
   * The position of the row in that file. It is not the number of a line in the file of the store, which is not kept.
   * @example 4711
   */
  row: number;
  /** The title that the store reported. */
  title: string;
  /**
   * The plays that the store reported.
   * @example 600
   */
  play_count: number;
  /**
   * The amount that the store reported, with ten decimals, in `source_currency` of the line item.
   * @example 1.2500000000
   */
  source_amount: string;
};
export type Statement = {
  /**
   * The id of a statement.
   * @example stm_01m77wd2r0fqmt5c1xj9s4ya7f
   */
  id: string;
  /**
   * Format: date
   * The first day of the month of the statement.
   * @example 2026-10-01
   */
  period_start: string;
  /**
   * Format: date
   * The last day of the month of the statement.
   * @example 2026-10-31
   */
  period_end: string;
  /**
   * `open`: it is not calculated yet. Until then its amounts are zero, and its closing balance is its opening balance. `published`: it never changes.
   */
  status: 'open' | 'published' | (string & {});
  /**
   * Format: currency
   * The ISO 4217 code of the currency of the amounts.
   * @example EUR
   */
  currency: string;
  /**
   * The closing balance of the statement before.
   * @example 250.000000
   */
  opening_balance: string;
  /**
   * The sum of the line items.
   * @example 151.117647
   */
  gross_amount: string;
  /**
   * Distribution fees.
   * @example 22.667647
   */
  fee_amount: string;
  /**
   * Taxes that stores withheld.
   * @example 0.000000
   */
  source_tax_amount: string;
  /**
   * Taxes that we withheld from you.
   * @example 0.000000
   */
  payee_tax_amount: string;
  /**
   * Both taxes.
   * @example 0.000000
   */
  tax_amount: string;
  /**
   * The sum of the adjustments since the statement before.
   * @example 0.000000
   */
  adjustment_amount: string;
  /**
   * The amount is gross_amount − fee_amount − tax_amount.
   * @example 128.450000
   */
  net_amount: string;
  /**
   * What was paid out since the statement before.
   * @example 250.000000
   */
  payout_amount: string;
  /**
   * The balance is opening_balance + net_amount + adjustment_amount − payout_amount.
   * @example 128.450000
   */
  closing_balance: string;
  /**
   * What could be paid of the closing balance.
   * @example 128.450000
   */
  available_amount: string;
  /**
   * What was reserved for payouts of the closing balance.
   * @example 0.000000
   */
  reserved_amount: string;
  /**
   * What was held of the closing balance.
   * @example 0.000000
   */
  held_amount: string;
  /**
   * The number of line items.
   * @example 1204
   */
  line_item_count: number;
  /**
   * When it was published. `null`: it is open.
   * @example 2026-11-15T09:30:00.000Z
   */
  published_at: string | null;
};
export type StatementAccount = {
  /**
   * The account: `payable` (what you can be paid), `payout_reserved` (of payouts that have not left) or `held` (disputed earnings). Accept values that you do not know: new ones may be added at any time.
   * @example payable
   */
  account: 'held' | 'payable' | 'payout_reserved' | (string & {});
  /**
   * The number of entries that the account had at the opening.
   * @example 4
   */
  opening_version: number;
  /**
   * The balance after the entry with this number.
   * @example 250.000000
   */
  opening_balance: string;
  /**
   * The number of entries that the account had at the closing.
   * @example 6
   */
  closing_version: number;
  /**
   * The balance after the entry with this number.
   * @example 128.450000
   */
  closing_balance: string;
};
/**
 * The adjustments that are counted in the statement. `GET /v1/adjustments?statement_id=…` lists them.
 */
export type StatementAdjustments = {
  /**
   * The number of adjustments.
   * @example 0
   */
  count: number;
  /**
   * Their sum.
   * @example 0.000000
   */
  amount: string;
};
export type StatementArtifact = {
  /**
   * `items`: line items. `royalties`: royalty records. Both are Parquet files. Accept values that you do not know: new ones may be added at any time.
   */
  kind: 'items' | 'royalties' | (string & {});
  /**
   * The number of the file among those of its kind. Large statements have several.
   * @example 1
   */
  part: number;
  /**
   * The SHA-256 digest of the file.
   * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
   */
  sha256: string;
  /**
   * The size of the file in bytes.
   * @example 48213
   */
  size_bytes: number;
  /**
   * The number of rows in the file.
   * @example 1204
   */
  row_count: number;
  /**
   * The sum of the rows: of `earnings` in line items, of `net_amount` in royalty records.
   * @example 151.117647
   */
  amount: string;
  /**
   * The position of its first row in the statement, from 1.
   * @example 1
   */
  first_position: number;
  /**
   * Download the file from here until `urls_expire_at`. Send no credentials.
   * @example https://storage.tonearm.example/statements/items-1.parquet?X-Amz-Signature=…
   */
  url: string;
};
/**
 * The statement as a PDF: a page of summary, and tables by store and by release.
 */
export type StatementDocument = {
  /**
   * The SHA-256 digest of the file.
   * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
   */
  sha256: string;
  /**
   * The size of the file in bytes.
   * @example 21926
   */
  size_bytes: number;
  /**
   * The number of its pages, of size A4.
   * @example 3
   */
  page_count: number;
  /**
   * Download the file from here until `expires_at`. Send no credentials.
   * @example https://storage.tonearm.example/statements/statement.pdf?X-Amz-Signature=…
   */
  url: string;
  /**
   * Format: date-time
   * When `url` stops working. Read the statement again for a new one. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  expires_at: string;
};
export type StatementEntry = {
  /**
   * The account: `payable` (what you can be paid), `payout_reserved` (of payouts that have not left) or `held` (disputed earnings). Accept values that you do not know: new ones may be added at any time.
   * @example payable
   */
  account: 'held' | 'payable' | 'payout_reserved' | (string & {});
  /**
   * The number of the entry in its account. The numbers have no gap.
   * @example 6
   */
  version: number;
  /**
   * What was posted: a name, a colon, and the id of the resource. A correction has more ids.
   * @example statement.published:stm_01m77wd2r0fqmt5c1xj9s4ya7f
   */
  cause: string;
  /**
   * The amount of the statement in which it is counted. `payout_amount` has the opposite sign. `null`: money moved between your accounts; the sum is zero.
   * @example net_amount
   */
  counted_in: ('net_amount' | 'adjustment_amount' | 'payout_amount' | (string & {})) | null;
  /**
   * What the entry adds to the account.
   * @example 128.450000
   */
  amount: string;
  /**
   * The balance of the account after the entry.
   * @example 128.450000
   */
  balance_after: string;
  /**
   * Format: date-time
   * When it was posted. It never changes.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
};
export type StatementEntryPage = {
  /** The items of this page. */
  data: StatementEntry[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
/**
 * The entries of the ledger, from which opening_balance + net_amount + adjustment_amount − payout_amount = closing_balance follows.
 */
export type StatementLedger = {
  /** What your accounts had at the opening and at the closing. */
  accounts: StatementAccount[];
  /** The entries between the two, added up by account and cause. `GET /v1/statements/{statement_id}/ledger-entries` lists them. */
  movements: StatementMovement[];
};
export type StatementMovement = {
  /**
   * The account: `payable` (what you can be paid), `payout_reserved` (of payouts that have not left) or `held` (disputed earnings). Accept values that you do not know: new ones may be added at any time.
   * @example payable
   */
  account: 'held' | 'payable' | 'payout_reserved' | (string & {});
  /**
   * What the entries have in common: the part of `cause` before the colon. Accept values that you do not know: new ones may be added at any time.
   * @example statement.published
   */
  cause_type: string;
  /**
   * The amount of the statement in which it is counted. `payout_amount` has the opposite sign. `null`: money moved between your accounts; the sum is zero.
   * @example net_amount
   */
  counted_in: ('net_amount' | 'adjustment_amount' | 'payout_amount' | (string & {})) | null;
  /**
   * The number of entries.
   * @example 1
   */
  entry_count: number;
  /**
   * The sum of the entries.
   * @example 128.450000
   */
  amount: string;
};
export type StatementPage = {
  /** The items of this page. */
  data: Statement[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type StatementProof = {
  statement: Statement;
  run: StatementRun;
  /** The files of the statement. They never change. */
  artifacts: StatementArtifact[];
  /**
   * Format: date-time
   * When the URLs of the files stop working. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  urls_expire_at: string;
  ledger: StatementLedger;
  adjustments: StatementAdjustments;
  /** The rows of the report that the line item was made from. `null` without `line_item`. */
  source: LineItemSource | null;
};
/**
 * A statement was published: its net amount is in your balance. A published statement never changes.
 */
export type StatementPublishedEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `statement.published`.
   */
  type: 'statement.published';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: Statement;
};
/**
 * The calculation that the statement is a result of.
 */
export type StatementRun = {
  /**
   * The version of the rules of calculation.
   * @example 1
   */
  rules_version: string;
  /**
   * The SHA-256 digest of everything that the run was calculated from: the digests of the reports, the rates, fees and taxes. All statements of a run have the same one.
   * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
   */
  input_digest: string;
};
export type Store = {
  /**
   * The id of the store, a short name.
   * @example aurora
   */
  store_id: string;
  /** The name of the store. */
  name: string;
  /** The territories in which the store sells, as ISO 3166-1 alpha-2 codes. */
  territory_codes: string[];
  capabilities: StoreCapabilities;
  /**
   * `active`: the store gets deliveries. `paused`: deliveries wait until it is active again.
   */
  status: 'active' | 'paused' | (string & {});
};
export type StoreAcknowledgement = {
  /**
   * Format: date-time
   * When we received it: in real time for a file, on the sandbox clock for a simulated store.
   * @example 2026-11-15T09:30:00.000Z
   */
  received_at: string;
  /**
   * `message`: it names this message. `release`: it names only the release, as stores do that flag or remove it later; it is listed with the last message that the store had.
   */
  about: 'message' | 'release' | (string & {});
  /** What it means for the delivery. `null`: nothing. Accept values that you do not know: new ones may be added at any time. */
  answer:
    | (
        | 'acknowledged'
        | 'delivered'
        | 'rejected'
        | 'action_required'
        | 'removed'
        | 'removal_refused'
        | (string & {})
      )
    | null;
  /** What the store said, in its own words: the status of the release, then those of the message (DDEX's SupplyChainStatus and ErncFileStatus). For a simulated store, the code of its rejection. */
  statuses: string[];
  /** The reason, in the words of the store. `null`: it gave none. */
  reason: string | null;
  /**
   * What the store asks for (DDEX's ErncProposedActionType): whether it wants the files again. `null`: it does not say.
   * @example ResendXmlOnly
   */
  proposed_action: string | null;
  /** The file in which the store said it. `null`: the store is simulated. */
  file: AcknowledgementFile | null;
};
export type StoreCapabilities = {
  /** The audio formats that the store accepts. */
  audio_formats: ('wav' | 'flac' | 'alac' | (string & {}))[];
  /** How the store offers music. */
  use_types: ('ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc' | (string & {}))[];
  /** `true`: the store takes a `pre_order_date`. */
  pre_order: boolean;
  /** `true`: the store takes a release down when we ask it to. */
  takedown: boolean;
  /**
   * How the takedown message is written: with ended deals, or without a deal.
   */
  takedown_method: 'end_deal' | 'omit_deal' | (string & {});
  /** `true`: the store accepts a newer revision of a release that it has. */
  update: boolean;
  /**
   * `live`: the store announces that a release is available. `ingest`: it only confirms that it has ingested the release. `none`: it answers only if there is an error.
   */
  confirmation: 'live' | 'ingest' | 'none' | (string & {});
  /**
   * The version of DDEX ERN that the store reads.
   */
  ern_version: '4.3' | '4.3.2' | (string & {});
  /** How many business days before the release date the store needs a new release. */
  lead_time_business_days: number;
};
export type StoreDocument = {
  /**
   * The SHA-256 digest of the file.
   * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
   */
  sha256: string;
  /** The file as it was sent or received, in UTF-8, if it has at most 256 KiB and the files of the message before it at most 1 MiB together. `null`: see `download` or `unavailable_reason`. */
  xml: string | null;
  /** Where to read a file that is too large for `xml`. `null`: the file is in `xml`, or unavailable. */
  download: StoreFileDownload | null;
  /** Why you cannot read the file. `shared`: the store reported about other releases in it, so only what it says about yours is shown. `missing`, `damaged`: our copy is lost; ask the support. `null`: you can read it. Accept values that you do not know: new ones may be added at any time. */
  unavailable_reason: ('shared' | 'missing' | 'damaged' | (string & {})) | null;
  /**
   * The size of the file in bytes.
   * @example 14718
   */
  size_bytes: number;
};
export type StoreFileDownload = {
  /**
   * Download the file from here until `expires_at`. Send no credentials.
   * @example https://storage.tonearm.example/ern/message.xml?X-Amz-Signature=…
   */
  url: string;
  /**
   * Format: date-time
   * When the URL stops working. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  expires_at: string;
};
export type StoreGenre = {
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id: string;
  /**
   * The name of the genre at the store, or its general genre if it does not have this one.
   * @example Hip-Hop/Rap
   */
  genre: string;
};
export type StoreMessage = {
  /**
   * The id of a store message.
   * @example msg_01m77frgk8ejrbcwc9baemwjtp
   */
  id: string;
  /**
   * `new_release`: the first time that the store gets the release in this delivery. `redelivery`: again, after a resubmission. `update`: a newer revision, or other territories. `takedown`: the store must remove it. `purge`: it must forget it, by order of the operator. Accept values that you do not know: new ones may be added at any time.
   */
  type: 'new_release' | 'redelivery' | 'update' | 'takedown' | 'purge' | (string & {});
  /**
   * `waiting`: not sent yet; it may wait for the answer to the message before it. `sending`: on its way. `sent`: the store has it and has not answered. `answered`: the store has answered. `unanswered`: the store has not answered in time; an answer that comes later still counts. `replaced`: a newer message replaced it before the store answered. `canceled`: it is not sent. `invalid`: it did not pass our own check and was not sent; the store delivery is rejected with `message_invalid`. Accept values that you do not know: new ones may be added at any time.
   */
  status:
    | 'waiting'
    | 'sending'
    | 'sent'
    | 'answered'
    | 'unanswered'
    | 'replaced'
    | 'canceled'
    | 'invalid'
    | (string & {});
  /**
   * `ern`: a DDEX ERN message. `simulated`: the store is a fictional one that answers without reading a message, so there is no `document` and no file. Accept values that you do not know: new ones may be added at any time.
   */
  format: 'ern' | 'simulated' | (string & {});
  /**
   * The revision of the release. `null`: it is not recorded.
   * @example 3
   */
  revision: number | null;
  /**
   * Format: date-time
   * When the message was queued for the store, as in the timeline.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * When all of it was at the store. `null`: it is not sent, or simulated. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  sent_at: string | null;
  /** The version of DDEX ERN. `null`: it is not sent yet, or simulated. */
  ern_version: ('4.3' | '4.3.2' | (string & {})) | null;
  /**
   * DDEX's word for the delivery in the manifest, as the store wants it. `null`: it is not sent yet, or simulated.
   * @example NewReleaseDelivery
   */
  delivery_type: string | null;
  /**
   * The batch in which it was sent: stores name it in their questions. `null`: it is not sent yet, or simulated.
   * @example 20270115090002000
   */
  batch_id: string | null;
  /** The message, byte for byte as it was sent. `null`: it is not sent, or simulated. */
  document: StoreDocument | null;
  /** The audio and artwork that the message names. A takedown and a simulated message have none. */
  files: StoreMessageFile[];
  /** What the store answered, oldest first; at most 50. */
  acknowledgements: StoreAcknowledgement[];
};
export type StoreMessageFile = {
  /**
   * The id of an asset.
   * @example ast_01m74zn0c0fkdvvggszxx63qmy
   */
  asset_id: string;
  /**
   * The name of the file in the message, relative to the message.
   * @example resources/ast_01m74zn0c0fkdvvggszxx63qmy.wav
   */
  uri: string;
  /**
   * The SHA-256 digest of the file, as in the message and in the asset.
   * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
   */
  sha256: string;
  /**
   * The size of the file in bytes.
   * @example 14718
   */
  size_bytes: number;
  /** `true`: the file was sent with this message. `false`: the store has it from an earlier one, so it is only named. */
  is_sent: boolean;
};
export type StoreMessagePage = {
  /** The items of this page. */
  data: StoreMessage[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type StorePage = {
  /** The items of this page. */
  data: Store[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type StoreReadiness = {
  /** The `store_id` of a store. */
  store_id: string;
  /** How many errors concern this store. */
  errors: number;
  /** How many warnings concern this store. */
  warnings: number;
  /**
   * Format: date-time
   * If you submit the release by this time, it is available on its `release_date`.
   * @example 2026-11-15T09:30:00.000Z
   */
  latest_safe_submit_at: string;
};
/**
 * An event of the history; a ping is not in it.
 */
export type StoredEvent = (
  | ReleaseCreatedEvent
  | ReleaseStatusChangedEvent
  | AssetReadyEvent
  | AssetFailedEvent
  | DeliveryCompletedEvent
  | DeliveryTakenDownEvent
  | DeliveryStoreUpdatedEvent
  | DeliveryStoreOverdueEvent
  | PayoutStatusChangedEvent
  | PayoutMethodChangedEvent
  | StatementPublishedEvent
  | AdjustmentCreatedEvent
  | EarningsHeldEvent
  | EarningsReleasedEvent
  | EarningsForfeitedEvent
  | WebhookDisabledEvent
  | OrganizationVerificationChangedEvent
  | ApiChangelogPublishedEvent
) & {
  /** The webhooks that this event is sent to, without deleted ones. Empty: none was subscribed to its type, or all were deleted. */
  webhooks: EventWebhook[];
};
export type Submission = {
  /**
   * The id of a submission.
   * @example sub_01m77cam00frq83yyt36gjmq4m
   */
  submission_id: string;
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /** The revision that was submitted. */
  revision: number;
  /**
   * Format: date-time
   * When the release was submitted.
   * @example 2026-11-15T09:30:00.000Z
   */
  submitted_at: string;
  /**
   * The status of the review.
   */
  review_status: 'pending' | 'approved' | 'rejected' | (string & {});
  /** Why the review rejected the release; empty if it did not. */
  findings: ReviewFinding[];
};
export type TakeDownDelivery = {
  /** The `store_id` of the only stores to act on. If you omit it, every store that the action applies to. */
  stores?: string[];
  /** Why you take the release down. It is kept in the timeline. */
  reason?: string;
};
export type TaxProfile = {
  /**
   * Format: territory-code
   * The country in which your organization is a tax resident.
   * @example DE
   */
  residence: string;
  /**
   * `w9`: a person of the United States. `w8ben`: a person of another country. `w8bene`: a company of another country. `none`: your organization owes no form. Accept values that you do not know: new ones may be added at any time.
   */
  form: 'w9' | 'w8ben' | 'w8bene' | 'none' | (string & {});
  /**
   * The last four characters of the TIN. `null`: there is none.
   * @example 6789
   */
  tin_last_four: string | null;
  /**
   * The day on which the form was signed. `null` for the form `none`.
   * @example 2026-11-02
   */
  signed_on: string | null;
  /**
   * The last day on which the form is valid: the last day of the third year after the year of the signature. `null`: it does not expire.
   * @example 2029-12-31
   */
  expires_on: string | null;
  /**
   * `valid`: payouts can be sent. `expired`: payouts get the hold `tax_form_missing` until you send a new form. Accept values that you do not know: new ones may be added at any time.
   */
  status: 'valid' | 'expired' | (string & {});
  /**
   * Format: date-time
   * When the tax profile was created.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the tax profile was last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
};
export type Territory = {
  /**
   * The ISO 3166-1 alpha-2 code of a territory.
   * @example DE
   */
  territory_code: string;
  /**
   * The English name of the territory.
   * @example Germany
   */
  name: string;
  /** The `store_id` of each store that sells in this territory. */
  stores: string[];
};
export type TerritoryList = {
  /** The territories that the network supports and that your organization is licensed for, by code. */
  data: Territory[];
};
/**
 * The tier of an organization, which sets its rate limits, quotas and features. Accept values that you do not know: new ones may be added at any time.
 */
export type Tier = 'starter' | 'growth' | 'enterprise' | (string & {});
export type Track = {
  /**
   * The id of a track.
   * @example trk_01m750sm80eet8vawv9v10rf6c
   */
  id: string;
  /** Your own id of the resource. It must be unique among your resources of the same kind. */
  reference: string | null;
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores. */
  metadata: {
    [key: string]: string;
  };
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id: string;
  /**
   * The title as stores show it, at most 500 characters.
   * @example Night Drive
   */
  title: string;
  /**
   * The version, for example of a remix or an edition. Stores show it beside the title.
   * @example Deluxe Edition
   */
  version: string | null;
  /** The artists as stores show them. */
  artists: ArtistCredit[];
  /** Everyone who is credited on the recording and the work: performers, writers, production and engineering. Send one name per entry. Replaces the whole list. */
  contributors: Contributor[];
  /** The ISRC with hyphens. */
  isrc: string;
  /**
   * The id of an asset.
   * @example ast_01m74zn0c0fkdvvggszxx63qmy
   */
  audio_asset_id: string | null;
  /** The territories of the track; those of the release if the track has none of its own. */
  territory: string[];
  /**
   * ISO 3166-1 alpha-2 codes of the territories to leave out of a `territory` of `WORLD`. For a track without `territory` they are left out of the territories of the release, and an answer lists both exclusions.
   * @example [
   *       "RU",
   *       "BY"
   *     ]
   */
  excluded_territories: string[] | null;
  /**
   * How stores may offer the track, within the use types of the release. `null`: the same as the release. An empty list withdraws the track: it is sent to no store, and the next update removes it where it is live.
   * @example [
   *       "subscription_stream"
   *     ]
   */
  use_types:
    | ('ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc' | (string & {}))[]
    | null;
  /** The number of the disc. */
  disc: number;
  /** The number of the track on its disc. */
  position: number;
  /** The duration of the audio in milliseconds. `null`: the audio is not ready. */
  duration_ms: number | null;
  /** Where the preview begins, in milliseconds. It must be less than `duration_ms`. */
  preview_start_ms: number | null;
  /**
   * The genre. `GET /v1/genres` lists the genres. A track without a genre has that of its release.
   * @example Electronic
   */
  genre: string | null;
  /**
   * The BCP 47 tag of the language whose capitalization rules apply to titles, and of the lyrics if a track has no `lyrics_language`; `zxx` for an instrumental. A track without a language has that of its release. The language of the metadata is `metadata_language`.
   * @example en
   */
  language: string | null;
  /**
   * The year and the owner of the recording, without the sign.
   * @example 2027 Northern Lights
   */
  p_line: string | null;
  /** `explicit`: explicit content. `clean`: a cleaned version of explicit content. `none`: neither. */
  explicit: ('explicit' | 'clean' | 'none' | (string & {})) | null;
  /** How much was made by generative AI. Replaces the whole value. `null`, or a part that is `null` or omitted: not declared. */
  ai_use: TrackAiUse | null;
  /**
   * The day on which the recording was first released. It must not be later than the `release_date` of the release.
   * @example 2019-05-10
   */
  original_release_date: string | null;
  /**
   * The ISWC of the musical work (ISO 15707), with or without separators. Answers have the form `T-034.524.680-1`.
   * @example T-034.524.680-1
   */
  iswc: string | null;
  /**
   * The ISO 3166-1 alpha-2 code of the country where the recording was made.
   * @example SE
   */
  recording_country: string | null;
  /** `original`: a work of your own. `cover`: a new recording of a work that was published before. `public_domain`: a work without copyright. */
  composition: ('original' | 'cover' | 'public_domain' | (string & {})) | null;
  /** `none`: the recording has no part of another recording. `cleared`: it has parts of other recordings, whose owners agreed. */
  samples: ('none' | 'cleared' | (string & {})) | null;
  /**
   * For a cover: the license to sell the work as a download. Stores refuse a cover for download in the US without it.
   * @example HFA license 123456789
   */
  mechanical_licence: string | null;
  /**
   * The BCP 47 tag of the language that is sung; `zxx` for an instrumental. `null`: `language` of the track or of its release.
   * @example en
   */
  lyrics_language: string | null;
  /** What stores with the use type `ugc` do with videos of users: `monetize` (show ads and pay you), `track` (only count) or `block`. `null`: each store decides. `monetize` is not allowed for a track with samples, or of a work in the public domain, because others may use these too. */
  ugc_policy: ('monetize' | 'track' | 'block' | (string & {})) | null;
  /**
   * The title and the version in other languages than `metadata_language`, by BCP 47 language tag. Replaces the whole map.
   * @example {
   *       "de": {
   *         "title": "Nachtfahrt"
   *       },
   *       "pt-BR": {
   *         "title": "Viagem noturna"
   *       }
   *     }
   */
  localized_titles: {
    [key: string]: LocalizedTitle;
  } | null;
  /**
   * A subgenre of the genre. `GET /v1/genres` lists the subgenres.
   * @example Synthwave
   */
  subgenre: string | null;
  /** Whether buyers of a pre-order get the track at once. It has an effect only with a `pre_order_date`, at stores that take pre-orders. */
  instant_gratification: boolean | null;
  /**
   * Format: date-time
   * When the track was created.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When the track was last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
};
/**
 * How much was made by generative AI. Replaces the whole value. `null`, or a part that is `null` or omitted: not declared.
 */
export type TrackAiUse = {
  /** How much of the recording was made by generative AI. `null`: not declared. */
  recording?: ('none' | 'partly' | 'all' | (string & {})) | null;
  /** How much of the composition was made by generative AI. `null`: not declared. */
  composition?: ('none' | 'partly' | 'all' | (string & {})) | null;
};
/**
 * How much was made by generative AI. Replaces the whole value. `null`, or a part that is `null` or omitted: not declared.
 */
export type TrackAiUseInput = {
  /** How much of the recording was made by generative AI. `null`: not declared. */
  recording?: ('none' | 'partly' | 'all') | null;
  /** How much of the composition was made by generative AI. `null`: not declared. */
  composition?: ('none' | 'partly' | 'all') | null;
};
export type TrackDeal = {
  /**
   * The id of a track.
   * @example trk_01m750sm80eet8vawv9v10rf6c
   */
  track_id: string;
  /** The territories of the track at this store. */
  territory_codes: string[];
  /** How the store may offer the track. */
  use_types: ('ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc' | (string & {}))[];
};
export type TrackList = {
  /** The tracks, in the order of the request. */
  data: Track[];
};
export type TrackPage = {
  /** The items of this page. */
  data: Track[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type UpdateArtist = {
  /**
   * The name of the artist. If you change it, existing credits keep their own names.
   * @example Aurora Díaz
   */
  name?: string;
  /** Your own id of the artist. It must be unique among your artists. */
  reference?: string | null;
  /**
   * The ISNI of the artist without spaces. It must be unique among your artists.
   * @example 0000000121032683
   */
  isni?: string | null;
  /**
   * The IPI name number of the artist: 9 to 11 digits.
   * @example 00052210040
   */
  ipi?: string | null;
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores. */
  metadata?: {
    [key: string]: string;
  } | null;
  /** The name in other languages, by BCP 47 language tag. */
  localized_names?: {
    [key: string]: string;
  } | null;
  /** The id of the artist at a store, by `store_id`; `new` if the store must create a page for the artist. */
  store_profiles?: {
    [key: string]: string;
  } | null;
};
export type UpdateDelivery = {
  /** The `store_id` of the only stores to act on. If you omit it, every store that the action applies to. */
  stores?: string[];
  /**
   * Other territories for these stores, from now on. If you omit it, the territories that were requested before.
   * @example [
   *       "WORLDWIDE"
   *     ]
   */
  territory_codes?: string[];
};
export type UpdateLabel = {
  /**
   * The name of the label. It must be unique among your labels. Releases keep the name that the label had before.
   * @example Northern Lights
   */
  name?: string;
  /** Your own id of the label. It must be unique among your labels. */
  reference?: string | null;
  /** The owner of the recordings. */
  p_line_owner?: string | null;
  /** The owner of the artwork and texts. */
  c_line_owner?: string | null;
  /**
   * The territories of a release that is created with this label and without `territories`.
   * @example [
   *       "WORLD"
   *     ]
   */
  default_territories?: string[] | null;
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores. */
  metadata?: {
    [key: string]: string;
  } | null;
};
export type UpdateOrganization = {
  /**
   * The id of the label of releases that are created without one.
   * @example lbl_01m1dzpw00eyhvjcvzet3qxeav
   */
  default_label_id?: string;
  /**
   * Format: language
   * The BCP 47 language tag of `metadata_language` of releases that are created without it.
   * @example en
   * @example pt-BR
   */
  default_metadata_language?: string;
  /** The contacts of your organization. Replaces the whole list. */
  contacts?: ContactInput[];
};
export type UpdatePayoutSchedule = {
  /**
   * `manual`: you create payouts. `monthly`: on the first business day of each month at 12:00 UTC, a payout of the whole available balance is created for each currency that reaches the minimum.
   */
  mode?: 'manual' | 'monthly';
  /**
   * The least amount of a payout, by currency. A currency that is missing has the usual minimum: 10 in most currencies, 1000 in those without decimals and 5 in those with three decimals. You cannot set less.
   * @example {
   *       "EUR": "50.00"
   *     }
   */
  minimum?: {
    [key: string]: string;
  };
};
export type UpdateRelease = {
  /**
   * The title as stores show it, at most 500 characters.
   * @example Night Drive
   */
  title?: string;
  /** The artists as stores show them, at least one with the role `main`. Replaces the whole list. */
  artists?: ArtistEntry[];
  /**
   * Format: date
   * The day of the release. It must be in the future when you submit the release.
   * @example 2027-01-15
   */
  release_date?: string;
  /**
   * The name of the label as stores show it. If you omit it, the default label of your organization.
   * @example Northern Lights
   */
  label?: string;
  /**
   * Format: language
   * The BCP 47 tag of the language of titles, versions and names. If you omit it, the default of your organization. The language that is sung is `lyrics_language` of each track.
   * @example en
   */
  metadata_language?: string;
  /**
   * The id of a label of yours. It sets `label` to the name of that label.
   * @example lbl_01m1dzpw00eyhvjcvzet3qxeav
   */
  label_id?: string;
  /**
   * ISO 3166-1 alpha-2 codes, or `WORLD` alone for all territories that you are licensed for. Replaces the whole list; a PATCH without `excluded_territories` clears those.
   * @example [
   *       "WORLD"
   *     ]
   */
  territories?: string[];
  /**
   * The id of a `ready` artwork asset.
   * @example ast_01m74zn0c0fkdvvggszxx63qmy
   */
  artwork_asset_id?: string | null;
  /**
   * @deprecated
   * Removed on 2024-09-01. Submit the release with `POST /v1/releases/{release_id}/submit`.
   */
  status?: 'draft' | 'submitted' | 'delivered' | 'rejected';
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores. */
  metadata?: {
    [key: string]: string;
  } | null;
  /** Your own id of the resource. It must be unique among your resources of the same kind. */
  reference?: string | null;
  /**
   * The version, for example of a remix or an edition. Stores show it beside the title.
   * @example Deluxe Edition
   */
  version?: string | null;
  /**
   * The genre. `GET /v1/genres` lists the genres. A track without a genre has that of its release.
   * @example Electronic
   */
  genre?: string | null;
  /**
   * The BCP 47 tag of the language whose capitalization rules apply to titles, and of the lyrics if a track has no `lyrics_language`; `zxx` for an instrumental. A track without a language has that of its release. The language of the metadata is `metadata_language`.
   * @example en
   */
  language?: string | null;
  /**
   * The year and the owner of the recording, without the sign.
   * @example 2027 Northern Lights
   */
  p_line?: string | null;
  /** `explicit`: explicit content. `clean`: a cleaned version of explicit content. `none`: neither. */
  explicit?: ('explicit' | 'clean' | 'none') | null;
  /**
   * The moment of the release, the same everywhere. It must be on `release_date` in some time zone. `null`: local midnight of `release_date` in every territory.
   * @example 2027-01-15T17:00:00.000Z
   */
  release_at?: string | null;
  /**
   * The day on which pre-orders begin. It must be before `release_date`. It is sent to the stores whose capabilities include `pre_order`.
   * @example 2026-12-18
   */
  pre_order_date?: string | null;
  /**
   * The day on which the recording was first released.
   * @example 2027-01-15
   */
  original_release_date?: string | null;
  /**
   * ISO 3166-1 alpha-2 codes of the territories to leave out. Allowed only if `territories` is `WORLD`.
   * @example [
   *       "RU",
   *       "BY"
   *     ]
   */
  excluded_territories?: string[] | null;
  /**
   * How stores may offer the release. Send at least one use type. `null`: in every way.
   * @example [
   *       "ad_supported_stream",
   *       "subscription_stream"
   *     ]
   */
  use_types?: ('ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc')[] | null;
  /** The type of the release. `null`: stores decide by the tracks. */
  type?: ('single' | 'ep' | 'album' | 'compilation') | null;
  /**
   * The year and the owner of the artwork and texts, without the sign.
   * @example 2027 Northern Lights
   */
  c_line?: string | null;
  /** Your own catalog number, at most 100 characters. */
  catalog_number?: string | null;
  /** How much was made by generative AI. Replaces the whole value. `null`, or a part that is `null` or omitted: not declared. */
  ai_use?: ReleaseAiUseInput | null;
  /**
   * The EAN: 13 digits, of which the last is the GS1 check digit. Send it if the release already has one; stores get it instead of `upc`.
   * @example 4006381333931
   */
  ean?: string | null;
  /** The price tier of a download. It is sent to stores with the use type `download`. `null`: each store decides. */
  price_tier?: ('budget' | 'mid' | 'front' | 'premium') | null;
  /**
   * The title and the version in other languages than `metadata_language`, by BCP 47 language tag. Replaces the whole map.
   * @example {
   *       "de": {
   *         "title": "Nachtfahrt"
   *       },
   *       "pt-BR": {
   *         "title": "Viagem noturna"
   *       }
   *     }
   */
  localized_titles?: {
    [key: string]: LocalizedTitleInput;
  } | null;
  /**
   * A subgenre of the genre. `GET /v1/genres` lists the subgenres.
   * @example Synthwave
   */
  subgenre?: string | null;
};
export type UpdateTaxProfile = {
  /**
   * Format: territory-code
   * The country in which your organization is a tax resident.
   * @example DE
   */
  residence?: string;
  /**
   * `w9`: a person of the United States. `w8ben`: a person of another country. `w8bene`: a company of another country. `none`: your organization owes no form.
   */
  form?: 'w9' | 'w8ben' | 'w8bene' | 'none';
  /** The taxpayer identification number. It is stored encrypted; answers show its last four characters. `null` clears it. */
  tin?: string | null;
  /**
   * The day on which the form was signed. `null` for the form `none`.
   * @example 2026-11-02
   */
  signed_on?: string | null;
};
export type UpdateTrack = {
  /**
   * The title as stores show it, at most 500 characters.
   * @example Night Drive
   */
  title?: string;
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores. */
  metadata?: {
    [key: string]: string;
  } | null;
  /**
   * The ISRC (ISO 3901), with or without hyphens. If you omit it, one is assigned from your registrant code.
   * @example QZ-ABC-26-00001
   */
  isrc?: string;
  /** The artists as stores show them, at least one with the role `main`. Replaces the whole list. */
  artists?: ArtistEntry[];
  /** Everyone who is credited on the recording and the work: performers, writers, production and engineering. Send one name per entry. Replaces the whole list. */
  contributors?: ContributorEntry[];
  /**
   * The id of an audio asset. It must be `ready` before you submit the release.
   * @example ast_01m74zn0c0fkdvvggszxx63qmy
   */
  audio_asset_id?: string | null;
  /**
   * ISO 3166-1 alpha-2 codes, or `WORLD` alone. If you omit it, the territories of the release. A PATCH without `excluded_territories` clears those.
   * @example [
   *       "WORLD"
   *     ]
   */
  territory?: string[] | null;
  /**
   * The number of the disc. If you omit it, 1.
   * @default 1
   */
  disc?: number;
  /** The number of the track on its disc. It must be unique on the disc. If you omit it, the track is added after the last one. */
  position?: number;
  /** Your own id of the resource. It must be unique among your resources of the same kind. */
  reference?: string | null;
  /**
   * The version, for example of a remix or an edition. Stores show it beside the title.
   * @example Deluxe Edition
   */
  version?: string | null;
  /**
   * The genre. `GET /v1/genres` lists the genres. A track without a genre has that of its release.
   * @example Electronic
   */
  genre?: string | null;
  /**
   * The BCP 47 tag of the language whose capitalization rules apply to titles, and of the lyrics if a track has no `lyrics_language`; `zxx` for an instrumental. A track without a language has that of its release. The language of the metadata is `metadata_language`.
   * @example en
   */
  language?: string | null;
  /**
   * The year and the owner of the recording, without the sign.
   * @example 2027 Northern Lights
   */
  p_line?: string | null;
  /** `explicit`: explicit content. `clean`: a cleaned version of explicit content. `none`: neither. */
  explicit?: ('explicit' | 'clean' | 'none') | null;
  /**
   * ISO 3166-1 alpha-2 codes of the territories to leave out of a `territory` of `WORLD`. For a track without `territory` they are left out of the territories of the release, and an answer lists both exclusions.
   * @example [
   *       "RU",
   *       "BY"
   *     ]
   */
  excluded_territories?: string[] | null;
  /**
   * How stores may offer the track, within the use types of the release. `null`: the same as the release. An empty list withdraws the track: it is sent to no store, and the next update removes it where it is live.
   * @example [
   *       "subscription_stream"
   *     ]
   */
  use_types?: ('ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc')[] | null;
  /** Where the preview begins, in milliseconds. It must be less than `duration_ms`. */
  preview_start_ms?: number | null;
  /** How much was made by generative AI. Replaces the whole value. `null`, or a part that is `null` or omitted: not declared. */
  ai_use?: TrackAiUseInput | null;
  /**
   * The day on which the recording was first released. It must not be later than the `release_date` of the release.
   * @example 2019-05-10
   */
  original_release_date?: string | null;
  /**
   * The ISWC of the musical work (ISO 15707), with or without separators. Answers have the form `T-034.524.680-1`.
   * @example T-034.524.680-1
   */
  iswc?: string | null;
  /**
   * The ISO 3166-1 alpha-2 code of the country where the recording was made.
   * @example SE
   */
  recording_country?: string | null;
  /** `original`: a work of your own. `cover`: a new recording of a work that was published before. `public_domain`: a work without copyright. */
  composition?: ('original' | 'cover' | 'public_domain') | null;
  /** `none`: the recording has no part of another recording. `cleared`: it has parts of other recordings, whose owners agreed. */
  samples?: ('none' | 'cleared') | null;
  /**
   * For a cover: the license to sell the work as a download. Stores refuse a cover for download in the US without it.
   * @example HFA license 123456789
   */
  mechanical_licence?: string | null;
  /**
   * The BCP 47 tag of the language that is sung; `zxx` for an instrumental. `null`: `language` of the track or of its release.
   * @example en
   */
  lyrics_language?: string | null;
  /** What stores with the use type `ugc` do with videos of users: `monetize` (show ads and pay you), `track` (only count) or `block`. `null`: each store decides. `monetize` is not allowed for a track with samples, or of a work in the public domain, because others may use these too. */
  ugc_policy?: ('monetize' | 'track' | 'block') | null;
  /**
   * The title and the version in other languages than `metadata_language`, by BCP 47 language tag. Replaces the whole map.
   * @example {
   *       "de": {
   *         "title": "Nachtfahrt"
   *       },
   *       "pt-BR": {
   *         "title": "Viagem noturna"
   *       }
   *     }
   */
  localized_titles?: {
    [key: string]: LocalizedTitleInput;
  } | null;
  /**
   * A subgenre of the genre. `GET /v1/genres` lists the subgenres.
   * @example Synthwave
   */
  subgenre?: string | null;
  /** Whether buyers of a pre-order get the track at once. It has an effect only with a `pre_order_date`, at stores that take pre-orders. */
  instant_gratification?: boolean | null;
};
export type UpdateTrackItem = {
  /**
   * The id of the track to change. List each track once.
   * @example trk_01m750sm80eet8vawv9v10rf6c
   */
  id: string;
  /**
   * The title as stores show it, at most 500 characters.
   * @example Night Drive
   */
  title?: string;
  /** Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500. They are never shown to stores. */
  metadata?: {
    [key: string]: string;
  } | null;
  /**
   * The ISRC (ISO 3901), with or without hyphens. If you omit it, one is assigned from your registrant code.
   * @example QZ-ABC-26-00001
   */
  isrc?: string;
  /** The artists as stores show them, at least one with the role `main`. Replaces the whole list. */
  artists?: ArtistEntry[];
  /** Everyone who is credited on the recording and the work: performers, writers, production and engineering. Send one name per entry. Replaces the whole list. */
  contributors?: ContributorEntry[];
  /**
   * The id of an audio asset. It must be `ready` before you submit the release.
   * @example ast_01m74zn0c0fkdvvggszxx63qmy
   */
  audio_asset_id?: string | null;
  /**
   * ISO 3166-1 alpha-2 codes, or `WORLD` alone. If you omit it, the territories of the release. A PATCH without `excluded_territories` clears those.
   * @example [
   *       "WORLD"
   *     ]
   */
  territory?: string[] | null;
  /**
   * The number of the disc. If you omit it, 1.
   * @default 1
   */
  disc?: number;
  /** The number of the track on its disc. It must be unique on the disc. If you omit it, the track is added after the last one. */
  position?: number;
  /** Your own id of the resource. It must be unique among your resources of the same kind. */
  reference?: string | null;
  /**
   * The version, for example of a remix or an edition. Stores show it beside the title.
   * @example Deluxe Edition
   */
  version?: string | null;
  /**
   * The genre. `GET /v1/genres` lists the genres. A track without a genre has that of its release.
   * @example Electronic
   */
  genre?: string | null;
  /**
   * The BCP 47 tag of the language whose capitalization rules apply to titles, and of the lyrics if a track has no `lyrics_language`; `zxx` for an instrumental. A track without a language has that of its release. The language of the metadata is `metadata_language`.
   * @example en
   */
  language?: string | null;
  /**
   * The year and the owner of the recording, without the sign.
   * @example 2027 Northern Lights
   */
  p_line?: string | null;
  /** `explicit`: explicit content. `clean`: a cleaned version of explicit content. `none`: neither. */
  explicit?: ('explicit' | 'clean' | 'none') | null;
  /**
   * ISO 3166-1 alpha-2 codes of the territories to leave out of a `territory` of `WORLD`. For a track without `territory` they are left out of the territories of the release, and an answer lists both exclusions.
   * @example [
   *       "RU",
   *       "BY"
   *     ]
   */
  excluded_territories?: string[] | null;
  /**
   * How stores may offer the track, within the use types of the release. `null`: the same as the release. An empty list withdraws the track: it is sent to no store, and the next update removes it where it is live.
   * @example [
   *       "subscription_stream"
   *     ]
   */
  use_types?: ('ad_supported_stream' | 'subscription_stream' | 'download' | 'ugc')[] | null;
  /** Where the preview begins, in milliseconds. It must be less than `duration_ms`. */
  preview_start_ms?: number | null;
  /** How much was made by generative AI. Replaces the whole value. `null`, or a part that is `null` or omitted: not declared. */
  ai_use?: TrackAiUseInput | null;
  /**
   * The day on which the recording was first released. It must not be later than the `release_date` of the release.
   * @example 2019-05-10
   */
  original_release_date?: string | null;
  /**
   * The ISWC of the musical work (ISO 15707), with or without separators. Answers have the form `T-034.524.680-1`.
   * @example T-034.524.680-1
   */
  iswc?: string | null;
  /**
   * The ISO 3166-1 alpha-2 code of the country where the recording was made.
   * @example SE
   */
  recording_country?: string | null;
  /** `original`: a work of your own. `cover`: a new recording of a work that was published before. `public_domain`: a work without copyright. */
  composition?: ('original' | 'cover' | 'public_domain') | null;
  /** `none`: the recording has no part of another recording. `cleared`: it has parts of other recordings, whose owners agreed. */
  samples?: ('none' | 'cleared') | null;
  /**
   * For a cover: the license to sell the work as a download. Stores refuse a cover for download in the US without it.
   * @example HFA license 123456789
   */
  mechanical_licence?: string | null;
  /**
   * The BCP 47 tag of the language that is sung; `zxx` for an instrumental. `null`: `language` of the track or of its release.
   * @example en
   */
  lyrics_language?: string | null;
  /** What stores with the use type `ugc` do with videos of users: `monetize` (show ads and pay you), `track` (only count) or `block`. `null`: each store decides. `monetize` is not allowed for a track with samples, or of a work in the public domain, because others may use these too. */
  ugc_policy?: ('monetize' | 'track' | 'block') | null;
  /**
   * The title and the version in other languages than `metadata_language`, by BCP 47 language tag. Replaces the whole map.
   * @example {
   *       "de": {
   *         "title": "Nachtfahrt"
   *       },
   *       "pt-BR": {
   *         "title": "Viagem noturna"
   *       }
   *     }
   */
  localized_titles?: {
    [key: string]: LocalizedTitleInput;
  } | null;
  /**
   * A subgenre of the genre. `GET /v1/genres` lists the subgenres.
   * @example Synthwave
   */
  subgenre?: string | null;
  /** Whether buyers of a pre-order get the track at once. It has an effect only with a `pre_order_date`, at stores that take pre-orders. */
  instant_gratification?: boolean | null;
};
export type UpdateTracks = {
  /** The tracks to change, from 1 to 100. */
  tracks: UpdateTrackItem[];
};
export type UpdateWebhook = {
  /**
   * The URL that receives the events: an https URL with a public host; the sandbox accepts http too. It must have no credentials and no fragment.
   * @example https://partner.example/hooks
   */
  url?: string;
  /**
   * The event types to send: one type, several, or `*` for all. `GET /v1/event_types` lists them.
   * @example delivery.completed
   * @example [
   *       "delivery.completed",
   *       "asset.failed"
   *     ]
   * @example *
   */
  event_type?: '*' | EventType | ('*' | EventType)[];
  /** A note of your own. */
  description?: string | null;
};
export type UploadInParts = {
  /** The parts to upload, each with its number and its presigned URL. */
  parts: {
    /** The number of the part, from 1. */
    part_number: number;
    /** The presigned URL to send this part to with PUT. */
    url: string;
  }[];
  /** The size of every part but the last, in bytes. */
  part_size: number;
  /**
   * Format: date-time
   * When the URL stops working. Read the asset to get new URLs. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  expires_at: string;
  /**
   * How long the URL still works, in seconds, from when you received this answer.
   * @example 3600
   */
  expires_in_seconds: number;
};
export type UploadedPart = {
  /** The number of the part, from 1. */
  part_number: number;
  /** The `ETag` header of the answer to the PUT of this part, with or without its quotes. */
  etag: string;
};
export type Verification = {
  /**
   * The status of the verification. Unless it is `verified`, deliveries wait: their stores are `pending` with `waiting_for` `verification`. Takedowns do not wait.
   */
  status: 'unverified' | 'pending' | 'verified' | 'rejected' | (string & {});
  /** What you must still send or do. */
  requirements: VerificationRequirement[];
};
export type VerificationRequirement = {
  /**
   * A stable code of what is missing.
   * @example company_register
   */
  code: string;
  /**
   * What to send or do, for people.
   * @example Send an extract of the company register that is not older than 3 months.
   */
  description: string;
};
export type VerificationRequirementInput = {
  /**
   * A stable code of what is missing.
   * @example company_register
   */
  code: string;
  /**
   * What to send or do, for people.
   * @example Send an extract of the company register that is not older than 3 months.
   */
  description: string;
};
export type Webhook = {
  /**
   * The id of a webhook.
   * @example wh_01m72zj7c0f6eaabh8jztkn9p8
   */
  id: string;
  /** The URL that receives the events. */
  url: string;
  /** The event types that are sent; `*` for all. */
  event_type: ('*' | (EventType | (string & {})))[];
  /**
   * `unverified`: no ping was answered with 200 within 10 seconds yet. `verified`: events are sent. `disabled`: every attempt failed for 5 days. Only verified webhooks receive events.
   */
  status: 'unverified' | 'verified' | 'disabled' | (string & {});
  /** A note of your own. */
  description: string | null;
  /** The last 4 characters of the secret, to recognize it by. */
  secret_hint: string;
  /**
   * When a ping was last answered with 200. `null`: never.
   * @example 2026-11-15T09:30:00.000Z
   */
  verified_at: string | null;
  /** The result of the last ping. `null`: no ping was sent yet. */
  last_ping: WebhookPing | null;
  /**
   * Format: date-time
   * When the webhook was registered.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When it was last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
};
export type WebhookAttempt = {
  /**
   * The id of a webhook attempt.
   * @example att_01m7avawv8fng85fm44rxmjz4a
   */
  id: string;
  /**
   * The id of a webhook.
   * @example wh_01m72zj7c0f6eaabh8jztkn9p8
   */
  webhook_id: string;
  /** Counts the attempts of this event at this webhook, from 1, redeliveries included. */
  number: number;
  /** `false`: the attempt was made because the event happened, or is a retry of that. `true`: you requested a redelivery, or it is a retry of that. */
  redelivery: boolean;
  /** The HTTP status that the receiver answered. `null`: it did not answer. */
  status_code: number | null;
  /** Why there is no status code. `null`: the receiver answered. */
  failure: string | null;
  /** The first 4 KiB of the body of the answer. */
  response: string | null;
  /** How long the attempt took, in milliseconds. */
  duration_ms: number;
  /**
   * When the next attempt is due. `null`: none is due.
   * @example 2026-11-15T09:30:00.000Z
   */
  next_retry_at: string | null;
  /**
   * Format: date-time
   * When the attempt ended.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
};
/**
 * Every attempt to reach a webhook failed for five days. Ping it once it works again, then redeliver the events it missed.
 */
export type WebhookDisabledEvent = {
  /**
   * The id of an event.
   * @example evt_01m7avavw0e559ryprz8wfgh6j
   */
  id: string;
  /**
   * The type of this event, always `webhook.disabled`.
   */
  type: 'webhook.disabled';
  /**
   * Format: date-time
   * When the event happened.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * The version of the API.
   * @constant
   */
  api_version: 'v1';
  /**
   * The environment in which the event happened.
   */
  environment: 'live' | 'sandbox' | (string & {});
  /** Counts the events of your organization, without gaps; 0 for a ping. */
  sequence: number;
  data: Webhook;
};
/**
 * What your endpoint receives. `type` says which of the types it is.
 */
export type WebhookEvent =
  | PingEvent
  | ReleaseCreatedEvent
  | ReleaseStatusChangedEvent
  | AssetReadyEvent
  | AssetFailedEvent
  | DeliveryCompletedEvent
  | DeliveryTakenDownEvent
  | DeliveryStoreUpdatedEvent
  | DeliveryStoreOverdueEvent
  | PayoutStatusChangedEvent
  | PayoutMethodChangedEvent
  | StatementPublishedEvent
  | AdjustmentCreatedEvent
  | EarningsHeldEvent
  | EarningsReleasedEvent
  | EarningsForfeitedEvent
  | WebhookDisabledEvent
  | OrganizationVerificationChangedEvent
  | ApiChangelogPublishedEvent;
export type WebhookPage = {
  /** The items of this page. */
  data: Webhook[];
  /** Send it as `cursor` to read the next page. `null`: this is the last page. */
  next_cursor: string | null;
  /** `true`: there are more items. Send `next_cursor` as `cursor` to read them. */
  has_more: boolean;
};
export type WebhookPing = {
  /**
   * Format: date-time
   * When the ping was sent.
   * @example 2026-11-15T09:30:00.000Z
   */
  at: string;
  /** The HTTP status that the receiver answered. `null`: it did not answer. */
  status_code: number | null;
  /** Why there is no status code. `null`: the receiver answered. */
  failure: string | null;
  /** How long the ping took, in milliseconds. */
  duration_ms: number;
};
export type WebhookWithSecret = {
  /**
   * The id of a webhook.
   * @example wh_01m72zj7c0f6eaabh8jztkn9p8
   */
  id: string;
  /** The URL that receives the events. */
  url: string;
  /** The event types that are sent; `*` for all. */
  event_type: ('*' | (EventType | (string & {})))[];
  /**
   * `unverified`: no ping was answered with 200 within 10 seconds yet. `verified`: events are sent. `disabled`: every attempt failed for 5 days. Only verified webhooks receive events.
   */
  status: 'unverified' | 'verified' | 'disabled' | (string & {});
  /** A note of your own. */
  description: string | null;
  /** The last 4 characters of the secret, to recognize it by. */
  secret_hint: string;
  /**
   * When a ping was last answered with 200. `null`: never.
   * @example 2026-11-15T09:30:00.000Z
   */
  verified_at: string | null;
  /** The result of the last ping. `null`: no ping was sent yet. */
  last_ping: WebhookPing | null;
  /**
   * Format: date-time
   * When the webhook was registered.
   * @example 2026-11-15T09:30:00.000Z
   */
  created_at: string;
  /**
   * Format: date-time
   * When it was last changed.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_at: string;
  /** The secret. It is shown only in this answer. */
  secret: string;
};
export type ListReleasesQuery = {
  /**
   * Only releases with this status.
   */
  status?: 'draft' | 'submitted' | 'delivered' | 'rejected';
  /**
   * Format: upc
   * Only releases with this UPC.
   * @example 860001000009
   */
  upc?: string;
  /**
   * Format: ean
   * Only releases with this EAN.
   * @example 4006381333931
   */
  ean?: string;
  /** Only the release with this reference. */
  reference?: string;
  /** Only releases with this label. */
  label?: string;
  /**
   * The id of a label.
   * @example lbl_01m1dzpw00eyhvjcvzet3qxeav
   */
  label_id?: string;
  /**
   * Format: date-time
   * Only releases changed at or after this time.
   * @example 2026-11-15T09:30:00.000Z
   */
  updated_since?: string;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListReleaseRevisionsQuery = {
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListTracksQuery = {
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id?: string;
  /**
   * Format: isrc
   * With or without hyphens.
   * @example QZ-ABC-26-00001
   * @example QZABC2600001
   */
  isrc?: string;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListReleaseTracksQuery = {
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListArtistsQuery = {
  /**
   * Only artists whose name begins with this text, in upper or lower case.
   * @example aurora
   */
  name?: string;
  /**
   * The ISNI of the artist without spaces.
   * @example 0000000121032683
   */
  isni?: string;
  /** Only the artist with this reference. */
  reference?: string;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListLabelsQuery = {
  /** Only the label with exactly this name. */
  name?: string;
  /** Only the label with this reference. */
  reference?: string;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListAssetsQuery = {
  /**
   * Only assets of this type.
   */
  type?: 'audio' | 'artwork';
  /**
   * Only assets with this status.
   */
  status?: 'pending_upload' | 'processing' | 'ready' | 'failed';
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListStoresQuery = {
  /**
   * Format: territory-code
   * Only stores that sell in the territory with this ISO 3166-1 alpha-2 code.
   * @example DE
   */
  territory_code?: string;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListDeliveriesQuery = {
  /**
   * Only deliveries with this status.
   */
  status?: 'in_progress' | 'delivered' | 'rejected' | 'action_required' | 'taken_down';
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id?: string;
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id?: string;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type GetDeliveryTimelineQuery = {
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id?: string;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListDeliveryStoreMessagesQuery = {
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListStatementsQuery = {
  /**
   * Only statements with this status.
   */
  status?: 'open' | 'published';
  /**
   * Format: currency
   * Only statements in this currency.
   * @example EUR
   */
  currency?: string;
  /**
   * Format: date
   * Only statements whose month begins on this day or later.
   * @example 2026-10-01
   */
  period_start?: string;
  /**
   * Format: date
   * Only statements whose month ends on this day or earlier.
   * @example 2026-12-31
   */
  period_end?: string;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListLineItemsQuery = {
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ExportLineItemsQuery = {
  /**
   * Continues a download that was interrupted: only line items after the one with this id, which is that of the last complete line you have.
   * @example sli_0000000001hqmt5c1xj9s4ya7f
   */
  after?: string;
};
export type ExportLineItemsCsvQuery = {
  /**
   * Continues a download that was interrupted: only line items after the one with this id, which is that of the last complete line you have.
   * @example sli_0000000001hqmt5c1xj9s4ya7f
   */
  after?: string;
};
export type ListRoyaltiesQuery = {
  /**
   * The id of a statement.
   * @example stm_01m77wd2r0fqmt5c1xj9s4ya7f
   */
  statement_id?: string;
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id?: string;
  /**
   * Format: territory-code
   * The ISO 3166-1 alpha-2 code of a territory.
   * @example DE
   */
  territory?: string;
  /**
   * Format: date
   * Only royalties whose usage period starts on or after this day.
   * @example 2026-09-01
   */
  period_start?: string;
  /**
   * Format: date
   * Only royalties whose usage period ends on or before this day.
   * @example 2026-09-30
   */
  period_end?: string;
  /**
   * Format: isrc
   * The ISRC of a recording, with or without hyphens.
   * @example QZ-NLR-25-00004
   */
  isrc?: string;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type SummarizeRoyaltiesQuery = {
  /**
   * What to sum by: `store`, `territory`, `release`, `track`, `label`, `usage_month`, `accounting_month` or `use_type`, or up to three of them with commas between them. `release` and `track` combine with each other and with `usage_month`, `label` combines with `usage_month`, and the others combine among themselves. If you omit it, `store`.
   * @default store
   * @example store,usage_month
   */
  group_by?: string;
  /**
   * The id of a statement.
   * @example stm_01m77wd2r0fqmt5c1xj9s4ya7f
   */
  statement_id?: string;
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id?: string;
  /**
   * Format: territory-code
   * The ISO 3166-1 alpha-2 code of a territory.
   * @example DE
   */
  territory?: string;
  /**
   * Format: date
   * Only royalties whose usage period starts on or after this day.
   * @example 2026-09-01
   */
  period_start?: string;
  /**
   * Format: date
   * Only royalties whose usage period ends on or before this day.
   * @example 2026-09-30
   */
  period_end?: string;
  /**
   * The id of a release.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  release_id?: string;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListReportingStatusQuery = {
  /**
   * The `store_id` of a store.
   * @example aurora
   */
  store_id?: string;
  /**
   * The month in which the music was used.
   * @example 2026-09
   */
  usage_month?: string;
  /**
   * Only months in this state. `not_due`: the month has not ended. `awaited`: the store will report it. `late`: the store should have reported it. `reported`: the store has reported it. `paid`: the store has also paid for it. `included`: it is in published statements.
   */
  state?: 'not_due' | 'awaited' | 'late' | 'reported' | 'paid' | 'included';
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type GetStatementProofQuery = {
  /**
   * The id of a line item.
   * @example sli_0000000001hqmt5c1xj9s4ya7f
   */
  line_item?: string;
};
export type ListStatementLedgerEntriesQuery = {
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListAdjustmentsQuery = {
  /**
   * Format: currency
   * Only those in this currency, by its ISO 4217 code.
   * @example EUR
   */
  currency?: string;
  /**
   * The id of a statement.
   * @example stm_01m77wd2r0fqmt5c1xj9s4ya7f
   */
  statement_id?: string;
  /**
   * Only adjustments of this type.
   */
  type?: 'penalty' | 'return' | 'chargeback' | 'correction' | 'non_track_income' | 'tax' | 'manual';
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListEarningHoldsQuery = {
  /**
   * Format: currency
   * Only those in this currency, by its ISO 4217 code.
   * @example EUR
   */
  currency?: string;
  /**
   * Only holds with this status.
   */
  status?: 'held' | 'released' | 'forfeited';
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListPayoutsQuery = {
  /**
   * Only payouts with this status.
   */
  status?:
    | 'pending'
    | 'on_hold'
    | 'processing'
    | 'in_transit'
    | 'paid'
    | 'failed'
    | 'returned'
    | 'canceled';
  /**
   * Format: currency
   * Only payouts in this currency.
   * @example EUR
   */
  currency?: string;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListPayoutMethodsQuery = {
  /**
   * Only payout methods with this status.
   */
  status?: 'pending_approval' | 'active' | 'removed';
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListEventsQuery = {
  /**
   * `pending`: an attempt is due. `delivered`: every subscribed webhook answered 2xx. `undelivered`: at least one webhook is disabled or its retries are exhausted.
   */
  delivery_status?: 'pending' | 'delivered' | 'undelivered';
  type?: EventType;
  /** Only events with a greater `sequence`, oldest first. Use it to catch up after an outage. */
  after?: number;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListWebhooksQuery = {
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListAuditLogQuery = {
  /**
   * Only changes by the actor with this id.
   * @example key_01m1e000z0eq5a45b7smtk282j
   */
  actor?: string;
  /**
   * Only changes of this kind, for example `release.update`.
   * @example release.update
   */
  action?: string;
  /**
   * Only changes of the resource with this id.
   * @example rel_01m74z2pe0emj8rpmscqkq6ty7
   */
  resource?: string;
  /**
   * Format: date-time
   * Only changes at this time or later. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  since?: string;
  /**
   * Format: date-time
   * Only changes before this time. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  until?: string;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ExportAuditLogQuery = {
  /**
   * Only entries with a greater `sequence`. 0: from the first entry.
   * @default 0
   */
  after?: number;
};
export type ListOAuthClientsQuery = {
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListApiKeysQuery = {
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListRequestsQuery = {
  /**
   * Only requests with this status, for example `422`, or with a status of this class, for example `4xx`.
   * @example 4xx
   */
  status?: string;
  code?: ErrorCode;
  /**
   * Only requests with this HTTP method.
   */
  method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /**
   * Only requests whose path begins with this text.
   * @example /v1/releases
   */
  path?: string;
  /**
   * Only requests with the API key or OAuth client of this id.
   * @example key_01m1e000z0eq5a45b7smtk282j
   */
  actor?: string;
  /**
   * Format: date-time
   * Only requests that arrived at this time or later. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  since?: string;
  /**
   * Format: date-time
   * Only requests that arrived before this time. Real time, also if the sandbox clock was moved.
   * @example 2026-11-15T09:30:00.000Z
   */
  until?: string;
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListScenariosQuery = {
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type ListSandboxReportsQuery = {
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
export type GetInboxQuery = {
  /**
   * How many items a page has at most, from 1 to 100. If you omit it, 20.
   * @default 20
   */
  limit?: number;
  /** The `next_cursor` of the previous page. Omit it for the first page. */
  cursor?: string;
};
