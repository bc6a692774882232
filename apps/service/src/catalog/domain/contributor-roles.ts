/**
 * The roles of contributors. `ddexRole` is a ContributorRole of DDEX's allowed value sets, in version 9 (ERN 4.3.2) and in
 * version 3 (ERN 4.3). The groups are those of Apple's credits: performers, writers, and production and engineering.
 */

export const roleGroups = ['performer', 'writer', 'production', 'engineering'] as const;
export type RoleGroup = (typeof roleGroups)[number];

const performers = {
  performer: ['Performer', 'Performer'],
  vocalist: ['Vocalist', 'Vocalist'],
  lead_vocalist: ['Lead vocalist', 'LeadVocalist'],
  background_vocalist: ['Background vocalist', 'BackgroundVocalist'],
  musician: ['Musician', 'Musician'],
  studio_musician: ['Studio musician', 'StudioMusician'],
  soloist: ['Soloist', 'Soloist'],
  accompanist: ['Accompanist', 'Accompanyist'],
  dj: ['DJ', 'DJ'],
  narrator: ['Narrator', 'Narrator'],
  speaker: ['Speaker', 'Speaker'],
  voice_actor: ['Voice actor', 'VoiceActor'],
  conductor: ['Conductor', 'Conductor'],
  chorus_master: ['Chorus master', 'ChorusMaster'],
  concert_master: ['Concert master', 'ConcertMaster'],
  band_leader: ['Band leader', 'BandLeader'],
  music_group: ['Music group', 'MusicGroup'],
  group_member: ['Group member', 'GroupMember'],
  ensemble: ['Ensemble', 'Ensemble'],
  orchestra: ['Orchestra', 'Orchestra'],
  orchestra_member: ['Orchestra member', 'OrchestraMember'],
  choir: ['Choir', 'Choir'],
  choir_member: ['Choir member', 'ChoirMember'],
} as const;

const writers = {
  composer: ['Composer', 'Composer'],
  lyricist: ['Lyricist', 'Lyricist'],
  composer_lyricist: ['Composer and lyricist', 'ComposerLyricist'],
  author: ['Author', 'Author'],
  librettist: ['Librettist', 'Librettist'],
  arranger: ['Arranger', 'Arranger'],
  vocal_arranger: ['Vocal arranger', 'VocalArranger'],
  adapter: ['Adapter', 'Adapter'],
  translator: ['Translator', 'Translator'],
} as const;

const production = {
  producer: ['Producer', 'StudioProducer'],
  co_producer: ['Co-producer', 'CoProducer'],
  additional_producer: ['Additional producer', 'AdditionalStudioProducer'],
  executive_producer: ['Executive producer', 'ExecutiveProducer'],
  co_executive_producer: ['Co-executive producer', 'CoExecutiveProducer'],
  associate_producer: ['Associate producer', 'AssociateProducer'],
  assistant_producer: ['Assistant producer', 'AssistantProducer'],
  vocal_producer: ['Vocal producer', 'VocalProducer'],
  string_producer: ['String producer', 'StringProducer'],
  compilation_producer: ['Compilation producer', 'CompilationProducer'],
  reissue_producer: ['Reissue producer', 'ReissueProducer'],
  post_producer: ['Post-producer', 'PostProducer'],
  remixer: ['Remixer', 'Remixer'],
  music_director: ['Music director', 'MusicDirector'],
  production_coordinator: ['Production coordinator', 'ProductionCoordinator'],
  a_and_r_coordinator: ['A&R coordinator', 'AAndRCoordinator'],
} as const;

const engineering = {
  engineer: ['Engineer', 'Engineer'],
  assistant_engineer: ['Assistant engineer', 'AssistantEngineer'],
  additional_engineer: ['Additional engineer', 'AdditionalEngineer'],
  recording_engineer: ['Recording engineer', 'RecordingEngineer'],
  mixing_engineer: ['Mixing engineer', 'MixingEngineer'],
  immersive_mixing_engineer: ['Immersive mixing engineer', 'ImmersiveMixingEngineer'],
  remixing_engineer: ['Remixing engineer', 'RemixingEngineer'],
  mastering_engineer: ['Mastering engineer', 'MasteringEngineer'],
  balance_engineer: ['Balance engineer', 'BalanceEngineer'],
  vocal_engineer: ['Vocal engineer', 'VocalEngineer'],
  string_engineer: ['String engineer', 'StringEngineer'],
  overdub_engineer: ['Overdub engineer', 'OverdubEngineer'],
  tracking_engineer: ['Tracking engineer', 'TrackingEngineer'],
  digital_editing_engineer: ['Digital editing engineer', 'DigitalEditingEngineer'],
  vocal_editing_engineer: ['Vocal editing engineer', 'VocalEditingEngineer'],
  programming_engineer: ['Programming engineer', 'ProgrammingEngineer'],
  programmer: ['Programmer', 'Programmer'],
  sound_designer: ['Sound designer', 'SoundDesigner'],
  tonmeister: ['Tonmeister', 'Tonmeister'],
} as const;

type RolesOfGroup = Readonly<Record<string, readonly [name: string, ddexRole: string]>>;

const rolesByGroup = {
  performer: performers,
  writer: writers,
  production,
  engineering,
} satisfies Record<RoleGroup, RolesOfGroup>;

export type ContributorRole = {
  [Group in RoleGroup]: keyof (typeof rolesByGroup)[Group];
}[RoleGroup];

type ContributorRoleEntry = {
  readonly role: ContributorRole;
  readonly name: string;
  readonly group: RoleGroup;
  readonly ddexRole: string;
};

/** Object.entries returns any strings; the tables are closed, so these are their roles. */
export const contributorRoleEntries: readonly ContributorRoleEntry[] = roleGroups.flatMap((group) =>
  (Object.entries(rolesByGroup[group]) as [ContributorRole, readonly [string, string]][]).map(
    ([role, [name, ddexRole]]) => ({ role, name, group, ddexRole }),
  ),
);

export const contributorRoles: readonly ContributorRole[] = contributorRoleEntries.map(
  ({ role }) => role,
);

/** Object.fromEntries forgets the keys; every role has an entry. */
const groupByRole = Object.fromEntries(
  contributorRoleEntries.map(({ role, group }) => [role, group]),
) as Readonly<Record<ContributorRole, RoleGroup>>;

export const groupOf = (role: ContributorRole): RoleGroup => groupByRole[role];

export const isWriterRole = (role: ContributorRole): boolean => groupOf(role) === 'writer';

const ddexRoles = new Map(contributorRoleEntries.map(({ role, ddexRole }) => [role, ddexRole]));

/** As a message to a store names it. */
export function ddexRoleOf(role: ContributorRole): string {
  const ddexRole = ddexRoles.get(role);
  if (ddexRole === undefined) throw new Error(`the role ${role} has no entry`);
  return ddexRole;
}
