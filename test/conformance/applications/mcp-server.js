import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';

const LIFETIME_S = 60;

/**
 * Builds an MCP server that accepts access tokens of the authorization server. Its tool `user` returns the claims of
 * the user.
 * @param {string} issuer of the authorization server
 * @param {string} origin of the MCP server
 */
export async function start(issuer, origin) {
  const metadata = await fetch(`${issuer}/.well-known/oauth-authorization-server`);
  const resourceServerUrl = new URL('/mcp', origin);
  const app = express();
  app.use(mcpAuthMetadataRouter({ oauthMetadata: await metadata.json(), resourceServerUrl }));
  const bearer = requireBearerAuth({
    verifier: { verifyAccessToken: (token) => verifyAccessToken(issuer, token) },
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(resourceServerUrl),
  });
  app.all('/mcp', bearer, express.json(), async (request, response) => {
    const server = new McpServer({ name: 'users', version: '1.0.0' });
    server.registerTool('user', { description: 'The user' }, () => ({
      content: [{ type: 'text', text: JSON.stringify(request.auth.extra) }],
    }));
    // Without sessions: each request has a server of its own.
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    response.on('close', () => {
      void transport.close();
      void server.close();
    });
    await server.connect(transport);
    await transport.handleRequest(request, response, request.body);
  });
  return app;
}

async function verifyAccessToken(issuer, token) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${issuer}/oauth2/userinfo`, { headers });
  const claims = await response.json();
  if (!response.ok) throw new InvalidTokenError('the access token is not valid');
  const expiresAt = Math.floor(Date.now() / 1_000) + LIFETIME_S;
  return { token, clientId: 'client', scopes: [], expiresAt, extra: claims };
}
