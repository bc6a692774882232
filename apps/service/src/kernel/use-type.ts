/** How people may use music at a store. Releases, tracks, deals and stores use the same four words. */

export const useTypes = ['ad_supported_stream', 'subscription_stream', 'download', 'ugc'] as const;
export type UseType = (typeof useTypes)[number];
