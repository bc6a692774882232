/** How lists are read and printed: 20 items, or as many as the person says. */

import type { AnyPage, Pager } from '@tonearm/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from './context.ts';
import type { Cell, Column } from './output/table.ts';

export type ListOptions = { readonly limit: number; readonly all?: boolean };

const usualLimit = 20;
/** Of the API. */
const pageSizeMax = 100;

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1)
    throw new InvalidArgumentError('It must be 1 or more.');
  return limit;
}

export const addListOptions = (command: Command): Command =>
  command
    .option('--limit <count>', 'how many at most', parseLimit, usualLimit)
    .option('--all', 'all of them');

/** The size of the pages to ask for. */
export const pageSize = ({ limit, all }: ListOptions): number =>
  all === true ? pageSizeMax : Math.min(limit, pageSizeMax);

export type Listed<T> = { readonly data: T[]; readonly has_more: boolean };

export async function readList<T, Page extends AnyPage<T>>(
  pager: Pager<T, Page>,
  { limit, all }: ListOptions,
): Promise<Listed<T>> {
  const most = all === true ? Infinity : limit;
  const data: T[] = [];
  for await (const page of pager.pages()) {
    data.push(...page.data);
    if (data.length >= most)
      return { data: data.slice(0, most), has_more: page.has_more || data.length > most };
  }
  return { data, has_more: false };
}

export type ListView<T> = {
  readonly columns: readonly Column[];
  readonly row: (item: T) => readonly Cell[];
  readonly ifEmpty: string;
  readonly next?: (items: readonly T[]) => readonly string[];
};

export function printList<T>({ output }: Context, listed: Listed<T>, view: ListView<T>): void {
  output.result(listed, () => {
    if (listed.data.length === 0) output.line(view.ifEmpty);
    else output.table(view.columns, listed.data.map(view.row));
    if (listed.has_more)
      output.line(output.palette.faint(`${listed.data.length} shown; --all shows the rest.`));
    output.next(...(view.next?.(listed.data) ?? []));
  });
}
