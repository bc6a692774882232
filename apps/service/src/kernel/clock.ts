/** Real time. The only way code outside `app/` learns what time it is. */
export type Clock = { readonly now: () => Date };

export const systemClock: Clock = { now: () => new Date() };
