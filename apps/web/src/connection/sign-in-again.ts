import type { AgentMessageOf } from '@verbslab/protocol';

export type Resume = NonNullable<AgentMessageOf<'welcome'>['resume']>;

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

async function sign(key: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), algorithm, false, ['sign']);
  return base64url(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)));
}

/**
 * A session ends with its agent. A page that stayed open proves to the next agent that it was signed in, without
 * sending its key: another program may listen there by then. False when it is not taken.
 */
export async function signInAgain({ id, key }: Resume): Promise<boolean> {
  const ask = (query: string): Promise<Response> =>
    fetch(`/api/resume${query}`, { signal: AbortSignal.timeout(2_000), cache: 'no-store' });
  try {
    const { challenge } = (await (await ask('')).json()) as { challenge: string };
    const proof = await sign(key, `${challenge} ${location.host}`);
    return (await ask(`?${new URLSearchParams({ id, proof }).toString()}`)).ok;
  } catch {
    return false;
  }
}
