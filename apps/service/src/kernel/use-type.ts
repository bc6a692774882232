/** How people may use music at a store. Releases, tracks, deals and stores use the same four words. */

export const useTypes = ['ad_supported_stream', 'subscription_stream', 'download', 'ugc'] as const;
export type UseType = (typeof useTypes)[number];

/** One bit for each use type: stored with every store delivery. */
export const packUseTypes = (uses: readonly UseType[]): number =>
  uses.reduce((mask, use) => mask | (1 << useTypes.indexOf(use)), 0);

export const unpackUseTypes = (mask: number): UseType[] =>
  useTypes.filter((_, position) => (mask & (1 << position)) !== 0);
