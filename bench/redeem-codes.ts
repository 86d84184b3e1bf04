import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import type { Codes } from './codes.ts';
import { CONNECTIONS, type Figures } from './figures.ts';

/**
 * Redeems prepared codes as fast as it is answered, each once: `redeem-codes.ts TOKEN_ENDPOINT FILE`.
 * Prints the figures as JSON.
 */
const WARM_UP_SHARE = 0.1;

const [endpoint = '', file = ''] = process.argv.slice(2);
const { clientId, clientSecret, redirectUri, codeVerifier, codes } = JSON.parse(
  readFileSync(file, 'utf8'),
) as Codes;
const { origin, pathname: path } = new URL(endpoint);
const headers = {
  authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
  'content-type': 'application/x-www-form-urlencoded',
};
const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
const latenciesMs: number[] = [];
let failures = 0;

async function redeem(code: string): Promise<void> {
  const beganAtMs = performance.now();
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  }).toString();
  const answer = await pool.request({ path, method: 'POST', headers, body });
  const text = await answer.body.text();
  latenciesMs.push(performance.now() - beganAtMs);
  const isWhole = ['"access_token"', '"refresh_token"', '"id_token"'].every((name) =>
    text.includes(name),
  );
  if (answer.statusCode !== 200 || !isWhole) {
    failures++;
    if (failures === 1) process.stderr.write(`${answer.statusCode} ${text}\n`);
  }
}

async function redeemAll(some: readonly string[]): Promise<void> {
  const waiting = some.values();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (const code of waiting) await redeem(code);
    }),
  );
}

const warmUp = Math.round(codes.length * WARM_UP_SHARE);
await redeemAll(codes.slice(0, warmUp));
latenciesMs.length = 0;
const beganAtMs = performance.now();
await redeemAll(codes.slice(warmUp));
const seconds = (performance.now() - beganAtMs) / 1_000;
await pool.close();
const sorted = latenciesMs.toSorted((a, b) => a - b);
const percentile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
const figures: Figures = {
  requestsPerSecond: sorted.length / seconds,
  p50Ms: percentile(0.5),
  p99Ms: percentile(0.99),
  failures,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
