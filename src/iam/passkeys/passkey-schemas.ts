import { type Static, Type } from 'typebox';
import { describeRecord } from '../../http/record.ts';
import { MAX_NAME_LENGTH, NAME_PATTERN } from '../names.ts';

// Bytes of a credential id (WebAuthn section 4), as base64url.
const MAX_CREDENTIAL_ID_LENGTH = 1_364;
// Far above what browsers send.
const MAX_FIELD_LENGTH = 65_536;
const MAX_TRANSPORTS = 10;

const Base64Url = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' });

const CredentialId = Base64Url(MAX_CREDENTIAL_ID_LENGTH);
const Field = Base64Url(MAX_FIELD_LENGTH);

// What else browsers send, now or in later levels of the standard, is let through and not looked at.
const Credential = { id: CredentialId, rawId: CredentialId, type: Type.Literal('public-key') };

/** `RegistrationResponseJSON` of WebAuthn: what `PublicKeyCredential.toJSON()` gives after `create()`. */
export const RegistrationResponseSchema = Type.Object({
  ...Credential,
  response: Type.Object({
    clientDataJSON: Field,
    attestationObject: Field,
    transports: Type.Optional(
      Type.Array(Type.String({ maxLength: 32, pattern: '^[a-z-]{1,32}$' }), {
        maxItems: MAX_TRANSPORTS,
      }),
    ),
  }),
});

export type RegistrationResponse = Static<typeof RegistrationResponseSchema>;

/** `AuthenticationResponseJSON` of WebAuthn: what `PublicKeyCredential.toJSON()` gives after `get()`. */
export const AuthenticationResponseSchema = Type.Object({
  ...Credential,
  response: Type.Object({
    clientDataJSON: Field,
    authenticatorData: Field,
    signature: Field,
    userHandle: Type.Optional(Type.Union([Field, Type.Null()])),
  }),
});

export type AuthenticationResponse = Static<typeof AuthenticationResponseSchema>;

/** Options for the browser, with the secret that ties the answer to them. */
export const CeremonySchema = Type.Object({
  state: Type.String({
    description: 'Send it back with the response. Valid once, for five minutes',
  }),
  options: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'For `PublicKeyCredential.parseCreationOptionsFromJSON()` or `parseRequestOptionsFromJSON()`',
  }),
});

export const PasskeyName = Type.String({ maxLength: MAX_NAME_LENGTH, pattern: NAME_PATTERN });

export const PasskeySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_on: Type.String(),
  last_used_on: Type.Optional(Type.String()),
  transports: Type.Array(Type.String()),
});

/** A passkey that was registered just now. */
export const NewPasskeySchema = Type.Object({
  ...PasskeySchema.properties,
  recovery_codes: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'With the first second factor of the user. Each code replaces the second factor once. Shown only once.',
    }),
  ),
});

export const UpdatePasskeySchema = Type.Object(
  { name: PasskeyName },
  { additionalProperties: false },
);

/** A passkey for PATCH and DELETE. */
export const PASSKEY_RECORD = describeRecord(PasskeySchema, UpdatePasskeySchema, [
  'created_on',
  'last_used_on',
]);

export const PasskeyParams = Type.Object({
  passkey_id: Type.String({ description: 'Passkey id: 32 hex digits' }),
});
