import { useState } from 'react';
import { TOKEN_VARIABLE, apiCommand } from '../../../lib/shell-command.ts';
import { baseUrl } from '../../../lib/site.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { labels } from '../labels.ts';

interface TagRequestProps {
  accountId: string;
  method: 'PATCH' | 'POST';
  /** Behind `/tags`. */
  path?: string;
  headers?: Readonly<Record<string, string>>;
  body: unknown;
  /** What else is to be known of it. */
  note?: string | undefined;
}

/** The request that does the same as the form, folded. */
export function TagRequest({
  accountId,
  method,
  path = '',
  headers = {},
  body,
  note,
}: TagRequestProps) {
  const [isShown, setIsShown] = useState(false);
  const json = JSON.stringify(body, null, 2);
  const url = `${baseUrl}/accounts/${accountId}/tags${path}`;
  return (
    <div className="space-y-3">
      <Button isSmall look="quiet" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {isShown ? labels.hideRequest : labels.showRequest}
      </Button>
      {isShown && note !== undefined && <p className="text-sm text-muted">{note}</p>}
      {isShown && (
        <Tabs
          label={labels.apiRequest}
          tabs={[
            { title: 'JSON', content: <CodeBlock label={labels.json} text={json} /> },
            {
              title: 'curl',
              content: (
                <div className="space-y-2">
                  <CodeBlock
                    label="command"
                    text={apiCommand({
                      url,
                      ...(method === 'PATCH' && { method }),
                      headers,
                      body: json,
                    })}
                  />
                  <p className="text-sm text-muted">
                    <code>{TOKEN_VARIABLE}</code> is a token with the permission Tags Write.
                  </p>
                </div>
              ),
            },
          ]}
        />
      )}
    </div>
  );
}
