/** Texts of the pages in this folder. */
export const labels = {
  connectAClient: 'Connect a client',
  client: 'Client',
  nativeProviderApi: 'Native provider API',
  sendAToken: 'Send a token',
  thisGatewayIsOpenSo:
    'This gateway is open, so no token is required. With a token, logs show the client, and the request can use stored keys of the gateway and the server.',
  provider: 'Provider',
  model: 'Model',
  baseUrl: 'Base URL',
  copyBaseUrl: 'Copy base URL',
  header: 'Header',
  headers: 'Headers',
  notRequired: 'Not required',
  sendAProviderKey: 'Send a provider key',
  withoutAProviderKey:
    'If the request has no provider key, the gateway adds the stored key if the client may use it.',
  pathsBodiesAndModels:
    'Paths, bodies and models are those of the provider. Other providers work the same way, with their name at the end of the URL.',
  bearer: 'Bearer ',
  languagesFor: (name: string) => `Languages for ${name}`,
  example: (title: string) => `${title} example`,
};
