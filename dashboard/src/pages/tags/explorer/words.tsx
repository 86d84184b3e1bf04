import { Fragment } from 'react';
import { type Word, shownValue } from './filter-words.ts';

/** Words of ours around values that come from outside, each of which keeps to its own direction. */
export function Words({ words }: { words: readonly Word[] }) {
  return words.map((word, index) =>
    typeof word === 'string' ? (
      // eslint-disable-next-line react/no-array-index-key -- the words of a sentence have no other name
      <Fragment key={index}>{word}</Fragment>
    ) : (
      // eslint-disable-next-line react/no-array-index-key -- as above
      <bdi key={index} className="font-medium wrap-anywhere">
        {shownValue(word.value)}
      </bdi>
    ),
  );
}
