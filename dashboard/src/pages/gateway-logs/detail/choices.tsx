import { clsx } from 'clsx';

interface ChoicesProps<Choice extends string> {
  /** What is chosen, for screen readers. */
  label: string;
  choices: readonly Choice[];
  chosen: Choice;
  onChoose: (choice: Choice) => void;
}

/** One of two or three ways to look at something. */
export function Choices<Choice extends string>(props: ChoicesProps<Choice>) {
  const { label, choices, chosen, onChoose } = props;
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex rounded-lg border border-edge bg-sunken p-0.5"
    >
      {choices.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === chosen}
          onClick={() => onChoose(choice)}
          className={clsx(
            'min-h-7 rounded-md px-2.5 text-sm font-medium',
            choice === chosen ? 'bg-raised text-text shadow-card' : 'text-muted hover:text-text',
          )}
        >
          {choice}
        </button>
      ))}
    </div>
  );
}
