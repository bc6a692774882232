/** What other slices may use of the network. */
export { findReach } from './commands/find-reach.ts';
export type { Store } from './domain/store.ts';
export { refuseTerritories } from './domain/territories.ts';
export { allStores } from './store/stores.ts';
