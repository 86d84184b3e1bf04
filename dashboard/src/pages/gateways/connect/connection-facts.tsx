import { CopyText } from '../../../ui/copy.tsx';
import { Fact, Facts } from '../../../ui/page.tsx';
import { labels } from './labels.ts';

interface ConnectionFactsProps {
  address: string;
  /** Values as a shell would write them: `Bearer $TOKEN`. */
  headers: Readonly<Record<string, string>>;
}

/** What any client needs, whatever it is called there. */
export function ConnectionFacts({ address, headers }: ConnectionFactsProps) {
  const entries = Object.entries(headers);
  return (
    <Facts>
      <Fact name={labels.baseUrl}>
        <CopyText text={address} label={labels.copyBaseUrl} />
      </Fact>
      <Fact name={entries.length === 1 ? labels.header : labels.headers}>
        {entries.length === 0 ? (
          <span className="text-muted">{labels.notRequired}</span>
        ) : (
          <ul>
            {entries.map(([name, value]) => (
              <li key={name} className="font-mono text-sm">
                {name}: {value}
              </li>
            ))}
          </ul>
        )}
      </Fact>
    </Facts>
  );
}
