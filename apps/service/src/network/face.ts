/** What other slices may use of the network. */
export { createStore } from './commands/create-store.ts';
export { findTerritoryAvailability } from './commands/find-territory-availability.ts';
export {
  audioFormats,
  type Confirmation,
  confirmations,
  type ConnectorName,
  ernVersions,
  isSlug,
  rulePacks,
  type Store,
  type StoreSettings,
  takedownMethods,
} from './domain/store.ts';
export { presentStore } from './domain/present-store.ts';
export { genreAtStore } from './domain/store-genres.ts';
export {
  refuseExcludedCodes,
  refuseExcludedForm,
  refuseTerritoryForm,
  refuseTerritories,
  type TerritoryAvailability,
} from './domain/territories.ts';
export { findCodesHeldElsewhere, type HeldCode } from './store/held-codes.ts';
export {
  allStores,
  findReportDueDays,
  findStore,
  findStores,
  findStoreSettings,
  listStoreIds,
  payOnValues,
  setConnector,
  setGenres,
  setPayOn,
  setReportDueDays,
  setStoreStatus,
} from './store/stores.ts';
