/** The engine's admin API: queries over its invocations, and killing one. */

const answerWithinMs = 5_000;

/** SQL over the engine's own tables (`sys_invocation`, `sys_deployment`). */
export async function queryEngine<Row>(adminUrl: string, query: string): Promise<readonly Row[]> {
  const response = await fetch(new URL('/query', adminUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`the engine answered ${response.status}: ${text.slice(0, 200)}`);
  return (JSON.parse(text) as { readonly rows: readonly Row[] }).rows;
}

/** Kills an invocation, which frees its key. False if it had ended by itself. */
export async function killInvocation(adminUrl: string, id: string): Promise<boolean> {
  const response = await fetch(new URL(`/invocations/${id}/kill`, adminUrl), {
    method: 'PATCH',
    signal: AbortSignal.timeout(answerWithinMs),
  });
  await response.arrayBuffer();
  if (response.ok) return true;
  if (response.status === 404 || response.status === 409) return false;
  throw new Error(`the engine answered ${response.status} to the kill of ${id}`);
}
