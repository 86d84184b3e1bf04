import { UntranslatableError } from '../../translators/translator.ts';
import { BaseUrl } from '../base-url.ts';
import type { Endpoint } from '../provider.ts';

// The location becomes part of a host name, both become part of a path.
const LOCATION = /^[a-z][a-z0-9-]{0,62}$/;
const PROJECT = /^[a-z0-9][a-z0-9.:-]{0,62}$/;
const GOOGLE_HOST = /^(?:[a-z0-9-]+-)?aiplatform\.(?:[a-z]+\.rep\.)?googleapis\.com$/;

/** The project and the location that a call is for. */
export interface Place {
  project: string;
  location: string;
}

/** What the operator's address says. */
export interface NamedAddress {
  /** Of a server of the operator's own; undefined: Google's, whose host depends on the location. */
  base: BaseUrl | undefined;
  place: Place | undefined;
  /** Origin of the server of the operator's own. */
  ownOrigin: string | undefined;
}

/** @param url with a project and a location at its end, or without; undefined: Google's */
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

/** @param path without a leading slash, from the version on */
export function addressIn({ base }: NamedAddress, location: string, path: string): Endpoint {
  return (base ?? new BaseUrl(`https://${hostOf(location)}`)).at(path);
}

function hostOf(location: string): string {
  switch (location) {
    case 'global':
      return 'aiplatform.googleapis.com';
    // These are more than one region each.
    case 'us':
    case 'eu':
      return `aiplatform.${location}.rep.googleapis.com`;
    default:
      return `${location}-aiplatform.googleapis.com`;
  }
}

/**
 * The model and the place to call it in, from `{project}/{location}/{publisher}/{model}`; only
 * `{publisher}/{model}` where the operator names the place.
 * @throws UntranslatableError when nobody names a place
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

/** Google's express mode, whose API keys know their project: paths name neither that nor a location. */
const EXPRESS_PATH = /^v\d\w*\/publishers\/./;
const ENDS_IN_EXPRESS_PATH = /^[^?]*\/v\d\w*\/publishers\/./;

/** Whether a call is one of the express mode, which takes API keys and nothing else. */
export function isExpress({ path }: Endpoint): boolean {
  return ENDS_IN_EXPRESS_PATH.test(path);
}

/** A path as Vertex AI has it, from the version on; its location says which host it is for. */
export function nativeAddress(named: NamedAddress, path: string): Endpoint | undefined {
  if (EXPRESS_PATH.test(path)) return addressIn(named, 'global', path);
  const match = /^v\d\w*\/projects\/([^/?]+)\/locations\/([^/?]+)\/./.exec(path);
  const [, project = '', location = ''] = match ?? [];
  if (!PROJECT.test(project) || !LOCATION.test(location)) return undefined;
  return addressIn(named, location, path);
}
