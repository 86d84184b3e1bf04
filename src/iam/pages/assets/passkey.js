// Signs in with a passkey. The page has a hidden button `[data-passkey-sign-in]`, whose `data-return-to`
// says where to go afterwards, and an element `[data-passkey-error]` for what went wrong.
const API = '/client/v4/user/sessions';

const button = document.querySelector('[data-passkey-sign-in]');
const isSupported =
  typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';
if (button instanceof HTMLElement && isSupported) {
  button.hidden = false;
  button.addEventListener('click', () => void signIn(button));
}

async function signIn(clicked) {
  clicked.setAttribute('disabled', '');
  tell('');
  try {
    const { state, options } = await post('/passkey_options');
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = await navigator.credentials.get({ publicKey });
    await post('/passkey', { state, response: credential.toJSON() });
    location.assign(returnAddress(clicked.dataset.returnTo));
  } catch (error) {
    clicked.removeAttribute('disabled');
    tell(describe(error));
  }
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

// Of a sign-in whose first step was done with something else.
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
  // What browsers throw when the person says no, has no passkey here, or takes too long.
  if (error instanceof DOMException) return 'No passkey was used.';
  return error instanceof Error && error.message ? error.message : 'The request failed.';
}

function tell(text) {
  const place = document.querySelector('[data-passkey-error]');
  if (!(place instanceof HTMLElement)) return;
  place.textContent = text;
  place.hidden = text === '';
}
