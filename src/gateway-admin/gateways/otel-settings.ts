import { gatewayFieldErrors } from '../../iam/gateway-operations.ts';
import { type Static, Type } from 'typebox';
import { type ErrorEntry, errorEntry } from '../../http/errors.ts';
import { namedRecord } from '../../http/named-record.ts';
import { SchemaCheck } from '../../http/schema-check.ts';
import { type BaseUrlRules, readBaseUrl } from '../custom-providers/parse-base-url.ts';
import { HEADER_VALUE } from '../provider-keys/parse-provider-config.ts';

const MAX_TARGETS = 5;
const MAX_URL_LENGTH = 2_048;
const MAX_HEADERS = 16;
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 4_096;
// The receivers are in memory with their gateway.
const MAX_OTEL_BYTES = 32_768;

// RFC 9110 section 5.6.2.
const NAME_PATTERN = "^(?!__proto__$)[!#$%&'*+.^_`|~0-9A-Za-z-]+$";

// Headers that the exporter writes itself, or that concern the connection.
const RESERVED: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** A character of masked secrets that no header contains. */
const MASK = '…';

const TargetInputSchema = Type.Object(
  {
    url: Type.String({
      pattern: '^[\\x21-\\x7e]+$',
      maxLength: MAX_URL_LENGTH,
      description:
        'URL of an OTLP/HTTP receiver: the complete URL for traces, or the base URL, to which /v1/traces is appended',
    }),
    authorization: Type.Optional(
      Type.String({
        maxLength: MAX_VALUE_LENGTH,
        description:
          'Value of the header authorization; empty: none; the masked value: keep the stored one',
      }),
    ),
    headers: Type.Optional(
      namedRecord(
        { maxLength: MAX_NAME_LENGTH, pattern: NAME_PATTERN },
        Type.String({ maxLength: MAX_VALUE_LENGTH }),
        {
          maxProperties: MAX_HEADERS,
          description: 'Additional headers; a masked value: keep the stored one',
        },
      ),
    ),
    content_type: Type.Optional(Type.Enum(['json', 'protobuf'], { default: 'json' })),
  },
  { additionalProperties: false },
);

/** The receivers in requests. */
export const OtelInputSchema = Type.Union([
  Type.Array(TargetInputSchema, {
    maxItems: MAX_TARGETS,
    description: 'Receivers of a span for each request, in the JSON encoding of OTLP over HTTP',
  }),
  Type.Null(),
]);

export type OtelTargetInput = Static<typeof TargetInputSchema>;

/** The receivers in responses, with masked secrets. */
export const OtelSchema = Type.Union([
  Type.Array(
    Type.Object({
      url: Type.String(),
      authorization: Type.Optional(Type.String()),
      headers: Type.Record(Type.String(), Type.String()),
      content_type: Type.Literal('json'),
    }),
  ),
  Type.Null(),
]);

const SecretSchema = Type.Object({ sealed: Type.String(), preview: Type.String() });

const SettingSchema = Type.Object({
  url: Type.String(),
  authorization: Type.Optional(SecretSchema),
  headers: Type.Record(Type.String(), SecretSchema),
  content_type: Type.Literal('json'),
});

/** A stored header value: encrypted and masked. */
export type SealedSecret = Static<typeof SecretSchema>;

/** A stored receiver. */
export type OtelSetting = Static<typeof SettingSchema>;

const settingCheck = SchemaCheck.of(SettingSchema);

/** Returns true for a masked secret. */
export function isMask(value: string): boolean {
  return value.includes(MASK);
}

/** Returns the headers of a receiver by name in lower case, with their JSON pointers. */
export function headersOf<T>(target: {
  authorization?: T;
  headers?: Readonly<Record<string, T>>;
}): { name: string; place: string; value: T }[] {
  const { authorization, headers = {} } = target;
  const named = Object.entries(headers).map(([name, value]) => ({
    name: name.toLowerCase(),
    // RFC 6901 section 3. Header names contain no slash.
    place: `headers/${name.replaceAll('~', '~0')}`,
    value,
  }));
  if (authorization === undefined || authorization === '') return named;
  return [{ name: 'authorization', place: 'authorization', value: authorization }, ...named];
}

/** Finds the faults that the schema cannot express. */
export function findOtelFaults(
  targets: readonly OtelTargetInput[],
  rules: BaseUrlRules,
): ErrorEntry[] {
  if (Buffer.byteLength(JSON.stringify(targets)) > MAX_OTEL_BYTES) {
    return [otelFault('', `otel must have at most ${MAX_OTEL_BYTES} bytes`)];
  }
  const urls = targets.map(({ url }) => URL.parse(url)?.href ?? url);
  return targets.flatMap((target, index) => {
    const faults = findHeaderFaults(target, index);
    const read = readBaseUrl(target.url, rules);
    if ('fault' in read) faults.push(otelFault(`/${index}/url`, `url: ${read.fault}`));
    // Two receivers with one URL would share their stored secrets.
    if (urls.indexOf(urls[index] ?? '') !== index) {
      faults.push(otelFault(`/${index}/url`, 'two targets have the same url'));
    }
    if (target.content_type === 'protobuf') {
      const reason = 'protobuf is not supported: use json';
      faults.push(otelFault(`/${index}/content_type`, reason));
    }
    return faults;
  });
}

function findHeaderFaults(target: OtelTargetInput, index: number): ErrorEntry[] {
  const seen = new Set<string>();
  return headersOf(target).flatMap(({ name, place, value }) => {
    const isRepeated = seen.has(name);
    seen.add(name);
    const reason = faultOf(name, value, isRepeated);
    return reason === undefined ? [] : [otelFault(`/${index}/${place}`, reason)];
  });
}

function faultOf(name: string, value: string, isRepeated: boolean): string | undefined {
  if (RESERVED.has(name)) return `the header ${name} is reserved`;
  if (isRepeated) return `duplicate header ${name}`;
  if (HEADER_VALUE.test(value) || isMask(value)) return undefined;
  return `the header ${name} must be one line of printable ASCII`;
}

/** @param place JSON pointer within `otel` */
export function otelFault(place: string, reason: string): ErrorEntry {
  const { invalidField } = gatewayFieldErrors;
  return errorEntry(invalidField, {
    message: `${invalidField.message}: ${reason}`,
    pointer: `/otel${place}`,
  });
}

/**
 * Parses the stored receivers. Omits receivers that this version does not support, such as those of a newer node.
 */
export function parseOtelSettings(text: string | null): OtelSetting[] | null {
  if (text === null) return null;
  const stored: unknown = JSON.parse(text);
  return Array.isArray(stored) ? stored.filter((target) => settingCheck.matches(target)) : null;
}

/** Presents receivers without their secrets. */
export function presentOtel(targets: readonly OtelSetting[] | null): Static<typeof OtelSchema> {
  if (targets === null) return null;
  return targets.map(({ url, authorization, headers, content_type }) => ({
    url,
    ...(authorization === undefined ? {} : { authorization: authorization.preview }),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, { preview }]) => [name, preview]),
    ),
    content_type,
  }));
}
