import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type TroubleOf, apiError, httpErrors, unavailable } from '../../http/errors.ts';
import { formOf, queryOf, takeFormsOnly } from '../../http/forms.ts';
import type { KnownPath } from '../../http/other-methods.ts';
import { describeItself } from '../../http/openapi-operations.ts';
import { requestFacts } from '../../http/register-routes.ts';
import { themeOf } from '../../http/theme.ts';
import { externalSignInPages } from '../single-sign-on/external-sign-in-pages.ts';
import { serveAssets } from './assets.ts';
import { forgotPasswordPage } from './forgot-password-page.ts';
import { html } from './html.ts';
import { invitationPage } from './invitation-page.ts';
import { type PageContent, type Surroundings, renderPage } from './layout.ts';
import { loginPage } from './login-page.ts';
import { logoutPage } from './logout-page.ts';
import { lostWayPage } from './lost-way-page.ts';
import type { Page, PageReply, PageRequest, PageServices } from './page.ts';
import { resetPasswordPage } from './reset-password-page.ts';
import { secondFactorPage } from './second-factor-page.ts';

// The largest says of 500 accounts whether each is ticked.
const MAX_FORM_BYTES = 32_768;

const POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'";

// There is no policy on openers: some OAuth clients open these pages in a window of their own, and
// wait for what that window tells them at its end.
function policyOf({ leadsElsewhere }: Pick<Page, 'leadsElsewhere'>): Record<string, string> {
  const policy = leadsElsewhere === true ? POLICY : `${POLICY}; form-action 'self'`;
  return { 'content-security-policy': policy };
}

/**
 * Adds the pages for people who sign in, and the files that they need.
 * @param others pages of other domains, which look alike
 */
export async function registerPages(
  http: FastifyInstance,
  services: PageServices,
  others: readonly Page[],
): Promise<void> {
  const surroundings = { brand: services.brand, assets: serveAssets(http) };
  const pages = [
    loginPage(services),
    secondFactorPage(services),
    logoutPage(services),
    lostWayPage(services),
    forgotPasswordPage(services),
    resetPasswordPage(services),
    invitationPage(services),
    ...externalSignInPages(services),
    ...others,
  ];
  await addPages(http, surroundings, pages, (error) => services.database.troubleOf(error));
}

/** Whatever goes wrong with a page is told by a page too. */
async function addPages(
  http: FastifyInstance,
  surroundings: Surroundings,
  pages: readonly Page[],
  troubleOf: TroubleOf,
): Promise<void> {
  await http.register(async (app) => {
    takeFormsOnly(app, MAX_FORM_BYTES);
    app.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
      const refusal = toRefusal(error, troubleOf);
      if (refusal.status >= 500) {
        app.failureLog.note(request, refusal.status, error, 'request failed');
      }
      return sendRefusal(reply, surroundings, refusal);
    });
    const paths = pages.map((page) => addPage(app, surroundings, page));
    app.otherMethods.declare(app, paths);
  });
}

function addPage(app: FastifyInstance, surroundings: Surroundings, page: Page): KnownPath {
  const { operations } = page;
  const schema = operations === undefined ? { hide: true } : describeItself({ operations });
  const handlers = { GET: page.show, POST: page.submit };
  const allowed: string[] = [];
  const headers = policyOf(page);
  const addHeaders = async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.headers(headers);
  };
  for (const method of ['GET', 'POST'] as const) {
    const respond = handlers[method];
    if (respond === undefined) continue;
    allowed.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    app.route({
      method,
      url: page.path,
      schema,
      onRequest: addHeaders,
      handler: async (request, reply) =>
        finish(reply, surroundings, await respond(pageRequest(request))),
    });
  }
  return {
    url: page.path,
    methods: allowed,
    async refuse(_request, reply) {
      const refusal = apiError(httpErrors.methodNotAllowed, {
        headers: { allow: allowed.join(', ') },
      });
      return sendRefusal(reply.headers(headers), surroundings, refusal);
    },
  };
}

function pageRequest(request: FastifyRequest): PageRequest {
  return { request: requestFacts(request), query: queryOf(request), fields: formOf(request) };
}

function finish(reply: FastifyReply, surroundings: Surroundings, answer: PageReply): FastifyReply {
  reply.headers(answer.headers ?? {});
  // 303: whatever was sent, the next page is asked for with GET.
  if ('location' in answer) return reply.code(303).header('location', answer.location).send();
  return send(reply.code(answer.status ?? 200), surroundings, answer.content);
}

function send(reply: FastifyReply, surroundings: Surroundings, content: PageContent): FastifyReply {
  const page = renderPage(surroundings, content, themeOf(reply.request.headers.cookie));
  return reply.type('text/html; charset=utf-8').send(page.text);
}

function sendRefusal(
  reply: FastifyReply,
  surroundings: Surroundings,
  refusal: ApiError,
): FastifyReply {
  reply.code(refusal.status).headers(refusal.headers);
  return send(reply, surroundings, errorContent(refusal));
}

const FASTIFY_ERRORS: Readonly<Record<string, ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: apiError(httpErrors.bodyTooLarge),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: apiError(httpErrors.notJson, {
    message: 'This page only accepts submissions of its form',
  }),
};

function toRefusal(error: FastifyError | ApiError, troubleOf: TroubleOf): ApiError {
  if (error instanceof ApiError) return error;
  const trouble = troubleOf(error);
  if (trouble !== undefined) {
    return unavailable(trouble.reason, error, trouble.retryAfterSeconds);
  }
  const known = FASTIFY_ERRORS[error.code];
  if (known !== undefined) return known;
  const isRefusal = (error.statusCode ?? 500) < 500;
  return apiError(isRefusal ? httpErrors.malformedRequest : httpErrors.internal, { cause: error });
}

function errorContent({ status, message }: ApiError): PageContent {
  const isOurs = status >= 500;
  return {
    title: isOurs ? 'Something went wrong' : 'The request failed',
    lead: isOurs ? 'The server had an unexpected error. Try again in a moment.' : `${message}.`,
    body: html`<p class="aside"><a href="/login">Go to sign in</a></p>`,
  };
}
