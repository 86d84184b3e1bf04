import { parseCookie } from 'cookie';
import type { RequestFacts } from '../../http/route.ts';
import type { IamServices } from '../iam-services.ts';
import { cookie } from '../sessions/start-session.ts';
import { type SealedPurpose, openState, sealState } from '../short-lived-state.ts';

/** A kind of transaction whose state the browser keeps, in one sealed cookie for each transaction. */
export interface TransactionKind {
  /** Name of the cookies, before the part that names the transaction. */
  cookieName: string;
  purpose: SealedPurpose;
  lifetimeMs: number;
}

type Services = Pick<IamServices, 'clock' | 'masterKey'>;

// Tabs of one browser with a transaction of the same kind. The headers of a request must have room for all cookies.
const MAX_TRANSACTIONS = 5;
const MAX_COOKIE_BYTES = 8_000;

// The part of the id that tells the cookies apart.
const NAME_LENGTH = 12;
const ID = /^[A-Za-z0-9_-]{12,64}$/;

interface Kept {
  id: string;
  payload: unknown;
  keptAtMs: number;
}

/**
 * Has the browser keep the state of a transaction. The cookies of the oldest transactions of the kind make room.
 * @param id random base64url, at least 12 characters
 * @param payload plain JSON
 * @returns values of `set-cookie`
 */
export function keepTransaction(
  services: Services,
  request: RequestFacts,
  kind: TransactionKind,
  id: string,
  payload: unknown,
): string[] {
  const keptAtMs = services.clock.now();
  const kept: Kept = { id, payload, keptAtMs };
  const sealed = sealState(services, kind.purpose, kept, keptAtMs + kind.lifetimeMs);
  const name = nameOf(kind, id);
  const others = readCookies(services, request, kind).filter((other) => other.name !== name);
  return [
    ...removeOldest(others, name.length + sealed.length),
    cookie(name, sealed, true, kind.lifetimeMs),
  ];
}

/** Returns the state of a transaction, or undefined if this browser has none that is valid. */
export function findTransaction(
  services: Services,
  request: RequestFacts,
  kind: TransactionKind,
  id: string | null,
): unknown {
  if (id === null || !ID.test(id)) return undefined;
  const name = nameOf(kind, id);
  const found = readCookies(services, request, kind).find((candidate) => candidate.name === name);
  return found?.kept?.id === id ? found.kept.payload : undefined;
}

/** Removes the state of a transaction from the browser, as a value of `set-cookie`. */
export function removeTransaction(kind: TransactionKind, id: string): string {
  return cookie(nameOf(kind, id), '', true, 0);
}

function nameOf({ cookieName }: TransactionKind, id: string): string {
  return `${cookieName}_${id.slice(0, NAME_LENGTH)}`;
}

interface ReadCookie {
  name: string;
  bytes: number;
  /** Undefined if it has expired or this server did not make it. */
  kept: Kept | undefined;
}

function readCookies(
  services: Services,
  { headers }: RequestFacts,
  { cookieName, purpose }: TransactionKind,
): ReadCookie[] {
  const prefix = `${cookieName}_`;
  return Object.entries(parseCookie(headers.cookie ?? ''))
    .filter(([name]) => name.startsWith(prefix) && /^[\w-]{12}$/.test(name.slice(prefix.length)))
    .map(([name, sealed = '']) => ({
      name,
      bytes: name.length + sealed.length,
      kept: openState(services, purpose, sealed) as Kept | undefined,
    }));
}

function removeOldest(others: readonly ReadCookie[], neededBytes: number): string[] {
  const age = ({ kept }: ReadCookie): number => kept?.keptAtMs ?? 0;
  let bytes = neededBytes;
  return others
    .toSorted((a, b) => age(b) - age(a))
    .filter((other, index) => {
      bytes += other.bytes;
      const isBeyond = index >= MAX_TRANSACTIONS - 1 || bytes > MAX_COOKIE_BYTES;
      return other.kept === undefined || isBeyond;
    })
    .map(({ name }) => cookie(name, '', true, 0));
}
