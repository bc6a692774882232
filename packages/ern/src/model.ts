/**
 * What the messages of DDEX ERN 4 say, as plain data: JSON in, JSON out. The words for values (`MainArtist`,
 * `SubscriptionModel`) are DDEX's own. References (`P1`, `A1`, `R0`) are not part of it: builders make them, readers
 * resolve them. An absent property means that the message does not say it; no property is ever `undefined` or null.
 */

/** A BCP 47 tag, `en`, `ja-Latn`. ERN has no place for variants that begin with a digit, and for extensions. */
export type LanguageTag = string;

/** `2027-01-15`; in a partner's message also `2027-01` and `2027`. */
export type IsoDate = string;

/**
 * When a deal begins or ends. `2027-01-15T00:00:00` is local midnight in each territory, `2027-01-15T00:00:00Z` is one
 * instant everywhere, `2027-01-15` is the local day.
 */
export type DealTime = string;

/** ISO 3166-1 alpha-2, or `Worldwide`. */
export type TerritoryCode = string;

/** An id of somebody's own, and whose: usually a DPID. */
export type ProprietaryId = { readonly namespace: string; readonly value: string };

export type LocalizedText = { readonly language: LanguageTag; readonly text: string };

/** A sender or a recipient of messages. */
export type MessagingParty = {
  /** DDEX party id, `PADPIDA…`. */
  readonly dpid: string;
  readonly name?: string;
};

/** Who is credited. Entries with equal parties become one party of the message. */
export type Party = {
  readonly name: string;
  readonly localizedNames?: readonly LocalizedText[];
  readonly isni?: string;
  /** IPI name number, eleven digits. */
  readonly ipi?: string;
  /** The ids of the party at stores; the namespace says which store. */
  readonly proprietaryIds?: readonly ProprietaryId[];
};

export const displayArtistRoles = ['MainArtist', 'FeaturedArtist', 'Artist', 'Composer'] as const;
export type DisplayArtistRole = (typeof displayArtistRoles)[number];

export type DisplayArtist = {
  readonly party: Party;
  readonly role: DisplayArtistRole;
  /** What the artist did, as a ContributorRole: `Remixer`. */
  readonly artisticRoles?: readonly string[];
};

/** How much was made by generative AI. Only ERN 4.3.2 carries it. */
export const aiUses = ['None', 'Partly', 'All'] as const;
export type AiUse = (typeof aiUses)[number];

export type Contributor = {
  readonly party: Party;
  /** DDEX's ContributorRole: `Composer`, `MixingEngineer`. */
  readonly roles: readonly string[];
  /** DDEX's InstrumentType: `BassGuitar`. */
  readonly instruments?: readonly string[];
  /** Of this contribution. AI in a composition is declared on its writers. */
  readonly aiUse?: AiUse;
};

/** Who controls the rights in a recording: a store that claims videos of users pays and asks them. */
export type RightsController = {
  readonly party: Party;
  /** Per cent. */
  readonly share?: number;
};

export type Title = { readonly text: string; readonly version?: string };
export type LocalizedTitle = Title & { readonly language: LanguageTag };

/** A line of the owners of rights: `2026 Northern Lights`. */
export type RightsLine = {
  readonly year?: number;
  readonly company?: string;
  readonly text: string;
};

export type Genre = { readonly text: string; readonly subgenre?: string };

export const parentalWarnings = [
  'Explicit',
  'ExplicitContentEdited',
  'NotExplicit',
  'NoAdviceAvailable',
  'Unknown',
] as const;
export type ParentalWarning = (typeof parentalWarnings)[number];

/** The algorithm is DDEX's HashSumAlgorithmType: `SHA-256`, `MD5`. */
export type FileHash = { readonly algorithm: string; readonly value: string };

export type File = {
  /** Relative to the message, `resources/01.flac`. */
  readonly uri: string;
  readonly hash?: FileHash;
  readonly sizeBytes?: number;
};

export type AudioFile = {
  /** DDEX's AudioCodecType: `FLAC`, `PCM`. */
  readonly codec?: string;
  readonly channels?: number;
  readonly sampleRateHz?: number;
  readonly bitsPerSample?: number;
  readonly file?: File;
  /** False if the file was sent before and has not changed. */
  readonly isProvided?: boolean;
};

/** The part of a recording that a store plays to people who have not bought it. */
export type Preview = { readonly startMs: number; readonly durationMs?: number };

/** Either the territories, or all of the world but them. */
export type Territories =
  | { readonly included: readonly TerritoryCode[] }
  | { readonly excluded: readonly TerritoryCode[] };

export const commercialModels = [
  'PayAsYouGoModel',
  'SubscriptionModel',
  'AdvertisementSupportedModel',
  'RightsClaimModel',
  'FreeOfChargeModel',
  'DeviceFeeModel',
  'PerformanceRoyaltiesModel',
] as const;
export type CommercialModel = (typeof commercialModels)[number];

export const rightsClaimPolicies = ['Monetize', 'ReportUsage', 'BlockAccess'] as const;
export type RightsClaimPolicy = (typeof rightsClaimPolicies)[number];

/** Start and end are both days or both times. */
export type Period = { readonly start: DealTime; readonly end?: DealTime };

export type Deal = {
  readonly territories: Territories;
  readonly period: Period;
  readonly commercialModels: readonly CommercialModel[];
  /** DDEX's UseType: `OnDemandStream`, `PermanentDownload`, `UserMakeAvailableUserProvided`. */
  readonly useTypes: readonly string[];
  /** What is done with videos of users that contain the recording. */
  readonly rightsClaimPolicy?: RightsClaimPolicy;
  /** The price class, in the words of the store. */
  readonly priceCode?: ProprietaryId;
  /** The deal is about orders before the release. Its period ends where that of the release's own deals begins. */
  readonly isPreOrder?: true;
};

/** When a store may show a release that is not available yet: instants, or local times without a zone. */
export type Visibility = {
  /** Absent: in all territories of the deals. */
  readonly territories?: Territories;
  readonly displayStart?: DealTime;
  readonly coverArtStart?: DealTime;
  readonly trackListingStart?: DealTime;
  readonly clipStart?: DealTime;
};

export type ReleaseIds = {
  readonly grid?: string;
  /** UPC or EAN. */
  readonly icpn?: string;
  readonly catalogNumber?: ProprietaryId;
  readonly proprietaryIds?: readonly ProprietaryId[];
};

export type CoverImage = {
  /** At least one. */
  readonly proprietaryIds: readonly ProprietaryId[];
  readonly parentalWarning?: ParentalWarning;
  readonly aiUse?: AiUse;
  /** DDEX's ImageCodecType: `JPEG`, `PNG`. */
  readonly codec?: string;
  readonly widthPx?: number;
  readonly heightPx?: number;
  readonly file?: File;
  /** False if the file was sent before and has not changed. */
  readonly isProvided?: boolean;
};

export const compilationKinds = ['SingleArtist', 'MultiArtist'] as const;
export type CompilationKind = (typeof compilationKinds)[number];

export type Release = {
  readonly ids: ReleaseIds;
  /** DDEX's ReleaseType: `Album`, `EP`, `Single`. */
  readonly type: string;
  readonly title: Title;
  readonly localizedTitles?: readonly LocalizedTitle[];
  /** All artists in one line, as shown: `Ada feat. Bob`. */
  readonly displayArtistName: string;
  readonly artists: readonly DisplayArtist[];
  readonly label: Party;
  readonly pLine?: RightsLine;
  readonly cLine?: RightsLine;
  readonly durationMs?: number;
  readonly genre: Genre;
  readonly releaseDate?: IsoDate;
  readonly originalReleaseDate?: IsoDate;
  readonly parentalWarning: ParentalWarning;
  readonly compilation?: CompilationKind;
  readonly aiUse?: AiUse;
  readonly cover?: CoverImage;
  /** Empty: the release is not offered, which takes it down where it is live. */
  readonly deals: readonly Deal[];
  readonly visibility?: readonly Visibility[];
};

/** One form of a recording: the stereo master is the first, an immersive one has its own ISRC and files. */
export type Edition = {
  readonly type?: 'NonImmersiveEdition' | 'ImmersiveEdition';
  readonly isrc?: string;
  readonly proprietaryIds?: readonly ProprietaryId[];
  readonly pLine?: RightsLine;
  readonly audio?: AudioFile;
  readonly preview?: Preview;
};

/** A track as something to be sold or streamed by itself. */
export type TrackRelease = {
  /** Not an ISRC, which names the recording: usually proprietary, `{ICPN}_{ISRC}`. */
  readonly ids: ReleaseIds;
  readonly genre: Genre;
  /** Empty: the track is not offered by itself. */
  readonly deals: readonly Deal[];
};

export type Track = {
  /** From 1. */
  readonly disc: number;
  /** From 1 on each disc. */
  readonly number: number;
  /** At least one. */
  readonly editions: readonly Edition[];
  readonly iswc?: string;
  readonly title: Title;
  readonly localizedTitles?: readonly LocalizedTitle[];
  readonly displayArtistName: string;
  readonly artists: readonly DisplayArtist[];
  readonly contributors?: readonly Contributor[];
  readonly rightsControllers?: readonly RightsController[];
  readonly durationMs: number;
  /** When any release first contained the recording. */
  readonly firstPublicationDate?: IsoDate;
  readonly recordingCountry?: TerritoryCode;
  readonly parentalWarning: ParentalWarning;
  /** Of the recording. */
  readonly aiUse?: AiUse;
  readonly isCover?: boolean;
  readonly isInstrumental?: boolean;
  readonly languageOfPerformance?: LanguageTag;
  /** The composer, the work and its parts are shown as for classical music. */
  readonly isClassical?: true;
  /** Buyers of the pre-order get the track at once. The release must have a pre-order deal. */
  readonly isInstantGratification?: true;
  /** Every track has one, except in the profile `SimpleAudioSingle`. */
  readonly trackRelease?: TrackRelease;
};

export type MessageHeader = {
  /** Ties the messages about one delivery together. */
  readonly threadId?: string;
  /** Never used twice. */
  readonly messageId: string;
  readonly sender: MessagingParty;
  readonly onBehalfOf?: MessagingParty;
  /** At least one. */
  readonly recipients: readonly MessagingParty[];
  /** RFC 3339, `2026-11-17T10:00:00Z`. */
  readonly createdAt: string;
  readonly control?: 'LiveMessage' | 'TestMessage';
};

/** All that a store is to know about a release. It replaces what earlier messages said. */
export type NewReleaseMessage = {
  readonly kind: 'new_release';
  readonly header: MessageHeader;
  /** Of titles and names that do not say their own. */
  readonly language: LanguageTag;
  /** DDEX's ReleaseProfileVersionId: `Audio`, `SimpleAudioSingle`. */
  readonly profile?: string;
  /** DDEX's ReleaseProfileVariantVersionId: `Classical`. */
  readonly profileVariant?: string;
  readonly release: Release;
  /** By disc and number. */
  readonly tracks: readonly Track[];
};

/** The store shall forget a corrupt release. Not the way to take one down. */
export type PurgeReleaseMessage = {
  readonly kind: 'purge_release';
  readonly header: MessageHeader;
  readonly language: LanguageTag;
  readonly ids: ReleaseIds;
  readonly title?: Title;
  readonly artists?: readonly Party[];
};

export type ErnMessage = NewReleaseMessage | PurgeReleaseMessage;
