const BYTES = 32;

/** 256 random bits in base64url: a code verifier (RFC 7636 section 4.1), a state or a nonce. */
export function randomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(BYTES)));
}

/** Whether the browser can make challenges here: only on pages from https or from this machine. */
export function canMakeChallenges(): boolean {
  return 'subtle' in crypto;
}

/** The challenge that belongs to a verifier: S256 (RFC 7636 section 4.2). */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return toBase64Url(new Uint8Array(digest));
}

function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCodePoint(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
