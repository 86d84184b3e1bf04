// An Anthropic message through the gateway with the `@anthropic-ai/sdk` package, whole and streamed.
// Takes BASE_URL, ACCOUNT and TOKEN from the environment.
import Anthropic from '@anthropic-ai/sdk';

const { BASE_URL = 'http://127.0.0.1:8787/client/v4', ACCOUNT, TOKEN } = process.env;

const client = new Anthropic({
  baseURL: `${BASE_URL}/accounts/${ACCOUNT}/ai`,
  apiKey: TOKEN,
});

const request = {
  model: 'local/echo',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello from the Anthropic package' }],
};

const message = await client.messages.create(request);
console.log(message.content[0].text);

const stream = client.messages.stream(request);
stream.on('text', (text) => process.stdout.write(text));
await stream.finalMessage();
process.stdout.write('\n');
