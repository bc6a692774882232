/** A resource before and after a change: what a command returns, for the answer and for the audit row. */
export type Changed<Resource> = { readonly before: Resource; readonly after: Resource };
