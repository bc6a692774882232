/** The PDF of a statement: one page of summary, then tables by store and by release. In English, for print. */

import type { DocumentRow, StatementDocument } from '../domain/statement-document.ts';
import {
  contentBottom,
  contentWidth,
  drawRule,
  fitText,
  grey,
  margin,
  openPdf,
  printable,
  type Pdf,
  setStyle,
  type TextStyle,
  writeFooters,
  writeLine,
} from './pdf-page.ts';
import { type Column, drawTable, tableHeightMin, type TableRow } from './pdf-table.ts';

const minus = '−';

/** With separators of thousands, and a minus as wide as a digit. */
const numberText = (value: string): string => {
  const [whole = '', decimals] = value.replace('-', '').split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const sign = value.startsWith('-') ? minus : '';
  return sign + (decimals === undefined ? grouped : `${grouped}.${decimals}`);
};

const negated = (amount: string): string => {
  if (amount.startsWith('-')) return amount.slice(1);
  return /[1-9]/.test(amount) ? `-${amount}` : amount;
};

const dayText = (date: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(date));
const fullDay = (date: string): string =>
  dayText(date, { day: 'numeric', month: 'long', year: 'numeric' });
const monthText = (date: string): string => dayText(date, { month: 'long', year: 'numeric' });

/** A month without a run belongs to the next statement. */
function periodText({ periodStart, periodEnd }: StatementDocument): string {
  const [first, last] = [monthText(periodStart), monthText(periodEnd)];
  return first === last ? first : `${first} – ${last}`;
}

type Drawn = { readonly pdf: Pdf; readonly pageCount: number };

export function drawStatement(content: StatementDocument): Drawn {
  const title = `Royalty statement ${periodText(content)}, ${content.currency}`;
  const pdf = openPdf(title, new Date(content.publishedAt));
  let y = drawHeading(pdf, content);
  y = drawSummary(pdf, y + 22, content);
  drawProof(pdf, y + 26, content);
  drawBreakdowns(pdf, content);
  const footer = `${content.statementId} · ${periodText(content)} · ${content.currency}`;
  const pageCount = writeFooters(pdf, footer);
  pdf.end();
  return { pdf, pageCount };
}

const factLabel: TextStyle = { size: 8, color: grey };
const factText: TextStyle = { size: 9.5 };

function drawHeading(pdf: Pdf, content: StatementDocument): number {
  const { organizationName: name, organizationId: id } = content;
  writeLine(pdf, 'Royalty statement', { x: margin, y: margin }, { size: 20, font: 'bold' });
  writeLine(pdf, periodText(content), { x: margin, y: margin + 4, right: true }, { size: 15 });
  drawRule(pdf, margin + 34, 1.5);
  const facts: readonly (readonly [string, string])[] = [
    ['Organization', printable(pdf, name) ?? id],
    ['Period', `${fullDay(content.periodStart)} – ${fullDay(content.periodEnd)}`],
    ['Organization id', id],
    ['Published', `${fullDay(content.publishedAt)} (UTC)`],
    ['Statement', content.statementId],
    ['Currency', content.currency],
  ];
  const top = margin + 46;
  const half = contentWidth / 2;
  for (const [index, [label, text]] of facts.entries()) {
    const x = margin + (index % 2) * half;
    const y = top + Math.floor(index / 2) * 30;
    writeLine(pdf, label, { x, y, width: half }, factLabel);
    const shown = fitText(setStyle(pdf, factText), text, half - 12);
    writeLine(pdf, shown, { x, y: y + 11, width: half }, factText);
  }
  return top + Math.ceil(facts.length / 2) * 30;
}

type SummaryLine = {
  readonly label: string;
  readonly amount: string;
  readonly level?: 'part' | 'sum' | 'end';
};

function summaryLines({ amounts, ...content }: StatementDocument): readonly SummaryLine[] {
  const { lineItemCount: items, adjustmentCount: count } = content;
  const counted = (n: number, noun: string) =>
    `${numberText(String(n))} ${noun}${n === 1 ? '' : 's'}`;
  return [
    { label: 'Opening balance', amount: amounts.openingBalance },
    {
      label: `Gross royalties (${counted(items, 'line item')})`,
      amount: amounts.grossAmount,
      level: 'part',
    },
    { label: 'Distribution fees', amount: negated(amounts.feeAmount), level: 'part' },
    { label: 'Tax withheld by stores', amount: negated(amounts.sourceTaxAmount), level: 'part' },
    { label: 'Tax withheld by us', amount: negated(amounts.payeeTaxAmount), level: 'part' },
    { label: 'Net royalties', amount: amounts.netAmount, level: 'sum' },
    { label: `Adjustments (${numberText(String(count))})`, amount: amounts.adjustmentAmount },
    { label: 'Payouts', amount: negated(amounts.payoutAmount) },
    {
      label: `Closing balance in ${content.currency}`,
      amount: amounts.closingBalance,
      level: 'end',
    },
    { label: 'of which available', amount: amounts.availableAmount, level: 'part' },
    { label: 'of which reserved for payouts', amount: amounts.reservedAmount, level: 'part' },
    { label: 'of which held', amount: amounts.heldAmount, level: 'part' },
  ];
}

const amountRight = margin + contentWidth;
const amountLeft = margin + contentWidth * 0.62;

function drawSummary(pdf: Pdf, top: number, content: StatementDocument): number {
  let y = top;
  for (const { label, amount, level } of summaryLines(content)) {
    const isEnd = level === 'end';
    const isPart = level === 'part';
    const style: TextStyle = {
      size: isEnd ? 11.5 : 10,
      font: level === 'sum' || isEnd ? 'bold' : 'regular',
    };
    if (level === 'sum') drawRule(pdf, y, 0.5, amountLeft, amountRight);
    if (isEnd) drawRule(pdf, (y += 3), 1, margin, amountRight);
    const textY = y + (isEnd ? 4 : 3);
    writeLine(pdf, label, { x: margin + (isPart ? 14 : 0), y: textY }, style);
    writeLine(pdf, numberText(amount), { x: margin, y: textY, right: true }, style);
    y += isEnd ? 23 : 18;
    if (isEnd) drawRule(pdf, y, 1, margin, amountRight);
    if (isEnd) y += 4;
  }
  return y;
}

function drawProof(pdf: Pdf, top: number, content: StatementDocument): void {
  const small: TextStyle = { size: 7.5 };
  writeLine(pdf, 'Proof', { x: margin, y: top }, { size: 11, font: 'bold' });
  drawRule(pdf, top + 17);
  const more = content.fileCount - content.files.length;
  const lines: readonly (readonly [string, string])[] = [
    ...content.files.map(
      ({ name, rowCount, sha256 }) =>
        [`${name} (${numberText(String(rowCount))} rows)`, sha256] as const,
    ),
    ...(more > 0 ? ([[`and ${more} more files`, 'listed by the proof']] as const) : []),
    [`Calculation (rules ${content.rulesVersion})`, content.inputDigest],
  ];
  let y = top + 23;
  writeLine(pdf, 'Files of this statement and their SHA-256 digests', { x: margin, y }, factLabel);
  y += 14;
  for (const [name, digest] of lines) {
    writeLine(pdf, name, { x: margin, y }, small);
    writeLine(pdf, digest, { x: margin + 150, y }, small);
    y += 12;
  }
  const path = `/v1/statements/${content.statementId}/proof`;
  writeLine(pdf, `Add it up yourself: GET ${path}`, { x: margin, y: y + 6 }, small);
}

const amountColumns: readonly Column[] = ['Plays', 'Gross', 'Fees', 'Taxes', 'Net'].map((head) => ({
  head,
  isNumber: true,
}));

function drawBreakdowns(pdf: Pdf, content: StatementDocument): void {
  if (content.stores.length === 0) return;
  pdf.addPage();
  const totals = totalCells(content);
  let y = drawTitle(pdf, margin, `By store, in ${content.currency}`);
  const stores = content.stores.map((row) => ({
    cells: [printable(pdf, row.title) ?? row.code, ...amountCells(row)],
  }));
  y = drawTable(
    pdf,
    y,
    [{ head: 'Store', isNumber: false }, ...amountColumns],
    [...stores, { cells: ['Total', ...totals(content.stores)], isTotal: true }],
  );
  y += 28;
  if (y + 40 + tableHeightMin > contentBottom) {
    pdf.addPage();
    y = margin;
  }
  drawReleases(pdf, y, content, totals(content.releases));
}

function drawReleases(
  pdf: Pdf,
  top: number,
  { releases, currency }: StatementDocument,
  totals: readonly string[],
): void {
  let isMissing = false;
  const rows = releases.map((row): TableRow => {
    const title = printable(pdf, row.title);
    isMissing ||= title === undefined;
    return { cells: [title ?? '[title in another script]', row.code, ...amountCells(row)] };
  });
  const columns = [
    { head: 'Release', isNumber: false },
    { head: 'UPC', isNumber: false },
    ...amountColumns,
  ];
  const total = { cells: ['Total', '', ...totals], isTotal: true };
  const y = drawTable(pdf, drawTitle(pdf, top, `By release, in ${currency}`), columns, [
    ...rows,
    total,
  ]);
  if (!isMissing) return;
  const note =
    'This document cannot print every script. Find a release without a printed title by its UPC.';
  writeLine(pdf, note, { x: margin, y: y + 6 }, factLabel);
}

function drawTitle(pdf: Pdf, y: number, text: string): number {
  writeLine(pdf, text, { x: margin, y }, { size: 13, font: 'bold' });
  return y + 26;
}

const amountCells = (row: Omit<DocumentRow, 'title' | 'code'>): readonly string[] => [
  numberText(row.playCount),
  numberText(row.grossAmount),
  numberText(negated(row.feeAmount)),
  numberText(negated(row.taxAmount)),
  numberText(row.netAmount),
];

/** The amounts are those of the statement; plays are added up from the rows, which include all others. */
const totalCells =
  ({ amounts, taxAmount }: StatementDocument) =>
  (rows: readonly DocumentRow[]): readonly string[] =>
    amountCells({
      playCount: String(rows.reduce((sum, row) => sum + BigInt(row.playCount), 0n)),
      grossAmount: amounts.grossAmount,
      feeAmount: amounts.feeAmount,
      taxAmount,
      netAmount: amounts.netAmount,
    });
