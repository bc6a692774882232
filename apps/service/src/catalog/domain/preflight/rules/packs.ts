import type { RulePack, PreflightInput } from '../preflight-input.ts';

export const storesWithPack = ({ stores }: PreflightInput, packs: readonly RulePack[]): string[] =>
  stores.filter(({ rulePack }) => packs.includes(rulePack)).map(({ storeId }) => storeId);
