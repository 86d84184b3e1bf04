import { type IncomingMessage, createServer } from 'node:http';
import pg from 'pg';
import {
  type ResourceRow,
  type Statement,
  type SummaryRow,
  type TagDesign,
  type Write,
  readListQuery,
  readTextRange,
} from './tag-design.ts';
import { tagDesigns } from './tag-designs.ts';

/**
 * A bare server of tags in PostgreSQL, by the design `DESIGN` of tag-designs.ts. It answers what
 * Latchkey answers to the same requests, but checks no token and no input, has no ETags and keeps neither an
 * audit log nor a list of changes.
 */

// As many as there are connections to this server, so that commits can share a write to the disk.
const POOL_CONNECTIONS = 32;

const { PORT, DATABASE_URL, DESIGN = '', STATEMENT_TIMEOUT_MS } = process.env;
const design = tagDesigns[DESIGN];
if (design === undefined) throw new Error(`there is no design ${DESIGN}`);
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: POOL_CONNECTIONS,
  statement_timeout: Number(STATEMENT_TIMEOUT_MS),
});

async function ask<Row extends object>({ text, values, name }: Statement): Promise<Row[]> {
  const config = { text, values: [...values], ...(name === undefined ? {} : { name }) };
  return (await pool.query<Row>(config)).rows;
}

const present = ({ id, type, name, tags, updated_at }: ResourceRow) => ({
  id,
  type,
  name,
  tags,
  tags_updated_at: updated_at.toISOString(),
});

const presentKey = ({ key, count, values, counts }: SummaryRow) => ({
  key,
  values,
  count,
  facets: values.map((value, index) => ({ value, count: counts[index] })),
});

interface Page<Item> {
  items: Item[];
  next: string | undefined;
}

/** @param positionOf what the next page starts after */
function cut<Item>(found: Item[], limit: number, positionOf: (item: Item) => string): Page<Item> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const next = found.length > limit && last !== undefined ? positionOf(last) : undefined;
  return { items, next };
}

const asPage = ({ items, next }: Page<unknown>) => ({
  result: items,
  result_info: { count: items.length, ...(next === undefined ? {} : { cursors: { after: next } }) },
});

async function answer(design: TagDesign, request: IncomingMessage): Promise<object> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const parameters = url.searchParams;
  const range = readTextRange(parameters);
  const [, , part = '', key = ''] = url.pathname.split('/').map(decodeURIComponent);
  switch (`${request.method} ${part}`) {
    case 'GET resources': {
      const query = readListQuery(parameters);
      const page = cut(await ask<ResourceRow>(design.list(query)), query.limit, ({ seq }) => seq);
      return asPage({ ...page, items: page.items.map(present) });
    }
    case 'GET keys':
    case 'GET values': {
      const statement = part === 'keys' ? design.keys(range) : design.values(key, range);
      const items = (await ask<{ item: string }>(statement)).map(({ item }) => item);
      return asPage(cut(items, range.limit, (item) => item));
    }
    case 'GET summary': {
      const page = cut(await ask<SummaryRow>(design.summary(range)), range.limit, ({ key }) => key);
      return asPage({ ...page, items: page.items.map(presentKey) });
    }
    case 'GET ': {
      const [type, id] = ['resource_type', 'resource_id'].map((name) => parameters.get(name) ?? '');
      return { result: (await ask<ResourceRow>(design.get(type ?? '', id ?? ''))).map(present)[0] };
    }
    case 'PUT ':
      return {
        result: (await ask<ResourceRow>(design.put(await readWrite(request)))).map(present)[0],
      };
    case 'PATCH ':
      return {
        result: (await ask<ResourceRow>(design.patch(await readWrite(request)))).map(present)[0],
      };
    case 'POST bulk': {
      const { operations } = await readBody<{ operations: WriteBody[] }>(request);
      const rows = await ask<ResourceRow>(design.putMany(operations.map(writeOf)));
      return { result: { succeeded: rows.length, results: rows.map(present) } };
    }
    default:
      throw new Error(`there is no ${request.method} ${url.pathname}`);
  }
}

interface WriteBody {
  resource_type: string;
  resource_id: string;
  name?: string;
  tags: Record<string, string>;
}

const writeOf = (body: WriteBody): Write => ({
  type: body.resource_type,
  id: body.resource_id,
  name: body.name ?? body.resource_id,
  tags: body.tags,
});

async function readWrite(request: IncomingMessage): Promise<Write> {
  return writeOf(await readBody<WriteBody>(request));
}

async function readBody<Body>(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Body;
}

const server = createServer((request, response) => {
  answer(design, request).then(
    (body) => {
      const text = JSON.stringify({ success: true, errors: [], messages: [], ...body });
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(Number(PORT), '127.0.0.1');
