import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { gatewayModelsQuery } from '../../../api/gateway-models.ts';
import { Check, Field, Input, Textarea } from '../../../ui/field.tsx';
import { focusFirstFault } from '../../../ui/focus-first-fault.ts';
import { Card } from '../../../ui/page.tsx';
import { SuggestInput } from '../../../ui/suggest-input.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { labels } from './labels.ts';
import { type DraftFaults, LOCAL_MODEL, type RequestDraft, faultsOf } from './request-draft.ts';
import type { PlaygroundUse } from './use-playground.ts';

const MAX_SYSTEM_LENGTH = 200_000;

interface FieldsProps {
  draft: RequestDraft;
  faults: DraftFaults;
  change: (change: Partial<RequestDraft>) => void;
}

/** How questions are asked. */
export function SettingsCard({ playground }: { playground: PlaygroundUse }) {
  const { draft, change, tries } = playground;
  const faults = tries > 0 ? faultsOf(draft) : {};
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (tries > 0) focusFirstFault(form.current);
  }, [tries]);
  const fields: FieldsProps = { draft, faults, change };
  return (
    <Card title={labels.request} className="overflow-visible">
      <div ref={form} className="space-y-5">
        <ModelField {...fields} />
        <Field label={labels.systemPrompt} isOptional hint={labels.instructionsForTheModel}>
          <Textarea
            rows={3}
            maxLength={MAX_SYSTEM_LENGTH}
            value={draft.system}
            onChange={(event) => change({ system: event.target.value })}
          />
        </Field>
        <AnswerFields {...fields} />
        <GatewayFields {...fields} />
      </div>
    </Card>
  );
}

function ModelField({ draft, faults, change }: FieldsProps) {
  const { access, gateway } = useGatewayOfPage();
  const { data = [] } = useQuery({
    ...gatewayModelsQuery(access.accountId, gateway.id),
    enabled: access.can('ai-gateway.run'),
  });
  const suggestions = data.includes(LOCAL_MODEL) ? data : [LOCAL_MODEL, ...data];
  return (
    <Field
      label={labels.model}
      error={faults.model}
      hint={<ModelHint model={draft.model.trim()} />}
    >
      <SuggestInput
        value={draft.model}
        onChange={(model) => change({ model })}
        suggestions={suggestions}
        className="font-mono text-sm"
      />
    </Field>
  );
}

function ModelHint({ model }: { model: string }) {
  if (model === LOCAL_MODEL) {
    return labels.builtInRepeatsYourMessage;
  }
  return labels.providerAndModelTheList;
}

function AnswerFields({ draft, faults, change }: FieldsProps) {
  return (
    <div className="space-y-4">
      <div className="grid grid-cols-2 gap-4">
        <Field label={labels.temperature} error={faults.temperature}>
          <Input
            inputMode="decimal"
            placeholder={labels.default}
            value={draft.temperature}
            onChange={(event) => change({ temperature: event.target.value })}
          />
        </Field>
        <Field label={labels.maximumTokens} error={faults.maxTokens}>
          <Input
            inputMode="numeric"
            placeholder={labels.default}
            value={draft.maxTokens}
            onChange={(event) => change({ maxTokens: event.target.value })}
          />
        </Field>
      </div>
      <Check
        label={labels.streamTheResponse}
        hint={labels.showsTheResponse}
        checked={draft.isStreaming}
        onChange={(event) => change({ isStreaming: event.target.checked })}
      />
    </div>
  );
}

/** What only the gateway reads. */
function GatewayFields({ draft, faults, change }: FieldsProps) {
  const [isOpen, setIsOpen] = useState(
    draft.cacheTtl !== '' || draft.skipsCache || draft.metadata !== '',
  );
  // What is at fault is not to be looked for.
  const isFaulty = faults.cacheTtl !== undefined || faults.metadata !== undefined;
  if (isFaulty && !isOpen) setIsOpen(true);
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="text-[0.9375rem] font-medium">{labels.cacheAndMetadata}</summary>
      <div className="mt-3 space-y-4">
        <Field
          label={labels.cacheTheResponseFor}
          isOptional
          error={faults.cacheTtl}
          hint={labels.cacheDurationHint}
        >
          <Input
            inputMode="numeric"
            value={draft.cacheTtl}
            onChange={(event) => change({ cacheTtl: event.target.value })}
          />
        </Field>
        <Check
          label={labels.skipTheCache}
          checked={draft.skipsCache}
          onChange={(event) => change({ skipsCache: event.target.checked })}
        />
        <Field
          label={labels.metadata}
          isOptional
          error={faults.metadata}
          hint={
            <>
              JSON for the log: <code className="font-mono">{'{"team": "search"}'}</code>
            </>
          }
        >
          <Textarea
            rows={2}
            spellCheck={false}
            className="font-mono text-sm"
            value={draft.metadata}
            onChange={(event) => change({ metadata: event.target.value })}
          />
        </Field>
      </div>
    </details>
  );
}
