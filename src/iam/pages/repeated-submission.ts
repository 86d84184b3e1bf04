import { ApiError } from '../../http/errors.ts';
import type { IamServices } from '../iam-services.ts';
import { type Submission, findResult } from '../short-lived-state.ts';

/**
 * Does the work of a form once. If the work is refused because an earlier request of the same browser has done it, as
 * after a double click, returns the result of that request. The work keeps its result with `keepResult`.
 * @throws whatever the work throws, if there is no earlier result
 */
export async function orEarlierResult<T>(
  { database, clock }: Pick<IamServices, 'database' | 'clock'>,
  submission: Submission,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const earlier = await findResult(database.read, submission, clock.now());
    if (earlier === undefined) throw error;
    return earlier as T;
  }
}
