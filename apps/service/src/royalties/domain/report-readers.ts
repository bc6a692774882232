import { csvReader } from './csv-report.ts';
import { dsrReader } from './dsr.ts';
import type { ReportReader } from './report-layout.ts';
import type { ReportFormat } from './report.ts';

/** As Apple's financial reports: one line per product, country and currency, in fiscal months; returns are negative. */
const fiscalCsv = csvReader({
  delimiter: '\t',
  isQuoted: false,
  cells: {
    isrc: 'ISRC',
    productCode: 'UPC',
    title: 'Title',
    units: 'Quantity',
    amount: 'Extended Partner Share',
  },
  start: 'Start Date',
  end: 'End Date',
  accountingMonth: 'Fiscal Month',
  territory: 'Country Of Sale',
  use: 'Product Type',
  currency: 'Partner Share Currency',
  uses: {
    Song: 'download',
    Album: 'download',
    Subscription: 'subscription_stream',
    'Ad-Funded': 'ad_supported_stream',
    UGC: 'ugc',
  },
  otherUses: { Penalty: 'penalty', Chargeback: 'chargeback' },
  dates: 'MM/DD/YYYY',
  totals: 'Total_Rows',
});

/** RFC 4180, with our own words for uses. */
const plainCsv = csvReader({
  delimiter: ',',
  isQuoted: true,
  cells: { isrc: 'isrc', productCode: 'upc', title: 'title', units: 'quantity', amount: 'amount' },
  start: 'period_start',
  end: 'period_end',
  accountingMonth: null,
  territory: 'territory',
  use: 'use_type',
  currency: 'currency',
  uses: {
    ad_supported_stream: 'ad_supported_stream',
    subscription_stream: 'subscription_stream',
    download: 'download',
    ugc: 'ugc',
  },
  otherUses: { penalty: 'penalty', chargeback: 'chargeback' },
  dates: 'YYYY-MM-DD',
  totals: null,
});

export const reportReaders: Readonly<Record<ReportFormat, ReportReader>> = {
  dsr: dsrReader,
  fiscal_csv: fiscalCsv,
  plain_csv: plainCsv,
};
