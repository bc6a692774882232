/** Lengths of time in milliseconds. */
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const addMs = (time: Date, ms: number): Date => new Date(time.getTime() + ms);
