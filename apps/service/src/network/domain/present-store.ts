import type { Store } from './store.ts';

/** As partners and operators see it. */
export const presentStore = ({ storeId, name, territoryCodes, capabilities, status }: Store) => ({
  store_id: storeId,
  name,
  territory_codes: territoryCodes,
  capabilities: {
    audio_formats: capabilities.audioFormats,
    use_types: capabilities.useTypes,
    pre_order: capabilities.preOrder,
    takedown: capabilities.takedown,
    takedown_method: capabilities.takedownMethod,
    update: capabilities.update,
    confirmation: capabilities.confirmation,
    ern_version: capabilities.ernVersion,
    lead_time_business_days: capabilities.leadTimeBusinessDays,
  },
  status,
});
