/**
 * The cells of the records of DDEX's Digital Sales Reporting standard, profile "Financial Reporting to Record Companies",
 * single record block, version 1.0. The names, their order and their properties are DDEX's. In a name, `!` means that
 * the cell is required, `*` that it may have several values separated by `|`; `#` is a number, `@` a date.
 */

export const dsrRecords = {
  SRHE: cellsOf(
    'RecordType! MessageVersion! Profile! ProfileVersion! MessageId! MessageCreatedDateTime!@ FileNumber! ' +
      'NumberOfFiles! UsageStartDate!@ UsageEndDate!@ SenderPartyId! SenderName! ServiceDescription ' +
      'RecipientPartyId RecipientName RepresentedRepertoire*',
  ),
  SY10: cellsOf(
    'RecordType! SummaryRecordId! DistributionChannelName DistributionChannelDPID CommercialModel! UseType! ' +
      'ReportingPeriodStartDate!@ ReportingPeriodEndDate!@ SubscriberType Subscribers# ActiveSubscribers# ' +
      'PromotionalActivity Territory! ServiceDescription OfferType Quality Usages!# AllocatedUsages!# ' +
      'Returns!# MusicUsageRatio!# CurrencyOfTransaction! CurrencyOfAccounting! ExchangeRate!# ' +
      'ExchangeRateSource DateOfCurrencyExchange@ GrossRevenueInCurrencyOfTransaction# ' +
      'GrossRevenueInCurrencyOfAccounting# CalculationType* CalculationValue*# DeductionType* ' +
      'DeductionsInCurrencyOfTransaction!*# DeductionsInCurrencyOfAccounting!*# ' +
      'NetRevenueInCurrencyOfTransaction!# NetRevenueInCurrencyOfAccounting!# ' +
      'AllocatedRevenueInCurrencyOfTransaction!# AllocatedRevenueInCurrencyOfAccounting!# ' +
      'AllocatedNetRevenueInCurrencyOfTransaction!# AllocatedNetRevenueInCurrencyOfAccounting!# ' +
      'RightsControllerMarketShare# SubscriptionFeeInCurrencyOfTransaction# ' +
      'SubscriptionFeeInCurrencyOfAccounting!# UsageIndependentFeeType* ' +
      'UsageIndependentFeeInCurrencyOfTransaction*# UsageIndependentFeeInCurrencyOfAccounting*# ' +
      'FinalTotalAmountInCurrencyOfTransaction!# FinalTotalAmountInCurrencyOfAccounting!#',
  ),
  SR08: cellsOf(
    'RecordType! SalesTransactionId! ReleaseGRid ReleaseICPN DspReleaseId! LabelReleaseId ' +
      'ProprietaryReleaseId* ReleaseContextReleaseGRid ReleaseType ReleaseTitle ReleaseSubTitle ' +
      'ReleaseDisplayArtistName ReleaseDisplayArtistPartyId ResourceISRC ResourceISAN DspResourceId ' +
      'LabelResourceId ProprietaryResourceId* ResourceContextReleaseGRid ResourceType ResourceTitle ' +
      'ResourceSubTitle ResourceDisplayArtistName ResourceDisplayArtistPartyId SummaryRecordId! ' +
      'SalesTransactionDate!@ TotalUsages!# Returns!# NetUsage!# WholesalePriceInCurrencyOfTransaction# ' +
      'WholesalePriceInCurrencyOfAccounting# SuggestedConsumerPriceInCurrencyOfTransaction# ' +
      'SuggestedConsumerPriceInCurrencyOfAccounting# PriceType PriceRangeType ' +
      'PriceConsumerPaidExcSalesTaxInCurrencyOfTransaction# ' +
      'PriceConsumerPaidExcSalesTaxInCurrencyOfAccounting# DeductionType* DeductionsInCurrencyOfTransaction*# ' +
      'DeductionsInCurrencyOfAccounting*# RightSharePercentage!# CalculatedUnitPriceInCurrencyOfTransaction!# ' +
      'CalculatedUnitPriceInCurrencyOfAccounting!# AllocatedRevenueInCurrencyOfTransaction!# ' +
      'AllocatedRevenueInCurrencyOfAccounting!# AllocatedNetRevenueInCurrencyOfTransaction!# ' +
      'AllocatedNetRevenueInCurrencyOfAccounting!# CopyrightObligationWithDSP!',
  ),
  SRFO: cellsOf('RecordType! NumberOfLinesInReport!# NumberOfSummaryRecords!#'),
};

export type DsrCell = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly repeats: boolean;
  readonly type: 'text' | 'number' | 'date';
};

function cellsOf(text: string): readonly DsrCell[] {
  return text.split(' ').map((cell) => ({
    name: cell.replace(/[!*#@]+$/, ''),
    isRequired: cell.includes('!'),
    repeats: cell.includes('*'),
    type: cell.includes('#') ? 'number' : cell.includes('@') ? 'date' : 'text',
  }));
}
