import type { RulePack, Subject } from '../subject.ts';

export const storesWithPack = ({ stores }: Subject, packs: readonly RulePack[]): string[] =>
  stores.filter(({ rulePack }) => packs.includes(rulePack)).map(({ storeId }) => storeId);
