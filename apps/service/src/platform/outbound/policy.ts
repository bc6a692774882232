/** Which destinations an installation sends to. In live both are false. */
export type Policy = {
  readonly allowHttp: boolean;
  /** 127.0.0.0/8, ::1 and the names under localhost; no other special range can be allowed. */
  readonly allowLoopback: boolean;
};
