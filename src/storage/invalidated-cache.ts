import { LRUCache } from 'lru-cache';
import { upToBytes, upToEntries } from '../lib/cache-bound.ts';
import type { Clock } from '../lib/clock.ts';
import type { Invalidation } from './invalidation.ts';
import type { Awaitable } from '../lib/awaitable.ts';

interface Entry<V> {
  /** Undefined: the thing does not exist, which is worth remembering too. */
  value: V | undefined;
  loadedAtMs: number;
}

/** How much memory the entries may take, where some are far larger than others. */
export interface CacheSize<V> {
  maxBytes: number;
  /** About so much does a value take. */
  bytesOf: (value: V) => number;
}

// The key, the entry and its places in the maps.
const BYTES_PER_ENTRY = 300;

// What is asked for is read again each minute: an entry so old has not been asked for lately. Long enough for
// a credential that is used now and then to be known while somebody guesses others.
const IDLE_AFTER_MS = 15 * 60_000;
/** More than one for each that comes, so that a cache which grew once becomes small again. */
const IDLE_DROPPED_PER_LOAD = 2;

/**
 * Rows kept in memory for paths that must not wait for the database. An entry is dropped when any
 * node announces a change under its key, and asked for anew when it is older than announcements
 * allow (see Invalidation.cacheLifetimeMs). One that nobody asks for makes room for those that come,
 * so that tokens which live for an hour do not stay in memory until the cache is full.
 */
export class InvalidatedCache<V extends object> {
  readonly #invalidation: Invalidation;
  readonly #clock: Clock;
  readonly #entries: LRUCache<string, Entry<V>>;
  // One query a key, however many requests wait for it.
  readonly #loading = new Map<string, Promise<V | undefined>>();

  /**
   * @param topic under which changes of these things are announced
   * @param size left out where all entries are small
   */
  constructor(
    invalidation: Invalidation,
    clock: Clock,
    topic: string,
    maxEntries: number,
    size?: CacheSize<V>,
  ) {
    this.#invalidation = invalidation;
    this.#clock = clock;
    this.#entries = new LRUCache(
      size === undefined
        ? upToEntries(maxEntries)
        : upToBytes(maxEntries, size.maxBytes, (entry) => bytesOf(entry, size)),
    );
    invalidation.subscribe({
      onAnnouncement: (announcement) => {
        if (announcement.topic === topic) this.drop(announcement.key);
      },
      onGap: () => {
        this.#entries.clear();
        this.#loading.clear();
      },
    });
  }

  /**
   * Whether memory can answer for the key now, or there was something under it when it was last
   * asked for.
   */
  isKnown(key: string): boolean {
    return this.#fresh(key) !== undefined || this.#entries.peek(key)?.value !== undefined;
  }

  /**
   * Returns the value of a key, mostly from memory.
   * @param load reads the value from the database
   */
  get(key: string, load: () => Promise<V | undefined>): Awaitable<V | undefined> {
    const entry = this.#fresh(key);
    if (entry !== undefined) return entry.value;
    return this.#loading.get(key) ?? this.#load(key, load);
  }

  /** Drops what is known under a key. What is being read now may be from before the change. */
  drop(key: string): void {
    this.#entries.delete(key);
    this.#loading.delete(key);
  }

  /** Drops what is known under all keys with a prefix. Takes time for each key. */
  dropAll(prefix: string): void {
    for (const key of [...this.#entries.keys(), ...this.#loading.keys()]) {
      if (key.startsWith(prefix)) this.drop(key);
    }
  }

  #fresh(key: string): Entry<V> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const ageMs = this.#clock.now() - entry.loadedAtMs;
    // A clock that was set back makes the age negative: such an entry is not trusted either.
    return ageMs >= 0 && ageMs < this.#invalidation.cacheLifetimeMs() ? entry : undefined;
  }

  #load(key: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const loadedAtMs = this.#clock.now();
    const loading = load().then(
      (value) => {
        if (this.#loading.get(key) === loading) {
          this.#loading.delete(key);
          this.#entries.set(key, { value, loadedAtMs });
          this.#dropIdle();
        }
        return value;
      },
      (error: unknown) => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key);
        throw error;
      },
    );
    this.#loading.set(key, loading);
    return loading;
  }

  #dropIdle(): void {
    const now = this.#clock.now();
    for (let i = 0; i < IDLE_DROPPED_PER_LOAD; i++) {
      // The one that was asked for longest ago.
      const [key] = this.#entries.rkeys();
      if (key === undefined) return;
      const ageMs = now - (this.#entries.peek(key)?.loadedAtMs ?? now);
      if (ageMs < IDLE_AFTER_MS) return;
      this.#entries.delete(key);
    }
  }
}

function bytesOf<V extends object>({ value }: Entry<V>, size: CacheSize<V>): number {
  return BYTES_PER_ENTRY + (value === undefined ? 0 : size.bytesOf(value));
}
