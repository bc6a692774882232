/**
 * Which operations of the API a model may call, and which of them a person must confirm. Every operation that is not
 * absent is a tool. A test compares the lists with the OpenAPI document.
 */

const answersWithSecret =
  'Its answer has a secret, which must not reach a model. Use the command line or the API.';
const hasBankOrTaxDetails =
  'Bank and tax details must not pass through a model. Use the dashboard or the API.';
const isUnbounded = 'It downloads a whole file. The list operation has the same rows, in pages.';
const isUpload =
  'Its answer has presigned URLs. The tool `upload_file` uploads a file of the folder given by --files.';

/** The operations that are no tools, each with the reason. */
export const absentOperations: Readonly<Record<string, string>> = {
  createApiKey: answersWithSecret,
  createWebhook: answersWithSecret,
  rotateWebhookSecret: answersWithSecret,
  createOAuthClient: answersWithSecret,
  addOAuthSecret: answersWithSecret,
  createAccessToken: answersWithSecret,
  getIdempotencyKey: 'Its answer is the stored answer of any request, which may have a secret.',
  createPayoutMethod: hasBankOrTaxDetails,
  updateTaxProfile: hasBankOrTaxDetails,
  exportLineItems: isUnbounded,
  exportLineItemsCsv: isUnbounded,
  exportAuditLog: isUnbounded,
  createAsset: isUpload,
  completeAsset: isUpload,
  receiveInInbox: 'It is for webhooks of others; it needs no API key.',
};

/**
 * By what an operation does (`x-effect` of the OpenAPI document): what the person must know who confirms it. Null: nobody
 * is asked.
 */
export const warnings = {
  reads: null,
  creates: null,
  changes: null,
  deletes: 'This deletes something, and cannot be undone.',
  withdraws:
    'This can take music from listeners, or narrow where and how they get it, now or with the next update of a delivery.',
  moves_money: 'This decides whether, when, how much or where money is paid.',
  redirects: 'This changes where events or notices are sent, or which.',
  reveals_secret: 'The answer has a secret.',
  revokes_access: 'Programs that use the credential are locked out.',
} as const;

export type Effect = keyof typeof warnings;

/** Writes that can be repeated: the second call changes nothing more. The same is true of every PATCH and DELETE. */
export const repeatableOperations: ReadonlySet<string> = new Set([
  'setSandboxVerification',
  'tellInbox',
]);
