import type { DefaultValues, FieldValues } from 'react-hook-form';
import { ApiFailure } from '../../../api/failure.ts';
import { changeGateway } from '../../../api/gateway-changes.ts';
import { type Gateway, type GatewaySettings, readGateway } from '../../../api/gateways.ts';
import { type ApiForm, useApiForm } from '../../../ui/form.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useEdit } from '../../../ui/use-edit.ts';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { labels } from './labels.ts';

interface SettingsFormOptions<Values extends FieldValues> {
  /** What the form shows of a gateway. */
  read: (gateway: Gateway) => Values;
  /** The settings that the form is about; all others stay as they are. */
  write: (values: Values) => Partial<GatewaySettings>;
  /** Where the fault of a member is shown, by its way through the body. */
  fieldOf?: (path: string, values: Values) => string;
}

/** A form for some of the settings of the gateway of the page. */
export function useSettingsForm<Values extends FieldValues>({
  read,
  write,
  fieldOf = (path) => path,
}: SettingsFormOptions<Values>): ApiForm<Values> {
  const { access, gateway } = useGatewayOfPage();
  const place = { accountId: access.accountId, gatewayId: gateway.id };
  const edit = useEdit(gateway, () => readGateway(place));
  const form: ApiForm<Values> = useApiForm<Values>({
    values: read(gateway) as DefaultValues<Values>,
    fieldOf: (path) => fieldOf(path, form.getValues()),
    save: async (values) => {
      try {
        const changed = await changeGateway(place, edit, write(values));
        form.reset(read(changed));
      } catch (error) {
        throw withoutBranches(error);
      }
      toast(labels.settingsSaved);
    },
  });
  return form;
}

/**
 * A refusal without what says nothing more. Where a value may be null or an object, a fault inside the object
 * comes with another one that says that it is not null.
 */
function withoutBranches(error: unknown): unknown {
  if (!(error instanceof ApiFailure)) return error;
  const pointers = error.entries.map(({ source }) => source?.pointer ?? '');
  const entries = error.entries.filter(({ source }) => {
    const within = `${source?.pointer ?? ''}/`;
    return source === undefined || !pointers.some((pointer) => pointer.startsWith(within));
  });
  return new ApiFailure(error.status, entries);
}
