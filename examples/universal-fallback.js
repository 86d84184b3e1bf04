// A universal request: a list of calls, each the fallback of those before. Without a key for OpenAI, the
// model `echo` answers. Takes BASE_URL, ACCOUNT and TOKEN from the environment, and OPENAI_API_KEY.
const {
  BASE_URL = 'http://127.0.0.1:8787/client/v4',
  GATEWAY_URL = new URL(BASE_URL).origin,
  ACCOUNT,
  TOKEN,
  OPENAI_API_KEY,
} = process.env;

const messages = [{ role: 'user', content: 'Hello to whoever answers' }];

const response = await fetch(`${GATEWAY_URL}/v1/${ACCOUNT}/default`, {
  method: 'POST',
  headers: { 'cf-aig-authorization': `Bearer ${TOKEN}`, 'content-type': 'application/json' },
  body: JSON.stringify([
    {
      provider: 'openai',
      endpoint: 'chat/completions',
      // Without one, the gateway's own key is used, if it has one.
      headers: OPENAI_API_KEY ? { authorization: `Bearer ${OPENAI_API_KEY}` } : {},
      config: { requestTimeout: 10_000, maxAttempts: 2, retryDelay: 200, backoff: 'exponential' },
      query: { model: 'gpt-4o-mini', messages },
    },
    { provider: 'local', endpoint: 'chat/completions', query: { model: 'echo', messages } },
  ]),
});

const { choices } = await response.json();
const { headers } = response;
console.log(`step ${headers.get('cf-aig-step')}, ${headers.get('cf-aig-provider')}:`);
console.log(choices[0].message.content);
