import {
  AppWindow,
  Bot,
  type Icon,
  ServerCog,
  Smartphone,
  SquareTerminal,
} from '../../../ui/icons.tsx';
import type { ClientValues } from './client-values.ts';
import { labels } from './labels.ts';

export type ApplicationId = 'server' | 'browser' | 'native' | 'cli' | 'agent';

/** A kind of application, and what of OAuth fits it. */
export interface Application {
  id: ApplicationId;
  title: string;
  /** By what one knows it. */
  text: string;
  icon: Icon;
  authMethod: ClientValues['token_endpoint_auth_method'];
  usesRefreshTokens: boolean;
  flow: string;
  secret: string;
  refresh: string;
  redirectUri: string;
}

const NO_SECRET = labels.noEveryUser;

/** What can be built, the most common first. */
export const applications: readonly Application[] = [
  {
    id: 'server',
    title: labels.webApplicationWithAServer,
    text: labels.yourServerRendersThePages,
    icon: ServerCog,
    authMethod: 'client_secret_basic',
    usesRefreshTokens: true,
    flow: labels.authorizationCodeWithPkce,
    secret: labels.yesItStays,
    refresh: labels.recommendedYourServerStoresThem,
    redirectUri: 'https://app.example.com/callback',
  },
  {
    id: 'browser',
    title: labels.singlePageApp,
    text: labels.runsEntirelyInTheBrowser,
    icon: AppWindow,
    authMethod: 'none',
    usesRefreshTokens: false,
    flow: labels.authorizationCodeWithPkceWithout,
    secret: NO_SECRET,
    refresh: labels.notRecommendedBecauseBrowserStorage,
    redirectUri: 'https://app.example.com/callback',
  },
  {
    id: 'native',
    title: labels.mobileOrDesktopApp,
    text: labels.installedOnTheUsersDevice,
    icon: Smartphone,
    authMethod: 'none',
    usesRefreshTokens: true,
    flow: labels.authorizationCodeWithPkceWithoutA,
    secret: NO_SECRET,
    refresh: labels.recommendedStoreThem,
    redirectUri: 'com.example.app:/callback',
  },
  {
    id: 'cli',
    title: labels.commandLineTool,
    text: labels.runsInATerminal,
    icon: SquareTerminal,
    authMethod: 'none',
    usesRefreshTokens: true,
    flow: labels.authorizationCodeWithPkceWithoutASecret,
    secret: NO_SECRET,
    refresh: labels.recommendedOtherwiseUsersSign,
    redirectUri: 'http://127.0.0.1/callback',
  },
  {
    id: 'agent',
    title: labels.mcpClientAiAgent,
    text: labels.actsForAUser,
    icon: Bot,
    authMethod: 'none',
    usesRefreshTokens: true,
    flow: labels.authorizationCodeWithPkceA,
    secret: labels.notIfItRuns,
    refresh: labels.requiredForAccessWithoutInteraction,
    redirectUri: 'http://127.0.0.1/callback',
  },
];

/** Flows that other servers have, and what takes their place here. */
export const absentFlows: readonly { name: string; instead: string }[] = [
  {
    name: labels.clientCredentials,
    instead: labels.noUserIsInvolvedSo,
  },
  {
    name: labels.implicit,
    instead: labels.exposesTokensInUrls,
  },
  {
    name: labels.deviceCode,
    instead: labels.usersCantSeeWhichApplication,
  },
  { name: labels.password, instead: labels.theApplicationWouldSee },
];

/** The kind with this id; undefined before one is chosen. */
export function findApplication(id: string): Application | undefined {
  return applications.find((application) => application.id === id);
}
