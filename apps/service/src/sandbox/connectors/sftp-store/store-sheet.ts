/**
 * What the store hands to an operator who wants to send to it: its description for `stores create`, and how it is reached
 * for `stores connect`.
 */

export const sftpStoreId = 'meadowlark';
const name = 'Meadowlark';
export const sftpUser = 'tonearm';

export const storeDescription = {
  store_id: sftpStoreId,
  name,
  territory_codes: 'AT AU BE CA CH DE DK ES FI FR GB IE IT JP NL NO NZ PT SE US'.split(' '),
  audio_formats: ['wav', 'flac'],
  use_types: ['ad_supported_stream', 'subscription_stream', 'download'],
  pre_order: false,
  confirmation: 'live',
  ern_version: '4.3.2',
  lead_time_business_days: 2,
};

type Address = { readonly host: string; readonly port: number; readonly hostKey: string };

export const storeConnection = ({ host, port, hostKey }: Address) => ({
  sender: { dpid: 'PADPIDA2026010101T', name: 'Tonearm' },
  recipients: [{ dpid: 'PADPIDA2026031301M', name }],
  is_test: true,
  transport: { kind: 'sftp', host, port, user: sftpUser, host_key: hostKey },
});
