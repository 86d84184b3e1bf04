// A chat completion through the gateway with the `openai` package, whole and streamed.
// Takes BASE_URL, ACCOUNT and TOKEN from the environment.
import OpenAI from 'openai';

const { BASE_URL = 'http://127.0.0.1:8787/client/v4', ACCOUNT, TOKEN } = process.env;

const client = new OpenAI({
  baseURL: `${BASE_URL}/accounts/${ACCOUNT}/ai/v1`,
  apiKey: TOKEN,
});

const messages = [{ role: 'user', content: 'Hello from the openai package' }];

const completion = await client.chat.completions.create({ model: 'local/echo', messages });
console.log(completion.choices[0].message.content);

const stream = await client.chat.completions.create({
  model: 'local/echo',
  messages,
  stream: true,
});
for await (const chunk of stream) process.stdout.write(chunk.choices[0].delta.content ?? '');
process.stdout.write('\n');
