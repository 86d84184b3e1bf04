// Signs in with a passkey. The page has a hidden button `[data-passkey-sign-in]`, whose `data-return-to` is the next
// page, and an element `[data-passkey-error]` for errors. With a field `autocomplete="… webauthn"`, the browser also
// offers passkeys there.
import { canAutofill, hasPasskeys, requestPasskey } from './webauthn.js';

const API = '/client/v4/user/sessions';
// The options of the server are valid for five minutes.
const RENEW_MS = 4 * 60_000;

const button = document.querySelector('[data-passkey-sign-in]');
/** Ends the offer in the field: a browser has one request for a passkey at a time. */
let offer = new AbortController();

if (button instanceof HTMLElement) {
  if (hasPasskeys) {
    button.hidden = false;
    button.addEventListener('click', () => void signInByButton());
    void offerInField();
  } else {
    const reason = globalThis.isSecureContext
      ? 'This browser does not support passkeys.'
      : 'Passkeys require HTTPS.';
    button.insertAdjacentHTML('afterend', '<p class="hint"></p>');
    button.nextElementSibling.textContent = reason;
  }
}

async function signInByButton() {
  offer.abort();
  button.setAttribute('disabled', '');
  showError('');
  try {
    await signIn();
  } catch (error) {
    button.removeAttribute('disabled');
    showError(describe(error));
    void offerInField();
  }
}

async function offerInField() {
  if (document.querySelector('input[autocomplete~="webauthn"]') === null) return;
  if (!(await canAutofill())) return;
  offer = new AbortController();
  const { signal } = offer;
  const renewal = setTimeout(() => {
    if (signal.aborted) return;
    offer.abort();
    void offerInField();
  }, RENEW_MS);
  try {
    await signIn({ mediation: 'conditional', signal });
  } catch (error) {
    // The user has chosen another way, or nothing.
    if (!(error instanceof DOMException) && !signal.aborted) showError(describe(error));
  } finally {
    clearTimeout(renewal);
  }
}

async function signIn(settings) {
  const { state, options } = await post('/passkey_options');
  const response = await requestPasskey(options, settings);
  await post('/passkey', { state, response });
  location.assign(returnAddress(button.dataset.returnTo));
}

async function post(path, body) {
  const csrf = csrfToken();
  const response = await fetch(API + path, {
    method: 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(csrf === undefined ? {} : { 'x-csrf-token': csrf }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!answer.success) throw new Error(answer.errors[0]?.message);
  return answer.result;
}

// For a sign-in that has begun with something else.
function csrfToken() {
  const cookie = document.cookie
    .split('; ')
    .find((candidate) => /^(?:__Host-)?latchkey_csrf=/.test(candidate));
  return cookie?.slice(cookie.indexOf('=') + 1);
}

// Never to another site, whatever the page says.
function returnAddress(returnTo) {
  const url = URL.parse(returnTo ?? '/', location.origin);
  return url?.origin === location.origin ? url.href : '/';
}

function describe(error) {
  if (error instanceof DOMException) {
    return error.name === 'SecurityError'
      ? 'Passkeys do not work at this address. Open the public address of this server.'
      : 'No passkey was used.';
  }
  return error instanceof Error && error.message ? error.message : 'The request failed.';
}

function showError(text) {
  const place = document.querySelector('[data-passkey-error]');
  if (!(place instanceof HTMLElement)) return;
  place.textContent = text;
  place.hidden = text === '';
}
