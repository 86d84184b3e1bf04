import type { Role } from '../../api/members.ts';
import { labels } from './labels.ts';

/** What roles are about, as the API names it and as people do. */
const SUBJECTS: Readonly<Record<string, string>> = {
  account_settings: labels.settings,
  members: labels.members,
  api_tokens: labels.apiTokens,
  audit_logs: labels.auditLog,
  oauth_clients: labels.oauthClients,
  ai_gateway: labels.aiGateways,
  tags: labels.tags,
  webhooks: labels.webhooks,
};

/** A subject of permissions as people call it; a new one is shown as the API names it. */
export function subjectName(subject: string): string {
  return SUBJECTS[subject] ?? subject.replaceAll('_', ' ');
}

/** A name in the middle of a sentence: abbreviations stay as they are. */
function inSentence(name: string): string {
  return /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}

type Grants = Role['permissions'];
type Grant = Grants[string];

/** What can be done with a subject, as far as `grants` say. */
const DEEDS: readonly { name: string; isMeant: (grant: Grant) => boolean }[] = [
  { name: labels.viewAndChange, isMeant: ({ read, write }) => read && write },
  { name: labels.change, isMeant: ({ read, write }) => !read && write },
  { name: labels.view, isMeant: ({ read, write }) => read && !write },
  { name: labels.run, isMeant: ({ run }) => run === true },
];

/** What permissions allow, in words: "See and change: tags. See: settings." */
export function grantsInWords(grants: Grants): string {
  return DEEDS.flatMap(({ name, isMeant }) => {
    const subjects = Object.entries(grants).flatMap(([subject, grant]) =>
      isMeant(grant) ? [inSentence(subjectName(subject))] : [],
    );
    if (subjects.length === 0) return [];
    const isAll = subjects.length === Object.keys(grants).length;
    return [`${name}: ${isAll ? 'everything' : subjects.join(', ')}.`];
  }).join(' ');
}

/** What somebody holds with some roles, and not with others. */
export function lossOf(before: readonly Role[], after: readonly Role[]): Grants {
  const lost: Grants = {};
  for (const subject of before.flatMap(({ permissions }) => Object.keys(permissions))) {
    const isLost = (verb: 'read' | 'write' | 'run'): boolean =>
      before.some(({ permissions }) => permissions[subject]?.[verb] === true) &&
      !after.some(({ permissions }) => permissions[subject]?.[verb] === true);
    lost[subject] = { read: isLost('read'), write: isLost('write'), run: isLost('run') };
  }
  return lost;
}
