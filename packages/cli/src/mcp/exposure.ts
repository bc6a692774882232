/**
 * Which operations of the API a model may call. An operation that is in neither list is a tool: a read tool if it is a
 * GET, else a write tool. A test compares both lists with the OpenAPI document.
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
 * The operations that a person must confirm: they remove something, move money, cut off access, or send data to another
 * address. The text says what happens, for the person who decides.
 */
export const confirmedOperations: Readonly<Record<string, string>> = {
  takeDownDelivery:
    'Asks the stores to remove the release. Listeners lose it within 24 to 72 hours.',
  createDeliveryJob: 'Delivers or takes down up to hundreds of releases at once.',
  createPayout: 'Sends money to your bank account at the next cut-off.',
  cancelPayout: 'Stops a payout that has not been sent.',
  updatePayoutSchedule: 'Changes when your money is paid out by itself.',
  approvePayoutMethod: 'Allows payouts to a bank account.',
  deletePayoutMethod: 'Removes a bank account from your organization.',
  deleteRelease: 'Deletes a draft with its tracks.',
  deleteTrack: 'Deletes a track of a draft.',
  deleteArtist: 'Deletes an artist.',
  deleteLabel: 'Deletes a label.',
  mergeArtist: 'Replaces an artist by another in your whole catalog. It cannot be undone.',
  updateWebhook: 'Changes where your events are sent, or which of them.',
  deleteWebhook: 'Ends the sending of events to an endpoint.',
  deleteOAuthClient: 'Deletes an OAuth client. Its access tokens stop working.',
  revokeOAuthSecret: 'Revokes a secret of an OAuth client. Programs that use it are locked out.',
  revokeApiKey: 'Revokes an API key. Programs that use it are locked out.',
  updateOrganization: 'Changes the settings of your organization.',
  resetSandbox: 'Deletes everything that your organization has in the sandbox.',
  deleteScenario: 'Deletes a scenario of the sandbox.',
  deleteScenarios: 'Deletes all scenarios of the sandbox.',
  emptyInbox: 'Deletes all messages of the inbox in the sandbox.',
};

/** Writes that can be repeated: the second call changes nothing more. The same is true of every PATCH and DELETE. */
export const repeatableOperations: ReadonlySet<string> = new Set([
  'validateRelease',
  'dryRunDelivery',
  'setSandboxVerification',
  'tellInbox',
]);

/** POST operations that change nothing. They are read tools. */
export const readingOperations: ReadonlySet<string> = new Set([
  'validateRelease',
  'dryRunDelivery',
]);
