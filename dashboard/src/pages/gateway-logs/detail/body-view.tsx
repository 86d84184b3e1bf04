import { Download } from '../../../ui/icons.tsx';
import { type ReactNode, useState } from 'react';
import { download } from '../../../lib/download.ts';
import { formatBytes } from '../../../lib/figures.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { LoadFailure } from '../../../ui/states.tsx';
import { labels } from '../labels.ts';
import { JsonView } from './json-view.tsx';
import { RawView } from './raw-view.tsx';
import { Choices } from './choices.tsx';
import type { Body } from './use-body.ts';

interface BodyViewProps {
  body: Body;
  /** Of the file that it may be kept in, without its end. */
  name: string;
}

/** A body as it was kept: laid out when it is JSON, and the header fields that came with it. */
export function BodyView({ body, name }: BodyViewProps) {
  const { kind, text, side } = body;
  const mayBeJson = /^\s*[[{]/.test(text);
  const [look, setLook] = useState<'Pretty' | 'Raw'>('Pretty');
  return (
    <div className="space-y-4">
      {kind === 'text' ? (
        <>
          <div className="flex flex-wrap items-center gap-2">
            {mayBeJson && (
              <Choices
                label={labels.format}
                choices={['Pretty', 'Raw']}
                chosen={look}
                onChoose={setLook}
              />
            )}
            <p className="min-w-0 flex-1 text-sm wrap-anywhere text-muted">{describe(body)}</p>
            <CopyButton text={text} label={labels.copyBody(side)} />
            <KeepButton body={body} name={name} />
          </div>
          <Completeness body={body} />
          {mayBeJson && look === 'Pretty' ? (
            <JsonView key={text.length} text={text} label={labels.body(side)} />
          ) : (
            <RawView key={text.length} text={text} label={labels.body(side)} />
          )}
        </>
      ) : (
        <p className="text-[0.9375rem] text-muted">{absence(body)}</p>
      )}
      <KeptHeaders headers={body.headers} side={side} />
    </div>
  );
}

function describe({ contentType, size, text }: Body): string {
  const isBinary = contentType !== undefined && /eventstream/i.test(contentType);
  return [
    contentType ?? labels.noContentType,
    ...(size === undefined ? [] : [formatBytes(size)]),
    ...(isBinary ? ["contains binary data that can't be shown"] : []),
    ...(text.includes('[redacted]') ? ['credentials removed'] : []),
  ].join(' · ');
}

/** Why there is nothing to be shown. */
export function absence({ kind, side, size, contentType }: Body): ReactNode {
  switch (kind) {
    case 'empty':
      return side === 'request' ? labels.theRequestHasNoBody : labels.theResponseHasNoBody;
    case 'size':
      return labels.onlyTheSizeIsLogged(
        formatBytes(size ?? 0),
        contentType === undefined ? '' : ` of ${contentType}`,
      );
    case 'none':
    case 'text':
      return labels.theBodyIsNotLogged;
  }
}

/** Whether all of a body is here, and what can be done when it is not. */
export function Completeness({ body }: { body: Body }) {
  const { isLoaded, isLoading, error, size, load, value, text } = body;
  if (error !== null && error !== undefined) return <LoadFailure error={error} onRetry={load} />;
  if (isLoading) {
    return (
      <p role="status" className="text-sm text-muted">
        {labels.loadingTheRest}
      </p>
    );
  }
  if (!isLoaded) {
    return (
      <Callout
        tone="neutral"
        actions={
          <Button isSmall onClick={load}>
            {labels.loadAll}
          </Button>
        }
      >
        {labels.theFirstPartOf(formatBytes(size ?? 0))}
      </Callout>
    );
  }
  const isCut = value === undefined && size !== undefined && /^\s*[[{]/.test(text);
  if (!isCut) return null;
  return <Callout tone="warning">{labels.thisJsonIsIncomplete}</Callout>;
}

function KeepButton({ body, name }: BodyViewProps) {
  const { text, value, contentType, isLoaded } = body;
  if (!isLoaded) return null;
  const [end, type] = value === undefined ? ['txt', 'text/plain'] : ['json', 'application/json'];
  return (
    <Button
      isSmall
      icon={<Download aria-hidden className="size-4" />}
      onClick={() => download(`${name}.${end}`, contentType ?? type, text)}
    >
      {labels.download}
    </Button>
  );
}

function KeptHeaders({ headers, side }: Pick<Body, 'headers' | 'side'>) {
  const entries = Object.entries(headers ?? {});
  if (entries.length === 0) return null;
  return (
    <details className="rounded-lg border border-line">
      <summary className="px-3 py-2 text-sm font-medium">
        {side === 'request' ? labels.requestHeaders : labels.responseHeaders} ({entries.length})
      </summary>
      <div className="border-t border-line px-3 py-2">
        <p className="mb-2 text-sm text-muted">{labels.onlyValuesOfHeaders}</p>
        <dl className="space-y-1">
          {entries.map(([name, value]) => (
            <div key={name} className="grid gap-x-3 font-mono text-xs sm:grid-cols-[14rem_1fr]">
              <dt className="wrap-anywhere text-muted">{name}</dt>
              <dd className="min-w-0 wrap-anywhere">
                {value === '[redacted]' ? (
                  <span className="text-muted italic">{labels.notLogged}</span>
                ) : (
                  <bdi>{String(value)}</bdi>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  );
}
