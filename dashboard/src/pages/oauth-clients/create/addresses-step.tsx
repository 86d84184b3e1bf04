import { Card } from '../../../ui/page.tsx';
import { NameField, PresentationFields, RedirectFields } from '../form/address-fields.tsx';
import type { ClientForm } from '../form/use-client-form.ts';

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
      <Card
        title="What people see"
        lead="All of it can come later. A client that only members of your account use does without."
      >
        <div className="space-y-6">
          <PresentationFields client={client} />
        </div>
      </Card>
    </div>
  );
}
