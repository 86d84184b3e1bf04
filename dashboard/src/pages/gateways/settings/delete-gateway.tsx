import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { IfMatch } from '../../../api/edit.ts';
import { forgetGateway } from '../../../api/gateway-changes.ts';
import { deleteGateway, readGateway } from '../../../api/gateways.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDeletion } from '../../../ui/confirm.tsx';
import { Card } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { labels } from './labels.ts';

/** The end of a gateway. */
export function DeleteGateway() {
  const { access, gateway } = useGatewayOfPage();
  const { id, is_default: isDefault } = gateway;
  const place = { accountId: access.accountId, gatewayId: id };
  const navigate = useNavigate();
  const [isAsked, setIsAsked] = useState(false);
  const remove = async (headers: IfMatch): Promise<void> => {
    await deleteGateway(place, headers);
    // First away, so that nobody sees a page of a gateway that is gone.
    await navigate({
      to: '/accounts/$accountId/ai-gateway/gateways',
      params: { accountId: place.accountId },
      replace: true,
      ignoreBlocker: true,
    });
    await forgetGateway(place);
    toast(labels.deleted(id));
  };
  return (
    <section id="delete" className="scroll-mt-6">
      <Card
        title={labels.deleteThisGateway}
        lead={labels.deletesTheGateway}
        footer={
          <Button
            look="danger-plain"
            disabled={!access.can('ai-gateway.write')}
            onClick={() => setIsAsked(true)}
          >
            {labels.deleteGateway}
          </Button>
        }
      >
        <p className="text-[0.9375rem]">
          {isDefault ? labels.theNextRequest : labels.apiTokensForThisGateway}
        </p>
        <ConfirmDeletion
          record={gateway}
          read={() => readGateway(place)}
          isOpen={isAsked}
          onClose={() => setIsAsked(false)}
          title={labels.delete(id)}
          label={labels.deleteGateway}
          phrase={id}
          onConfirm={remove}
        >
          <p>{labels.requestsThroughAreRejectedImmediately(id)}</p>
        </ConfirmDeletion>
      </Card>
    </section>
  );
}
