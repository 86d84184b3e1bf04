import { FlaskConical, Pencil, Trash2 } from '../../../ui/icons.tsx';
import { useState } from 'react';
import { Button, LinkButton } from '../../../ui/button.tsx';
import type { ClientOfPage } from './client-of-page.ts';
import { DeleteClient } from './delete-client.tsx';
import { labels } from './labels.ts';

/** What can be done with a client as a whole. */
export function ClientActions({ client, place, mayChange }: ClientOfPage) {
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <>
      <LinkButton
        to="/accounts/$accountId/oauth-clients/$clientId/try"
        params={place}
        icon={<FlaskConical aria-hidden className="size-4" />}
      >
        {labels.tryIt}
      </LinkButton>
      {mayChange && (
        <>
          <LinkButton
            to="/accounts/$accountId/oauth-clients/$clientId/edit"
            params={place}
            icon={<Pencil aria-hidden className="size-4" />}
          >
            {labels.edit}
          </LinkButton>
          <Button
            look="danger-plain"
            icon={<Trash2 aria-hidden className="size-4" />}
            onClick={() => setIsDeleting(true)}
          >
            {labels.delete}
          </Button>
          <DeleteClient
            client={client}
            place={place}
            isOpen={isDeleting}
            onClose={() => setIsDeleting(false)}
          />
        </>
      )}
    </>
  );
}
