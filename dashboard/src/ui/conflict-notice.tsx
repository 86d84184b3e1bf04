import type { EditConflict } from '../api/edit.ts';
import { Callout } from './badge.tsx';

/** Shows what another user has changed meanwhile. The form keeps its input. */
export function ConflictNotice({ changes }: { changes: EditConflict['changes'] }) {
  return (
    <Callout tone="warning" isAlert title="Another user changed this in the meantime">
      <ul className="list-disc space-y-1 pl-5">
        {changes.map(({ member, before, after }) => (
          <li key={member}>
            {`${member.replaceAll('_', ' ')}: ${shortValue(before)} → ${shortValue(after)}`}
          </li>
        ))}
      </ul>
      <p className="mt-2">
        Nothing was saved or deleted. Your input is still here. Repeat the action to continue, or
        reload the page to discard your input.
      </p>
    </Callout>
  );
}

const MAX_CHARACTERS = 200;

/** Returns a value for people: names instead of whole objects. */
function shortValue(value: unknown): string {
  const text = textOf(value);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  const { name, effect, permission_groups: groups } = value as Record<string, unknown>;
  if (typeof name === 'string') return name;
  if (typeof effect === 'string' && groups !== undefined) return `${effect}: ${textOf(groups)}`;
  return JSON.stringify(value);
}
