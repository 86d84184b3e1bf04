/** Options of the server, as JSON. */
export type PasskeyOptions = Readonly<Record<string, unknown>>;

interface Credential {
  id: string;
  rawId: string;
  type: 'public-key';
}

export interface PasskeyResponse extends Credential {
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string;
  };
}

export interface NewPasskeyResponse extends Credential {
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] };
}

export declare const hasPasskeys: boolean;
export declare function canAutofill(): Promise<boolean>;
export declare function requestPasskey(
  options: PasskeyOptions,
  settings?: { mediation?: 'conditional'; signal?: AbortSignal },
): Promise<PasskeyResponse>;
export declare function createPasskey(options: PasskeyOptions): Promise<NewPasskeyResponse>;
