const METHODS: Readonly<Record<string, string>> = {
  password: 'password',
  totp: 'authenticator app',
  recovery_code: 'recovery code',
  passkey: 'passkey',
  external: 'your organisation',
};

const and = new Intl.ListFormat('en');

/** What a session began with, in words: "password and passkey". */
export function describeMethods(methods: readonly string[]): string {
  return and.format(methods.map((method) => METHODS[method] ?? method));
}
