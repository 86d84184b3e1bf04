import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { forgetGateway } from '../../../api/gateway-changes.ts';
import { deleteGateway } from '../../../api/gateways.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Card } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';

/** The end of a gateway. */
export function DeleteGateway() {
  const { access, gateway } = useGatewayOfPage();
  const { id, is_default: isDefault } = gateway;
  const place = { accountId: access.accountId, gatewayId: id };
  const navigate = useNavigate();
  const [isAsked, setIsAsked] = useState(false);
  const remove = async (): Promise<void> => {
    await deleteGateway(place.accountId, id);
    // First away, so that nobody sees a page of a gateway that is gone.
    await navigate({
      to: '/accounts/$accountId/ai-gateway/gateways',
      params: { accountId: place.accountId },
      replace: true,
      ignoreBlocker: true,
    });
    await forgetGateway(place);
    toast(`${id} is deleted`);
  };
  return (
    <section id="delete" className="scroll-mt-6">
      <Card
        title="Delete this gateway"
        lead="Its log, analytics, stored provider keys and tags are deleted with it. This cannot be undone."
        footer={
          <Button
            look="danger-plain"
            disabled={!access.can('ai-gateway.write')}
            onClick={() => setIsAsked(true)}
          >
            Delete gateway
          </Button>
        }
      >
        <p className="text-[0.9375rem]">
          {isDefault
            ? 'The gateway default appears again, with default settings, at the next request that carries a token and names no other gateway.'
            : 'API tokens that name the gateway are kept. They work again if somebody creates a gateway of the same name.'}
        </p>
        <Confirm
          isOpen={isAsked}
          onClose={() => setIsAsked(false)}
          title={`Delete ${id}?`}
          label="Delete gateway"
          phrase={id}
          onConfirm={remove}
        >
          <p>
            Every program that sends its requests through {id} is refused at once. Its log, its
            analytics, its stored provider keys and its tags are gone for ever.
          </p>
        </Confirm>
      </Card>
    </section>
  );
}
