import { loadMasterKey } from '../config/master-key.ts';
import type { Settings } from '../config/settings.ts';
import { formatTime, systemClock } from '../lib/clock.ts';
import { rotateSigningKeys } from '../oauth/oidc/rotate-keys.ts';
import { listPublishedKeys, pickSigningKey } from '../oauth/oidc/signing-key-store.ts';
import { openReadDatabase, openSharedDatabase } from './open-databases.ts';

const NO_KEY = 'There is no signing key yet. The first use creates one.\n';

/**
 * `keys rotate`: puts new signing keys in the place of the old ones.
 * @param isCompromised `--now`: without the time in which clients learn of them
 * @returns what to print
 */
export async function rotateKeys(settings: Settings, isCompromised: boolean): Promise<string> {
  const database = openSharedDatabase(settings);
  try {
    const masterKey = await loadMasterKey(settings, database);
    const keys = await rotateSigningKeys(database, systemClock, masterKey, isCompromised);
    if (keys.length === 0) return NO_KEY;
    const lines = keys.map(({ id, alg, signsFromMs }) =>
      isCompromised
        ? `${alg} ${id} signs now, and older keys are no longer published.\n`
        : `${alg} ${id} signs from ${formatTime(signsFromMs)}.\n`,
    );
    return `${lines.join('')}A running server with SQLite applies this within one minute.\n`;
  } finally {
    await database.close();
  }
}

/** `keys list`: the published signing keys, a line each; returns what to print. */
export async function listKeys(settings: Settings): Promise<string> {
  const database = openReadDatabase(settings);
  try {
    const nowMs = systemClock.now();
    const keys = await listPublishedKeys(database.read, nowMs);
    if (keys.length === 0) return NO_KEY;
    const lines = keys.map((key) => {
      const { id, alg, createdAtMs, signsFromMs, publishedUntilMs } = key;
      const isSigning = pickSigningKey(keys, alg, nowMs) === key;
      const state = isSigning ? 'signing' : signsFromMs > nowMs ? 'next' : 'retired';
      const until =
        publishedUntilMs === undefined ? '' : `  published until ${formatTime(publishedUntilMs)}`;
      return `${id}  ${alg}  ${state.padEnd(7)}  created ${formatTime(createdAtMs)}  signs from ${formatTime(signsFromMs)}${until}\n`;
    });
    return lines.join('');
  } finally {
    await database.close();
  }
}
