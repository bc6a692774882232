export { type CallOptions, Tonearm, Tonearm as default } from './client.ts';
export { ApiCall, type Answer } from './core/api-call.ts';
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  type ErrorDetail,
  NotFoundError,
  NotModifiedError,
  PermissionDeniedError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  TimeoutError,
  TonearmError,
  UnprocessableError,
} from './core/errors.ts';
export type { LineStream } from './core/line-stream.ts';
export type { AnyPage, Pager } from './core/pager.ts';
export type { Method, RawBody, ReadOptions, RequestOptions, WriteOptions } from './core/request.ts';
export { type Fetch, type OAuthOptions, type TonearmOptions, version } from './core/settings.ts';
export type * from './generated/schema.ts';
export { AssetFailedError } from './resources/assets.ts';
export type { UploadSource } from './uploads/source.ts';
export type { UploadOptions, UploadProgress, UploadResume } from './uploads/options.ts';
export { UploadError } from './uploads/upload.ts';
export { type WaitOptions, WaitTimeoutError } from './waiters/wait-for.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './webhooks/verify.ts';
