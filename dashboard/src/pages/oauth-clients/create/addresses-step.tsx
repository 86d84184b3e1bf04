import { Card } from '../../../ui/page.tsx';
import { NameField, PresentationFields, RedirectFields } from '../form/address-fields.tsx';
import type { ClientForm } from '../form/use-client-form.ts';
import { labels } from './labels.ts';

/** What the client is called, where it is, and what people are shown of it. */
export function AddressesStep({ client }: { client: ClientForm }) {
  return (
    <div className="space-y-6">
      <Card>
        <div className="space-y-6">
          <NameField client={client} />
          <RedirectFields client={client} />
        </div>
      </Card>
      <Card title={labels.publicProfile} lead={labels.youCanAddTheseDetails}>
        <div className="space-y-6">
          <PresentationFields client={client} />
        </div>
      </Card>
    </div>
  );
}
