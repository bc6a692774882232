/** DDEX's words for uses and business models, in ours. */

import type { UseType } from '../../kernel/use-type.ts';
import type { OtherIncomeType } from './report-layout.ts';

const streams = new Set([
  'OnDemandStream',
  'NonInteractiveStream',
  'ContentInfluencedStream',
  'TimeInfluencedStream',
  'Stream',
  'Webcast',
  'Simulcast',
  'Podcast',
  'Playback',
  // Bound to a subscription: without it, the file cannot be played.
  'ConditionalDownload',
  'TetheredDownload',
]);
const downloads = new Set(['PermanentDownload', 'Download', 'KioskDownload']);
const userMade = new Set(['UserMakeAvailableLabelProvided', 'UserMakeAvailableUserProvided']);

const streamsByModel: Readonly<Record<string, UseType>> = {
  SubscriptionModel: 'subscription_stream',
  PayAsYouGoModel: 'subscription_stream',
  DeviceFeeModel: 'subscription_stream',
  AdvertisementSupportedModel: 'ad_supported_stream',
  FreeOfChargeModel: 'ad_supported_stream',
};

/** Undefined: a use that we do not sell. */
export function useTypeOfDsr(useType: string, commercialModel: string): UseType | undefined {
  if (userMade.has(useType) || commercialModel === 'RightsClaimModel') return 'ugc';
  if (downloads.has(useType)) return 'download';
  return streams.has(useType) && Object.hasOwn(streamsByModel, commercialModel)
    ? streamsByModel[commercialModel]
    : undefined;
}

/**
 * DSR has no record for fines. Sender and recipient agree on the values of OfferType and UsageIndependentFeeType: rows of
 * a summary record with one of these offer types are fines or chargebacks, not usage.
 */
const agreedTypes: Readonly<Record<string, OtherIncomeType>> = {
  ArtificialStreamingPenalty: 'penalty',
  Chargeback: 'chargeback',
};

export const otherTypeOf = (agreed: string): OtherIncomeType | undefined =>
  Object.hasOwn(agreedTypes, agreed) ? agreedTypes[agreed] : undefined;
