import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  type Page,
  chromium,
} from 'playwright-core';
import packageJson from '../package.json' with { type: 'json' };
import { afterLastFile } from './file-group.ts';
import { noteRequest } from './secrets-in-logs.ts';
import type { Json } from './server.ts';

const ROOT = path.join(import.meta.dirname, '..');
const CACHE = path.join(ROOT, 'node_modules/.cache/latchkey');

// For scripts and benchmarks, which cannot import the package.
export type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';

// What makes the package unpack the libraries that a bare machine lacks.
const LIKE_A_BARE_MACHINE = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
const UNPACK = `
  import chromium from '@sparticuz/chromium';
  await chromium.executablePath();
`;

/** Unpacks Chromium once for all test files, whichever of them comes first. */
async function unpackChromium(): Promise<string> {
  const version = packageJson.dependencies['@sparticuz/chromium'];
  const directory = path.join(CACHE, `chromium-${version}-own-fonts`);
  if (existsSync(directory)) return directory;
  await mkdir(CACHE, { recursive: true });
  const own = await mkdtemp(path.join(CACHE, 'unpacking-'));
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], {
    cwd: ROOT,
    env: { ...process.env, ...LIKE_A_BARE_MACHINE, TMPDIR: own },
  });
  await writeFile(path.join(own, 'fonts/fonts.conf'), fontsConf(directory));
  try {
    await rename(own, directory);
  } catch {
    // Another test file was faster.
    await rm(own, { recursive: true, force: true });
  }
  return directory;
}

/** The package's own looks for the fonts in /tmp; without any, all text is hidden. */
function fontsConf(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${directory}/fonts</dir>
  <cachedir>${directory}/fonts-cache</cachedir>
</fontconfig>
`;
}

/**
 * A real Chromium; the test closes it. It is the one that npm installed, which needs nothing of the
 * system, or that of `LATCHKEY_TEST_CHROMIUM` where that one does not run.
 */
export async function launchBrowser(): Promise<Browser> {
  const own = process.env.LATCHKEY_TEST_CHROMIUM;
  return own === undefined
    ? launchUnpacked(await unpackChromium())
    : chromium.launch({ executablePath: own });
}

let shared: Promise<Browser> | undefined;

/** The one of this process, which is closed after its last file: contexts keep tests apart. */
export async function sharedBrowser(): Promise<Browser> {
  if ((await shared)?.isConnected() !== true) {
    shared = launchBrowser();
    const browser = await shared;
    afterLastFile(() => browser.close());
  }
  return shared as Promise<Browser>;
}

function launchUnpacked(directory: string): Promise<Browser> {
  return chromium.launch({
    executablePath: path.join(directory, 'chromium'),
    // Tests run as root in containers too, where the sandbox cannot be set up.
    chromiumSandbox: false,
    args: [
      '--no-zygote',
      '--disable-gpu',
      '--in-process-gpu',
      // To start one takes longer than most of what is shown.
      '--renderer-process-limit=1',
      // A page is gone before it has run its code often enough for it to become fast.
      '--js-flags=--always-sparkplug,--no-maglev,--no-opt,--single-threaded-gc',
    ],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: directory,
      LD_LIBRARY_PATH: path.join(directory, 'al2023/lib'),
      FONTCONFIG_PATH: path.join(directory, 'fonts'),
    },
  });
}

/** A browser of its own, with no cookies of another one; nothing secret that it sends may be logged. */
export async function newContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  // What fades and slides is painted again and again.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.on('request', (request) => {
    const url = request.url();
    if (/^https?:/.test(url)) noteRequest(url, new Headers(request.headers()), request.postData());
  });
  return context;
}

/** A page in a browser of its own. */
export async function openPage(browser: Browser, url: string): Promise<Page> {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** What a virtual authenticator has stored, as the DevTools protocol tells it. */
export interface StoredCredential {
  credentialId: string;
  isResidentCredential: boolean;
  rpId?: string;
  privateKey: string;
  userHandle?: string;
  signCount: number;
}

/** An authenticator made of software that does as it is told. */
export interface VirtualAuthenticator {
  credentials(): Promise<StoredCredential[]>;
  add(credential: StoredCredential): Promise<void>;
  clear(): Promise<void>;
  /** Whether its person can unlock it. */
  setUserVerified(isUserVerified: boolean): Promise<void>;
}

/**
 * Plugs an authenticator into a page: one that has room for three passkeys.
 * @param canVerify whether it has a fingerprint reader, or only a button
 */
export async function addAuthenticator(
  page: Page,
  { canVerify = true } = {},
): Promise<VirtualAuthenticator> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: canVerify,
      isUserVerified: canVerify,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async credentials() {
      const answer = await session.send('WebAuthn.getCredentials', { authenticatorId });
      return answer.credentials;
    },
    async add(credential) {
      await session.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
    async clear() {
      await session.send('WebAuthn.clearCredentials', { authenticatorId });
    },
    async setUserVerified(isUserVerified) {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}

// Texts, because the types of pages are none of this project.
const CREATE = `async (json) => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
  return (await navigator.credentials.create({ publicKey })).toJSON();
}`;
const GET = `async (json) => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
  return (await navigator.credentials.get({ publicKey })).toJSON();
}`;

/** What the browser answers to the options of a registration; rejects when it refuses. */
export function createCredential(page: Page, options: unknown): Promise<Json> {
  return page.evaluate(`(${CREATE})(${JSON.stringify(options)})`);
}

/** The same for the options of a sign-in. */
export function getCredential(page: Page, options: unknown): Promise<Json> {
  return page.evaluate(`(${GET})(${JSON.stringify(options)})`);
}
