/**
 * On every answer: a browser that opens it takes its type as it is, loads nothing for it and shows it in no frame. A page
 * sets a policy of its own.
 */
export const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
