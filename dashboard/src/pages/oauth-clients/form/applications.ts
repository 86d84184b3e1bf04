import {
  AppWindow,
  Bot,
  type LucideIcon,
  ServerCog,
  Smartphone,
  SquareTerminal,
} from 'lucide-react';
import type { ClientValues } from './client-values.ts';

export type ApplicationId = 'server' | 'browser' | 'native' | 'cli' | 'agent';

/** A kind of application, and what of OAuth fits it. */
export interface Application {
  id: ApplicationId;
  title: string;
  /** By what one knows it. */
  text: string;
  icon: LucideIcon;
  authMethod: ClientValues['token_endpoint_auth_method'];
  usesRefreshTokens: boolean;
  flow: string;
  secret: string;
  refresh: string;
  redirectUri: string;
}

const NO_SECRET =
  'No. Everybody who has the application could read it, so PKCE alone proves that the one who began is the one who ends.';

/** What can be built, the most common first. */
export const applications: readonly Application[] = [
  {
    id: 'server',
    title: 'Web application with a server',
    text: 'Pages that a server of yours makes, or an API of yours behind them.',
    icon: ServerCog,
    authMethod: 'client_secret_basic',
    usesRefreshTokens: true,
    flow: 'Authorization code with PKCE and a secret',
    secret: 'Yes. It stays on your server and never goes to a browser.',
    refresh: 'Fit well: the server keeps them, and people need not come back every hour.',
    redirectUri: 'https://app.example.com/callback',
  },
  {
    id: 'browser',
    title: 'Single-page app',
    text: 'Runs wholly in the browser, without a server of its own.',
    icon: AppWindow,
    authMethod: 'none',
    usesRefreshTokens: false,
    flow: 'Authorization code with PKCE, without a secret',
    secret: NO_SECRET,
    refresh:
      'Better not: a page is a bad place to keep them. It sends people through the flow again, without a question when the consent is remembered.',
    redirectUri: 'https://app.example.com/callback',
  },
  {
    id: 'native',
    title: 'Mobile or desktop app',
    text: 'Is installed on the device of a person.',
    icon: Smartphone,
    authMethod: 'none',
    usesRefreshTokens: true,
    flow: 'Authorization code with PKCE, without a secret, in the browser of the system',
    secret: NO_SECRET,
    refresh: 'Fit well: keep them in the keychain of the system.',
    redirectUri: 'com.example.app:/callback',
  },
  {
    id: 'cli',
    title: 'Command-line tool',
    text: 'Somebody runs it in a terminal, on a machine with a browser.',
    icon: SquareTerminal,
    authMethod: 'none',
    usesRefreshTokens: true,
    flow: 'Authorization code with PKCE, without a secret, answered on a port of the machine',
    secret: NO_SECRET,
    refresh: 'Fit well: otherwise people sign in again every hour.',
    redirectUri: 'http://127.0.0.1/callback',
  },
  {
    id: 'agent',
    title: 'MCP client, AI agent or machine',
    text: 'Works for a person while nobody looks on.',
    icon: Bot,
    authMethod: 'none',
    usesRefreshTokens: true,
    flow: 'Authorization code with PKCE: a person lets it in once, then it goes on alone',
    secret:
      'Not as long as it runs on the machines of others. One that runs on your server is a web application with a server.',
    refresh: 'Needed: they are what it goes on with.',
    redirectUri: 'http://127.0.0.1/callback',
  },
];

/** Flows that other servers have, and what takes their place here. */
export const absentFlows: readonly { name: string; instead: string }[] = [
  {
    name: 'Client credentials',
    instead: 'No person is in them, so there is no OAuth client to make. Create an API token.',
  },
  {
    name: 'Implicit',
    instead: 'It leaves tokens in addresses and histories. OAuth 2.1 has done away with it.',
  },
  {
    name: 'Device code',
    instead:
      'Whoever types the code cannot see for whom. A terminal without a browser takes an API token.',
  },
  { name: 'Password', instead: 'The application would see it. Nobody but this server does.' },
];

/** The kind with this id; undefined before one is chosen. */
export function findApplication(id: string): Application | undefined {
  return applications.find((application) => application.id === id);
}
