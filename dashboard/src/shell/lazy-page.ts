import { lazyRouteComponent as lazyComponent } from '@tanstack/react-router';
import { ApiFailure, noAnswer } from '../api/failure.ts';

const SERVER_FAULT = 500;

const missing = new WeakSet<Error>();

/** Whether a page could not be loaded because the server has none of that name, as after an update. */
export function isOfMissingPage(error: unknown): boolean {
  return error instanceof Error && missing.has(error);
}

/** The same in words for the person. */
export const missingPage = new ApiFailure(0, [
  { code: 0, message: 'This page could not be loaded, possibly because the server was updated.' },
]);

async function isServerThere(): Promise<boolean> {
  try {
    const { status } = await fetch(location.href, { method: 'HEAD', redirect: 'manual' });
    return status < SERVER_FAULT;
  } catch {
    return false;
  }
}

/**
 * A page that is loaded when it is looked at. The files of an older version may be gone: the router then loads
 * everything anew, once. Without a server that would lose the page for nothing, so it is told instead.
 */
export const lazyRouteComponent: typeof lazyComponent = (load, name) =>
  lazyComponent(async () => {
    try {
      return await load();
    } catch (error) {
      if (!(await isServerThere())) throw noAnswer(error);
      if (error instanceof Error) missing.add(error);
      throw error;
    }
  }, name);
