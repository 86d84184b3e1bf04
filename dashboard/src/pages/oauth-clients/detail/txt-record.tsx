import { CodeBlock, CopyButton } from '../../../ui/copy.tsx';
import { labels } from './labels.ts';

const TTL_SECONDS = 300;

/** A DNS record as forms ask for it, and as zone files have it. */
export function TxtRecord({ host, text }: { host: string; text: string }) {
  const parts = [
    [labels.type, 'TXT'],
    [labels.name, host],
    [labels.value, text],
  ] as const;
  return (
    <div className="space-y-3">
      <dl className="divide-y divide-line rounded-lg border border-line">
        {parts.map(([name, value]) => (
          <div key={name} className="flex items-start gap-3 py-1.5 pr-1.5 pl-3.5">
            <dt className="w-14 shrink-0 pt-1 text-sm text-muted">{name}</dt>
            <dd className="flex min-w-0 flex-1 items-start justify-between gap-1">
              <code className="min-w-0 pt-1 font-mono text-sm break-all">{value}</code>
              <CopyButton text={value} label={labels.copyOfTheRecord(name.toLowerCase())} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-muted">{labels.someDnsFormsCall}</p>
      <details>
        <summary className="text-sm text-muted">{labels.zoneFileLine}</summary>
        <div className="mt-2">
          <CodeBlock
            text={`${host}. ${TTL_SECONDS} IN TXT "${text}"`}
            label={labels.recordAsZoneFileLine}
          />
        </div>
      </details>
    </div>
  );
}
