/** What a partner must know before the first call; shown at the top of the reference. */
export const introduction = `
The [guides](/docs/guides) explain each job step by step; begin with the [quick start](/docs/guides/quick-start).

**Authentication.** Send \`Authorization: Bearer <API_KEY>\`. Keys that begin with \`ta_test_\` belong to the sandbox,
keys that begin with \`ta_live_\` to live. Enterprise organizations can also send an OAuth 2.0 access token from
\`POST /v1/oauth/token\`. See [Authentication](/docs/guides/authentication).

**Retries.** Send an \`Idempotency-Key\` (a random UUID v4) with every POST and PATCH. A retry with the same key is
executed at most once and gets the same answer, with the header \`Idempotency-Replayed: true\`. Retry after a lost
connection, 429, 503, and 409 \`idempotency_key_in_use\`. See [Idempotency](/docs/guides/idempotency).

**Errors.** Every error is \`{"error": {"code", "message", "request_id", "doc_url", "details"}}\`. Decide by \`code\`;
\`details\` names each field that is wrong and says what to send instead; \`doc_url\` is the page about the code. Send the
\`request_id\` to support if you have a question. See [Errors](/docs/guides/errors).

**Text.** Text is stored in Unicode NFC, and lengths count its code points. It must not contain control characters,
bidirectional overrides or isolates, or non-characters, and a title or name must have a visible character; otherwise the
answer is 422 \`invalid_field\`. \`reason\`, \`description\` and the values of \`metadata\` can have line feeds and tabs.
URLs are stored as you send them.

**Limits.** Requests are limited per minute and per second (\`rate_limit_exceeded\`), and resources by quotas
(\`quota_exceeded\`). Both are 429: wait the number of seconds in \`Retry-After\`, then send the request again with the same
\`Idempotency-Key\`. See [Limits](/docs/guides/limits).

**Lists.** Lists are newest first. Send \`next_cursor\` as \`cursor\`, with the same filters, until \`has_more\` is
\`false\`. A page ends early when its items take 2 MiB.

**Conditions.** A single resource has an \`ETag\`. Send it as \`If-None-Match\` to save the body if nothing changed, or as
\`If-Match\` with a PATCH to refuse the change if the resource changed since you read it.

**Time.** All times are UTC. In the sandbox they follow your clock, which you can advance. A field whose description says
"real time", such as the expiry of an upload, does not follow it: do not compare it with the others.
`.trim();
