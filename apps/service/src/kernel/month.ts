/** A month, `YYYY-MM`. Months compare correctly as text. */
export type Month = string;

const shape = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/;

export const isMonth = (text: string): boolean => shape.test(text);

const monthsPerYear = 12;

export function nextMonth(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === monthsPerYear
    ? `${year + 1}-01`
    : `${year}-${String(number + 1).padStart(2, '0')}`;
}

export function previousMonth(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 1
    ? `${year - 1}-${monthsPerYear}`
    : `${year}-${String(number - 1).padStart(2, '0')}`;
}

/** The last day, `YYYY-MM-DD`. */
export function lastDayOf(month: Month): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  // Day 0 of the next month. Months of a Date count from 0, so `number` is the next one.
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

export const firstDayOf = (month: Month): string => `${month}-01`;
