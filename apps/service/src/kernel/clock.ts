/** Real time. Code outside `app/` reads it only from here. */
export type Clock = { readonly now: () => Date };

export const systemClock: Clock = { now: () => new Date() };
