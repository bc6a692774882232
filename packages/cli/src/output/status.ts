/** A status as a symbol and its word. Each symbol has a shape of its own, so that nobody needs the colour. */

import type { Palette } from './palette.ts';

type Look = { readonly symbol: string; readonly paint: keyof Palette };

const looks: Readonly<Record<string, Look>> = {
  pending: { symbol: '○', paint: 'faint' },
  pending_upload: { symbol: '○', paint: 'faint' },
  draft: { symbol: '○', paint: 'faint' },
  open: { symbol: '○', paint: 'faint' },
  unverified: { symbol: '○', paint: 'warning' },
  in_progress: { symbol: '◐', paint: 'active' },
  processing: { symbol: '◐', paint: 'active' },
  submitted: { symbol: '◐', paint: 'active' },
  in_transit: { symbol: '◐', paint: 'active' },
  delivered: { symbol: '✔', paint: 'good' },
  ready: { symbol: '✔', paint: 'good' },
  active: { symbol: '✔', paint: 'good' },
  approved: { symbol: '✔', paint: 'good' },
  verified: { symbol: '✔', paint: 'good' },
  published: { symbol: '✔', paint: 'good' },
  paid: { symbol: '✔', paint: 'good' },
  ok: { symbol: '✔', paint: 'good' },
  rejected: { symbol: '✖', paint: 'bad' },
  failed: { symbol: '✖', paint: 'bad' },
  returned: { symbol: '✖', paint: 'bad' },
  undelivered: { symbol: '✖', paint: 'bad' },
  disabled: { symbol: '✖', paint: 'bad' },
  error: { symbol: '✖', paint: 'bad' },
  action_required: { symbol: '!', paint: 'warning' },
  on_hold: { symbol: '!', paint: 'warning' },
  warning: { symbol: '!', paint: 'warning' },
  paused: { symbol: '‖', paint: 'warning' },
  takedown_requested: { symbol: '▽', paint: 'active' },
  taken_down: { symbol: '▼', paint: 'faint' },
  canceled: { symbol: '–', paint: 'faint' },
};

const unknownLook: Look = { symbol: '·', paint: 'faint' };

export const symbolOf = (status: string): string => (looks[status] ?? unknownLook).symbol;

export const statusText = (status: string): string =>
  `${symbolOf(status)} ${status.replaceAll('_', ' ')}`;

export const paintStatus = (palette: Palette, status: string, text: string): string =>
  palette[(looks[status] ?? unknownLook).paint](text);
