import { Readable } from 'node:stream';

/**
 * Serves a library that handles requests of the Fetch API.
 * @param {string} origin of the application
 * @param {(request: Request) => Promise<Response>} handle the library
 * @returns {import('express').Handler}
 */
export function webHandler(origin, handle) {
  return async (request, response) => {
    const hasBody = request.method === 'POST';
    const answer = await handle(
      new Request(new URL(request.originalUrl, origin), {
        method: request.method,
        headers: request.headers,
        ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }),
      }),
    );
    response.status(answer.status);
    response.setHeaders(answer.headers);
    response.send(Buffer.from(await answer.arrayBuffer()));
  };
}
