import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Answer, Json, TestServer } from '../support/server.ts';

/**
 * An attribute of a resource, as the Terraform provider declares it. Terraform itself needs a download, so this file has
 * the rules of the provider's JSON encoder and decoder and of Terraform's plans.
 */
export interface Attribute {
  name: string;
  /** `computed` attributes are never sent. `computed_optional` ones keep their state if the configuration omits them. */
  kind: 'required' | 'optional' | 'computed' | 'computed_optional';
  /** The provider forgets the value for each update (no `UseStateForUnknown`). */
  isForgotten?: true;
  /** Only the response to the creation has it. */
  isShownOnce?: true;
  /** Two spellings of one moment are equal. */
  isTime?: true;
  /** Converts the JSON of a response into the form of the configuration. */
  decode?: (value: Json) => unknown;
  /** Converts the configuration into the JSON of an update. */
  encodeUpdate?: (value: unknown) => unknown;
}

export interface ResourceType {
  /** Path of the collection. */
  path: string;
  /** The attribute that is the last part of the path of one resource. */
  id: string;
  update: 'PUT' | 'PATCH';
  attributes: readonly Attribute[];
}

export type Config = Readonly<Record<string, unknown>>;
/** Values of all attributes; null: none. */
export type State = Readonly<Record<string, unknown>>;

const UNKNOWN = Symbol('unknown');

/** Sends the requests of one type of resource, and checks each response as Terraform does. */
export class TerraformResource {
  readonly #server: TestServer;
  readonly #type: ResourceType;

  constructor(server: TestServer, type: ResourceType) {
    this.#server = server;
    this.#type = type;
  }

  async create(config: Config): Promise<State> {
    const planned = this.#plannedValues(config, undefined);
    const body = Object.fromEntries(
      this.#sent().flatMap(({ name }): [string, unknown][] =>
        isKnown(planned[name]) ? [[name, planned[name]]] : [],
      ),
    );
    const answer = await this.#server.call('POST', this.#type.path, { body });
    return this.#completed(planned, assertFound(answer));
  }

  /** @returns undefined if the resource is gone */
  async read(state: State): Promise<State | undefined> {
    const answer = await this.#get(String(state[this.#type.id]));
    if (answer.status === 404) return undefined;
    const read = this.#decoded(assertFound(answer));
    const kept = this.#type.attributes.filter(({ isShownOnce }) => isShownOnce);
    return { ...read, ...Object.fromEntries(kept.map(({ name }) => [name, state[name]])) };
  }

  async import(id: string): Promise<State> {
    return this.#decoded(assertFound(await this.#get(id)));
  }

  async update(config: Config, state: State): Promise<State> {
    const planned = this.#plannedValues(config, state);
    const body = Object.fromEntries(
      this.#sent().flatMap(({ name, encodeUpdate = (value) => value }): [string, unknown][] => {
        const value = planned[name];
        if (value === UNKNOWN || (value === null && state[name] === null)) return [];
        const isSame = isDeepStrictEqual(value, state[name]);
        if (this.#type.update === 'PATCH' && isSame) return [];
        return [[name, value === null ? null : encodeUpdate(value)]];
      }),
    );
    const id = encodeURIComponent(String(state[this.#type.id]));
    const { update, path } = this.#type;
    const answer = await this.#server.call(update, `${path}/${id}`, { body });
    return this.#completed(planned, assertFound(answer));
  }

  async destroy(state: State): Promise<void> {
    const id = encodeURIComponent(String(state[this.#type.id]));
    const answer = await this.#server.call('DELETE', `${this.#type.path}/${id}`);
    assert.equal(answer.status, 200, answer.text);
  }

  /** Returns the attributes that `terraform plan` would change. */
  changes(config: Config, state: State): string[] {
    const planned = this.#plannedValues(config, state);
    return this.#sent()
      .filter(({ name, isTime = false }) => !isSame(planned[name], state[name], isTime))
      .map(({ name }) => name);
  }

  #get(id: string): Promise<Answer> {
    return this.#server.call('GET', `${this.#type.path}/${encodeURIComponent(id)}`);
  }

  #sent(): Attribute[] {
    return this.#type.attributes.filter(({ kind }) => kind !== 'computed');
  }

  /** The plan of a change; `state` undefined: of a creation. */
  #plannedValues(config: Config, state: State | undefined): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      this.#type.attributes.map(({ name, kind, isForgotten }) => {
        const configured = config[name] ?? null;
        if (configured !== null) return [name, configured];
        if (!kind.startsWith('computed')) return [name, null];
        return [name, state === undefined || isForgotten ? UNKNOWN : state[name]];
      }),
    );
  }

  /** The decoder fills in the unknown values. Each other value is the planned one. */
  #completed(planned: Readonly<Record<string, unknown>>, result: Json): State {
    const decoded = this.#decoded(result);
    return Object.fromEntries(
      this.#type.attributes.map(({ name, kind }) => {
        const isFromServer = planned[name] === UNKNOWN || kind === 'computed';
        return [name, isFromServer ? decoded[name] : planned[name]];
      }),
    );
  }

  #decoded(result: Json): State {
    return Object.fromEntries(
      this.#type.attributes.map(({ name, decode }) => {
        const value: unknown = result[name] ?? null;
        return [name, value === null || decode === undefined ? value : decode(value)];
      }),
    );
  }
}

function isSame(planned: unknown, stored: unknown, isTime: boolean): boolean {
  if (planned === UNKNOWN) return true;
  if (isTime && typeof planned === 'string' && typeof stored === 'string') {
    return Date.parse(planned) === Date.parse(stored);
  }
  return isDeepStrictEqual(planned, stored);
}

function isKnown(value: unknown): boolean {
  return value !== null && value !== UNKNOWN;
}

function assertFound({ status, json, text }: Answer): Json {
  assert.equal(status, 200, text);
  return json.result;
}
