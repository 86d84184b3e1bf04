import { FORM_TOKEN } from '../../iam/pages/form-token.ts';
import { type Html, html } from '../../iam/pages/html.ts';
import type { PageContent } from '../../iam/pages/layout.ts';
import { hasPermissionScope } from '../clients/scopes.ts';
import { verifiedHostOf } from '../verification/verification.ts';
import { logoPath } from '../logos/logo-endpoint.ts';
import type { Objection } from './consent-decision.ts';
import {
  type ConsentOffer,
  type OfferedAccount,
  type OfferedScope,
  type Ticks,
  usableAccounts,
} from './consent-offer.ts';
import {
  describeDestination,
  isOnDevice,
  isUnencrypted,
  privateUseScheme,
} from './describe-destination.ts';
import { isAccountScope, scopeWords } from './scope-words.ts';

/** The fields of the form besides accounts and scopes. */
export interface ConsentForm {
  action: string;
  transaction: string;
  formToken: string;
  /** Where the person signs in as somebody else, and comes back. */
  otherAccountPath: string;
}

/** The page on which a person decides what a client may do. */
export function renderConsent(
  offer: ConsentOffer,
  form: ConsentForm,
  ticks: Ticks,
  objection: Objection | undefined,
): PageContent {
  const { client, user } = offer;
  const accountsError = objection?.about === 'accounts' ? objection.error : undefined;
  return {
    title: titleOf(offer),
    lead: html`You are signed in as <strong>${user.email}</strong>.
      <a href="${form.otherAccountPath}">Use another account</a>`,
    error: objection?.error,
    body: html`<div class="consent">
      ${aboutClient(client)} ${aboutDestination(offer)} ${aboutTransport(offer)}
      <form method="post" action="${form.action}">
        <input type="hidden" name="${FORM_TOKEN}" value="${form.formToken}" />
        <input type="hidden" name="transaction" value="${form.transaction}" />
        ${scopeGroups(offer, ticks)} ${accountGroup(offer, ticks, accountsError)}
        <p class="hint">
          The application never has more permissions than you, and you can revoke access at any
          time. After your decision, you return to
          <strong>${describeDestination(offer.request.redirectUri)}</strong>.
        </p>
        ${buttons(offer)}
      </form>
      ${links(client)}
    </div>`,
  };
}

function titleOf({ client, remembered, scopes, isNewOrigin }: ConsentOffer): string {
  if (isNewOrigin) return `${client.name} has a new redirect address`;
  if (remembered !== undefined && scopes.some(({ isGranted }) => !isGranted)) {
    return `${client.name} requests more permissions`;
  }
  const ids = scopes.map(({ id }) => id);
  return hasPermissionScope(ids)
    ? `Allow ${client.name} to access your account?`
    : `Sign in to ${client.name}?`;
}

/** The host of the client's home page, and whether the client has verified that it controls the host. */
function publisherOf({ clientUri, verification }: ConsentOffer['client']) {
  const host = clientUri === undefined ? undefined : verifiedHostOf(clientUri);
  return { host, isVerified: verification?.status === 'verified' && verification.host === host };
}

function aboutClient(client: ConsentOffer['client']): Html {
  const { host, isVerified } = publisherOf(client);
  const publisher =
    host === undefined
      ? html`The publisher is not specified`
      : isVerified
        ? html`<strong>${host}</strong>`
        : html`Claims to be from ${host}`;
  return html`<div class="app">
      <img src="${logoPath(client.id)}" alt="" width="48" height="48" />
      <div>
        <p class="app-name"><bdi>${client.name}</bdi></p>
        <p class="publisher">
          ${publisher}
          ${
            isVerified
              ? html`<span class="mark verified">Verified</span>`
              : html`<span class="mark unverified">Not verified</span>`
          }
        </p>
      </div>
    </div>
    ${
      isVerified
        ? html`<p class="hint">
            <strong>${host}</strong> has confirmed that it publishes this application. The name and
            the logo are not verified.
          </p> `
        : html`<p class="warning">
            <strong>The publisher of this application is not verified.</strong> Continue only if you
            know this application and you started here from it.
          </p> `
    }`;
}

/** Warns of an address that is new to the person, or not part of the verified host. */
function aboutDestination({ client, request, isNewOrigin }: ConsentOffer): Html | undefined {
  const { host, isVerified } = publisherOf(client);
  const destination = describeDestination(request.redirectUri);
  const isElsewhere =
    isVerified &&
    host !== undefined &&
    !isOnDevice(request.redirectUri) &&
    !isPartOf(new URL(request.redirectUri), host);
  if (!isNewOrigin && !isElsewhere) return undefined;
  return html`<p class="warning">
    ${
      isNewOrigin &&
      html`<strong>This application has not sent you to ${destination} before.</strong> `
    }${isElsewhere && html`${destination} is not verified as part of ${host}. `}Approve
    only if you expect this.
  </p> `;
}

/** Warns of a redirect URI that others on the network or on the device could receive. */
function aboutTransport({ request: { redirectUri } }: ConsentOffer): Html | undefined {
  const scheme = privateUseScheme(redirectUri);
  if (scheme !== undefined) {
    return html`<p class="warning">
      <strong>You return to an app on this device by the scheme <code>${scheme}</code>.</strong>
      Any app can claim this scheme. Approve only if you have just started the sign-in in an app
      that you trust.
    </p> `;
  }
  if (!isUnencrypted(redirectUri)) return undefined;
  return html`<p class="warning">
    <strong>The connection to ${new URL(redirectUri).host} is not encrypted.</strong> Others on the
    network can see and misuse the response. Approve only on a network that you trust.
  </p> `;
}

function isPartOf({ hostname, protocol }: URL, host: string): boolean {
  return protocol === 'https:' && (hostname === host || hostname.endsWith(`.${host}`));
}

/** What is new comes first where the person has allowed something before. */
function scopeGroups(offer: ConsentOffer, ticks: Ticks): Html {
  const { scopes, remembered } = offer;
  const added = scopes.filter(({ isGranted }) => !isGranted);
  const granted = scopes.filter(({ isGranted }) => isGranted);
  return html`${
    added.length > 0 &&
    scopeGroup(
      remembered === undefined ? 'It requests permission to' : 'It also requests permission to',
      added,
      ticks,
    )
  }${granted.length > 0 && scopeGroup('It already has permission to', granted, ticks, 'settled')}`;
}

function scopeGroup(
  legend: string,
  scopes: readonly OfferedScope[],
  ticks: Ticks,
  className = '',
): Html {
  return html`<fieldset class="choices ${className}">
    <legend>${legend}</legend>
    <ul>
      ${scopes.map((scope) => scopeLine(scope, ticks))}
    </ul>
  </fieldset> `;
}

function scopeLine({ id, isOptional }: OfferedScope, ticks: Ticks): Html {
  const words = scopeWords(id);
  if (!isOptional) {
    return html`<li class="choice">
      <input type="hidden" name="scope" value="${id}" /><span
        class="tick"
        aria-hidden="true"
      ></span>
      <span>${words} <span class="note">required</span></span>
    </li> `;
  }
  return html`<li class="choice">
    <input
      type="checkbox"
      id="scope-${id}"
      name="scope"
      value="${id}"
      ${ticks.scopes.includes(id) && html` checked`}
    />
    <label for="scope-${id}">${words} <span class="note">optional</span></label>
  </li> `;
}

function accountGroup(offer: ConsentOffer, ticks: Ticks, error?: string): Html | undefined {
  const { accounts } = offer;
  if (accounts === undefined) return undefined;
  const [first] = usableAccounts(offer);
  return html`${
    first === undefined &&
    html`<p class="warning">
      ${
        accounts.length === 0
          ? 'None of your accounts has the requested permissions.'
          : 'No account with the requested permissions is left.'
      }
    </p> `
  }${
    accounts.length > 0 &&
    html`<fieldset
      class="choices"
      ${error !== undefined && html` aria-describedby="accounts-error"`}
    >
      <legend>Accounts to give access to</legend>
      ${error !== undefined && html`<p class="error" id="accounts-error">${error}</p> `}
      <ul class="accounts">
        ${accounts.map((account) =>
          accountLine(account, ticks, error !== undefined && account === first),
        )}
      </ul>
    </fieldset>`
  }`;
}

function accountLine(
  { id, name, lacksSecondFactor }: OfferedAccount,
  ticks: Ticks,
  isToBeChanged: boolean,
): Html {
  if (lacksSecondFactor) {
    return html`<li class="choice">
      <input type="checkbox" id="account-${id}" aria-describedby="reason-${id}" disabled />
      <label for="account-${id}"
        ><bdi>${name}</bdi>
        <span class="reason" id="reason-${id}"
          >This account requires a second factor. Set one up first.</span
        ></label
      >
    </li> `;
  }
  return html`<li class="choice">
    <input
      type="checkbox"
      id="account-${id}"
      name="account"
      value="${id}"
      ${ticks.accountIds.includes(id) && html` checked`}${isToBeChanged && html` autofocus`}
    />
    <label for="account-${id}"><bdi>${name}</bdi></label>
  </li> `;
}

/** Denying comes first: it is what the return key does. */
function buttons(offer: ConsentOffer): Html {
  const demandsAccount = offer.scopes.some(
    ({ id, isOptional }) => !isOptional && isAccountScope(id),
  );
  const canApprove = !demandsAccount || usableAccounts(offer).length > 0;
  return html`<div class="decision">
    <button type="submit" name="decision" value="deny" class="quiet">Deny</button>
    ${canApprove && html`<button type="submit" name="decision" value="approve">Approve</button>`}
  </div>`;
}

function links({ policyUri, tosUri }: ConsentOffer['client']): Html | undefined {
  const shown = [
    { uri: policyUri, label: 'Privacy policy' },
    { uri: tosUri, label: 'Terms of service' },
  ].filter((link) => link.uri !== undefined);
  if (shown.length === 0) return undefined;
  return html`<p class="aside">
    ${shown.map(
      ({ uri, label }) =>
        html`<a href="${uri}" target="_blank" rel="noopener noreferrer">${label}</a> `,
    )}
  </p>`;
}
