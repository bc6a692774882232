/** What ids are the ids of, in the words that partners read. */

/** What an id with each prefix names (contract §1). */
export const idNouns = {
  adj: 'an adjustment',
  art: 'an artist',
  ast: 'an asset',
  att: 'a webhook attempt',
  aud: 'an audit log entry',
  dlv: 'a delivery',
  evt: 'an event',
  hld: 'an earning hold',
  inb: 'an inbox message',
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
  rpt: 'a report of a store',
  scn: 'a scenario',
  sli: 'a line item',
  stm: 'a statement',
  sub: 'a submission',
  trk: 'a track',
  wh: 'a webhook',
} as const;

const nounsByPrefix = new Map<string, string>(Object.entries(idNouns));

/** Of the ids in paths, by the name of the parameter. */
export const prefixOfParameter = new Map(
  Object.entries({
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
  }),
);

/** A sentence for a path in which one id stands for another: both are known by their prefixes alone. */
export function mistakenId(
  parameters: readonly (readonly [string, unknown])[],
): string | undefined {
  for (const [name, text] of parameters) {
    const wanted = prefixOfParameter.get(name);
    const [, prefix = ''] = typeof text === 'string' ? (/^([a-z]+)_/.exec(text) ?? []) : [];
    const kind = nounsByPrefix.get(prefix);
    if (wanted !== undefined && kind !== undefined && prefix !== wanted)
      return `${prefix}_… is the id of ${kind}; this route needs that of ${nounsByPrefix.get(wanted)}, ${wanted}_….`;
  }
  return undefined;
}
