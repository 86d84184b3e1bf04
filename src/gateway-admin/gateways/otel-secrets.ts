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

/** The gateway of the receivers. */
interface GatewayPlace {
  accountId: string;
  id: string;
}

const SEALING_PURPOSE = 'gateway_otel_header';

/** Returns the sealer of header values. */
export function otelSealer(masterKey: { sealer(purpose: string): Sealer }): Sealer {
  return masterKey.sealer(SEALING_PURPOSE);
}

/** Returns the context of a sealed header: its gateway, its origin and its name. */
function sealingContext({ accountId, id }: GatewayPlace, url: string, name: string): string {
  return `gateways/${accountId}/${id}/otel/${new URL(url).origin}/${name}`;
}

/**
 * Returns the receivers to store. A masked secret in the request keeps the stored one, so a read–modify–write round trip is
 * safe. It is kept only for the same origin: a client that knows just the mask cannot redirect the secret to another host.
 * @param targets without faults, see `findOtelFaults`
 * @param stored the receivers before the change
 * @throws ApiError 5001 for a mask without a stored secret
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
 * Returns the stored secret of a mask: the one of the same URL, or else of the same host if its mask is unique there.
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
 * Decrypts the receivers of a gateway. Omits receivers whose secrets were encrypted with another master key.
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

/** Encrypts the secrets of receivers with another master key. */
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
