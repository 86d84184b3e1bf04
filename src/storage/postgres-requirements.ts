import { sql } from 'kysely';
import type { Db } from './schema.ts';

const OLDEST_VERSION = 15;
const ENCODING = 'UTF8';

/** The facts about a PostgreSQL database that decide if this server can use it. */
export interface PostgresDatabaseFacts {
  /** For example `18.4`. */
  version: string;
  /** `server_encoding`. */
  encoding: string;
}

/** An unmet requirement, with the next step. */
export interface UnmetRequirement {
  message: string;
  advice: string;
}

/** Lists the requirements that a database does not meet. */
export function unmetRequirements({
  version,
  encoding,
}: PostgresDatabaseFacts): UnmetRequirement[] {
  const unmet: UnmetRequirement[] = [];
  if (Number.parseInt(version, 10) < OLDEST_VERSION) {
    const advice = `upgrade to PostgreSQL ${OLDEST_VERSION} or newer`;
    unmet.push({ message: `PostgreSQL ${version} is not supported`, advice });
  }
  if (encoding !== ENCODING) {
    unmet.push({
      message: `the database has the encoding ${encoding}, which cannot store every character`,
      advice: `create it with ENCODING '${ENCODING}' TEMPLATE template0`,
    });
  }
  return unmet;
}

/**
 * Checks the requirements before the first migration.
 * @throws Error with one line about the first unmet requirement
 */
export async function checkPostgres(db: Db): Promise<void> {
  const { rows } = await sql<PostgresDatabaseFacts>`
    select current_setting('server_version') as version,
      current_setting('server_encoding') as encoding`.execute(db);
  const [unmet] = rows.flatMap(unmetRequirements);
  if (unmet === undefined) return;
  throw new Error(`LATCHKEY_DATABASE_URL: ${unmet.message}: ${unmet.advice}`);
}
