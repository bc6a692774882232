/** Fictional rates, so that payouts in another currency can be tried in the sandbox. */
export const sandboxFxRates = [
  { from: 'USD', to: 'EUR', rate: '0.92' },
  { from: 'EUR', to: 'USD', rate: '1.08' },
  { from: 'USD', to: 'GBP', rate: '0.79' },
  { from: 'GBP', to: 'USD', rate: '1.26' },
  { from: 'EUR', to: 'GBP', rate: '0.86' },
  { from: 'GBP', to: 'EUR', rate: '1.16' },
  { from: 'USD', to: 'JPY', rate: '151.2' },
  { from: 'USD', to: 'KWD', rate: '0.3075' },
] as const;
