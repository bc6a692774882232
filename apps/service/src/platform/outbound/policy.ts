/** What an installation lets itself be sent to. Both are false where partners' real receivers are. */
export type Policy = {
  readonly allowHttp: boolean;
  /** 127.0.0.0/8, ::1 and the names under localhost; no other range can be opened. */
  readonly allowLoopback: boolean;
};
