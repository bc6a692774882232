/** DDEX's ErncFileStatus: what a store can say about a message, except `UserDefined`. */
export const fileStatuses = [
  'ArtistRoleUnknown',
  'CommercialReleaseDateInvalid',
  'ConflictingAvailabilityPeriods',
  'DuplicatedPublisherNames',
  'ErnMissing',
  'FileOK',
  'IdentifierInvalid',
  'IdentifierSyntaxInvalid',
  'InternalError',
  'MetadataMissing',
  'NewReleaseMessageInvalid',
  'NoDealForTrackRelease',
  'NoDealInNewReleaseMessage',
  'OriginalReleaseDateLaterThanReleaseDate',
  'PrimaryArtistNameMissing',
  'ResourceCorrupt',
  'ResourceMissing',
  'ResourceNotMeetingSpecifications',
  'SignatureOrHashSumWrongOrMissing',
  'UnsupportedUsage',
] as const;
export type FileStatus = (typeof fileStatuses)[number];

/**
 * Why a message is refused. Of DDEX's codes, `NewReleaseMessageInvalid` stands for every error of structure, because
 * there is none for references, manifests and purges.
 */
export type Finding = {
  readonly code: FileStatus;
  /** What is wrong, and what to send instead. */
  readonly message: string;
  /** The element in question, or the one that lacks something. */
  readonly xpath: string;
};
