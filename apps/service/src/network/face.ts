/** What other slices may use of the network. */
export { findReach } from './commands/find-reach.ts';
export { refuseTerritories } from './domain/territories.ts';
