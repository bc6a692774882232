/** How much of the music or the artwork was made by generative AI (catalogue §4), as DDEX's ContainsAI. */

export const aiUses = ['none', 'partly', 'all'] as const;

/** Null or missing: not declared. */
type Declaration = (typeof aiUses)[number] | null;

export type ReleaseAiUse = { readonly artwork?: Declaration };
export type TrackAiUse = { readonly recording?: Declaration; readonly composition?: Declaration };

/** Every part, in one order. */
export const presentReleaseAiUse = ({ artwork = null }: ReleaseAiUse) => ({ artwork });
export const presentTrackAiUse = ({ recording = null, composition = null }: TrackAiUse) => ({
  recording,
  composition,
});
