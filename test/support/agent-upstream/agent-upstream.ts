import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { messages } from './messages.ts';
import { type AgentDialect, type Body, type ModelScript, RefusedRequest } from './model.ts';
import { responses } from './responses.ts';

/** A provider of language models in four dialects. It refuses conversations that the real ones refuse. */
export interface AgentUpstream {
  origin: string;
  /** Settings that make the upstream the providers openai, anthropic, google-ai-studio and mistral. */
  settings: Record<string, string>;
  /** The refusals so far. */
  refusals: string[];
  stop(): Promise<void>;
}

const ROUTES: readonly (readonly [RegExp, AgentDialect])[] = [
  [/\/chat\/completions$/, chat],
  [/\/messages$/, messages],
  [/:(?:streamG|g)enerateContent$/, gemini],
  [/\/responses$/, responses],
];

/** @param script decides every reply */
export async function startAgentUpstream(script: ModelScript): Promise<AgentUpstream> {
  const refusals: string[] = [];
  const server = createServer((request, response) => {
    void serve(script, request, response, refusals);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    settings: {
      PROVIDER_OPENAI_BASE_URL: `${origin}/openai/v1`,
      PROVIDER_OPENAI_API_KEY: 'sk-openai',
      PROVIDER_ANTHROPIC_BASE_URL: `${origin}/anthropic`,
      PROVIDER_ANTHROPIC_API_KEY: 'sk-ant',
      PROVIDER_GOOGLE_AI_STUDIO_BASE_URL: `${origin}/gemini`,
      PROVIDER_GOOGLE_AI_STUDIO_API_KEY: 'gemini-key',
      PROVIDER_MISTRAL_BASE_URL: `${origin}/mistral`,
      PROVIDER_MISTRAL_API_KEY: 'mistral-key',
    },
    refusals,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serve(
  script: ModelScript,
  request: IncomingMessage,
  response: ServerResponse,
  refusals: string[],
): Promise<void> {
  const { pathname } = new URL(request.url ?? '', 'http://localhost');
  const body: Body = JSON.parse((await readText(request)) || '{}');
  const dialect = ROUTES.find(([pattern]) => pattern.test(pathname))?.[1];
  if (dialect === undefined) {
    sendJson(response, 404, chat.error(`there is no ${request.method} ${pathname}`));
    return;
  }
  try {
    const reply = script(dialect.read(body, pathname));
    const isStream = pathname.endsWith(':streamGenerateContent') || body.stream === true;
    if (!isStream) sendJson(response, 200, dialect.write(reply, body));
    else {
      response.setHeader('content-type', 'text/event-stream');
      for (const { name, data } of dialect.stream(reply, body))
        response.write(
          `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`,
        );
      response.end(dialect.terminator === undefined ? '' : `data: ${dialect.terminator}\n\n`);
    }
  } catch (error) {
    const refusal = error instanceof RefusedRequest ? error.message : String(error);
    refusals.push(`${pathname}: ${refusal}`);
    sendJson(response, 400, dialect.error(refusal));
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
