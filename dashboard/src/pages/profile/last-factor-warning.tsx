import { labels } from './labels.ts';

/** What else goes with the last second factor. */
export function LastFactorWarning() {
  return <p>{labels.thisIsYourLastSecond}</p>;
}
