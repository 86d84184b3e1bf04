import { KeyRound } from '../../../ui/icons.tsx';
import { type ReactNode, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { type GatewayToken, createGatewayToken } from '../../../api/gateway-changes.ts';
import { fromLocalField } from '../../../lib/local-time.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { Button, type ButtonLook } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Field, Input, Select } from '../../../ui/field.tsx';
import { useApiForm } from '../../../ui/form.tsx';
import { OnceDialog } from '../../../ui/shown-once.tsx';
import { SaveFailure } from '../../../ui/states.tsx';
import { formatTime } from '../../../ui/time.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { labels } from './labels.ts';
import { NewGatewayToken } from './new-gateway-token.tsx';
import { DAY_MS } from '../../../lib/time-units.ts';

interface TokenFields {
  name: string;
  /** Days, `never`, or `date`: when `date` says. */
  validity: string;
  date: string;
}

const LEAVE_WITHOUT_TOKEN = {
  title: labels.closeWithoutCopyingTheToken,
  lead: labels.youHaveNotCopied,
};

interface CreateTokenProps {
  look?: ButtonLook;
  /** Of {@link useTokenDialogs}. */
  onClick: () => void;
}

/** Begins to make a token, for whoever may. */
export function CreateToken({ look = 'plain', onClick }: CreateTokenProps) {
  const { access } = useGatewayOfPage();
  const mayCreate = access.can('ai-gateway.write') && access.can('api-tokens.write');
  return (
    <Button
      look={look}
      disabled={!mayCreate}
      icon={<KeyRound aria-hidden className="size-4" />}
      onClick={onClick}
    >
      {labels.createToken}
    </Button>
  );
}

/**
 * What asks for a token for the gateway of the page, and shows its value. It is to stand where nothing that
 * changes about the gateway takes it away: the value could not be read again.
 */
export function useTokenDialogs(): { dialogs: ReactNode; open: () => void } {
  const { gateway } = useGatewayOfPage();
  const [isOpen, setIsOpen] = useState(false);
  const [made, setMade] = useState<GatewayToken>();
  const close = (): void => setIsOpen(false);
  const dialogs = (
    <>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title={labels.createAnAuthenticationTokenFor(gateway.id)}
        lead={labels.anApiToken}
      >
        <TokenForm
          onCancel={close}
          onMade={(token) => {
            close();
            setMade(token);
          }}
        />
      </Dialog>
      {made !== undefined && (
        <OnceDialog
          title={labels.theToken(made.name)}
          isWide
          question={LEAVE_WITHOUT_TOKEN}
          onClose={() => setMade(undefined)}
        >
          {(keep) => <NewGatewayToken value={made.value} onCopied={keep} />}
        </OnceDialog>
      )}
    </>
  );
  return { dialogs, open: () => setIsOpen(true) };
}

interface TokenFormProps {
  onCancel: () => void;
  onMade: (token: GatewayToken) => void;
}

function TokenForm({ onCancel, onMade }: TokenFormProps) {
  const { access, gateway } = useGatewayOfPage();
  const place = { accountId: access.accountId, gatewayId: gateway.id };
  // One moment for all tries: the same key takes no other body.
  const [openedMs] = useState(serverNow);
  const form = useApiForm<TokenFields>({
    values: { name: '', validity: '90', date: '' },
    isGuarded: false,
    fieldOf: (path) => (path === 'expires_on' ? 'validity' : path),
    save: async ({ name, ...validity }, idempotencyKey) => {
      const expires = endOf(validity, openedMs);
      const body = { name: name.trim(), ...(expires !== undefined && { expires_on: expires }) };
      onMade(await createGatewayToken(place, body, idempotencyKey));
    },
  });
  const { register, formState, control } = form;
  const validity = useWatch({ control, name: 'validity' });
  const { errors } = formState;
  return (
    <form onSubmit={form.submit} noValidate className="space-y-5">
      <Field label={labels.name} error={errors.name?.message} hint={labels.whereTheTokenIsUsed}>
        <Input
          maxLength={120}
          {...register('name', {
            validate: (name) => name.trim() !== '' || labels.enterAName,
          })}
        />
      </Field>
      <Field
        label={labels.expires}
        error={errors.validity?.message}
        hint={<Expiry validity={validity} openedMs={openedMs} />}
      >
        <Select {...register('validity')}>
          <option value="30">{labels.in30Days}</option>
          <option value="90">{labels.in90Days}</option>
          <option value="365">{labels.in1Year}</option>
          <option value="date">{labels.atAnotherTime}</option>
          <option value="never">{labels.never}</option>
        </Select>
      </Field>
      {validity === 'date' && (
        <Field label={labels.dateAndTime} error={errors.date?.message}>
          <Input
            type="datetime-local"
            {...register('date', {
              validate: (date) => fromLocalField(date) !== undefined || labels.enterADateAndTime,
            })}
          />
        </Field>
      )}
      <SaveFailure error={form.failure} />
      <Actions>
        <Button onClick={onCancel}>{labels.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          {labels.createToken}
        </Button>
      </Actions>
    </form>
  );
}

function endOf(
  { validity, date }: Omit<TokenFields, 'name'>,
  openedMs: number,
): string | undefined {
  if (validity === 'never') return undefined;
  return validity === 'date' ? fromLocalField(date) : afterDays(validity, openedMs);
}

function afterDays(days: string, fromMs: number): string {
  // The API takes whole seconds.
  return new Date(fromMs + Number(days) * DAY_MS).toISOString().replace(/\.\d+Z$/, 'Z');
}

function Expiry({
  validity,
  openedMs,
}: Pick<TokenFields, 'validity'> & { openedMs: number }): ReactNode {
  if (validity === 'never') {
    return labels.aTokenWithoutExpiryWorks;
  }
  if (validity === 'date') return undefined;
  return labels.expiresOnLaterRequests(formatTime(afterDays(validity, openedMs)));
}
