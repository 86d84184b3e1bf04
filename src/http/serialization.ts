import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify';

/**
 * Serialisers by schema, as Fastify makes them, but at the first answer instead of at the start: most
 * of the time of a start would go into those that are never used.
 */
export function serializerCompiler(): FastifySerializerCompiler<unknown> {
  const compile = SerializerSelector()();
  return (route) => {
    let serialize: ((content: unknown) => string) | undefined;
    return (content) => {
      serialize ??= compile({ ...route, httpStatus: route.httpStatus ?? '' });
      return serialize(content);
    };
  };
}
