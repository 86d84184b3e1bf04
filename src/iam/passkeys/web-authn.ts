/**
 * The library behind the ceremonies. It is loaded at the first one: it is large, it would take part of
 * every start, and many installations never have a passkey.
 */
export async function loadWebAuthn() {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...server, ...helpers };
}

/** The library, once it is loaded. */
export type WebAuthn = Awaited<ReturnType<typeof loadWebAuthn>>;
