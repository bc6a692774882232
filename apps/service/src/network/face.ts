/** What other slices may use of the network. */
export { findTerritoryAvailability } from './commands/find-territory-availability.ts';
export {
  type Confirmation,
  type ConnectorName,
  ernVersions,
  isSlug,
  type Store,
  type StoreSettings,
} from './domain/store.ts';
export { genreAtStore } from './domain/store-genres.ts';
export {
  refuseExcludedCodes,
  refuseExcludedForm,
  refuseTerritoryForm,
  refuseTerritories,
  type TerritoryAvailability,
} from './domain/territories.ts';
export {
  allStores,
  findReportDueDays,
  findStore,
  findStores,
  findStoreSettings,
  listStoreIds,
  payOnValues,
  setConnector,
  setPayOn,
  setReportDueDays,
  setStoreStatus,
} from './store/stores.ts';
