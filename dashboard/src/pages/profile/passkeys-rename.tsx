import { api, resultOf } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { type Passkey, passkeysQuery } from '../../api/factors.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { useApiForm } from '../../ui/form.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useEdit } from '../../ui/use-edit.ts';
import { labels } from './labels.ts';

interface RenamePasskeyProps {
  passkey: Passkey | undefined;
  onClose: () => void;
}

/** Gives a passkey another name. */
export function RenamePasskey({ passkey, onClose }: RenamePasskeyProps) {
  return (
    <Dialog isOpen={passkey !== undefined} onClose={onClose} title={labels.renamePasskey}>
      {passkey !== undefined && <RenameForm passkey={passkey} onClose={onClose} />}
    </Dialog>
  );
}

function RenameForm({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const edit = useEdit(passkey, async () => {
    const { data, response } = await api.GET('/user/passkeys');
    const result = data?.result.find(({ id }) => id === passkey.id);
    return { ...(result && { data: { result } }), response };
  });
  const form = useApiForm<{ name: string }>({
    values: { name: passkey.name },
    isGuarded: false,
    save: async ({ name }) => {
      const params = { path: { passkey_id: passkey.id } };
      const body = { name: name.trim() };
      const renamed = await edit.save(['name'], (headers) =>
        resultOf(api.PATCH('/user/passkeys/{passkey_id}', { params, headers, body })),
      );
      queryClient.setQueryData(passkeysQuery.queryKey, (passkeys) =>
        passkeys?.map((other) => (other.id === renamed.id ? renamed : other)),
      );
      toast(labels.renamedThePasskey);
      onClose();
    },
  });
  return (
    <form onSubmit={form.submit} className="space-y-4">
      <Field
        label={labels.name}
        hint={labels.atMost100Characters}
        error={form.formState.errors.name?.message}
      >
        <Input {...form.register('name', { required: labels.enterAName })} />
      </Field>
      <SaveFailure error={form.failure} />
      <Actions>
        <Button onClick={onClose}>{labels.cancel}</Button>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          {labels.rename}
        </Button>
      </Actions>
    </form>
  );
}
