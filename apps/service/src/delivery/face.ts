/** What other slices may use of deliveries. */
export { messagesInLanes } from './commands/messages-in-lanes.ts';
export type { Consignment, Foreseen, StoreConnector } from './connectors/store-connector.ts';
export type { StoreAnswer } from './domain/answer.ts';
