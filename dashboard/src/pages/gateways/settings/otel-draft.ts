import type { operations } from '../../../api/schema.d.ts';

type Gateway = operations['get-gateway']['responses'][200]['content']['application/json']['result'];
type GatewaySettings = operations['update-gateway']['requestBody']['content']['application/json'];

/** A header that goes along with spans. */
export interface HeaderDraft {
  name: string;
  value: string;
}

/** A collector as the form has it. */
export interface CollectorDraft {
  url: string;
  authorization: string;
  headers: HeaderDraft[];
}

/** What the form about OpenTelemetry holds. */
export interface OtelDraft {
  targets: CollectorDraft[];
}

/** The form for what a gateway has; secrets are masked in it. */
export function readOtel({ otel }: Pick<Gateway, 'otel'>): OtelDraft {
  const targets = (otel ?? []).map(({ url, authorization = '', headers }) => ({
    url,
    authorization,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
  }));
  return { targets };
}

/** The settings for what the form has. A secret that is still masked stays what it is. */
export function writeOtel({ targets }: OtelDraft): Partial<GatewaySettings> {
  if (targets.length === 0) return { otel: null };
  const otel = targets.map(({ url, authorization, headers }) => ({
    url: url.trim(),
    ...(authorization.trim() !== '' && { authorization: authorization.trim() }),
    headers: Object.fromEntries(headers.map(({ name, value }) => [name.trim(), value.trim()])),
  }));
  return { otel };
}

/** Where a fault of the body is shown: `otel.0.headers.x-team` at the value of that header. */
export function fieldOfOtel(path: string, { targets }: OtelDraft): string {
  const [, index, member, ...rest] = path.split('.');
  if (index === undefined) return 'targets';
  if (member === 'authorization') return `targets.${index}.authorization`;
  if (member !== 'headers') return `targets.${index}.url`;
  // Names of headers may have dots in them.
  const name = rest.join('.');
  const headers = targets[Number(index)]?.headers ?? [];
  const row = headers.findIndex((header) => header.name.trim() === name);
  return row === -1 ? `targets.${index}.url` : `targets.${index}.headers.${row}.value`;
}
