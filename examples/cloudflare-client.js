// The management API with the unmodified `cloudflare` package: tokens, OAuth clients, gateways, tags.
// Takes BASE_URL, ACCOUNT and TOKEN from the environment.
import Cloudflare from 'cloudflare';

const {
  BASE_URL = 'http://127.0.0.1:8787/client/v4',
  ACCOUNT: account_id,
  TOKEN: apiToken,
} = process.env;

const client = new Cloudflare({ apiToken, baseURL: BASE_URL });

const { status } = await client.accounts.tokens.verify({ account_id });
console.log(`the token is ${status}`);

const app = await client.iam.oauthClients.create({
  account_id,
  client_name: 'Example app',
  redirect_uris: ['https://app.example.com/callback'],
  response_types: ['code'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'client_secret_basic',
  scopes: ['tags.read'],
});
console.log(`created the OAuth client "${app.client_name}"`);

await client.resourceTagging.accountTags.update({
  account_id,
  resource_type: 'oauth_client',
  resource_id: app.client_id,
  tags: { environment: 'production', team: 'engineering' },
});
for await (const resource of client.resourceTagging.list({
  account_id,
  tag: ['environment=production', '!archived'],
  type: ['oauth_client'],
})) {
  console.log(`found ${resource.type} "${resource.name}"`);
}

await client.iam.oauthClients.delete(app.client_id, { account_id });
console.log('deleted it, and its tags with it');
