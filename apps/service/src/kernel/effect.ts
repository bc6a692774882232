/**
 * What a request does to what exists: `x-effect` of the OpenAPI document. Programs that act for a person, such as the MCP
 * server, ask first unless an operation only reads, creates or changes.
 */
export type Effect =
  | 'reads'
  | 'creates'
  | 'changes'
  | 'deletes'
  /** Takes a release or a track from listeners, or narrows where or how they get it, now or with the next update. */
  | 'withdraws'
  /** Decides whether, when, how much or to which account money is paid. */
  | 'moves_money'
  /** Decides which address gets events or notices. */
  | 'redirects'
  /** Its answer has a secret. */
  | 'reveals_secret'
  | 'revokes_access';

/**
 * `x-effect-if`: an operation has its effect only if a field of its body, at any depth, has one of these values, or any.
 * Otherwise it `changes`.
 */
export type EffectCondition = Readonly<Record<string, readonly string[] | 'any'>>;
