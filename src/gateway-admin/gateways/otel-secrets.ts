import { gatewayFieldErrors } from '../../iam/gateway-operations.ts';
import { ApiError } from '../../http/errors.ts';
import { type Resealing, SealError, type Sealer } from '../../lib/sealing.ts';
import type { ReportTrouble } from '../../storage/invalidation.ts';
import { previewOf } from '../provider-keys/parse-provider-config.ts';
import { type OtelTarget, createOtelTarget } from './otel-target.ts';
import {
  type OtelSetting,
  type OtelTargetInput,
  type SealedSecret,
  headersOf,
  isMask,
  otelFault,
} from './otel-settings.ts';

/** Whose targets they are. */
interface GatewayPlace {
  accountId: string;
  id: string;
}

const SEALING_PURPOSE = 'gateway_otel_header';

/** What seals the headers of targets. */
export function otelSealer(masterKey: { sealer(purpose: string): Sealer }): Sealer {
  return masterKey.sealer(SEALING_PURPOSE);
}

/** Where a header opens: not for another gateway, nor to be sent elsewhere, nor under another name. */
function sealingContext({ accountId, id }: GatewayPlace, url: string, name: string): string {
  return `gateways/${accountId}/${id}/otel/${new URL(url).origin}/${name}`;
}

/**
 * What is stored for the targets that a request names. A secret in its masked form, as answers show it,
 * is the one that is stored: whoever reads a gateway, changes something and writes it back loses none.
 * But it stays with its scheme, host and port: with a mask alone nobody can have it sent elsewhere.
 * @param targets in which `findOtelFaults` has found none
 * @param stored what the gateway had until now
 * @throws ApiError 5001 for masks of which no secret is stored
 */
export function sealOtel(
  place: GatewayPlace,
  targets: readonly OtelTargetInput[] | null | undefined,
  stored: readonly OtelSetting[] | null,
  sealer: Sealer,
): OtelSetting[] | null {
  if (targets === null || targets === undefined || targets.length === 0) return null;
  const faults = targets.flatMap((target, index) =>
    headersOf(target)
      .filter(
        ({ name, value }) =>
          isMask(value) && findKept(target.url, name, value, stored) === undefined,
      )
      .map(({ name, place: at }) =>
        otelFault(
          `/${index}/${at}`,
          `the value of the header ${name} is masked, and no value is stored for this host: send the secret itself`,
        ),
      ),
  );
  if (faults.length > 0) throw new ApiError(gatewayFieldErrors.invalidField.status, faults);
  return targets.map(({ url, authorization, headers = {} }) => {
    const seal = (name: string, value: string): SealedSecret =>
      findKept(url, name.toLowerCase(), value, stored) ?? {
        sealed: sealer.seal(value, sealingContext(place, url, name.toLowerCase())),
        preview: previewOf(value),
      };
    const sealed = Object.entries(headers).map(([name, value]) => [name, seal(name, value)]);
    return {
      url,
      ...(authorization === undefined || authorization === ''
        ? {}
        : { authorization: seal('authorization', authorization) }),
      headers: Object.fromEntries(sealed),
      content_type: 'json',
    };
  });
}

/**
 * The stored secret that a mask stands for: the one of the same address, or else of the same host, when
 * no other there looks alike.
 */
function findKept(
  url: string,
  name: string,
  mask: string,
  stored: readonly OtelSetting[] | null,
): SealedSecret | undefined {
  if (!isMask(mask)) return undefined;
  const { href, origin } = new URL(url);
  const ofHost = (stored ?? []).filter((target) => new URL(target.url).origin === origin);
  const ofAddress = ofHost.filter((target) => new URL(target.url).href === href);
  const found = (ofAddress.length > 0 ? ofAddress : ofHost)
    .flatMap((target) => headersOf<SealedSecret>(target))
    .filter((header) => header.name === name && header.value.preview === mask);
  return found.length === 1 ? found[0]?.value : undefined;
}

/**
 * The targets of a gateway, ready to be used. One whose secrets were sealed under another master key is
 * as good as none.
 */
export function openOtel(
  place: GatewayPlace,
  settings: readonly OtelSetting[] | null,
  sealer: Sealer,
  report: ReportTrouble,
): OtelTarget[] {
  return (settings ?? []).flatMap((target) => {
    const { url } = target;
    try {
      const headers = headersOf<SealedSecret>(target).flatMap(({ name, value }) => [
        name,
        sealer.open(value.sealed, sealingContext(place, url, name)),
      ]);
      return createOtelTarget({ accountId: place.accountId, gatewayId: place.id, url, headers });
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      report(error, `failed to decrypt a trace export header of the gateway ${place.id}`);
      return [];
    }
  });
}

/** The same targets with their secrets under another master key. */
export function resealOtel(
  place: GatewayPlace,
  settings: readonly OtelSetting[],
  resealing: Resealing,
): OtelSetting[] {
  return settings.map((target) => {
    const reseal = (name: string, secret: SealedSecret): SealedSecret => {
      const context = sealingContext(place, target.url, name.toLowerCase());
      return { ...secret, sealed: resealing.reseal(secret.sealed, otelSealer, context) };
    };
    const headers = Object.entries(target.headers).map(([name, secret]) => [
      name,
      reseal(name, secret),
    ]);
    return {
      ...target,
      ...(target.authorization && { authorization: reseal('authorization', target.authorization) }),
      headers: Object.fromEntries(headers),
    };
  });
}
