import type { IamServices } from '../iam-services.ts';
import type { ManagementRoute } from '../route.ts';
import { createAuthenticationOptionsRoute } from './create-authentication-options.ts';
import { createPasskeyRoute } from './create-passkey.ts';
import { createRegistrationOptionsRoute } from './create-registration-options.ts';
import { deletePasskeyRoute } from './delete-passkey.ts';
import { listPasskeysRoute } from './list-passkeys.ts';
import { renamePasskeyRoute } from './rename-passkey.ts';
import { signInWithPasskeyRoute } from './sign-in-with-passkey.ts';

/** Passkeys of a person, and signing in with one. */
export function passkeyRoutes(services: IamServices): ManagementRoute[] {
  return [
    listPasskeysRoute(services),
    createRegistrationOptionsRoute(services),
    createPasskeyRoute(services),
    renamePasskeyRoute(services),
    deletePasskeyRoute(services),
    createAuthenticationOptionsRoute(services),
    signInWithPasskeyRoute(services),
  ];
}
