import { clsx } from 'clsx';
import { Check as CheckIcon } from '../../ui/icons.tsx';
import { type Ref, useId, useState } from 'react';
import type { PermissionGroup } from '../../api/tokens.ts';
import { SearchInput } from '../../ui/field.tsx';
import { labels } from './labels.ts';
import { splitName } from './token-words.ts';

const CATEGORIES: Readonly<Record<string, string>> = {
  account: labels.account,
  developer_platform: labels.developerPlatform,
  ai: 'AI',
  user: labels.you,
};

interface GroupPickerProps {
  /** What the search is for, among several pickers. */
  label: string;
  groups: readonly PermissionGroup[];
  /** Ids. */
  chosen: readonly string[];
  effect: 'allow' | 'deny';
  /** Why one cannot be chosen: the rest of a sentence that begins with its name. */
  whyNot: (group: PermissionGroup) => string | undefined;
  onChange: (chosen: string[]) => void;
  /** Where the focus goes when nothing is chosen that should be. */
  ref: Ref<HTMLInputElement>;
}

/** Permissions by category: a line for each subject, a box for each of Read, Write and Run. */
export function GroupPicker({ label, groups, ref, ...rest }: GroupPickerProps) {
  const [search, setSearch] = useState('');
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = groups.filter(({ name, slug, category }) => {
    const text = `${name} ${slug} ${CATEGORIES[category] ?? category}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const categories = [...Map.groupBy(found, ({ category }) => category)];
  return (
    <div className="space-y-3">
      <SearchInput
        ref={ref}
        label={labels.search(label)}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        // Enter would send the whole form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div className="divide-y divide-line rounded-lg border border-line">
        {categories.map(([category, some]) => (
          <Category key={category} category={category} groups={some} {...rest} />
        ))}
        {found.length === 0 && (
          <p role="status" className="px-3.5 py-4 text-sm text-muted">
            {labels.noMatchingPermissions}
          </p>
        )}
      </div>
      <WhyNot groups={groups} whyNot={rest.whyNot} />
    </div>
  );
}

/** What cannot be chosen, and why: each reason once. */
function WhyNot({ groups, whyNot }: Pick<GroupPickerProps, 'groups' | 'whyNot'>) {
  const byReason = Map.groupBy(groups, whyNot);
  const reasons = [...byReason.keys()].filter((reason) => reason !== undefined);
  if (reasons.length === 0) return null;
  return (
    <p className="text-sm text-muted">{labels.unavailablePermissions(reasons.join(', or '))}</p>
  );
}

type CategoryProps = Omit<GroupPickerProps, 'label' | 'ref'> & { category: string };

function Category({ category, groups, ...rest }: CategoryProps) {
  const subjects = [...Map.groupBy(groups, ({ name }) => splitName(name).subject)];
  const title = CATEGORIES[category] ?? category;
  return (
    <div role="group" aria-label={title} className="px-3.5 py-2.5">
      <p aria-hidden className="pb-1 text-xs font-medium text-muted">
        {title}
      </p>
      {subjects.map(([subject, some]) => (
        <div
          key={subject}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1"
        >
          <span className="text-[0.9375rem]">{subject}</span>
          <span className="ml-auto flex gap-1.5">
            {some.map((group) => (
              <GroupBox key={group.id} group={group} siblings={some} {...rest} />
            ))}
          </span>
        </div>
      ))}
    </div>
  );
}

type GroupBoxProps = Omit<CategoryProps, 'category' | 'groups'> & {
  group: PermissionGroup;
  /** Of the same subject. */
  siblings: readonly PermissionGroup[];
};

function GroupBox({ group, siblings, chosen, effect, whyNot, onChange }: GroupBoxProps) {
  const id = useId();
  const isChosen = chosen.includes(group.id);
  const isImplied =
    effect === 'allow' &&
    !isChosen &&
    group.slug.endsWith('.read') &&
    siblings.some(({ id: other, slug }) => slug.endsWith('.write') && chosen.includes(other));
  const reason = whyNot(group);
  const remark = reason === undefined ? (isImplied ? 'included in Write' : '') : reason;
  const change = (): void => {
    onChange(isChosen ? chosen.filter((other) => other !== group.id) : [...chosen, group.id]);
  };
  return (
    <label
      title={remark === '' ? undefined : `${group.name} ${remark}`}
      className={clsx(
        'inline-flex min-h-8 items-center gap-1 rounded-md border px-2.5 text-sm font-medium select-none',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        'has-disabled:cursor-not-allowed! has-disabled:border-dashed has-disabled:border-line has-disabled:text-muted has-disabled:opacity-60',
        boxLook(effect, isChosen, isImplied),
      )}
    >
      <input
        type="checkbox"
        aria-label={group.name}
        aria-describedby={remark === '' ? undefined : id}
        checked={isChosen}
        // What is chosen already can be taken away, also by who could not choose it.
        disabled={reason !== undefined && !isChosen}
        onChange={change}
        className="sr-only"
      />
      {(isChosen || isImplied) && <CheckIcon aria-hidden className="size-3.5" />}
      {splitName(group.name).verb}
      {remark !== '' && (
        <span id={id} className="sr-only">
          {remark}
        </span>
      )}
    </label>
  );
}

function boxLook(effect: 'allow' | 'deny', isChosen: boolean, isImplied: boolean): string {
  if (isImplied) return 'border-accent-line bg-accent-soft text-accent';
  if (!isChosen) return 'border-field-line bg-surface text-text hover:bg-hover';
  return effect === 'allow'
    ? 'border-transparent bg-accent text-on-accent'
    : 'border-transparent bg-danger text-on-danger';
}
