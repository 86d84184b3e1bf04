import { CodeBlock, CopyButton } from '../../../ui/copy.tsx';

const TTL_SECONDS = 300;

/** A DNS record as forms ask for it, and as zone files have it. */
export function TxtRecord({ host, text }: { host: string; text: string }) {
  const parts = [
    ['Type', 'TXT'],
    ['Name', host],
    ['Value', text],
  ] as const;
  return (
    <div className="space-y-3">
      <dl className="divide-y divide-line rounded-lg border border-line">
        {parts.map(([name, value]) => (
          <div key={name} className="flex items-start gap-3 py-1.5 pr-1.5 pl-3.5">
            <dt className="w-14 shrink-0 pt-1 text-sm text-muted">{name}</dt>
            <dd className="flex min-w-0 flex-1 items-start justify-between gap-1">
              <code className="min-w-0 pt-1 font-mono text-sm break-all">{value}</code>
              <CopyButton text={value} label={`Copy ${name.toLowerCase()} of the record`} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-sm text-muted">
        The name is also called host. Many DNS forms append your domain by themselves: then enter
        only what is in front of it, or @ when nothing is. The value must be complete, in a record
        of its own; other TXT records beside it do not matter.
      </p>
      <details>
        <summary className="text-sm text-muted">As a line of a zone file</summary>
        <div className="mt-2">
          <CodeBlock
            text={`${host}. ${TTL_SECONDS} IN TXT "${text}"`}
            label="line of the zone file"
          />
        </div>
      </details>
    </div>
  );
}
