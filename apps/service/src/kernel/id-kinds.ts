/** What an id is the id of, by its prefix, in the words that partners read. */

const idKinds: Readonly<Record<string, string>> = {
  adj: 'an adjustment',
  art: 'an artist',
  ast: 'an asset',
  att: 'a webhook attempt',
  aud: 'an audit entry',
  dlv: 'a delivery',
  evt: 'an event',
  hld: 'an earning hold',
  job: 'a delivery job',
  key: 'an API key',
  lbl: 'a label',
  msg: 'a store message',
  oac: 'an OAuth client',
  ocs: 'a secret of an OAuth client',
  org: 'an organization',
  pay: 'a payout',
  pm: 'a payout method',
  rel: 'a release',
  req: 'a request',
  roy: 'a royalty record',
  rpt: 'a report',
  scn: 'a scenario',
  sli: 'a line item',
  stm: 'a statement',
  sub: 'a submission',
  trk: 'a track',
  wh: 'a webhook',
};

/** Of the ids in paths, by the name of the parameter. */
export const prefixOfParameter: Readonly<Record<string, string>> = {
  api_key_id: 'key',
  artist_id: 'art',
  asset_id: 'ast',
  delivery_id: 'dlv',
  event_id: 'evt',
  job_id: 'job',
  label_id: 'lbl',
  oauth_client_id: 'oac',
  payout_id: 'pay',
  payout_method_id: 'pm',
  release_id: 'rel',
  report_id: 'rpt',
  request_id: 'req',
  scenario_id: 'scn',
  secret_id: 'ocs',
  statement_id: 'stm',
  track_id: 'trk',
  webhook_id: 'wh',
};

/** A sentence for a path in which one id stands for another: both are known by their prefixes alone. */
export function mistakenId(
  parameters: readonly (readonly [string, unknown])[],
): string | undefined {
  for (const [name, text] of parameters) {
    const wanted = prefixOfParameter[name];
    if (wanted === undefined || typeof text !== 'string') continue;
    const prefix = text.slice(0, text.lastIndexOf('_'));
    const kind = idKinds[prefix];
    if (kind !== undefined && prefix !== wanted)
      return `${prefix}_… is the id of ${kind}; this route needs that of ${idKinds[wanted]}, ${wanted}_….`;
  }
  return undefined;
}
