import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify';

type Serialize = (content: unknown) => string;

const compile = SerializerSelector()();

// By the text of the schema: many operations answer alike. There are no more than operations.
const compiled = new Map<string, Serialize>();

/**
 * Serialisers by schema, as Fastify makes them, but at the first answer instead of at the start: most
 * of the time of a start would go into those that are never used.
 */
export function serializerCompiler(): FastifySerializerCompiler<unknown> {
  return (route) => {
    let serialize: Serialize | undefined;
    return (content) => {
      serialize ??= compileOnce(route);
      return serialize(content);
    };
  };
}

function compileOnce(route: Parameters<FastifySerializerCompiler<unknown>>[0]): Serialize {
  const text = JSON.stringify(route.schema);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const serialize = compile({ ...route, httpStatus: route.httpStatus ?? '' });
  compiled.set(text, serialize);
  return serialize;
}
