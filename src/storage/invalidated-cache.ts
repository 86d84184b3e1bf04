import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../lib/awaitable.ts';
import { upToBytes, upToEntries } from '../lib/cache-bound.ts';
import type { Clock } from '../lib/clock.ts';
import type { Invalidation } from './invalidation.ts';

interface Entry<V> {
  /** Undefined: the row does not exist. The cache remembers this too. */
  value: V | undefined;
  loadedAtMs: number;
}

/** A memory limit for entries of very different sizes. */
export interface CacheSize<V> {
  maxBytes: number;
  /** Estimates the size of a value. */
  bytesOf: (value: V) => number;
}

// The key, the entry and its places in the maps.
const BYTES_PER_ENTRY = 300;

// Used entries are reloaded each minute, so an entry of this age is idle. It is long enough to keep a credential with
// occasional use, while an attacker guesses others.
const IDLE_AFTER_MS = 15 * 60_000;
/** More than one per loaded entry, so that a cache shrinks after a peak. */
const IDLE_DROPPED_PER_LOAD = 2;

/**
 * Keeps rows in memory for paths that must not wait for the database. An entry is dropped when a node announces a
 * change of its key, and reloaded when it is older than Invalidation.cacheLifetimeMs allows. New entries displace idle
 * ones, so that expired tokens do not stay in memory until the cache is full.
 */
export class InvalidatedCache<V extends object> {
  readonly #invalidation: Invalidation;
  readonly #clock: Clock;
  readonly #entries: LRUCache<string, Entry<V>>;
  // One query per key, for any number of waiting requests.
  readonly #loading = new Map<string, Promise<V | undefined>>();

  /**
   * @param topic topic of the announcements of changes
   * @param size omitted if all entries are small
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
   * Returns true if the value of a key is in memory, or if the key had a value at its last lookup.
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

  /** Drops the entry of a key. A running load may have read the state before the change, and is not stored. */
  drop(key: string): void {
    this.#entries.delete(key);
    this.#loading.delete(key);
  }

  /** Drops the entries of all keys with a prefix. The time grows with the number of entries. */
  dropAll(prefix: string): void {
    for (const key of [...this.#entries.keys(), ...this.#loading.keys()]) {
      if (key.startsWith(prefix)) this.drop(key);
    }
  }

  #fresh(key: string): Entry<V> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const ageMs = this.#clock.now() - entry.loadedAtMs;
    // After the clock was set back, the age is negative, and the entry is not trusted.
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
      // The least recently used entry.
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
