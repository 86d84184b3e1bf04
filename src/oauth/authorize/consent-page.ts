import type { RequestFacts } from '../../http/route.ts';
import { checkForm } from '../../iam/pages/form-token.ts';
import { html } from '../../iam/pages/html.ts';
import { type Page, type PageReply, goTo, toFormRefusal } from '../../iam/pages/page.ts';
import { signInPath } from '../../iam/pages/sign-in-wishes.ts';
import type { SessionPrincipal } from '../../iam/principal.ts';
import { findPresentedSession } from '../../iam/sessions/presented-session.ts';
import { csrfTokenOf } from '../../iam/sessions/session-cookie.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import { type Grant, findGrant } from '../grants/grant-store.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError } from '../protocol-error.ts';
import { mayAuthorize } from '../tokens/access-tokens.ts';
import { findFamilyByCode } from '../tokens/family-store.ts';
import { approve, errorResponse, refuse } from './answer.ts';
import { sendResponse } from './authorization-response.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { type Objection, decide, readTicks } from './consent-decision.ts';
import { type ConsentOffer, type Ticks, initialTicks, makeOffer } from './consent-offer.ts';
import {
  type OpenConsent,
  beginConsent,
  endConsent,
  findConsent,
  findDecided,
} from './consent-transaction.ts';
import { renderConsent } from './consent-view.ts';
import { takePushedRequest } from './pushed-request.ts';
import { recheckClient, recheckRequest } from './recheck.ts';
import { strangerPage, unanswerablePage } from './refusal-page.ts';
import { resumePath } from './sealed-request.ts';

const PATH = '/oauth2/consent';

type PresentedSession = { principal: SessionPrincipal; secret: string };

/** What a person is to be asked. */
export interface AskedConsent {
  request: AuthorizationRequest;
  client: RegisteredClient;
  session: PresentedSession;
  facts: RequestFacts;
  /** What the person has allowed the client before. */
  remembered: Grant | undefined;
}

/** Asks a person whether a client may do what it asks for; answers the way to the page. */
export async function askForConsent(
  services: OAuthServices,
  { request, session, remembered }: AskedConsent,
): Promise<PageReply> {
  const { user, session: facts } = session.principal;
  const transaction = await beginConsent(services, user.id, {
    sessionId: facts.id,
    request,
    grantId: remembered?.id,
  });
  return goTo(`${PATH}?transaction=${encodeURIComponent(transaction)}`);
}

/** `/oauth2/consent?transaction=`: a person decides what a client may do. */
export function consentPage(services: OAuthServices): Page {
  return {
    path: PATH,
    leadsElsewhere: true,
    async show({ request, query }) {
      const asked = await findAsked(services, request, query.get('transaction') ?? '');
      if ('reply' in asked) return asked.reply;
      return showOffer(services, asked, await offerOf(services, asked));
    },
    async submit({ request, fields }) {
      const asked = await findAsked(services, request, fields.get('transaction') ?? '', fields);
      if ('reply' in asked) return asked.reply;
      return fields.get('decision') === 'approve'
        ? takeApproval(services, asked, request, fields)
        : deny(services, asked);
    },
  };
}

/** A question that is open, and who and what it is about, as of now. */
interface OpenQuestion {
  /** The name of the transaction. */
  secret: string;
  session: PresentedSession;
  request: AuthorizationRequest;
  client: RegisteredClient;
  grantId: string | undefined;
}

/**
 * Finds what the person of a session is asked. The answer goes only to where the client still wants
 * it, from people for whom the client still is.
 * @param fields of a form that was sent, whose token is checked first
 */
async function findAsked(
  services: OAuthServices,
  facts: RequestFacts,
  secret: string,
  fields?: URLSearchParams,
): Promise<OpenQuestion | { reply: PageReply }> {
  const session = await findPresentedSession(services.pages, facts);
  if (session === undefined) return { reply: overReply(400) };
  if (fields !== undefined) {
    try {
      checkForm(services.pages, facts, fields, formSecret(session, secret));
    } catch (error) {
      return { reply: overReply(toFormRefusal(error).status) };
    }
  }
  const transaction = await findConsent(services, session.principal, secret);
  if (transaction === undefined) {
    const consent = { secret, sessionSecret: session.secret };
    const isForm = fields !== undefined;
    return { reply: isForm ? await repeatReply(services, consent) : overReply(400) };
  }
  const { request, grantId } = transaction;
  try {
    const client = await recheckClient(services, request);
    const { user } = session.principal;
    if (!mayAuthorize(client, user)) {
      return { reply: strangerPage(services, request, client, user.email) };
    }
    return { secret, session, request, client, grantId };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { reply: unanswerablePage(error) };
  }
}

/** What the form belongs to: this session, and this very question. */
function formSecret({ secret }: PresentedSession, transaction: string): string {
  return `${secret} ${transaction}`;
}

async function offerOf(
  services: OAuthServices,
  { session, request, client, grantId }: OpenQuestion,
): Promise<ConsentOffer> {
  const { user } = session.principal;
  const { read } = services.database;
  const remembered = grantId === undefined ? undefined : await findGrant(read, user.id, grantId);
  return makeOffer(services, { request, client, user, remembered });
}

function showOffer(
  services: OAuthServices,
  { secret, session, request, client }: OpenQuestion,
  offer: ConsentOffer,
  refused?: { ticks: Ticks; objection: Objection },
): PageReply {
  try {
    recheckRequest(request, client);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return refuse(services, request, error);
  }
  const form = {
    action: PATH,
    transaction: secret,
    formToken: csrfTokenOf(formSecret(session, secret)),
    otherAccountPath: signInPath({
      returnTo: resumePath(services, request),
      prompt: 'select_account',
    }),
  };
  const { ticks = initialTicks(offer), objection } = refused ?? {};
  return {
    status: refused === undefined ? 200 : 400,
    content: renderConsent(offer, form, ticks, objection),
  };
}

async function takeApproval(
  services: OAuthServices,
  asked: OpenQuestion,
  facts: RequestFacts,
  fields: URLSearchParams,
): Promise<PageReply> {
  const { request, client, session } = asked;
  const offer = await offerOf(services, asked);
  const ticks = readTicks(fields);
  const decision = decide(offer, ticks);
  if ('error' in decision) return showOffer(services, asked, offer, { ticks, objection: decision });
  const open = { secret: asked.secret, sessionSecret: session.secret };
  const consent = { ...open, repeat: () => repeatReply(services, open) };
  return approve(services, { request, client, session, decision, facts, consent });
}

async function deny(
  services: OAuthServices,
  { secret, session, request, client }: OpenQuestion,
): Promise<PageReply> {
  const { database, clock } = services;
  const denied = new ProtocolError('access_denied', 'the user denied the request');
  const response = errorResponse(services, request, denied);
  const consent = { secret, sessionSecret: session.secret };
  const isFirst = await database.transaction(async (tx) => {
    const nowMs = clock.now();
    const decided = { response, code: undefined, clientName: client.name };
    const { id: userId } = session.principal.user;
    if (!(await endConsent(tx, consent, userId, decided, nowMs))) return false;
    await takePushedRequest(tx, request, nowMs);
    return true;
  });
  return isFirst ? sendResponse(response) : repeatReply(services, consent);
}

/**
 * Repeats the response to a decision that the same session has just submitted, as after a double click. A code that was
 * redeemed is not sent again: its second use would end the grant.
 */
async function repeatReply(services: OAuthServices, consent: OpenConsent): Promise<PageReply> {
  const { database, clock } = services;
  const decided = await findDecided(services, consent);
  if (decided === undefined) return overReply(400);
  const { response, code, clientName } = decided;
  if (code === undefined) return sendResponse(response);
  const family = await findFamilyByCode(database.read, code);
  const isFresh =
    family !== undefined &&
    family.codeUsedAtMs === undefined &&
    clock.now() < family.codeExpiresAtMs;
  return isFresh ? sendResponse(response) : approvedReply(clientName);
}

function approvedReply(clientName: string): PageReply {
  return {
    content: {
      title: 'Access approved',
      lead: html`You have approved <strong>${clientName}</strong>. Return to the application.`,
    },
  };
}

/** For a page that was used, is too old, or was opened by somebody else. */
function overReply(status: number): PageReply {
  return {
    status,
    content: {
      title: 'This page has expired',
      lead: 'You have already decided, the page has expired, or you have signed in again. Return to the application and start over.',
    },
  };
}
