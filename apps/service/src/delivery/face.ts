/** What other slices may import from the delivery slice. */
export { answerForStore } from './commands/answer-for-store.ts';
export { createDelivery } from './commands/create-delivery.ts';
export { listPendingSends } from './commands/list-pending-sends.ts';
export type { DeliveryWithStores } from './commands/lock-chosen-stores.ts';
export { takeDownDelivery, takeDownRelease } from './commands/take-down-delivery.ts';
export { updateStores } from './commands/update-stores.ts';
export { removeKeptMessages } from './connectors/ddex/kept-messages.ts';
export type { StoreMessage, Simulation, StoreConnector } from './connectors/store-connector.ts';
export type { StoreAnswer, AnswerContent } from './domain/answer.ts';
export type { DeliveryId } from './domain/delivery.ts';
export { presentDelivery } from './domain/present-delivery.ts';
export type { StoreDelivery } from './domain/store-delivery.ts';
export { findDeliveryIdByReference } from './store/deliveries.ts';
export { findStoreHoldings, type HoldingsQuery, type StoreHolding } from './store/holdings.ts';
export { findFirstLiveTimes, listStoreDeliveries } from './store/store-deliveries.ts';
