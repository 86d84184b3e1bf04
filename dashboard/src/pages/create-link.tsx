import type { LinkProps } from '@tanstack/react-router';
import { Plus } from '../ui/icons.tsx';
import { Button, LinkButton } from '../ui/button.tsx';

interface CreateLinkProps {
  /** Whether the person may; the page says why not. */
  isAllowed: boolean;
  /** What the button says: "Create gateway". */
  label: string;
  link: LinkProps;
}

/** Leads to where something is made. */
export function CreateLink({ isAllowed, label, link }: CreateLinkProps) {
  const look = { look: 'primary', icon: <Plus aria-hidden className="size-4" /> } as const;
  if (isAllowed) {
    return (
      <LinkButton {...look} {...link}>
        {label}
      </LinkButton>
    );
  }
  return (
    <Button {...look} disabled>
      {label}
    </Button>
  );
}
