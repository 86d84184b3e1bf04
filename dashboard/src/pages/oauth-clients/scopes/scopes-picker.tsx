import { clsx } from 'clsx';
import { useState } from 'react';
import type { Scope } from '../../../api/oauth-scopes.ts';
import { isProtocolScope, scopeWords } from '../../../lib/scope-words.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Check, SearchInput } from '../../../ui/field.tsx';
import { labels } from './labels.ts';
import { type ScopeGroup, bySubject, groupScopes, withUnknown } from './scope-groups.ts';

interface ScopesPickerProps {
  /** All that can be chosen. */
  scopes: readonly Scope[];
  value: readonly string[];
  onChange: (next: string[]) => void;
  /** Those that the person who is asked may decline; with {@link onOptionalChange} they can be chosen. */
  optional?: readonly string[];
  onOptionalChange?: (next: string[]) => void;
  /** Scopes that are not for choosing here, each with the reason. */
  fixed?: ReadonlyMap<string, string>;
}

function toggled(list: readonly string[], id: string, isOn: boolean): string[] {
  const rest = list.filter((other) => other !== id);
  return isOn ? [...rest, id] : rest;
}

/** Chooses scopes: by category, with a search, and each in words. */
export function ScopesPicker(props: ScopesPickerProps) {
  const { scopes, value } = props;
  const [query, setQuery] = useState('');
  const all = withUnknown(scopes, value);
  const groups = groupScopes(all, query);
  const found = groups.reduce((sum, group) => sum + group.scopes.length, 0);
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchInput
          label={labels.searchScopes}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          // It is a form that Enter would send.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        <p role="status" className="text-sm text-muted">
          {labels.ofSelected(
            query.trim() === '' ? '' : `${found} found, `,
            value.length,
            all.length,
          )}
        </p>
      </div>
      {groups.map((group) => (
        <Group key={group.id} group={group} picker={props} />
      ))}
      {groups.length === 0 && (
        <p className="rounded-lg border border-line px-4 py-6 text-center text-[0.9375rem] text-muted">
          {labels.noScopeMatches(query.trim())}
        </p>
      )}
    </div>
  );
}

function Group({ group, picker }: { group: ScopeGroup; picker: ScopesPickerProps }) {
  const chosen = group.scopes.filter(({ id }) => picker.value.includes(id)).length;
  return (
    <fieldset className="min-w-0 rounded-lg border border-line">
      <legend className="sr-only">{group.title}</legend>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line bg-sunken px-4 py-2">
        <p>
          <span aria-hidden className="text-sm font-semibold">
            {group.title}
          </span>{' '}
          <span className="text-sm text-muted">{group.lead}</span>
        </p>
        {chosen > 0 && <span className="text-xs text-muted">{labels.selected(chosen)}</span>}
      </div>
      <ul className="divide-y divide-line">
        {bySubject(group.scopes).map((scopes) => (
          <li
            key={scopes[0]?.id}
            className={clsx(
              'grid gap-x-6 gap-y-2.5 px-4 py-2.5',
              scopes.length > 1 && 'sm:grid-cols-2',
            )}
          >
            {scopes.map((scope) => (
              <Row key={scope.id} scope={scope} picker={picker} />
            ))}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function Row({ scope, picker }: { scope: Scope; picker: ScopesPickerProps }) {
  const { id, name } = scope;
  const { value, onChange, optional = [], onOptionalChange, fixed } = picker;
  const reason = fixed?.get(id);
  const isChosen = value.includes(id);
  const choose = (isOn: boolean): void => {
    onChange(toggled(value, id, isOn));
    if (!isOn && optional.includes(id)) onOptionalChange?.(toggled(optional, id, false));
  };
  const isCovered = id.endsWith('.read') && value.includes(id.replace(/read$/, 'write'));
  return (
    <div className="min-w-0 space-y-1.5">
      <Check
        label={
          <>
            {name} <code className="font-mono text-xs break-all text-muted">{id}</code>
          </>
        }
        hint={
          <>
            {scopeWords(id) ?? labels.theServerNoLonger}.{reason !== undefined && ` ${reason}`}
            {isCovered && ' The write scope includes this.'}
          </>
        }
        checked={isChosen}
        disabled={reason !== undefined}
        onChange={(event) => choose(event.target.checked)}
      />
      {isChosen && !isProtocolScope(id) && onOptionalChange !== undefined && (
        <Check
          className="ml-6.5"
          label={<span className="text-sm">{labels.optionalUsersMayDeclineIt}</span>}
          aria-label={labels.optionalScope(name)}
          checked={optional.includes(id)}
          onChange={(event) => onOptionalChange(toggled(optional, id, event.target.checked))}
        />
      )}
      {isChosen && onOptionalChange === undefined && optional.includes(id) && (
        <Badge>optional</Badge>
      )}
    </div>
  );
}
