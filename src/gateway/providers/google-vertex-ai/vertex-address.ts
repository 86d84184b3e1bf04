import { UntranslatableError } from '../../translators/translator.ts';
import { BaseUrl } from '../base-url.ts';
import type { Endpoint } from '../provider.ts';

// The location becomes a part of a host name, and both become a part of a path.
const LOCATION = /^[a-z][a-z0-9-]{0,62}$/;
const PROJECT = /^[a-z0-9][a-z0-9.:-]{0,62}$/;
const GOOGLE_HOST = /^(?:[a-z0-9-]+-)?aiplatform\.(?:[a-z]+\.rep\.)?googleapis\.com$/;

/** The project and the location of a call. */
export interface Place {
  project: string;
  location: string;
}

/** The operator's base URL. */
export interface NamedAddress {
  /** The base URL of the operator's own server; undefined: Google's hosts, which depend on the location. */
  base: BaseUrl | undefined;
  place: Place | undefined;
  /** Origin of the operator's own server. */
  ownOrigin: string | undefined;
}

/**
 * Reads the operator's base URL.
 * @param url may end in a project and a location; undefined: Google's hosts
 */
export function readAddress(url: string | undefined): NamedAddress {
  if (url === undefined) return { base: undefined, place: undefined, ownOrigin: undefined };
  const { origin, hostname, pathname } = new URL(url);
  const match = /\/v\d\w*\/projects\/([^/]+)\/locations\/([^/]+)/.exec(pathname);
  const [, project, location] = match ?? [];
  const path = pathname.slice(0, match?.index);
  const place = project !== undefined && location !== undefined ? { project, location } : undefined;
  return GOOGLE_HOST.test(hostname)
    ? { base: undefined, place, ownOrigin: undefined }
    : { base: new BaseUrl(origin + path), place, ownOrigin: origin };
}

/**
 * Returns the address of a path.
 * @param path without a leading slash; begins with the version
 */
export function addressIn({ base }: NamedAddress, location: string, path: string): Endpoint {
  return (base ?? new BaseUrl(`https://${hostOf(location)}`)).at(path);
}

function hostOf(location: string): string {
  switch (location) {
    case 'global':
      return 'aiplatform.googleapis.com';
    // Locations with several regions.
    case 'us':
    case 'eu':
      return `aiplatform.${location}.rep.googleapis.com`;
    default:
      return `${location}-aiplatform.googleapis.com`;
  }
}

/**
 * Splits `{project}/{location}/{publisher}/{model}`, or `{publisher}/{model}` if the operator's base URL contains project
 * and location.
 * @throws UntranslatableError if project and location are missing
 */
export function splitModel({ place }: NamedAddress, model: string): Place & { model: string } {
  if (place !== undefined) return { ...place, model };
  const [project = '', location = '', ...rest] = model.split('/');
  if (PROJECT.test(project) && LOCATION.test(location) && rest.length > 1) {
    return { project, location, model: rest.join('/') };
  }
  throw new UntranslatableError(
    'the model of google-vertex-ai has the form {project}/{location}/{publisher}/{model}, unless the operator sets LATCHKEY_PROVIDER_GOOGLE_VERTEX_AI_BASE_URL, such as https://{location}-aiplatform.googleapis.com/v1/projects/{project}/locations/{location}',
  );
}

/** Paths of Google's express mode, whose API keys belong to a project: they contain no project and no location. */
const EXPRESS_PATH = /^v\d\w*\/publishers\/./;
const ENDS_IN_EXPRESS_PATH = /^[^?]*\/v\d\w*\/publishers\/./;

/** Returns true for a call of the express mode, which accepts only API keys. */
export function isExpress({ path }: Endpoint): boolean {
  return ENDS_IN_EXPRESS_PATH.test(path);
}

/** Returns the address of a path that begins with the version. Its location determines the host. */
export function nativeAddress(named: NamedAddress, path: string): Endpoint | undefined {
  if (EXPRESS_PATH.test(path)) return addressIn(named, 'global', path);
  const match = /^v\d\w*\/projects\/([^/?]+)\/locations\/([^/?]+)\/./.exec(path);
  const [, project = '', location = ''] = match ?? [];
  if (!PROJECT.test(project) || !LOCATION.test(location)) return undefined;
  return addressIn(named, location, path);
}
