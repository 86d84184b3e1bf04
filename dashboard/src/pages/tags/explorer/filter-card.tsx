import { Braces, Plus, Text } from '../../../ui/icons.tsx';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Check } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { labels } from '../labels.ts';
import { ConditionForm } from './condition-form.tsx';
import type { Explorer } from './explorer.ts';
import { wordsOfQuery } from './filter-words.ts';
import { IdForm } from './id-form.tsx';
import { NameSearch } from './name-search.tsx';
import { addFilter } from './query-edit.ts';
import { QueryChips } from './query-chips.tsx';
import { RawEditor } from './raw-editor.tsx';
import { MAX_FILTERS, TOO_MANY_FILTERS } from './tag-filter.ts';
import { isOfAll, withList } from './tag-search.ts';
import { TypeForm } from './type-form.tsx';
import { Words } from './words.tsx';

interface FilterCardProps {
  explorer: Explorer;
  /** What the API says of the query as it is. */
  fault: string | undefined;
}

/** What resources are wanted: built condition by condition, or written. */
export function FilterCard({ explorer, fault }: FilterCardProps) {
  const [isRaw, setIsRaw] = useState(false);
  const { query, onQuery } = explorer;
  const isFiltered = !isOfAll(query);
  return (
    <Card
      title={labels.filter}
      actions={
        <Button
          isSmall
          look="quiet"
          aria-pressed={isRaw}
          icon={
            isRaw ? (
              <Braces aria-hidden className="size-4" />
            ) : (
              <Text aria-hidden className="size-4" />
            )
          }
          onClick={() => setIsRaw(!isRaw)}
        >
          {isRaw ? labels.hideQueryString : labels.editQueryString}
        </Button>
      }
    >
      <div role="search" aria-label={labels.filterResources} className="space-y-4">
        <NameSearch explorer={explorer} />
        <div className="flex flex-wrap items-center gap-2">
          <AddCondition explorer={explorer} />
          <TypeButton explorer={explorer} />
          <IdButton explorer={explorer} />
        </div>
        {isFiltered && <QueryChips explorer={explorer} />}
        {fault !== undefined && (
          <p role="alert" className="text-sm text-danger">
            {fault}
          </p>
        )}
        {isRaw && <RawEditor explorer={explorer} />}
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
          <p role="status" className="line-clamp-6 min-w-0 flex-1 basis-64 text-sm text-muted">
            {fault === undefined && <Words words={wordsOfQuery(query)} />}
          </p>
          <Check
            label={labels.ignoreCaseInTags}
            checked={query.case_insensitive === true}
            onChange={({ target }) => {
              const { case_insensitive: _before, ...others } = query;
              onQuery(target.checked ? { ...others, case_insensitive: true } : others);
            }}
          />
        </div>
      </div>
    </Card>
  );
}

interface OpenerProps {
  label: string;
  children: (close: () => void) => ReactNode;
  disabled?: boolean;
}

/** A button with the form that it opens. */
function Opener({ label, children, disabled = false }: OpenerProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  return (
    <Popover
      isOpen={isOpen}
      onClose={close}
      label={label}
      anchor={
        <Button
          aria-expanded={isOpen}
          aria-haspopup="dialog"
          disabled={disabled}
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {label}
        </Button>
      }
    >
      {children(close)}
    </Popover>
  );
}

function AddCondition({ explorer }: { explorer: Explorer }) {
  const { access, query, onQuery } = explorer;
  const isFull = (query.tag ?? []).length >= MAX_FILTERS;
  return (
    <>
      <Opener label={labels.tagCondition} disabled={isFull}>
        {(close) => (
          <ConditionForm
            accountId={access.accountId}
            stored={undefined}
            onCancel={close}
            onSave={(filter) => {
              close();
              onQuery(addFilter(query, filter));
            }}
          />
        )}
      </Opener>
      {isFull && (
        <p className="order-last w-full text-sm text-muted">
          {labels.noMoreConditions(TOO_MANY_FILTERS)}
        </p>
      )}
    </>
  );
}

function TypeButton({ explorer }: { explorer: Explorer }) {
  const { access, query, onQuery } = explorer;
  return (
    <Opener label="Type">
      {(close) => (
        <TypeForm
          accountId={access.accountId}
          chosen={query.type ?? []}
          onChosen={(types) => onQuery(withList(query, 'type', types))}
          onClose={close}
        />
      )}
    </Opener>
  );
}

function IdButton({ explorer }: { explorer: Explorer }) {
  const { query, onQuery } = explorer;
  return (
    <Opener label="ID">
      {(close) => (
        <IdForm
          stored={query.id ?? []}
          onCancel={close}
          onSave={(ids) => {
            close();
            onQuery(withList(query, 'id', ids));
          }}
        />
      )}
    </Opener>
  );
}
